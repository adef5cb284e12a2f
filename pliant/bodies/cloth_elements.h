// Stretch, shear and bending of a sheet of triangles: energies with stiffnesses in SI units, per area, so that the
// result does not depend on the mesh.
//
//   triangle of area A:  A/2 (stretch ((|F_u| - 1)^2 + (|F_v| - 1)^2) + shear (F_u . F_v)^2), F_u and F_v being where
//                        the unit vectors along and across the threads go (D. Baraff and A. Witkin, SIGGRAPH 1998);
//   hinge of two faces:  1/2 bending / (A1 + A2) (|b| - r)^2, b = sum w_i x_i with the cotangent weights of M. Bergou
//                        et al., "A quadratic bending model for inextensible surfaces", SGP 2006, whose factor of 3
//                        would make a cylinder three times too stiff; r is |b| at rest. Never singular, and quadratic
//                        where the sheet is flat at rest; but one that is curved may snap through to its mirror image.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bodies/materials.h"
#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct ClothFace {
  std::array<std::uint32_t, 3> v;
  std::array<double, 3> u_weight, v_weight;  // 1/m: F_u = sum u_weight x, F_v likewise; their sums are 0
  double area;                               // m^2

  Vec3 along(std::span<const Vec3> x) const { return combined(u_weight, x); }   // F_u
  Vec3 across(std::span<const Vec3> x) const { return combined(v_weight, x); }  // F_v

 private:
  Vec3 combined(const std::array<double, 3>& weight, std::span<const Vec3> x) const {
    return weight[0] * x[v[0]] + weight[1] * x[v[1]] + weight[2] * x[v[2]];
  }
};

struct ClothHinge {
  std::array<std::uint32_t, 4> v;
  std::array<double, 4> weight;  // sum 0
  double rest;                   // m; 0: flat
  double stiffness;              // N/m

  Vec3 bend(std::span<const Vec3> x) const {
    return weight[0] * x[v[0]] + weight[1] * x[v[1]] + weight[2] * x[v[2]] + weight[3] * x[v[3]];
  }
};

namespace detail {
// Immutable. Works on any triangle mesh; edges on more than two faces get a hinge for each two that follow each other.
class ClothElements {
 public:
  // `along`: the direction of the sheet's threads, projected into each face. Faces that have no area, or are thinner
  // than a solver in float can tell from that, resist nothing.
  ClothElements(const TriangleMesh& mesh, const ClothMaterial& material, const Vec3& along);

  const ClothMaterial& material() const { return material_; }
  std::span<const ClothFace> faces() const { return faces_; }
  std::span<const ClothHinge> hinges() const { return hinges_; }

  double energy(std::span<const Vec3> x) const;  // J
  // The 99th percentile of | |F_u| - 1 | and | |F_v| - 1 | over all faces; 0 without any.
  double stretch(std::span<const Vec3> x) const;
  // 1/s: how many edges of the mesh a wave across the sheet, under its tension, goes in a second. The median over faces
  // (some thousand of them on large sheets); 0 where most are slack.
  double wave_rate(std::span<const Vec3> x) const;

 private:
  void add_face(const TriangleMesh& mesh, FaceId f, const Vec3& along);
  void add_hinges(const TriangleMesh& mesh);
  void add_hinge(const TriangleMesh& mesh, EdgeId e, FaceId first, FaceId second);

  ClothMaterial material_;
  double least_altitude_ = 0;  // m, of faces that count
  std::vector<ClothFace> faces_;
  std::vector<ClothHinge> hinges_;
};
}  // namespace detail
using detail::ClothElements;

}  // namespace pliant
