// Motions for tests: frames in memory, any frames, and their comparison.
#pragma once

#include "pliant/motion/motion.h"
#include "tests/io/helpers.h"

namespace pliant {

using Frames = std::vector<std::vector<Vec3>>;

class StoredSource : public FrameSource {
 public:
  explicit StoredSource(Frames frames) : frames_(std::move(frames)) {}
  std::size_t vertex_count() const override { return frames_[0].size(); }
  std::size_t frame_count() const override { return frames_.size(); }
  Frame frame(std::size_t index) override { return Frame::own(frames_[index]); }

 private:
  Frames frames_;
};

inline Frames any_frames(const rc::Gen<double>& coordinate) {
  const auto vertices = *rc::gen::inRange<std::size_t>(1, 12);
  Frames frames(*rc::gen::inRange<std::size_t>(1, 6));
  for (std::vector<Vec3>& frame : frames) frame = *points(coordinate, vertices);
  return frames;
}

inline void require_same(const Frames& expected, FrameSource& source) {
  RC_ASSERT(source.frame_count() == expected.size());
  RC_ASSERT(source.vertex_count() == expected[0].size());
  for (std::size_t k = expected.size(); k-- > 0;) RC_ASSERT(same_positions(source.frame(k).positions(), expected[k]));
}

// Every vertex in a triangle.
inline MeshPtr mesh_over(const std::vector<Vec3>& positions) {
  std::vector<Triangle> triangles;
  for (std::size_t v = 0; v < positions.size(); ++v)
    triangles.push_back({VertexId(v), VertexId((v + 1) % positions.size()), VertexId((v + 2) % positions.size())});
  return std::make_shared<const TriangleMesh>(positions, triangles);
}

}  // namespace pliant
