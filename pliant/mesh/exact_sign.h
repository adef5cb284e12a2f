// Signs of two small determinants, decided exactly for every finite double.
#pragma once

#include "pliant/core/vec3.h"

namespace pliant::detail {

bool exactly_collinear(const Vec3& a, const Vec3& b, const Vec3& c);

// 1 if (b - a, c - a, d - a) is right-handed, -1 if left-handed, 0 if the points lie in one plane.
int exact_handedness(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace pliant::detail
