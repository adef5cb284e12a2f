// A motion whose frames are a function of the frame number.
#pragma once

#include <functional>
#include <utility>

#include "pliant/motion/motion.h"
#include "pliant/scene/scene.h"

namespace pliant {

// Of motions that do not end: frames are made when they are asked for.
inline constexpr std::size_t kEndlessFrames = std::size_t{1} << (sizeof(std::size_t) > 4 ? 40 : 30);

class FunctionFrames : public FrameSource {
 public:
  using Positions = std::function<std::vector<Vec3>(std::size_t frame)>;

  FunctionFrames(std::size_t vertex_count, std::size_t frame_count, Positions positions)
      : vertex_count_(vertex_count), frame_count_(frame_count), positions_(std::move(positions)) {}

  std::size_t vertex_count() const override { return vertex_count_; }
  std::size_t frame_count() const override { return frame_count_; }
  Frame frame(std::size_t index) override { return Frame::own(positions_(index)); }

 private:
  std::size_t vertex_count_;
  std::size_t frame_count_;
  Positions positions_;
};

// A body whose mesh is `shape` at the places of frame 0. `positions` must give the same for the same frame each time;
// it is called from one thread at a time.
MovingBody moving_body(std::string name, const TriangleMesh& shape, std::size_t frames,
                       FunctionFrames::Positions positions);

}  // namespace pliant
