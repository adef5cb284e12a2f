// A span of time. Time has one unit per keyframe (frame) of a motion.
#pragma once

namespace pliant {

struct Interval {
  double t0 = 0;
  double t1 = 0;
  // The end belongs to it. Otherwise what meets exactly at t1, and not before, is left to the interval that begins there,
  // so that a time line cut into pieces gives each contact once.
  bool closed = true;

  static constexpr Interval half_open(double t0, double t1) { return {t0, t1, false}; }
  static constexpr Interval instant(double t) { return {t, t}; }
  constexpr bool is_instant() const { return t0 == t1; }
  constexpr double length() const { return t1 - t0; }
};

}  // namespace pliant
