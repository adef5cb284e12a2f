// What deforming bodies do, and worse.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/motion/embedding.h"
#include "pliant/motion/motion.h"
#include "tests/detect/reports.h"
#include "tests/support/soups.h"

namespace pliant::testing {

using Places = std::vector<Vec3>;

inline Places turned_by(const Places& x, Dice& dice) {
  const Eigen::AngleAxisd turn(dice.uniform(-3, 3), dice.point(-1, 1).normalized());
  Places out;
  for (const Vec3& p : x) out.emplace_back(turn * p);
  return out;
}
inline Places collapsed(Places x, int dimensions) {
  for (Vec3& p : x)
    for (int i = dimensions; i < 3; ++i) p[i] = 0.1;
  return x;
}
inline Places inverted(Places x) {
  for (Vec3& p : x) p = -p;
  return x;
}

inline Places deformed(const TriangleMesh& mesh, Dice& dice) {
  Places x = positions_of(mesh);
  switch (dice.below(7)) {
    case 0:
      return x;
    case 1:
      return turned_by(x, dice);
    case 2:
      return bent(turned_by(x, dice), dice.uniform(0.2, 3));
    case 3:
      return collapsed(turned_by(x, dice), static_cast<int>(dice.below(3)));
    case 4:
      return inverted(x);
    case 5:
      for (Vec3& p : x) p += dice.point(-0.3, 0.3);
      return x;
    default:
      return twisted(x, dice.uniform(-4, 4));
  }
}

// A ball in a cage that the dice deform, by tetrahedra or by links; and where that puts it. The cage is `scale`
// times as large as it was at rest.
struct CagedBall {
  MeshPtr mesh;
  Motion motion;
  Places x;
};

inline CagedBall caged_ball(Dice& dice, bool links, double scale = 1) {
  MeshPtr mesh = make_icosphere({.frequency = 3});
  const double size = dice.below(2) == 0 ? 2.1 : 1.2;  // partly outside of the smaller one
  const auto box = make_tet_box({.size = Vec3::Constant(size), .cells = {3, 3, 3}});
  Places rest;
  for (const Vec3& p : box->positions()) rest.emplace_back(p - box->positions().back() / 2);
  const TetMesh tets(rest, {box->tets().begin(), box->tets().end()});
  const MeshPtr shape = std::make_shared<const TriangleMesh>(rest, std::vector<Triangle>{});
  Places x = deformed(*shape, dice);
  for (Vec3& p : x) p *= scale;
  const Frame cage = Frame::own(std::move(x));
  Motion motion =
      links ? Motion::embedded(Motion::at_rest(cage), std::make_shared<const RigidLinks>(mesh->positions(), rest))
            : Motion::embedded(Motion::at_rest(cage),
                               std::make_shared<const BarycentricEmbedding>(mesh->positions(), tets));
  const Frame dense = motion.positions_at(0);
  return {mesh, motion, {dense.positions().begin(), dense.positions().end()}};
}

}  // namespace pliant::testing
