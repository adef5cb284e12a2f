#include "pliant/io/point_cache.h"

#include <algorithm>

#include "pliant/core/error.h"
#include "pliant/io/decode_reals.h"
#include "pliant/io/large_memory.h"

namespace pliant {
namespace {

// Large enough that a read is not dominated by the call, small enough that its bytes are still in the cache when
// they are decoded. A multiple of every vertex size.
constexpr std::size_t kBlockSize = 24 * 8192;

bool decode(const PointCacheLayout& layout, const char* from, std::size_t count, double* to) {
  const bool little = layout.order == std::endian::little;
  if (layout.precision == Precision::float32)
    return little ? decode_reals<float, std::endian::little>(from, count, to)
                  : decode_reals<float, std::endian::big>(from, count, to);
  return little ? decode_reals<double, std::endian::little>(from, count, to)
                : decode_reals<double, std::endian::big>(from, count, to);
}

}  // namespace

PointCache::PointCache(std::unique_ptr<ByteSource> source, const PointCacheLayout& layout)
    : source_(std::move(source)),
      layout_(layout),
      bytes_(static_cast<std::size_t>(std::min<std::uint64_t>(layout.frame_size(), kBlockSize))) {}

Frame PointCache::frame(std::size_t index) {
  std::vector<Vec3> positions;
  reserve_large(positions, vertex_count());
  positions.resize(vertex_count());
  const std::size_t value_size = layout_.precision == Precision::float32 ? 4 : 8;
  double* to = positions.data()->data();
  bool finite = true;
  for (std::uint64_t done = 0; done < layout_.frame_size();) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(bytes_.size(), layout_.frame_size() - done));
    source_->read(layout_.data_offset + index * layout_.frame_size() + done, bytes_.data(), size);
    finite &= decode(layout_, bytes_.data(), size / value_size, to);
    to += size / value_size;
    done += size;
  }
  if (!finite) fail_not_finite(index, positions);
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
