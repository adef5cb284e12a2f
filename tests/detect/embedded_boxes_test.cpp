// Boxes from coarse positions against the dense vertices that they are to hold.
#include "pliant/detect/anytime/embedded_boxes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pliant/core/cpu.h"
#include "tests/detect/poses.h"

namespace pliant::testing {
namespace {

WideTree tree_of(const TriangleMesh& mesh, std::uint32_t leaf_size) {
  WideTreeBuilder builder(mesh, leaf_size);
  while (builder.step()) {
  }
  return builder.take();
}

// Boxes of all nodes, parents first.
void fit_all(WideTree& tree, EmbeddedBoxes& boxes) {
  tree.nodes[0].boxes.set(0, boxes.whole_box());
  for (std::uint32_t node = 1; node < tree.nodes.size(); ++node)
    boxes.fit(node, tree.box(tree.parent[node]), tree.nodes[node].boxes);
}

Aabb box_of(const TriangleMesh& mesh, const std::vector<FaceId>& faces, const Places& x) {
  Aabb box;
  for (const FaceId f : faces)
    for (const VertexId v : mesh.triangle(f)) box.add(Aabb::of(x[v.index()]));
  return box;
}

template <class Visit>
void for_each_lane(const WideTree& tree, Visit&& visit) {
  for (std::uint32_t node = 0; node < tree.nodes.size(); ++node)
    for (std::uint32_t lane = 0; lane < WideBoxes::kLanes; ++lane)
      if (tree.has(WideRef::of(node, lane))) visit(WideRef::of(node, lane));
}

RC_GTEST_PROP(EmbeddedBoxes, HoldWhatIsBelowThem, (std::uint64_t seed)) {
  Dice dice(seed);
  // Frames of links cannot be had of coordinates whose squares overflow.
  const double scales[] = {1, 1, 1, 1e-12, 1e12, 0, 1e-200, 1e200};
  const bool links = dice.below(3) == 0;
  const CagedBall ball = caged_ball(dice, links, scales[dice.below(links ? 6 : 8)]);
  WideTree tree = tree_of(*ball.mesh, 1 + dice.below(8));
  const EmbeddedIn& in = *ball.motion.embedded_in();
  EmbeddedBoxes boxes(tree, *ball.mesh, in);
  const Frame coarse = in.coarse.frame(0);
  boxes.place(coarse.positions(), ball.motion, 0);
  while (boxes.step()) {
  }
  fit_all(tree, boxes);
  for_each_lane(
      tree, [&](WideRef ref) { RC_ASSERT(tree.box(ref).contains(box_of(*ball.mesh, tree.faces_below(ref), ball.x))); });
  const WideTree fitted = tree;
  set_avx2_allowed(false);
  fit_all(tree, boxes);
  set_avx2_allowed(true);
  for_each_lane(tree, [&](WideRef ref) { RC_ASSERT(tree.box(ref) == fitted.box(ref)); });
  for (std::uint32_t v = 0; v < ball.mesh->vertex_count(); ++v) {
    boxes.need(VertexId(v));
    RC_ASSERT(boxes.positions()[v] == ball.x[v]);
  }
}

// What makes the first microseconds worth something: boxes that are not much larger than they have to be.
TEST(EmbeddedBoxes, AreNearlyTightOnASurfaceThatIsTwistedSmoothly) {
  const MeshPtr ball = make_icosphere({.frequency = 40});
  const auto box = make_tet_box({.size = Vec3::Constant(2.1), .cells = {4, 4, 4}});
  Places rest;
  for (const Vec3& p : box->positions()) rest.emplace_back(p - Vec3::Constant(1.05));
  const auto embedding = std::make_shared<const BarycentricEmbedding>(
      ball->positions(), TetMesh(rest, {box->tets().begin(), box->tets().end()}));
  const Motion motion = Motion::embedded(Motion::at_rest(Frame::own(twisted(rest, 0.6))), embedding);
  const Frame dense = motion.positions_at(0), coarse = motion.embedded_in()->coarse.frame(0);
  const Places x(dense.positions().begin(), dense.positions().end());
  WideTree tree = tree_of(*ball, 8);
  EmbeddedBoxes boxes(tree, *ball, *motion.embedded_in());
  boxes.place(coarse.positions(), motion, 0);
  while (boxes.step()) {
  }
  fit_all(tree, boxes);
  double sum = 0, tight = 0;
  for_each_lane(tree, [&](WideRef ref) {
    if (ref.node() == 0) return;
    sum += tree.box(ref).diagonal();
    tight += box_of(*ball, tree.faces_below(ref), x).diagonal();
  });
  EXPECT_LT(sum, 1.25 * tight);
}

}  // namespace
}  // namespace pliant::testing
