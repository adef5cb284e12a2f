// The loops of apart_filter.h, compiled for each target.
#pragma once

#include "pliant/geometry/apart_filter.h"
#include "pliant/geometry/four_sides.h"

// NOLINTBEGIN(misc-definitions-in-headers): included by one file of each target
namespace pliant::apart::PLIANT_SIMD_TARGET {

// As transversal_relation of geometry/triangle_triangle.cpp, where no determinant is zero.
FourDecided four_decided(const FourCorners& a, const FourCorners& b) {
  const four::Triangle4 ta = four::load(a), tb = four::load(b);
  const four::Sides4 a_sides(ta, four::Plane4(tb)), b_sides(tb, four::Plane4(ta));
  const four::Mask4 beside = a_sides.all_on_one_side() | b_sides.all_on_one_side();
  const unsigned known = simd::bits(a_sides.all_known() & b_sides.all_known()), apart = simd::bits(beside);
  if ((known & ~apart) == 0) return {apart, 0};
  const four::Transversal4 at(ta, tb, a_sides, b_sides);
  four::Mask4 a_is_later, a_is_earlier, b_is_later, b_is_earlier;
  four::Plane4(at.a0, at.a1, at.b0).side(at.b1, a_is_later, a_is_earlier);
  four::Plane4(at.a0, at.a2, at.b2).side(at.b0, b_is_later, b_is_earlier);
  const unsigned missed = simd::bits(a_is_later | b_is_later), met = simd::bits(a_is_earlier & b_is_earlier);
  return {apart | (missed & known), met & known & ~apart};
}

}  // namespace pliant::apart::PLIANT_SIMD_TARGET
// NOLINTEND(misc-definitions-in-headers)
