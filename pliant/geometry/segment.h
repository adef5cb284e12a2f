// A segment as two references to positions that live elsewhere.
#pragma once

#include "pliant/core/vec3.h"

namespace pliant {

// Two points p and q, by address; they may be equal. The positions must outlive it.
class Segment3 {
 public:
  Segment3(const Vec3& p, const Vec3& q) : p_(p), q_(q) {}
  Segment3(Vec3&&, const Vec3&) = delete;
  Segment3(const Vec3&, Vec3&&) = delete;

  const Vec3& p() const { return p_; }
  const Vec3& q() const { return q_; }

 private:
  const Vec3& p_;
  const Vec3& q_;
};

}  // namespace pliant
