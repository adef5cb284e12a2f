// A triangle as three references to positions that live elsewhere.
#pragma once

#include "pliant/core/vec3.h"

namespace pliant {

// Three corners, by address: cheap to make from a mesh, nothing is copied. The positions must outlive it.
// Any three points make a triangle: collinear or equal ones too.
class Triangle3 {
 public:
  Triangle3(const Vec3& a, const Vec3& b, const Vec3& c) : corner_{&a, &b, &c} {}
  Triangle3(Vec3&&, const Vec3&, const Vec3&) = delete;
  Triangle3(const Vec3&, Vec3&&, const Vec3&) = delete;
  Triangle3(const Vec3&, const Vec3&, Vec3&&) = delete;

  const Vec3& operator[](int i) const { return *corner_[i]; }

  // The corner that follows corner i.
  static constexpr int next(int i) { return i == 2 ? 0 : i + 1; }

 private:
  const Vec3* corner_[3];
};

}  // namespace pliant
