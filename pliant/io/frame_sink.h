// Where the frames of a motion go, one class a kind of file. Internal to io/: the door is MotionWriter.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pliant/io/motion_file.h"

namespace pliant {

namespace detail {
// MotionWriter has compared every frame's vertex count, counts the frames, and ends with finish() or not at all.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual void add(std::span<const Vec3> positions) = 0;
  virtual void finish() = 0;
  virtual std::vector<std::string> dropped() const { return {}; }
};
}  // namespace detail
using detail::FrameSink;

// The coordinate as a float. Throws Error, naming file, frame and vertex, if it is not finite or too large.
struct FramePlace {
  const std::string& path;
  std::uint64_t frame = 0;
  std::size_t vertex = 0;
};
float float_coordinate(double value, const FramePlace& place);
[[noreturn]] void refuse_coordinate(const FramePlace& place);

// PC2, MDD, NPY.
std::unique_ptr<FrameSink> make_cache_sink(const std::string& path, std::size_t vertex_count,
                                           const MotionWriteOptions& options);
// walk.%04d.obj and the like.
std::unique_ptr<FrameSink> make_sequence_sink(const std::string& path, const MotionWriteOptions& options);
// walk.pvd with walk.0000.vtp, ... beside it; .vtu if there are tetrahedra.
std::unique_ptr<FrameSink> make_pvd_sink(const std::string& path, const MotionWriteOptions& options);
// .glb, or .gltf with its numbers in a .bin beside it. One frame makes a mesh that stands still.
std::unique_ptr<FrameSink> make_gltf_sink(const std::string& path, const MotionWriteOptions& options);

}  // namespace pliant
