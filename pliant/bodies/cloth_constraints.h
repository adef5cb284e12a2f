// Stretch, shear and bending of a sheet of triangles, as constraints of extended position-based dynamics (M. Macklin,
// M. Mueller, N. Chentanez, "XPBD", MIG 2016): each has an energy 1/2 stiffness C^2 with stiffness in SI units, so that
// the result does not depend on the number of steps or on the mesh.
//
//   triangle of area A:  C = |F_u| - 1, |F_v| - 1 (stretch A), F_u . F_v (shear A), F_u and F_v being where the unit
//                        vectors along and across the sheet go (D. Baraff and A. Witkin, SIGGRAPH 1998);
//   hinge of two faces:  C = |sum w_i x_i| - (the same at rest), (bending / (A1 + A2)), w the cotangent weights of
//                        M. Bergou et al., "A quadratic bending model for inextensible surfaces", SGP 2006, whose
//                        factor of 3 would make a cylinder three times too stiff. Never singular; but a sheet that is
//                        curved at rest may snap through to its mirror image.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bodies/materials.h"
#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Immutable. Works on any triangle mesh; edges on more than two faces get a hinge for each two that follow each other.
class ClothConstraints {
 public:
  // `along`: the direction of the sheet's threads, projected into each face. Faces of no area resist nothing.
  ClothConstraints(const TriangleMesh& mesh, const ClothMaterial& material, const Vec3& along);

  struct Step {
    std::span<const double> inverse_masses;
    std::span<const Vec3> x_t0;  // at the start of the sub-step
    double seconds = 0;
  };
  // One pass over all constraints, in a fixed order: moves x.
  void project(const Step& step, std::span<Vec3> x) const;
  double energy(std::span<const Vec3> x) const;  // J

 private:
  struct Face {
    std::array<std::uint32_t, 3> v;
    std::array<double, 3> u_weight, v_weight;  // F_u = sum u_weight x, F_v likewise
    double area;
  };
  struct Hinge {
    std::array<std::uint32_t, 4> v;
    std::array<double, 4> weight;
    double rest;
    double stiffness;
  };
  void add_face(const TriangleMesh& mesh, FaceId f, const Vec3& along);
  void add_hinges(const TriangleMesh& mesh);
  void add_hinge(const TriangleMesh& mesh, EdgeId e, FaceId first, FaceId second);
  void project_face(const Face& face, const Step& step, std::span<Vec3> x) const;
  void project_hinge(const Hinge& hinge, const Step& step, std::span<Vec3> x) const;

  ClothMaterial material_;
  std::vector<Face> faces_;
  std::vector<Hinge> hinges_;
};

}  // namespace pliant
