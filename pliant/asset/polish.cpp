#include "pliant/asset/polish.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "pliant/asset/half_edges.h"
#include "pliant/asset/measure.h"

namespace pliant {
namespace {

constexpr double kLeastGain = 1e-3;    // of the least angle's sine, for a flip
constexpr double kMostStep = 0.05;     // how far a flip may move the surface, in lengths of the edges
constexpr double kCreaseCosine = 0.7;  // vertices between faces that turn by more stay where they are
constexpr double kDamping = 0.5;

// The sine of the smallest angle of a triangle, roughly: its area over the product of its two longest edges.
double shape(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double u = (b - a).norm(), v = (c - b).norm(), w = (a - c).norm();
  const double longest_two = u * v * w / std::min({u, v, w});
  return longest_two > 0 ? (b - a).cross(c - a).norm() / longest_two : 0;
}

class Polisher {
 public:
  explicit Polisher(const TriangleMesh& mesh)
      : positions_(mesh.positions().begin(), mesh.positions().end()),
        triangles_(mesh.triangles().begin(), mesh.triangles().end()) {}

  void flip_edges() {
    const Partners partners = find_partners(positions_, triangles_, EdgeGroups(triangles_));
    std::unordered_set<std::uint64_t> edges;
    for (std::uint32_t h = 0; h < partners.size(); ++h)
      edges.insert(edge_key(start_of(triangles_, h), end_of(triangles_, h)));
    std::vector<bool> touched(triangles_.size(), false);
    for (std::uint32_t h = 0; h < partners.size(); ++h) {
      const std::uint32_t f = h / 3, g = partners[h] / 3;
      if (f >= g || touched[f] || touched[g]) continue;
      const Quad quad = quad_of(h, partners[h]);
      if (edges.count(edge_key(quad.c, quad.d)) != 0 || !gains(quad)) continue;
      edges.erase(edge_key(quad.a, quad.b));
      edges.insert(edge_key(quad.c, quad.d));
      triangles_[f] = {quad.a, quad.d, quad.c};
      triangles_[g] = {quad.d, quad.b, quad.c};
      touched[f] = touched[g] = true;
    }
  }

  void smooth(const ClosestFace& target) {
    std::vector<Vec3> sum(positions_.size(), Vec3::Zero()), normal(positions_.size(), Vec3::Zero());
    std::vector<double> count(positions_.size(), 0), least_cosine(positions_.size(), 1);
    std::vector<Vec3> face_normal;
    for (const Triangle& t : triangles_) {
      const Vec3 n = (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0]));
      face_normal.emplace_back(n.normalized());
      for (std::size_t i = 0; i < 3; ++i) {
        normal[t[i].index()] += n;
        sum[t[i].index()] += at(t[(i + 1) % 3]);
        ++count[t[i].index()];
      }
    }
    for (Vec3& n : normal) n.normalize();
    for (std::size_t f = 0; f < triangles_.size(); ++f)
      for (const VertexId v : triangles_[f])
        least_cosine[v.index()] = std::min(least_cosine[v.index()], face_normal[f].dot(normal[v.index()]));
    for (std::size_t v = 0; v < positions_.size(); ++v) {
      if (!(least_cosine[v] > kCreaseCosine)) continue;
      const Vec3 step = kDamping * (sum[v] / count[v] - positions_[v]);
      const Vec3 along = step - step.dot(normal[v]) * normal[v];
      const NearestOnSurface nearest = target.find_within(positions_[v] + along, 2 * along.norm() + step.norm());
      if (nearest.face.valid()) positions_[v] = nearest.point;
    }
  }

  MeshPtr finish(const MeshOrigin& origin) {
    return std::make_shared<const TriangleMesh>(std::move(positions_), std::move(triangles_),
                                                MeshOrigin{.name = origin.name});
  }

 private:
  // Faces a b c and b a d.
  struct Quad {
    VertexId a, b, c, d;
  };
  Quad quad_of(std::uint32_t h, std::uint32_t partner) const {
    return {start_of(triangles_, h), end_of(triangles_, h), end_of(triangles_, next_half_edge(h)),
            end_of(triangles_, next_half_edge(partner))};
  }
  const Vec3& at(VertexId v) const { return positions_[v.index()]; }

  bool gains(const Quad& q) const {
    const Vec3 &a = at(q.a), &b = at(q.b), &c = at(q.c), &d = at(q.d);
    const double before = std::min(shape(a, b, c), shape(b, a, d)), after = std::min(shape(a, d, c), shape(d, b, c));
    if (after < before + kLeastGain) return false;
    const Vec3 normal = (b - a).cross(c - a) + (a - b).cross(d - b);
    if ((d - a).cross(c - a).dot(normal) <= 0 || (b - d).cross(c - d).dot(normal) <= 0) return false;
    const Vec3 across = (b - a).cross(d - c);
    const double apart = std::abs(across.dot(c - a)) / across.norm();  // of the old edge and the new one
    return apart < kMostStep * std::max((b - a).norm(), (d - c).norm());
  }

  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
};

}  // namespace

MeshPtr polish_surface(const TriangleMesh& coarse, const ClosestFace& target, const PolishSettings& settings) {
  Polisher polisher(coarse);
  for (int round = 0; round < settings.rounds; ++round) {
    polisher.flip_edges();
    polisher.smooth(target);
  }
  polisher.flip_edges();
  return polisher.finish(coarse.origin());
}

MeshPtr with_volume(const TriangleMesh& coarse, double volume) {
  const SurfaceMeasure now = measure(coarse);
  const double most = mean_edge(coarse) / 4;
  const double step = std::clamp((volume - now.volume()) / now.area, -most, most);
  std::vector<Vec3> normals(coarse.vertex_count(), Vec3::Zero());
  for (const Triangle& t : coarse.triangles()) {
    const Vec3 n = (coarse.position(t[1]) - coarse.position(t[0])).cross(coarse.position(t[2]) - coarse.position(t[0]));
    for (const VertexId v : t) normals[v.index()] += n;
  }
  std::vector<Vec3> positions(coarse.positions().begin(), coarse.positions().end());
  for (std::size_t v = 0; v < positions.size(); ++v) positions[v] += step * normals[v].normalized();
  return std::make_shared<const TriangleMesh>(
      std::move(positions), std::vector<Triangle>(coarse.triangles().begin(), coarse.triangles().end()),
      MeshOrigin{.name = coarse.origin().name});
}

}  // namespace pliant
