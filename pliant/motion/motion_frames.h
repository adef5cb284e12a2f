// Where the frames of a motion come from. Internal to motion/.
#pragma once

#include <array>

#include "pliant/motion/motion.h"

namespace pliant {

class Motion::Frames {
 public:
  virtual ~Frames() = default;
  virtual std::size_t vertex_count() const = 0;
  virtual std::size_t frame_count() const = 0;
  virtual double time_of(std::size_t frame) const { return static_cast<double>(frame); }
  virtual Frame frame(std::size_t index) const = 0;
  virtual const EmbeddedIn* embedded_in() const { return nullptr; }
  virtual Frame unread_frame(std::size_t index) const { return frame(index); }  // positions not looked at
};

// One step, or one frame for ever if the interval is an instant; can be set again. Its frames are finite.
class Motion::OneStep : public Frames {
 public:
  void set(Frame x_t0, Frame x_t1, Interval when) {
    x_ = {std::move(x_t0), std::move(x_t1)};
    when_ = when;
  }
  void clear() { x_ = {}; }
  std::size_t vertex_count() const override { return x_[0].vertex_count(); }
  std::size_t frame_count() const override { return when_.is_instant() ? 1 : 2; }
  double time_of(std::size_t frame) const override { return frame == 0 ? when_.t0 : when_.t1; }
  Frame frame(std::size_t index) const override { return x_[index]; }

 private:
  std::array<Frame, 2> x_;
  Interval when_;
};

}  // namespace pliant
