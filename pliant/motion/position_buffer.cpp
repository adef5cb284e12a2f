#include "pliant/motion/position_buffer.h"

#include <algorithm>
#include <string>

#include "pliant/core/error.h"
#include "pliant/motion/frame_memory.h"
#include "pliant/motion/motion_frames.h"

namespace pliant {
namespace {

// Whether nobody else holds it. Others may let go of it on other threads: a reference that is taken and given back is
// an acquiring operation on the same count, so that what they read happened before what is written next.
template <class T>
bool is_free(const std::shared_ptr<T>& one) {
  if (one.use_count() != 1) return false;
  std::shared_ptr<T>(one).reset();
  return true;
}

// One that is free, or a new one; when there are `most` of them the oldest is left to those who hold it.
template <class T>
std::shared_ptr<T> free_one(std::vector<std::shared_ptr<T>>& all, std::size_t most) {
  const auto found = std::find_if(all.begin(), all.end(), is_free<T>);
  if (found != all.end()) return *found;
  if (all.size() == most) all.erase(all.begin());
  return all.emplace_back(std::make_shared<T>());
}

void require_interval(Interval when) {
  if (!std::isfinite(when.t0) || !std::isfinite(when.t1) || !(when.t0 < when.t1))
    throw Error("the step takes no time, or its times are not finite", "give an interval with t0 < t1");
}

void require_same_size(std::size_t x_t0, std::size_t x_t1) {
  if (x_t0 != x_t1)
    throw Error("the step starts with " + std::to_string(x_t0) + " vertices and ends with " + std::to_string(x_t1),
                "give the positions of all vertices at both ends");
}

}  // namespace

Frame PositionBuffer::copy(std::span<const Vec3> positions, const char* which) {
  // Motions that nobody looks at any more hold frames.
  for (const auto& step : steps_)
    if (is_free(step)) step->clear();
  const std::shared_ptr<Frame::Memory> memory = free_one(frames_, kFrames);
  memory->own.resize(positions.size());
  memory->finite.store(true, std::memory_order_relaxed);
  if (!detail::copy_and_check(positions, memory->own.data()))
    throw Error(
        ErrorPlace{.element = which + std::string("vertex ") + std::to_string(detail::first_not_finite(positions))},
        "a coordinate is not a finite number", "leave the body where it was, or repair the positions");
  memory->bounds = detail::bounds_of(memory->own);
  return {memory, memory->own};
}

Motion PositionBuffer::motion_of(Frame x_t0, Frame x_t1, Interval when) {
  const std::shared_ptr<Motion::OneStep> step = free_one(steps_, kSteps);
  step->set(std::move(x_t0), std::move(x_t1), when);
  return Motion(step);
}

Motion PositionBuffer::at_rest(std::span<const Vec3> positions) {
  const Frame frame = copy(positions, "");
  return motion_of(frame, frame, {0, 0});
}

Motion PositionBuffer::step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Interval when) {
  require_interval(when);
  require_same_size(x_t0.size(), x_t1.size());
  Frame start = copy(x_t0, "start of the step, ");
  return motion_of(std::move(start), copy(x_t1, "end of the step, "), when);
}

Motion PositionBuffer::step(const Frame& x_t0, std::span<const Vec3> x_t1, Interval when) {
  require_interval(when);
  require_same_size(x_t0.vertex_count(), x_t1.size());
  return motion_of(x_t0, copy(x_t1, "end of the step, "), when);
}

}  // namespace pliant
