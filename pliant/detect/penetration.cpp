#include "pliant/detect/penetration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

#include "pliant/core/budget_meter.h"
#include "pliant/core/error.h"
#include "pliant/detect/inside.h"
#include "pliant/geometry/distance.h"

namespace pliant {
namespace {

constexpr std::size_t kMostSubTriangles = 200'000;  // 50 MB

// A point of one surface as the other sees it.
struct Probe {
  Vec3 x = Vec3::Zero();
  double depth = 0;  // negative outside
  NearestOnSurface near;
};

// A triangle within a face.
struct SubTriangle {
  std::array<Probe, 3> corner;
  FaceId face;
  double bound = 0;  // nothing in it is deeper

  friend bool operator<(const SubTriangle& p, const SubTriangle& q) {
    return p.bound != q.bound ? p.bound < q.bound : p.face > q.face;
  }
};

struct Deepest {
  double depth = 0;
  double bound = 0;
  Probe probe;
  FaceId face;
};

// Branch and bound over the surface of one body.
class DepthSearch {
 public:
  DepthSearch(const PosedMesh& surface, const ClosedSurface& body, double tolerance, BudgetMeter& meter)
      : surface_(surface), body_(body), tolerance_(tolerance), meter_(meter) {}

  // The deepest point, if it is deeper than `known`.
  Deepest run(double known) {
    best_.depth = known;
    if (!add_faces()) left_out_ = std::max(left_out_, most_possible());
    std::size_t sub_triangles = 0;
    while (!waiting_.empty() && waiting_.top().bound > best_.depth + tolerance_ && sub_triangles < kMostSubTriangles &&
           meter_.spend(3)) {
      const SubTriangle triangle = waiting_.top();
      waiting_.pop();
      split(triangle);
      sub_triangles += 4;
    }
    const double left = waiting_.empty() ? 0 : waiting_.top().bound;
    best_.bound = std::max({left_out_, left, best_.depth}) - best_.depth;
    return best_;
  }

 private:
  Probe probe(const Vec3& x) const {
    const NearestOnSurface near = body_.closest().find(x);
    const bool inside = body_.locate(x) == PointSide::inside;
    return {x, inside ? near.distance : -near.distance, near};
  }

  // Whoever is inside a box is at most half its smallest side away from what the box is around.
  double most_possible() const {
    const Aabb box = body_.closest().bounds();
    double side = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 3; ++i) side = std::min(side, double{box.hi[i]} - box.lo[i]);
    return side / 2;
  }

  // Faces that do not reach the other body's box are outside it. False: the budget was spent before all were added.
  bool add_faces() {
    const Aabb box = body_.closest().bounds();
    std::vector<std::uint8_t> known(surface_.positions.size());
    std::vector<Probe> at(surface_.positions.size());
    for (std::size_t f = 0; f < surface_.mesh->face_count(); ++f) {
      const Triangle& t = surface_.mesh->triangle(FaceId(f));
      Aabb own;
      for (const VertexId v : t) own.add(Aabb::of(surface_.positions[v.index()]));
      if (!own.overlaps(box)) continue;
      for (const VertexId v : t) {
        if (known[v.index()]) continue;
        if (!meter_.spend()) return false;
        at[v.index()] = probe(surface_.positions[v.index()]);
        known[v.index()] = 1;
      }
      add({at[t[0].index()], at[t[1].index()], at[t[2].index()]}, FaceId(f));
    }
    return true;
  }

  void add(const std::array<Probe, 3>& corner, FaceId face) {
    for (const Probe& p : corner) {
      if (p.depth > best_.depth) best_ = {p.depth, 0, p, face};
    }
    const double bound = bound_of(corner);
    if (bound > best_.depth + tolerance_) waiting_.push({corner, face, bound});
    else left_out_ = std::max(left_out_, bound);
  }

  // Two bounds, for each corner. The depth changes by no more than the way. And it is not more than the distance from
  // the one face that is nearest to the corner, which is a convex function: largest at a corner. (The first prunes what
  // is outside, the second what lies along a face.)
  double bound_of(const std::array<Probe, 3>& corner) const {
    double bound = std::numeric_limits<double>::infinity();
    for (const Probe& p : corner) {
      double way = 0, most = 0;
      const FaceId f = p.near.face;
      const PosedMesh& body = body_.closest().mesh();
      const Triangle3 t(body.corner(f, 0), body.corner(f, 1), body.corner(f, 2));
      for (const Probe& q : corner) {
        way = std::max(way, (q.x - p.x).norm());
        most = std::max(most, &p == &q ? p.near.distance : closest_points(q.x, t).distance);
      }
      bound = std::min({bound, p.depth + way, most});
    }
    return bound;
  }

  void split(const SubTriangle& triangle) {
    std::array<Probe, 3> middle;
    for (std::size_t i = 0; i < 3; ++i)
      middle[i] = probe(0.5 * triangle.corner[i].x + 0.5 * triangle.corner[(i + 1) % 3].x);
    for (std::size_t i = 0; i < 3; ++i) add({triangle.corner[i], middle[i], middle[(i + 2) % 3]}, triangle.face);
    add(middle, triangle.face);
  }

  const PosedMesh& surface_;
  const ClosedSurface& body_;
  double tolerance_;
  BudgetMeter& meter_;
  std::priority_queue<SubTriangle> waiting_;
  double left_out_ = 0;  // the largest bound of what was not pursued
  Deepest best_;
};

double extent(const Aabb& box) {
  return std::max({double{box.hi[0]} - box.lo[0], double{box.hi[1]} - box.lo[1], double{box.hi[2]} - box.lo[2]});
}

Penetration result(const Deepest& found, bool of_a, double bound, bool complete) {
  const Vec3 out = found.probe.near.point - found.probe.x;
  const Vec3 normal = out.stableNormalized();
  return {found.depth,
          bound,
          complete,
          of_a,
          found.face,
          found.probe.x,
          found.probe.near.point,
          found.probe.near.face,
          of_a ? normal : Vec3(-normal)};
}

}  // namespace

std::optional<Penetration> penetration(const PosedMesh& a, const PosedMesh& b, double tolerance, const Budget& budget) {
  if (!(tolerance > 0)) throw Error("the tolerance must be positive");
  const ClosedSurface body_a = ClosedSurface::require(a), body_b = ClosedSurface::require(b);
  const Aabb box_a = body_a.closest().bounds(), box_b = body_b.closest().bounds();
  if (!box_a.overlaps(box_b)) return std::nullopt;
  const double length = tolerance * std::min(extent(box_a), extent(box_b));
  BudgetState state(budget);
  BudgetMeter meter(state);
  const Deepest in_b = DepthSearch(a, body_b, length, meter).run(0);
  const Deepest in_a = DepthSearch(b, body_a, length, meter).run(in_b.depth);
  // What the first search left open, from the depth that counts.
  const double open = std::max(in_b.depth + in_b.bound, in_a.depth + in_a.bound) - in_a.depth;
  if (!in_b.face.valid() && !in_a.face.valid() && open <= length) return std::nullopt;
  const bool of_a = !in_a.face.valid();
  return result(of_a ? in_b : in_a, of_a, open, open <= length);
}

bool is_inside(const Vec3& point, const PosedMesh& body) {
  return ClosedSurface::require(body).locate(point) == PointSide::inside;
}

}  // namespace pliant
