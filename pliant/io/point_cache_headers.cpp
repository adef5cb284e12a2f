// The headers of PC2 and MDD.
#include <limits>

#include "pliant/io/byte_reader.h"
#include "pliant/io/point_cache.h"

namespace pliant {
namespace {

constexpr std::string_view kPc2Magic("POINTCACHE2\0", 12);
constexpr std::size_t kPc2HeaderSize = 32;
constexpr const char* kBrokenCache = "the file is truncated or damaged: export it again";

// No sum or product here can overflow: the counts are below 2^31.
void require_frames_fit(const PointCacheLayout& layout, const ByteSource& source) {
  const ErrorPlace place{.file = source.name()};
  if (layout.frame_count == 0 || layout.vertex_count == 0)
    throw Error(place, "the cache has no " + std::string(layout.frame_count == 0 ? "frames" : "points"),
                "export it again");
  const std::uint64_t room = source.size() - layout.data_offset;
  if (layout.frame_count > room / layout.frame_size())
    throw Error(place,
                "the header claims " + std::to_string(layout.frame_count) + " frames of " +
                    std::to_string(layout.vertex_count) + " points, but the file has room for " +
                    std::to_string(room / layout.frame_size()),
                kBrokenCache);
}

void require_count(std::int32_t count, ByteReader& reader) {
  if (count < 0) reader.fail("a count is negative", kBrokenCache);
}

void require_writable(std::uint64_t vertex_count, std::uint64_t frame_count) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (vertex_count > kMost || frame_count > kMost)
    throw Error("the motion has more vertices or frames than the format can count", "write .npy instead");
}

}  // namespace

bool looks_like_pc2(std::string_view opening) { return opening.substr(0, kPc2Magic.size()) == kPc2Magic; }

PointCacheLayout read_pc2_header(ByteSource& source) {
  const std::string opening = source.opening(kPc2HeaderSize);
  ByteReader reader(opening, source.name());
  if (!looks_like_pc2(opening)) reader.fail("not a PC2 point cache", "it must begin with POINTCACHE2");
  reader.take(kPc2Magic.size(), "the header");
  const auto version = reader.take<std::int32_t>(std::endian::little, "the header");
  if (version != 1) reader.fail("version " + std::to_string(version) + " of PC2 is not known", "export version 1");
  const auto vertices = reader.take<std::int32_t>(std::endian::little, "the header");
  require_count(vertices, reader);
  reader.take(8, "the header");  // start frame and sample rate, as floats
  const auto frames = reader.take<std::int32_t>(std::endian::little, "the header");
  require_count(frames, reader);
  const PointCacheLayout layout{.data_offset = kPc2HeaderSize,
                                .vertex_count = static_cast<std::uint64_t>(vertices),
                                .frame_count = static_cast<std::uint64_t>(frames)};
  require_frames_fit(layout, source);
  return layout;
}

std::string format_pc2_header(std::uint64_t vertex_count, std::uint64_t frame_count) {
  require_writable(vertex_count, frame_count);
  std::string bytes(kPc2Magic);
  append_little(bytes, std::int32_t{1});
  append_little(bytes, static_cast<std::int32_t>(vertex_count));
  append_little(bytes, 0.0f);  // the frame that the first sample belongs to
  append_little(bytes, 1.0f);  // frames from one sample to the next
  append_little(bytes, static_cast<std::int32_t>(frame_count));
  return bytes;
}

PointCacheLayout read_mdd_header(ByteSource& source) {
  const std::string opening = source.opening(8);
  ByteReader reader(opening, source.name());
  const auto frames = reader.take<std::int32_t>(std::endian::big, "the header");
  require_count(frames, reader);
  const auto vertices = reader.take<std::int32_t>(std::endian::big, "the header");
  require_count(vertices, reader);
  const PointCacheLayout layout{.data_offset = 8 + 4 * static_cast<std::uint64_t>(frames),
                                .vertex_count = static_cast<std::uint64_t>(vertices),
                                .frame_count = static_cast<std::uint64_t>(frames),
                                .order = std::endian::big};
  if (layout.data_offset > source.size())
    reader.fail_at(0, "the header claims " + std::to_string(frames) + " frames, more than the file has room for",
                   kBrokenCache);
  require_frames_fit(layout, source);
  return layout;
}

std::string format_mdd_header(std::uint64_t vertex_count, std::uint64_t frame_count, double frames_per_second) {
  require_writable(vertex_count, frame_count);
  std::string bytes;
  append(bytes, static_cast<std::int32_t>(frame_count), std::endian::big);
  append(bytes, static_cast<std::int32_t>(vertex_count), std::endian::big);
  for (std::uint64_t frame = 0; frame < frame_count; ++frame)
    append(bytes, static_cast<float>(static_cast<double>(frame) / frames_per_second), std::endian::big);
  return bytes;
}

}  // namespace pliant
