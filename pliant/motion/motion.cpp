#include "pliant/motion/motion.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <string>

#include "pliant/core/error.h"
#include "pliant/motion/motion_frames.h"

namespace pliant {

namespace {

// Throws Error for a coordinate that is not finite.
void require_finite(const Frame& frame, std::size_t index) {
  if (const auto vertex = frame.first_not_finite())
    throw Error(ErrorPlace{.element = "frame " + std::to_string(index) + ", vertex " + std::to_string(*vertex)},
                "a coordinate is not a finite number", "repair the positions or leave the frame out");
}

}  // namespace

class Motion::StoredFrames : public Frames {
 public:
  StoredFrames(std::vector<Frame> frames, std::vector<double> times)
      : frames_(std::move(frames)), times_(std::move(times)) {}
  std::size_t vertex_count() const override { return frames_[0].vertex_count(); }
  std::size_t frame_count() const override { return frames_.size(); }
  double time_of(std::size_t frame) const override {
    return times_.empty() ? static_cast<double>(frame) : times_[frame];
  }
  Frame frame(std::size_t index) const override {
    if (frames_[index].is_shared()) require_finite(frames_[index], index);
    return frames_[index];
  }
  Frame unread_frame(std::size_t index) const override { return frames_[index]; }

 private:
  std::vector<Frame> frames_;
  std::vector<double> times_;
};

// Keeps the last few frames: enough for the two ends of the segments that a few threads work on.
class Motion::PulledFrames : public Frames {
 public:
  explicit PulledFrames(std::shared_ptr<FrameSource> source)
      : source_(std::move(source)), vertices_(source_->vertex_count()), frames_(source_->frame_count()) {}
  std::size_t vertex_count() const override { return vertices_; }
  std::size_t frame_count() const override { return frames_; }
  Frame frame(std::size_t index) const override {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(recent_.begin(), recent_.end(), [index](const Entry& entry) { return entry.index == index; });
    if (found != recent_.end()) return found->frame;
    Frame frame = source_->frame(index);
    require_usable(frame, index);
    if (recent_.size() == kKept) recent_.pop_front();
    recent_.push_back({index, frame});
    return frame;
  }

 private:
  struct Entry {
    std::size_t index;
    Frame frame;
  };
  void require_usable(const Frame& frame, std::size_t index) const {
    if (frame.vertex_count() != vertices_)
      throw Error(
          ErrorPlace{.element = "frame " + std::to_string(index)},
          "has " + std::to_string(frame.vertex_count()) + " vertices where the motion has " + std::to_string(vertices_),
          "a FrameSource gives the same vertices in every frame");
    require_finite(frame, index);
  }

  static constexpr std::size_t kKept = 4;
  std::shared_ptr<FrameSource> source_;
  std::size_t vertices_;
  std::size_t frames_;
  mutable std::mutex mutex_;
  mutable std::deque<Entry> recent_;
};

namespace {

void require_usable(const std::vector<Frame>& frames, const std::vector<double>& times) {
  if (frames.empty()) throw Error("the motion has no frames", "give at least one");
  if (!times.empty() && times.size() != frames.size())
    throw Error(
        "the motion has " + std::to_string(frames.size()) + " frames but " + std::to_string(times.size()) + " times",
        "give one time per frame, or none");
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const ErrorPlace place{.element = "frame " + std::to_string(k)};
    if (frames[k].vertex_count() != frames[0].vertex_count())
      throw Error(place,
                  "has " + std::to_string(frames[k].vertex_count()) + " vertices where frame 0 has " +
                      std::to_string(frames[0].vertex_count()),
                  "give all vertices in every frame");
    if (!times.empty() && (!std::isfinite(times[k]) || (k > 0 && times[k] <= times[k - 1])))
      throw Error(place, "its time is not finite or not after the time of the frame before", "give ascending times");
    if (!frames[k].is_shared()) require_finite(frames[k], k);
  }
}

}  // namespace

Motion Motion::at_rest(Frame frame) { return keyframes({std::move(frame)}); }

Motion Motion::at_rest(const MeshPtr& mesh) {
  return Motion(std::make_shared<const StoredFrames>(std::vector<Frame>{Frame::of_mesh(mesh)}, std::vector<double>{}));
}

Motion Motion::linear(Frame x_t0, Frame x_t1, Interval when) {
  return keyframes({std::move(x_t0), std::move(x_t1)}, {when.t0, when.t1});
}

Motion Motion::keyframes(std::vector<Frame> frames, std::vector<double> times) {
  require_usable(frames, times);
  return Motion(std::make_shared<const StoredFrames>(std::move(frames), std::move(times)));
}

Motion Motion::from_source(std::shared_ptr<FrameSource> source) {
  if (!source) throw Error("the motion has no source of frames", "give a FrameSource");
  if (source->frame_count() == 0) throw Error("the motion has no frames", "give at least one");
  return Motion(std::make_shared<const PulledFrames>(std::move(source)));
}

std::size_t Motion::vertex_count() const { return frames_->vertex_count(); }
std::size_t Motion::frame_count() const { return frames_->frame_count(); }
double Motion::time_of(std::size_t frame) const { return frames_->time_of(frame); }
const EmbeddedIn* Motion::embedded_in() const { return frames_->embedded_in(); }

Frame Motion::frame(std::size_t index) const {
  if (index >= frame_count())
    throw Error(ErrorPlace{.element = "frame " + std::to_string(index)},
                "the motion has only " + std::to_string(frame_count()) + " frames", "frames are counted from 0");
  return frames_->frame(index);
}

MotionSegment Motion::segment_at(double t) const {
  const std::size_t last = frame_count() - 1;
  const auto still = [&](std::size_t k) { return MotionSegment{time_of(k), time_of(k), frame(k), frame(k)}; };
  if (last == 0 || t < time_of(0)) return still(0);
  if (t > time_of(last)) return still(last);
  const std::size_t low = frame_before(t);
  return {time_of(low), time_of(low + 1), frame(low), frame(low + 1)};
}

std::size_t Motion::frame_before(double t) const {
  std::size_t low = 0;
  std::size_t high = frame_count() - 1;  // time_of(low) <= t, and t < time_of(high) or it is the last
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (t < time_of(middle) ? high : low) = middle;
  }
  return low;
}

std::optional<Frame> Motion::stored_frame_at(double t) const {
  const std::size_t last = frame_count() - 1;
  if (t <= time_of(0)) return frames_->unread_frame(0);
  if (t >= time_of(last)) return frames_->unread_frame(last);
  const std::size_t low = frame_before(t);
  if (t == time_of(low)) return frames_->unread_frame(low);
  return std::nullopt;
}

Frame Motion::positions_at(double t) const {
  const std::size_t last = frame_count() - 1;
  if (t <= time_of(0)) return frame(0);
  if (t >= time_of(last)) return frame(last);
  // The frame behind is not read where it is not needed.
  if (const std::size_t low = frame_before(t); t == time_of(low)) return frame(low);
  const MotionSegment segment = segment_at(t);
  const double s = (t - segment.t0) / (segment.t1 - segment.t0);
  std::vector<Vec3> positions(vertex_count());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const Vec3& x0 = segment.x_t0.positions()[v];
    positions[v] = x0 + (segment.x_t1.positions()[v] - x0) * s;
  }
  return Frame::own(std::move(positions));
}

}  // namespace pliant
