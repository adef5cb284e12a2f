#include <algorithm>
#include <limits>

#include "pliant/io/byte_reader.h"
#include "pliant/io/gltf.h"
#include "pliant/io/gltf_types.h"

namespace pliant {
namespace {

double load_component(const char* at, int type, bool is_normalized) {
  const auto fraction = [&]<class T>(T value) {
    if (!is_normalized) return static_cast<double>(value);
    return std::max(static_cast<double>(value) / static_cast<double>(std::numeric_limits<T>::max()), -1.0);
  };
  switch (type) {
    case 5120:
      return fraction(load_little<std::int8_t>(at));
    case 5121:
      return fraction(load_little<std::uint8_t>(at));
    case 5122:
      return fraction(load_little<std::int16_t>(at));
    case 5123:
      return fraction(load_little<std::uint16_t>(at));
    case 5125:
      return fraction(load_little<std::uint32_t>(at));
    default:
      return load_little<float>(at);
  }
}

const char* view_data(const Gltf& gltf, std::size_t view) {
  return gltf.buffers[gltf.views[view].buffer].data() + gltf.views[view].offset;
}

void apply_sparse(const Gltf& gltf, const GltfAccessor& accessor, std::vector<double>& values) {
  const GltfSparse& sparse = *accessor.sparse;
  const char* indices = view_data(gltf, sparse.index_view) + sparse.index_offset;
  const char* replacements = view_data(gltf, sparse.value_view) + sparse.value_offset;
  const std::size_t size = gltf_component_size(accessor.component_type);
  for (std::size_t i = 0; i < sparse.count; ++i) {
    const auto element = static_cast<std::size_t>(
        load_component(indices + i * gltf_component_size(sparse.index_type), sparse.index_type, false));
    if (element >= accessor.count) continue;  // replaces nothing
    for (std::size_t k = 0; k < accessor.components; ++k)
      values[element * accessor.components + k] = load_component(replacements + (i * accessor.components + k) * size,
                                                                 accessor.component_type, accessor.is_normalized);
  }
}

}  // namespace

std::size_t Gltf::total_bytes() const {
  std::size_t sum = 0;
  for (const std::string& buffer : buffers) sum += buffer.size();
  return sum;
}

std::vector<double> read_accessor(const Gltf& gltf, std::size_t index) {
  const GltfAccessor& accessor = gltf.accessors[index];
  std::vector<double> values(accessor.count * accessor.components);
  if (accessor.view) {
    const std::size_t size = gltf_component_size(accessor.component_type);
    const std::size_t stride =
        gltf.views[*accessor.view].stride > 0 ? gltf.views[*accessor.view].stride : size * accessor.components;
    const char* data = view_data(gltf, *accessor.view) + accessor.offset;
    for (std::size_t i = 0; i < accessor.count; ++i) {
      for (std::size_t k = 0; k < accessor.components; ++k)
        values[i * accessor.components + k] =
            load_component(data + i * stride + k * size, accessor.component_type, accessor.is_normalized);
    }
  }
  if (accessor.sparse) apply_sparse(gltf, accessor, values);
  return values;
}

}  // namespace pliant
