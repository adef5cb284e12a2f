#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/core/error.h"
#include "pliant/geometry/distance.h"
#include "pliant/motion/embedding.h"
#include "pliant/motion/nearest_points.h"

namespace pliant {
namespace {

using Anchor = BarycentricEmbedding::Anchor;
using Neighbours = std::vector<detail::NearestPoints::Neighbour>;

// Weight i is the fraction of the volume that the point makes with the face opposite to corner i.
Anchor anchor_in(const TetMesh& mesh, TetId t, const Vec3& p) {
  const auto corner = [&](std::size_t i) -> const Vec3& { return mesh.positions()[mesh.tet(t)[i].index()]; };
  Anchor result{.tet = t};
  const Vec3& a = corner(0);
  const Vec3 u = corner(1) - a, v = corner(2) - a, w = corner(3) - a, d = p - a;
  const double volume = u.dot(v.cross(w));
  result.weights = {0, d.dot(v.cross(w)) / volume, u.dot(d.cross(w)) / volume, u.dot(v.cross(d)) / volume};
  result.weights[0] = 1 - result.weights[1] - result.weights[2] - result.weights[3];
  return result;
}

// The tetrahedra that have volume, to be found by their centroids.
struct Candidates {
  const TetMesh& mesh;
  std::vector<TetId> tets;
  std::vector<Vec3> centroids;
  double reach = 0;  // no point of a tet is farther from its centroid

  explicit Candidates(const TetMesh& m) : mesh(m) {
    for (std::size_t t = 0; t < m.tet_count(); ++t) {
      if (!(m.tet_volume(TetId(t)) > 0)) continue;
      Vec3 sum = Vec3::Zero();
      for (const VertexId v : m.tets()[t]) sum += m.positions()[v.index()];
      tets.emplace_back(t);
      centroids.emplace_back(sum / 4);
      for (const VertexId v : m.tets()[t])
        reach = std::max(reach, (m.positions()[v.index()] - centroids.back()).norm());
    }
    if (tets.empty()) throw Error("no tetrahedron with volume to embed in");
  }
  const Vec3& corner(TetId t, std::size_t i) const { return mesh.positions()[mesh.tet(t)[i].index()]; }

  double distance(TetId t, const Vec3& p) const {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& face : kTetFaces)
      least = std::min(
          least, closest_points(p, Triangle3{corner(t, face[0]), corner(t, face[1]), corner(t, face[2])}).distance);
    return least;
  }
};

constexpr double kInside = -1e-12;  // a weight that small is rounding

double least_weight(const Anchor& a) { return *std::min_element(a.weights.begin(), a.weights.end()); }

// The first of these tets that holds the point; otherwise no tet.
Anchor find_around(const Candidates& all, const Neighbours& near, const Vec3& p) {
  for (const auto& neighbour : near) {
    const Anchor anchor = anchor_in(all.mesh, all.tets[neighbour.index], p);
    if (least_weight(anchor) >= kInside) return anchor;
  }
  return {};
}

Anchor find_nearest(const Candidates& all, const Neighbours& near, const Vec3& p) {
  TetId best;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& neighbour : near) {
    const double distance = all.distance(all.tets[neighbour.index], p);
    if (distance < least) {
      least = distance;
      best = all.tets[neighbour.index];
    }
  }
  return anchor_in(all.mesh, best, p);
}

}  // namespace

BarycentricEmbedding::BarycentricEmbedding(std::span<const Vec3> dense_rest, const TetMesh& mesh)
    : coarse_rest_(mesh.positions().begin(), mesh.positions().end()), tets_(mesh.tets().begin(), mesh.tets().end()) {
  const Candidates all(mesh);
  const detail::NearestPoints tree(all.centroids);
  for (const Vec3& p : dense_rest) {
    if (!p.allFinite()) throw Error("a dense vertex is not finite");
    const Neighbours first = tree.nearest(p, 8);
    Anchor anchor = find_around(all, first, p);
    // The tet that holds p has its centroid within reach, and so has the nearest one, added to the distance to a tet
    // that is known.
    if (!anchor.tet.valid()) anchor = find_around(all, tree.within(p, all.reach), p);
    if (!anchor.tet.valid()) {
      const double distance = all.distance(all.tets[first[0].index], p);
      anchor = find_nearest(all, tree.within(p, distance + all.reach), p);
      ++outside_;
    }
    anchors_.push_back(anchor);
  }
}

BarycentricEmbedding::BarycentricEmbedding(std::span<const Vec3> dense_rest, const TetMesh& mesh,
                                           std::span<const TetId> tet_of_dense)
    : coarse_rest_(mesh.positions().begin(), mesh.positions().end()), tets_(mesh.tets().begin(), mesh.tets().end()) {
  if (tet_of_dense.size() != dense_rest.size())
    throw Error(std::to_string(tet_of_dense.size()) + " tetrahedra given",
                "there are " + std::to_string(dense_rest.size()) + " dense vertices");
  for (std::size_t i = 0; i < dense_rest.size(); ++i) {
    const ErrorPlace place{.element = "vertex " + std::to_string(i)};
    const TetId tet = tet_of_dense[i];
    if (!dense_rest[i].allFinite()) throw Error(place, "a dense vertex is not finite");
    if (tet.index() >= tets_.size())
      throw Error(place, "lies in tetrahedron " + std::to_string(tet.value),
                  "there are " + std::to_string(tets_.size()));
    if (!(mesh.tet_volume(tet) > 0)) throw Error(place, "lies in a tetrahedron without volume");
    anchors_.push_back(anchor_in(mesh, tet, dense_rest[i]));
    outside_ += least_weight(anchors_.back()) >= kInside ? 0 : 1;
  }
}

Vec3 BarycentricEmbedding::position(VertexId dense, std::span<const Vec3> coarse) const {
  const Anchor& anchor = anchors_[dense.index()];
  const Tet& tet = tets_[anchor.tet.index()];
  Vec3 p = Vec3::Zero();
  for (std::size_t i = 0; i < 4; ++i) p += anchor.weights[i] * coarse[tet[i].index()];
  return p;
}

std::vector<Vec3> BarycentricEmbedding::positions(std::span<const Vec3> coarse) const {
  if (coarse.size() != coarse_count())
    throw Error(std::to_string(coarse.size()) + " coarse positions given",
                "there are " + std::to_string(coarse_count()));
  std::vector<Vec3> result;
  result.reserve(anchors_.size());
  for (std::size_t i = 0; i < anchors_.size(); ++i) result.push_back(position(VertexId(i), coarse));
  return result;
}

}  // namespace pliant
