// A proof by computer that the angles of isosurface stuffing are bounded: all ways to cut and move a lattice
// tetrahedron, by branch and bound.
//
// A corner of a filled tet is a node at its place, a node that was moved along one of its fourteen edges, or a cut: a
// point of a segment. Seen along the edge a b, the angle between the faces at it grows or falls all the way as c or d
// goes along its segment, so that the ends of those are all that counts. Over the places of a and b it changes no
// faster than (|cot| + |cot|) / |a b|, of the angles at the other end of the edge.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "pliant/asset/stuffing_stencils.h"
#include "tests/asset/meshes.h"

namespace pliant::testing {
namespace {

using Side = WarpedLattice::Side;
using Place = BccLattice::Place;

// Where a corner may lie.
struct Track {
  Vec3 from, to;
  bool is_point() const { return from == to; }
  Vec3 middle() const { return (from + to) / 2; }
  double reach() const { return (to - from).norm() / 2; }
};

double near_on(const Vec3& edge) {
  return edge.cwiseAbs().maxCoeff() > 1 ? WarpedLattice::kNearLong : WarpedLattice::kNearShort;
}

constexpr double kTolerance = 0.05;  // degrees: how much the bounds may be off

struct Bounds {
  double least = 180, largest = 0;  // degrees
  void add(const Bounds& other) {
    least = std::min(least, other.least);
    largest = std::max(largest, other.largest);
  }
};

// c as seen from the line through a and b.
struct FromEdge {
  Vec3 out;                    // from the line, at a right angle
  double from_a, from_b, gap;  // along the line, from its ends; how far from it
};
FromEdge seen(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 along = (b - a).normalized(), arm = c - a;
  const double at = along.dot(arm);
  const Vec3 out = arm - at * along;
  return {out, std::abs(at), std::abs((b - a).norm() - at), out.norm()};
}

// The angle of the faces a b c and a b d in the tet, over all places of a and b. What cannot be told after many
// halvings counts as it may be at worst, so that the bounds hold.
class EdgeAngle {
 public:
  EdgeAngle(const Vec3& c, const Vec3& d, const Bounds& known) : c_(c), d_(d), bounds_(known) {}

  const Bounds& bounds() const { return bounds_; }

  void search(const Track& a, const Track& b, int halvings = 40) {
    constexpr double kDegrees = 180 / 3.14159265358979323846;
    const Vec3 at_a = a.middle(), at_b = b.middle(), along = (at_b - at_a).normalized();
    const FromEdge c = seen(at_a, at_b, c_), d = seen(at_a, at_b, d_);
    const double angle = kDegrees * std::atan2(along.dot(c.out.cross(d.out)), d.out.dot(c.out));
    const double change = kDegrees * largest_change(a, b, c, d);
    if (halvings == 0) {
      bounds_.add({angle - change, angle + change});
      return;
    }
    bounds_.add({angle, angle});
    if (angle - change >= bounds_.least - kTolerance && angle + change <= bounds_.largest + kTolerance) return;
    const bool halve_a = a.reach() > b.reach();
    const Track& halved = halve_a ? a : b;
    for (const Track& half : {Track{halved.from, halved.middle()}, Track{halved.middle(), halved.to}})
      search(halve_a ? half : a, halve_a ? b : half, halvings - 1);
  }

 private:
  double largest_change(const Track& a, const Track& b, const FromEdge& c, const FromEdge& d) const {
    const double move = a.reach() + b.reach();
    const double length = (b.middle() - a.middle()).norm() - move;
    if (!(length > 0)) return 10;
    double by_a = 0, by_b = 0;
    const auto add = [&](const FromEdge& at, const Vec3& p) {
      const double turned = move / length;
      const double drift_a = a.reach() + turned * (p - a.middle()).norm();
      const double drift_b = b.reach() + turned * (p - b.middle()).norm();
      const double gap = at.gap - std::min(drift_a, drift_b);
      by_a += gap > 0 ? (at.from_b + drift_b) / (gap * length) : 1e9;
      by_b += gap > 0 ? (at.from_a + drift_a) / (gap * length) : 1e9;
    };
    add(c, c_);
    add(d, d_);
    return std::min(10.0, by_a * a.reach() + by_b * b.reach());
  }

  Vec3 c_, d_;
  Bounds bounds_;
};

// Over all places of the corners of a tet (positive).
void add_tet(const std::array<Track, 4>& tet, Bounds& bounds) {
  constexpr std::size_t kEdges[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                        {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};
  for (const auto& [a, b, c, d] : kEdges) {
    for (const Vec3& at_c : {tet[c].from, tet[c].to}) {
      for (const Vec3& at_d : {tet[d].from, tet[d].to}) {
        EdgeAngle angle(at_c, at_d, bounds);
        angle.search(tet[a], tet[b]);
        bounds = angle.bounds();
        if (tet[d].is_point()) break;
      }
      if (tet[c].is_point()) break;
    }
  }
}

// One lattice tet, with all sides that its nodes can be on and all edges that they can be moved along.
class LatticeTet {
 public:
  LatticeTet(const std::array<Place, 4>& places) : places_(places) {
    for (std::size_t i = 0; i < 4; ++i) tet_[i] = lattice_.node(places[i]);
    const auto at = [&](std::size_t i) -> Vec3 { return places_[i].cast<double>(); };
    if ((at(1) - at(0)).dot((at(2) - at(0)).cross(at(3) - at(0))) < 0) {
      std::swap(tet_[2], tet_[3]);
      std::swap(places_[2], places_[3]);
    }
  }

  // `whole`: those without a cut, which are alike for all lattice tets, too.
  void add_all(bool whole, Bounds& bounds) {
    for (int code = 0; code < 81; ++code) {
      for (int i = 0, rest = code; i < 4; ++i, rest /= 3)
        sides_[static_cast<std::size_t>(i)] = static_cast<Side>(rest % 3);
      const bool is_whole = std::count(sides_.begin(), sides_.end(), Side::outside) == 0;
      if (std::count(sides_.begin(), sides_.end(), Side::inside) == 0 || (is_whole && !whole)) continue;
      move_from(0, bounds);
    }
  }

 private:
  void move_from(std::size_t node, Bounds& bounds) {
    if (node == 4) {
      add_stencil(bounds);
      return;
    }
    moves_[node] = Vec3::Zero();
    if (sides_[node] != Side::on_surface) return move_from(node + 1, bounds);
    for (int x = -2; x <= 2; ++x)
      for (int y = -2; y <= 2; ++y)
        for (int z = -2; z <= 2; ++z) {
          const Vec3 edge(x, y, z);
          const bool is_long = edge.squaredNorm() == 4 && edge.cwiseAbs().maxCoeff() == 2;
          const bool is_short = edge.cwiseAbs() == Vec3::Ones();
          if (!is_long && !is_short) continue;
          moves_[node] = edge;
          if (!meets_another(node)) move_from(node + 1, bounds);
        }
  }
  // Of two nodes, at most one is moved along the edge between them: there is one cut on it.
  bool meets_another(std::size_t node) const {
    for (std::size_t other = 0; other < node; ++other)
      if (moves_[node] == (places_[other] - places_[node]).cast<double>() && moves_[other] == -moves_[node])
        return true;
    return false;
  }

  void add_stencil(Bounds& bounds) const {
    const Stencil stencil = stencil_of(lattice_, tet_, sides_);
    for (std::size_t i = 0; i < stencil.count; ++i) {
      std::array<Track, 4> corners;
      for (std::size_t c = 0; c < 4; ++c) corners[c] = track(stencil.tets[i][c]);
      add_tet(corners, bounds);
    }
  }

  Track track(const FillVertex& v) const {
    const auto at = [&](BccLattice::Node n) {
      return static_cast<std::size_t>(std::find(tet_.begin(), tet_.end(), n) - tet_.begin());
    };
    const std::size_t inner = at(v.inner), outer = at(v.outer);
    const Vec3 place = places_[inner].cast<double>();
    if (inner == outer) return {place, place + near_on(moves_[inner]) * moves_[inner]};
    const Vec3 edge = places_[outer].cast<double>() - place;
    return {place + near_on(edge) * edge, place + (1 - near_on(edge)) * edge};
  }

  BccLattice lattice_ = BccLattice::around({Vec3::Zero(), Vec3::Ones()}, 1, 2);
  std::array<Place, 4> places_;
  std::array<BccLattice::Node, 4> tet_;
  std::array<Side, 4> sides_{};
  std::array<Vec3, 4> moves_;
};

// All lattice tets are alike, but diagonals are chosen by where nodes lie: twelve kinds.
TEST(Stencils, AnglesAreBounded) {
  Bounds bounds;
  bool whole = true;
  for (int axis = 0; axis < 3; ++axis) {
    for (const int turn : {1, 2}) {
      for (const int side : {-1, 1}) {
        const int along = (axis + turn) % 3, across = (axis + 3 - turn) % 3;
        std::array<Place, 4> places{Place::Constant(5), Place::Constant(5), Place::Constant(5), Place::Constant(5)};
        places[1][axis] += 2;
        for (const std::size_t i : {2u, 3u}) {
          places[i][axis] += 1;
          places[i][across] += side;
          places[i][along] += i == 2 ? -1 : 1;
        }
        LatticeTet(places).add_all(whole, bounds);
        whole = false;
      }
    }
  }
  EXPECT_GT(bounds.least - kTolerance, kLeastAngle);
  EXPECT_LT(bounds.largest + kTolerance, kLargestAngle);
  EXPECT_LT(bounds.least, kLeastAngle + 0.1);  // no better ones hold for all that was looked at
  EXPECT_GT(bounds.largest, kLargestAngle - 0.1);
}

}  // namespace
}  // namespace pliant::testing
