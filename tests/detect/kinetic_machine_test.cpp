// What kinetic trees and separation lists promise between events, checked against what boxes really are.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/detect/kinetic_machines.h"

namespace pliant::testing {
namespace {

using kinetic::KineticTree;
using kinetic::kSides;
using kinetic::ListTolerances;
using kinetic::SeparationList;

double outermost(const SweptBody& body, const std::vector<std::uint32_t>& vertices, std::uint32_t side, double t) {
  double best = -std::numeric_limits<double>::infinity();
  for (const std::uint32_t v : vertices) {
    const double x = position(body, v, t)[side % 3];
    best = std::max(best, side < 3 ? -x : x);
  }
  return best;
}

// A tree's true boxes at one time, by brute force.
class Boxes {
 public:
  Boxes(const KineticTree& tree, const SweptBody& body, double t) : out_(tree.node_count() * kSides) {
    for (std::uint32_t node = 0; node < tree.node_count(); ++node) {
      if (node == 1) continue;
      const auto vertices = vertices_below(tree, body, node);
      for (std::uint32_t side = 0; side < kSides; ++side)
        out_[node * kSides + side] = outermost(body, vertices, side, t);
    }
  }
  double out(std::uint32_t node, std::uint32_t side) const { return out_[node * kSides + side]; }

 private:
  std::vector<double> out_;
};

// The widest padded gap between two boxes; positive if they are apart.
double widest_gap(const Boxes& a, std::uint32_t node_a, const Boxes& b, std::uint32_t node_b, double pad) {
  double widest = -std::numeric_limits<double>::infinity();
  for (std::uint32_t side = 0; side < kSides; ++side)
    widest = std::max(widest, -(a.out(node_a, side) + b.out(node_b, kinetic::opposite(side))) - 2 * pad);
  return widest;
}

// The list that a fresh traversal gives.
class Traversal {
 public:
  Traversal(const KineticTree& a, const Boxes& boxes_a, const KineticTree& b, const Boxes& boxes_b,
            const ListTolerances& tolerances)
      : a_(a), b_(b), boxes_a_(boxes_a), boxes_b_(boxes_b), tolerances_(tolerances) {
    visit(0, 0);
  }
  Listed listed;
  // A pair is in the band between opening and closing, where the past decides.
  bool undecided = false;

 private:
  void visit(std::uint32_t x, std::uint32_t y) {
    const bool diagonal = &a_ == &b_ && x == y;
    const double gap = diagonal ? -1 : widest_gap(boxes_a_, x, boxes_b_, y, tolerances_.pad);
    if (gap > -0.5 * tolerances_.pad && gap < 2 * tolerances_.hysteresis) undecided = true;
    if (gap > 0) {
      listed.emplace(x, y, false);
    } else if (a_.is_leaf(x) && b_.is_leaf(y)) {
      listed.emplace(x, y, true);
    } else {
      const std::uint32_t of_a = a_.is_leaf(x) ? 1 : 2, of_b = b_.is_leaf(y) ? 1 : 2;
      for (std::uint32_t i = 0; i < of_a; ++i)
        for (std::uint32_t j = diagonal ? i : 0; j < of_b; ++j)
          visit(of_a == 1 ? x : a_.left(x) + i, of_b == 1 ? y : b_.left(y) + j);
    }
  }
  const KineticTree& a_;
  const KineticTree& b_;
  const Boxes& boxes_a_;
  const Boxes& boxes_b_;
  ListTolerances tolerances_;
};

// Winners are extrema, lists are what a fresh traversal gives.
void expect_right_at(const Machine& m, double t) {
  std::vector<Boxes> boxes;
  for (const SweptBody& body : m.bodies()) {
    const KineticTree& tree = *m.machine.tree(body.id);
    boxes.emplace_back(tree, body, t);
    for (std::uint32_t node = 0; node < tree.node_count(); ++node)
      for (std::uint32_t side = 0; node != 1 && side < kSides; ++side)
        RC_ASSERT(std::abs(tree.bound(node, side, t).position - boxes.back().out(node, side)) < 1e-12);
  }
  for (std::uint32_t a = 0; a < boxes.size(); ++a) {
    for (std::uint32_t b = a; b < boxes.size(); ++b) {
      const SeparationList* list = m.machine.list(BodyId(a), BodyId(b));
      if (!list) continue;
      RC_ASSERT(listed_in(*list).size() == list->size());
      const Traversal fresh(*m.machine.tree(BodyId(a)), boxes[a], *m.machine.tree(BodyId(b)), boxes[b],
                            m.machine.tolerances());
      if (!fresh.undecided) RC_ASSERT(listed_in(*list) == fresh.listed);
    }
  }
}

// Cases are small: many of them for each seed.
constexpr int kCases = 10;

void expect_right_between_events(Machine& m) {
  double last = 0;
  for (double next = m.machine.next_event(); last < 1; next = m.machine.next_event()) {
    RC_ASSERT(next >= last);  // time never goes back
    const double end = std::min(next, 1.0);
    if (end - last > 1e-5) expect_right_at(m, 0.5 * (last + end));
    RC_ASSERT(m.advance(end));
    last = end;
  }
}

RC_GTEST_PROP(KineticMachine, IsRightBetweenAllEventsOnGridsFullOfTies, (std::uint64_t seed)) {
  Dice dice(seed);
  for (int i = 0; i < kCases; ++i) {
    Machine m(tie_heavy_movers(dice));
    expect_right_between_events(m);
  }
}

RC_GTEST_PROP(KineticMachine, IsRightBetweenAllEventsOfLooseAndCrumpledThings, (std::uint64_t seed)) {
  Dice dice(seed);
  for (int i = 0; i < kCases; ++i) {
    Machine m({thrown(dice, crumpled_sheet(dice, 2, 0.02), 2, 0.3, Vec3::Zero()),
               thrown(dice, loose_soup(dice, 5, 0.5, 0.3), 2, 0.3, dice.point(-1, 1))});
    expect_right_between_events(m);
  }
}

// ---- leaf pairs that were ever open ----

// Whether two triangles' boxes touch at some time: at one of the times where two coordinates are equal, or between.
bool boxes_ever_touch(const SweptBody& a, FaceId f, const SweptBody& b, FaceId g) {
  std::vector<double> times{0, 1};
  for (const VertexId u : a.mesh->triangle(f)) {
    for (const VertexId v : b.mesh->triangle(g)) {
      for (int axis = 0; axis < 3; ++axis) {
        const double d0 = a.x_t0.positions()[u.index()][axis] - b.x_t0.positions()[v.index()][axis];
        const double d1 = a.x_t1.positions()[u.index()][axis] - b.x_t1.positions()[v.index()][axis];
        if (d0 != d1 && d0 / (d0 - d1) >= 0 && d0 / (d0 - d1) <= 1) times.push_back(d0 / (d0 - d1));
      }
    }
  }
  std::sort(times.begin(), times.end());
  const std::size_t crossings = times.size();
  for (std::size_t i = 1; i < crossings; ++i) times.push_back(0.5 * (times[i - 1] + times[i]));
  for (const double t : times) {
    double gap = -1;
    for (int axis = 0; axis < 3; ++axis) {
      double lo_a = 1e9, hi_a = -1e9, lo_b = 1e9, hi_b = -1e9;
      for (const VertexId u : a.mesh->triangle(f)) {
        lo_a = std::min(lo_a, position(a, u.value, t)[axis]);
        hi_a = std::max(hi_a, position(a, u.value, t)[axis]);
      }
      for (const VertexId v : b.mesh->triangle(g)) {
        lo_b = std::min(lo_b, position(b, v.value, t)[axis]);
        hi_b = std::max(hi_b, position(b, v.value, t)[axis]);
      }
      gap = std::max({gap, lo_a - hi_b, lo_b - hi_a});
    }
    if (gap <= 1e-9) return true;
  }
  return false;
}

void expect_oracles_leaf_pairs(Machine& m) {
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> opened;
  const auto note_open = [&] {
    for (const SweptBody& a : m.bodies()) {
      for (const SweptBody& b : m.bodies()) {
        const SeparationList* list = m.machine.list(a.id, b.id);
        if (!list) continue;
        for (const SeparationList::Pair& pair : list->pairs())
          if (!pair.vacant && pair.open && list->is_leaf_pair(pair) && (a.id != b.id || pair.nodes.a != pair.nodes.b))
            opened.emplace(a.id.value, m.machine.tree(a.id)->face(pair.nodes.a).value, b.id.value,
                           m.machine.tree(b.id)->face(pair.nodes.b).value);
      }
    }
  };
  note_open();
  for (double now = 0; now < 1;) {
    now = std::min(1.0, m.machine.next_event());
    RC_ASSERT(m.advance(now));
    note_open();
  }
  for (std::uint32_t a = 0; a < m.bodies().size(); ++a) {
    for (std::uint32_t b = a; b < m.bodies().size(); ++b) {
      for (std::uint32_t f = 0; f < m.bodies()[a].mesh->face_count(); ++f) {
        for (std::uint32_t g = a == b ? f + 1 : 0; g < m.bodies()[b].mesh->face_count(); ++g) {
          const bool open = opened.count({a, f, b, g}) || (a == b && opened.count({a, g, b, f}));
          RC_ASSERT(open == boxes_ever_touch(m.bodies()[a], FaceId(f), m.bodies()[b], FaceId(g)));
        }
      }
    }
  }
}

RC_GTEST_PROP(KineticMachine, TheLeafPairsEverOpenAreThoseWhoseBoxesEverTouch, (std::uint64_t seed)) {
  Dice dice(seed);
  for (int i = 0; i < kCases; ++i) {
    Machine m(tie_heavy_movers(dice));
    expect_oracles_leaf_pairs(m);
  }
}

// ---- single cases ----

MeshPtr fan(std::size_t blades) {
  std::vector<Vec3> positions{Vec3::Zero()};
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i < blades; ++i)
    positions.emplace_back(static_cast<double>(i) - 0.5 * static_cast<double>(blades), static_cast<double>(i % 3), 1);
  for (std::size_t i = 1; i < blades; ++i) triangles.push_back({VertexId(0), VertexId(i), VertexId(i + 1)});
  return std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles));
}

TEST(KineticMachine, SurvivesACollapseOfEverythingToAPointAndBack) {
  const MeshPtr mesh = fan(24);
  std::vector<Vec3> inverted = positions_of(*mesh);
  for (Vec3& p : inverted) p = -p;  // all cross at time 1/2
  Machine m({{mesh, Motion::linear(Frame::of_mesh(mesh), Frame::own(inverted))}});
  EXPECT_TRUE(m.advance(1));
  EXPECT_GT(m.machine.counts().events(), 0u);
  EXPECT_LT(m.machine.counts().events(), 10000u);
}

TEST(KineticMachine, HasNoEventsForThingsThatStandStill) {
  Dice dice(2);
  const MeshPtr sheet = crumpled_sheet(dice, 6, 0.1);
  Machine m({{sheet, Motion::at_rest(sheet)}, {sheet, Motion::at_rest(sheet)}});
  EXPECT_TRUE(m.advance(1));
  EXPECT_EQ(m.machine.counts().events(), 0u);
}

TEST(KineticMachine, BoxesThatSlideAlongEachOtherStayOpenWithoutEvents) {
  const MeshPtr mesh =
      std::make_shared<const TriangleMesh>(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                           std::vector<Triangle>{{VertexId(0), VertexId(1), VertexId(2)}});
  std::vector<Vec3> slid = positions_of(*mesh);
  for (Vec3& p : slid) p += Vec3(0.5, 0.25, 0);  // in its plane
  Machine m({{mesh, Motion::at_rest(mesh)}, {mesh, Motion::linear(Frame::of_mesh(mesh), Frame::own(slid))}});
  EXPECT_TRUE(m.advance(1));
  EXPECT_EQ(m.machine.counts().events(), 0u);
  EXPECT_EQ(m.machine.list(BodyId(0), BodyId(1))->size(), 1u);
}

}  // namespace
}  // namespace pliant::testing
