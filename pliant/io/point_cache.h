// Point caches: files that hold the positions of all vertices, frame after frame, as plain binary numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pliant/io/byte_source.h"
#include "pliant/io/mesh_file.h"
#include "pliant/motion/motion.h"

namespace pliant {

// What the header of a cache says, checked against the size of the file: every frame it names is there.
struct PointCacheLayout {
  std::uint64_t data_offset = 0;
  std::uint64_t vertex_count = 0;
  std::uint64_t frame_count = 0;
  Precision precision = Precision::float32;
  std::endian order = std::endian::little;

  std::uint64_t frame_size() const { return vertex_count * 3 * (precision == Precision::float32 ? 4 : 8); }
};

// One function a format. All throw Error for a header that is damaged, claims more than the file holds, or names no
// frames or vertices.
//
// PC2 (3ds Max, Blender, Houdini): little-endian floats behind a header of 32 bytes.
PointCacheLayout read_pc2_header(ByteSource& source);
// MDD (LightWave, Blender): big-endian floats behind the counts and a time for every frame. The times are not used:
// one frame is one unit of time.
PointCacheLayout read_mdd_header(ByteSource& source);
// NumPy .npy of shape (frames, vertices, 3), float32 or float64, either byte order, C order.
PointCacheLayout read_npy_header(ByteSource& source);

bool looks_like_pc2(std::string_view opening);
bool looks_like_npy(std::string_view opening);

// A one-dimensional .npy array, such as the times of the frames. Throws Error for other shapes and values not finite.
std::vector<double> read_npy_vector(ByteSource& source);

// Reads frames as they are asked for, a small block at a time. frame() throws Error, naming file, frame and vertex, for
// coordinates that are not finite.
class PointCache : public FrameSource {
 public:
  PointCache(std::unique_ptr<ByteSource> source, const PointCacheLayout& layout);
  std::size_t vertex_count() const override { return static_cast<std::size_t>(layout_.vertex_count); }
  std::size_t frame_count() const override { return static_cast<std::size_t>(layout_.frame_count); }
  Frame frame(std::size_t index) override;

 private:
  [[noreturn]] void fail_not_finite(std::size_t frame, const std::vector<Vec3>& positions) const;

  std::unique_ptr<ByteSource> source_;
  PointCacheLayout layout_;
  std::vector<char> bytes_;  // the block
};

// The headers of files to be written; frames follow as the layout says. The size of a .npy header does not depend on
// the counts, so it can be written again when they are known.
std::string format_pc2_header(std::uint64_t vertex_count, std::uint64_t frame_count);
std::string format_mdd_header(std::uint64_t vertex_count, std::uint64_t frame_count, double frames_per_second);
std::string format_npy_header(std::uint64_t vertex_count, std::uint64_t frame_count, Precision precision);
std::string format_npy_vector_header(std::uint64_t count);  // of one row of doubles; the same size

}  // namespace pliant
