#include "pliant/detect/penetration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

#include "pliant/bounds/closest_face.h"
#include "pliant/core/error.h"
#include "pliant/detect/inside.h"
#include "pliant/geometry/distance.h"
#include "pliant/mesh/defects.h"

namespace pliant {
namespace {

constexpr std::size_t kMostSubTriangles = 200'000;  // 50 MB

void require_closed(const TriangleMesh& mesh) {
  const DefectReport defects = find_defects(mesh, {.places = 1, .welded = true});
  if (defects.closed()) return;
  const auto edges = [](const auto& found, const char* what) {
    if (found.count == 0) return std::string();
    const Edge& first = found.first.front();
    return std::to_string(found.count) + what + std::to_string(first[0].value) + "-" + std::to_string(first[1].value) +
           ")";
  };
  std::string why = edges(defects.boundary_edges, " edges lie on one face only (the first: ");
  if (why.empty()) why = edges(defects.nonmanifold_edges, " edges lie on three faces or more (the first: ");
  if (why.empty()) why = edges(defects.flipped_edges, " edges lie on faces that look different ways (the first: ");
  if (why.empty()) why = "it has no faces";
  throw Error(ErrorPlace{.file = mesh.origin().name}, "the mesh is not closed, so that it has no inside: " + why,
              "close it (pliant prepare), or ask for the distance of the surfaces");
}

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
  DepthSearch(const PosedMesh& surface, const PosedMesh& body, const ClosestFace& closest, double tolerance)
      : surface_(surface), body_(body), closest_(closest), tolerance_(tolerance) {}

  // The deepest point, if it is deeper than `known`.
  Deepest run(double known) {
    best_.depth = known;
    add_faces();
    std::size_t sub_triangles = 0;
    while (!waiting_.empty() && waiting_.top().bound > best_.depth + tolerance_ && sub_triangles < kMostSubTriangles) {
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
    const NearestOnSurface near = closest_.find(x);
    const bool inside = closest_.winding(x) != 0;
    return {x, inside ? near.distance : -near.distance, near};
  }

  // Faces that do not reach the other body's box are outside it.
  void add_faces() {
    const Aabb box = closest_.bounds();
    std::vector<std::uint8_t> known(surface_.positions.size());
    std::vector<Probe> at(surface_.positions.size());
    for (std::size_t f = 0; f < surface_.mesh->face_count(); ++f) {
      const Triangle& t = surface_.mesh->triangle(FaceId(f));
      Aabb own;
      for (const VertexId v : t) own.add(Aabb::of(surface_.positions[v.index()]));
      if (!own.overlaps(box)) continue;
      for (const VertexId v : t) {
        if (!known[v.index()]) at[v.index()] = probe(surface_.positions[v.index()]);
        known[v.index()] = 1;
      }
      add({at[t[0].index()], at[t[1].index()], at[t[2].index()]}, FaceId(f));
    }
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
      const Triangle3 t(body_.corner(f, 0), body_.corner(f, 1), body_.corner(f, 2));
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

  const PosedMesh &surface_, &body_;
  const ClosestFace& closest_;
  double tolerance_;
  std::priority_queue<SubTriangle> waiting_;
  double left_out_ = 0;  // the largest bound of what was not pursued
  Deepest best_;
};

double extent(const Aabb& box) {
  return std::max({double{box.hi[0]} - box.lo[0], double{box.hi[1]} - box.lo[1], double{box.hi[2]} - box.lo[2]});
}

Penetration result(const Deepest& found, bool of_a, double bound) {
  const Vec3 out = found.probe.near.point - found.probe.x;
  const Vec3 normal = out.stableNormalized();
  return {found.depth,
          bound,
          of_a,
          found.face,
          found.probe.x,
          found.probe.near.point,
          found.probe.near.face,
          of_a ? normal : Vec3(-normal)};
}

}  // namespace

std::optional<Penetration> penetration(const PosedMesh& a, const PosedMesh& b, double tolerance) {
  if (!(tolerance > 0)) throw Error("the tolerance must be positive");
  require_closed(*a.mesh);
  require_closed(*b.mesh);
  const ClosestFace closest_a(a), closest_b(b);
  if (!closest_a.bounds().overlaps(closest_b.bounds())) return std::nullopt;
  const double length = tolerance * std::min(extent(closest_a.bounds()), extent(closest_b.bounds()));
  const Deepest in_b = DepthSearch(a, b, closest_b, length).run(0);
  const Deepest in_a = DepthSearch(b, a, closest_a, length).run(in_b.depth);
  if (!in_b.face.valid() && !in_a.face.valid()) return std::nullopt;
  const bool of_a = !in_a.face.valid();
  // What the first search left open, from the depth that counts.
  const double open = std::max(in_b.depth + in_b.bound, in_a.depth + in_a.bound) - in_a.depth;
  return result(of_a ? in_b : in_a, of_a, open);
}

bool is_inside(const Vec3& point, const PosedMesh& body) {
  require_closed(*body.mesh);
  return surface_crossings(body, point).winding != 0;
}

}  // namespace pliant
