// Where a body's vertices are over time: at rest, one linear step, keyframes, or frames pulled from a source.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "pliant/motion/frame.h"
#include "pliant/motion/interval.h"

namespace pliant {

class BarycentricEmbedding;
class RigidLinks;
struct EmbeddedIn;

// Frames on demand, for caches larger than memory. A Motion calls it from one thread at a time and keeps only the
// last few frames, so it must answer any frame at any time; ascending requests are the usual case. How many vertices
// and frames there are is asked once. A frame that it gave keeps its positions.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual std::size_t vertex_count() const = 0;
  virtual std::size_t frame_count() const = 0;
  // Throws Error (naming file and frame) for what cannot be read. A Motion refuses a frame with another number of
  // vertices or a coordinate that is not finite, naming the frame.
  virtual Frame frame(std::size_t index) = 0;
};

// One linear piece of a motion: x(t) = x_t0 + (x_t1 - x_t0) (t - t0) / (t1 - t0).
struct MotionSegment {
  double t0 = 0;
  double t1 = 0;
  Frame x_t0;
  Frame x_t1;
};

// Piecewise linear in time. A value: copies share their frames and are cheap; safe to use from several threads.
// Before its first and after its last frame a motion stands still. Whoever gives positions of their own again and again
// uses Detector::set_positions, set_step and advance, or a PositionBuffer: nothing is then allocated per frame.
class Motion {
 public:
  static Motion at_rest(Frame frame);
  static Motion at_rest(const MeshPtr& mesh);
  static Motion linear(Frame x_t0, Frame x_t1, Interval when = {0, 1});
  // Frame k is at times[k] (ascending), or at time k without `times`. Throws Error if frames differ in size, there are
  // none, times do not ascend strictly or a position is not finite. Shared frames are not read here: what is not
  // finite in one is refused, by an Error, when it is first asked for.
  static Motion keyframes(std::vector<Frame> frames, std::vector<double> times = {});
  // Throws Error if there is no source or it has no frames.
  static Motion from_source(std::shared_ptr<FrameSource> source);

  // The motion of a dense surface that follows a coarse one (motion/embedding.h), with its times. Dense positions are
  // computed when they are asked for, and between keyframes they are linear in time like those of every motion. Methods
  // that need only bounds look at the coarse frames instead (embedded_in). A triple of links that collapses in a frame
  // depends on the frames before it, from the first of this motion on, as LinkFollower has it. Throws Error if the
  // motion has another number of vertices than the embedding's coarse side.
  static Motion embedded(Motion coarse, std::shared_ptr<const RigidLinks> links);
  static Motion embedded(Motion coarse, std::shared_ptr<const BarycentricEmbedding> embedding);
  // What an embedded motion follows; null for all others. Valid while a copy of the motion lives.
  const EmbeddedIn* embedded_in() const;

  bool empty() const { return !frames_; }  // it was moved from: nothing else may be asked

  std::size_t vertex_count() const;
  std::size_t frame_count() const;
  double time_of(std::size_t frame) const;
  Interval domain() const { return {time_of(0), time_of(frame_count() - 1)}; }
  bool moves() const { return frame_count() > 1; }

  // Throws Error for an index that there is not, and what FrameSource says.
  Frame frame(std::size_t index) const;

  // The segment that t lies in: half-open [t0, t1), the last one closed. For a motion at rest, and outside the
  // domain, a segment whose two frames are the same.
  MotionSegment segment_at(double t) const;
  // All vertices at time t; the stored frame itself where t is a keyframe.
  Frame positions_at(double t) const;
  // The stored frame if t is a keyframe, none otherwise. Of shared frames nothing is read: what is not finite in one is
  // left to the caller, who sees by Frame::known_finite() whether anybody has looked.
  std::optional<Frame> stored_frame_at(double t) const;

 private:
  friend class PositionBuffer;
  class Frames;
  class OneStep;
  class StoredFrames;
  class PulledFrames;
  class EmbeddedFrames;
  explicit Motion(std::shared_ptr<const Frames> frames) : frames_(std::move(frames)) {}
  std::size_t frame_before(double t) const;  // the last frame not after t, but never the last of all; t in the domain
  std::shared_ptr<const Frames> frames_;
};

// One of the two ways is there, the other is null.
struct EmbeddedIn {
  Motion coarse;
  std::shared_ptr<const RigidLinks> links;
  std::shared_ptr<const BarycentricEmbedding> barycentric;
};

}  // namespace pliant
