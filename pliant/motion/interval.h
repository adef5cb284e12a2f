// A closed span of time. Time has one unit per keyframe (frame) of a motion.
#pragma once

namespace pliant {

struct Interval {
  double t0 = 0;
  double t1 = 0;

  static constexpr Interval instant(double t) { return {t, t}; }
  constexpr bool is_instant() const { return t0 == t1; }
  constexpr double length() const { return t1 - t0; }
};

}  // namespace pliant
