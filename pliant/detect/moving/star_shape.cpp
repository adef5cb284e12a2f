#include "pliant/detect/moving/star_shape.h"

#include <algorithm>
#include <cmath>

#include "pliant/core/cpu.h"
#include "pliant/detect/moving/star_kernel.h"

namespace pliant {
namespace {

// Of what is asked for: a search may report what it cannot tell from that.
constexpr double kMore = 1.001;
constexpr double kCoordinateNoise = 1e-12;
// A triple product of vectors no longer than r errs by less than 32 units of r^3: one for each of its nine factors'
// own rounding, products and sums, Bernstein coefficients adding three of them.
constexpr double kProductNoise = 64 * 0x1p-53;
// What quotients of squares may err by, and more.
constexpr double kQuotients = 1 + 1e-12;
// Cubes and their squares stay far from the ends of the range.
constexpr double kLeastSize = 1e-40, kMostSize = 1e40;

// Every edge has two faces, which go along it in different directions.
bool is_closed(const TriangleMesh& mesh, const MeshTopology& topology) {
  const auto goes_along = [&](FaceId f, const Edge& edge) {
    const Triangle& t = mesh.triangle(f);
    for (std::size_t i = 0; i < 3; ++i)
      if (t[i] == edge[0] && t[(i + 1) % 3] == edge[1]) return true;
    return false;
  };
  for (std::size_t e = 0; e < topology.edges().size(); ++e) {
    const auto faces = topology.faces_of_edge(EdgeId(e));
    const Edge& edge = topology.edge(EdgeId(e));
    if (faces.size() != 2 || goes_along(faces[0], edge) == goes_along(faces[1], edge)) return false;
  }
  return mesh.face_count() > 0;
}

// The last face fills the last block.
std::vector<std::uint32_t> blocks_of(const TriangleMesh& mesh) {
  const std::size_t blocks = (mesh.face_count() + star::kLanes - 1) / star::kLanes;
  std::vector<std::uint32_t> corners;
  corners.reserve(3 * star::kLanes * blocks);
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t lane = 0; lane < star::kLanes; ++lane) {
        const std::size_t face = std::min(b * star::kLanes + lane, mesh.face_count() - 1);
        corners.push_back(mesh.triangle(FaceId(face))[k].value);
      }
  return corners;
}

Vec3 mean_of(std::span<const Vec3> points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

struct Sizes {
  double radius = 0;      // the farthest vertex from the centre
  double coordinate = 0;  // the largest
};

Sizes see_from(const Vec3& centre, std::span<const Vec3> points, double* to) {
  double radius_sq = 0, coordinate = 0;
  for (const Vec3& p : points) {
    const Vec3 seen = p - centre;
    std::copy_n(seen.data(), 3, to);
    to += star::kVertex;
    radius_sq = std::max(radius_sq, seen.squaredNorm());
    coordinate = std::max(coordinate, p.cwiseAbs().maxCoeff());
  }
  return {std::sqrt(radius_sq), coordinate};
}

star::StarBounds bound_star(const star::StarArrays& arrays) {
#if defined(PLIANT_AVX2)
  if (use_avx2()) return star::avx2::bound_star(arrays);
#endif
  return star::portable::bound_star(arrays);
}

}  // namespace

const StarShapes::Faces& StarShapes::faces_of(const SweptBody& body, const MeshPtr& mesh) {
  faces_.resize(std::max(faces_.size(), body.id.index() + 1));
  Faces& faces = faces_[body.id.index()];
  if (faces.mesh == mesh) return faces;
  faces = {mesh, {}};
  if (is_closed(*mesh, *body.topology)) faces.corners = blocks_of(*mesh);
  return faces;
}

bool StarShapes::prove_apart(const SweptBody& body, const MeshPtr& mesh, double separation) {
  // What is welded is incident although it shares no vertex: left to a search.
  if (!body.identity.empty()) return false;
  const Faces& faces = faces_of(body, mesh);
  if (faces.corners.empty()) return false;
  const std::span<const Vec3> x_t0 = body.x_t0.positions(), x_t1 = body.x_t1.positions();
  vertices_.assign(star::kVertex * x_t0.size(), 0);
  const Sizes start = see_from(mean_of(x_t0), x_t0, vertices_.data());
  const Sizes end = see_from(mean_of(x_t1), x_t1, vertices_.data() + star::kVertex / 2);
  const double radius = std::max(start.radius, end.radius);
  if (!(radius > kLeastSize && radius < kMostSize)) return false;
  Vec3 ray = Vec3::Zero();
  for (const VertexId corner : mesh->triangle(FaceId(0)))
    ray += Eigen::Map<const Vec3>(vertices_.data() + star::kVertex * corner.index()) / 3;
  const star::StarBounds bounds = bound_star({faces.corners.data(), faces.corners.size() / (3 * star::kLanes),
                                              vertices_.data(), ray.data(), kProductNoise * radius * radius * radius});
  if (!bounds.is_star) return false;
  if (separation == 0) return true;
  const double apart = kMore * separation + kCoordinateNoise * std::max(start.coordinate, end.coordinate);
  return bounds.radius_sq * bounds.sine_sq > kQuotients * apart * apart &&
         bounds.radius_sq > kQuotients * apart * apart;
}

std::vector<bool> StarShapes::clear_of_themselves(const SweptQuery& query, const Detector& detector) {
  std::vector<bool> clear(query.bodies.size(), false);
  if (query.goal == SweptGoal::candidates) return clear;  // asks how many a search looks at
  for (std::uint32_t i = 0; i < query.bodies.size(); ++i) {
    const SweptBody& body = query.bodies[i];
    clear[i] = query.wants({i, i}) && prove_apart(body, detector.body(body.id).mesh, query.min_separation);
  }
  return clear;
}

}  // namespace pliant
