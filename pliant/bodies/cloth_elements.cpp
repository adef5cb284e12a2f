#include "pliant/bodies/cloth_elements.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/geometry/extent.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// Positions in float are off by up to 6e-8 of the body's size, so that thinner faces have no strain to speak of.
constexpr double kLeastAltitude = 2e-6;  // of the body's size, or of the face's longest edge

double area_of(const Vec3& a, const Vec3& b, const Vec3& c) { return (b - a).cross(c - a).norm() / 2; }

bool has_area(const Vec3& a, const Vec3& b, const Vec3& c, double least_altitude) {
  const double longest = std::sqrt(std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()}));
  const double altitude = longest > 0 ? 2 * area_of(a, b, c) / longest : 0;
  return altitude > std::max(least_altitude, kLeastAltitude * longest);
}

// Of the angle at p in the triangle p, q, r.
double cotangent(const Vec3& p, const Vec3& q, const Vec3& r) {
  return (q - p).dot(r - p) / (q - p).cross(r - p).norm();
}

}  // namespace

ClothElements::ClothElements(const TriangleMesh& mesh, const ClothMaterial& material, const Vec3& along)
    : material_(material), least_altitude_(kLeastAltitude * extent_of(mesh.positions()).largest_side()) {
  require_valid(material);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) add_face(mesh, FaceId(f), along);
  if (material.bending > 0) add_hinges(mesh);
}

void ClothElements::add_face(const TriangleMesh& mesh, FaceId f, const Vec3& along) {
  const Triangle& t = mesh.triangle(f);
  const Vec3 &a = mesh.position(t[0]), &b = mesh.position(t[1]), &c = mesh.position(t[2]);
  if (!has_area(a, b, c, least_altitude_)) return;
  const Vec3 normal = (b - a).cross(c - a).normalized();
  Vec3 u = along - normal.dot(along) * normal;
  if (u.norm() < 1e-3 * along.norm()) u = b - a;  // the face stands across the direction
  u.normalize();
  const Vec3 v = normal.cross(u);
  const double bu = u.dot(b - a), bv = v.dot(b - a), cu = u.dot(c - a), cv = v.dot(c - a);
  const double twice_area = bu * cv - cu * bv;
  ClothFace face{.v = {t[0].value, t[1].value, t[2].value},
                 .u_weight = {0, cv / twice_area, -bv / twice_area},
                 .v_weight = {0, -cu / twice_area, bu / twice_area},
                 .area = twice_area / 2};
  face.u_weight[0] = -face.u_weight[1] - face.u_weight[2];
  face.v_weight[0] = -face.v_weight[1] - face.v_weight[2];
  faces_.push_back(face);
}

void ClothElements::add_hinges(const TriangleMesh& mesh) {
  const MeshTopology& topology = mesh.topology();
  for (std::size_t e = 0; e < topology.edges().size(); ++e) {
    const auto faces = topology.faces_of_edge(EdgeId(e));
    for (std::size_t i = 0; i + 1 < faces.size(); ++i) add_hinge(mesh, EdgeId(e), faces[i], faces[i + 1]);
  }
}

void ClothElements::add_hinge(const TriangleMesh& mesh, EdgeId e, FaceId first, FaceId second) {
  const Edge& edge = mesh.topology().edge(e);
  const auto far_corner = [&](FaceId f) {
    for (const VertexId v : mesh.triangle(f))
      if (v != edge[0] && v != edge[1]) return v;
    return edge[0];
  };
  const VertexId c = far_corner(first), d = far_corner(second);
  const Vec3 &pa = mesh.position(edge[0]), &pb = mesh.position(edge[1]), &pc = mesh.position(c), &pd = mesh.position(d);
  if (c == d || !has_area(pa, pb, pc, least_altitude_) || !has_area(pa, pb, pd, least_altitude_)) return;
  const double ac = cotangent(pa, pb, pc), bc = cotangent(pb, pa, pc);
  const double ad = cotangent(pa, pb, pd), bd = cotangent(pb, pa, pd);
  ClothHinge hinge{.v = {edge[0].value, edge[1].value, c.value, d.value},
                   .weight = {bc + bd, ac + ad, -ac - bc, -ad - bd},
                   .stiffness = material_.bending / (area_of(pa, pb, pc) + area_of(pa, pb, pd))};
  const double bend = hinge.bend(mesh.positions()).norm();
  // Rounding must not give a flat sheet a direction to bend to.
  hinge.rest = bend < 1e-9 * (pb - pa).norm() ? 0 : bend;
  hinges_.push_back(hinge);
}

double ClothElements::energy(std::span<const Vec3> x) const {
  double sum = 0;
  for (const ClothFace& face : faces_) {
    const Vec3 du = face.along(x), dv = face.across(x);
    const double u = du.norm() - 1, v = dv.norm() - 1, shear = du.dot(dv);
    sum += face.area / 2 * (material_.stretch * (u * u + v * v) + material_.shear * shear * shear);
  }
  for (const ClothHinge& hinge : hinges_) {
    const double value = hinge.bend(x).norm() - hinge.rest;
    sum += hinge.stiffness * value * value / 2;
  }
  return sum;
}

double ClothElements::stretch(std::span<const Vec3> x) const {
  std::vector<double> values;
  values.reserve(2 * faces_.size());
  for (const ClothFace& face : faces_) {
    values.push_back(std::abs(face.along(x).norm() - 1));
    values.push_back(std::abs(face.across(x).norm() - 1));
  }
  if (values.empty()) return 0;
  const auto p99 = values.begin() + static_cast<std::ptrdiff_t>(99 * values.size() / 100);
  std::nth_element(values.begin(), p99, values.end());
  return *p99;
}

// The speed is sqrt(tension / density); the legs of a right-angled face of area A are sqrt(2 A).
double ClothElements::wave_rate(std::span<const Vec3> x) const {
  constexpr std::size_t kLooks = 2048;
  std::vector<double> squares;
  const std::size_t stride = faces_.size() / kLooks + 1;
  squares.reserve(faces_.size() / stride + 1);
  for (std::size_t f = 0; f < faces_.size(); f += stride) {
    const ClothFace& face = faces_[f];
    const double strain = std::max({0.0, face.along(x).norm() - 1, face.across(x).norm() - 1});
    squares.push_back(material_.stretch * strain / (material_.density * 2 * face.area));
  }
  if (squares.empty()) return 0;
  const auto median = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
  std::nth_element(squares.begin(), median, squares.end());
  return std::sqrt(*median);
}

}  // namespace pliant
