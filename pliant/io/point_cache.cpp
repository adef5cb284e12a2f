#include "pliant/io/point_cache.h"

#include <cmath>

#include "pliant/io/byte_reader.h"

namespace pliant {
namespace {

// Returns whether all values are finite.
template <class Real, std::endian order>
bool decode(const char* from, std::vector<Vec3>& positions) {
  double* to = positions.data()->data();
  const std::size_t count = 3 * positions.size();
  double not_finite = 0;  // x - x is 0 for a finite x, and not a number for others
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = static_cast<double>(load<Real>(from + i * sizeof(Real), order));
    not_finite += to[i] - to[i];
  }
  return not_finite == 0;
}

bool decode(const PointCacheLayout& layout, const char* from, std::vector<Vec3>& positions) {
  const bool little = layout.order == std::endian::little;
  if (layout.precision == Precision::float32)
    return little ? decode<float, std::endian::little>(from, positions)
                  : decode<float, std::endian::big>(from, positions);
  return little ? decode<double, std::endian::little>(from, positions)
                : decode<double, std::endian::big>(from, positions);
}

}  // namespace

PointCache::PointCache(std::unique_ptr<ByteSource> source, const PointCacheLayout& layout)
    : source_(std::move(source)), layout_(layout), bytes_(static_cast<std::size_t>(layout.frame_size())) {}

Frame PointCache::frame(std::size_t index) {
  source_->read(layout_.data_offset + index * layout_.frame_size(), bytes_.data(), bytes_.size());
  std::vector<Vec3> positions(vertex_count());
  if (!decode(layout_, bytes_.data(), positions)) fail_not_finite(index, positions);
  return Frame::own(std::move(positions));
}

void PointCache::fail_not_finite(std::size_t frame, const std::vector<Vec3>& positions) const {
  std::size_t vertex = 0;
  while (positions[vertex].allFinite()) ++vertex;
  throw Error(ErrorPlace{.file = source_->name(),
                         .byte = layout_.data_offset + frame * layout_.frame_size() +
                                 vertex * (layout_.frame_size() / layout_.vertex_count),
                         .element = "frame " + std::to_string(frame) + ", vertex " + std::to_string(vertex)},
              "a coordinate is not a finite number", "export the cache again, or choose frames without it");
}

}  // namespace pliant
