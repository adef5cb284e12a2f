#include "pliant/bodies/cloth_constraints.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

constexpr double kLeastArea = 1e-12;  // of a face, as a share of its longest edge squared

double area_of(const Vec3& a, const Vec3& b, const Vec3& c) { return (b - a).cross(c - a).norm() / 2; }

bool has_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double longest_sq = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  return area_of(a, b, c) > kLeastArea * longest_sq;
}

// Of the angle at p in the triangle p, q, r.
double cotangent(const Vec3& p, const Vec3& q, const Vec3& r) {
  return (q - p).dot(r - p) / (q - p).cross(r - p).norm();
}

// Moves the N vertices of a constraint with this value and these gradients. `stiffness` above 0.
template <std::size_t N>
void apply(double value, double stiffness, double damping_seconds, const std::array<std::uint32_t, N>& v,
           const std::array<Vec3, N>& gradient, const ClothConstraints::Step& step, std::span<Vec3> x) {
  double weight = 0, moved = 0;
  for (std::size_t i = 0; i < N; ++i) {
    weight += step.inverse_masses[v[i]] * gradient[i].squaredNorm();
    moved += gradient[i].dot(x[v[i]] - step.x_t0[v[i]]);
  }
  const double compliance = 1 / (stiffness * step.seconds * step.seconds);
  // More than this one pass could not converge: the sheet would sag under its own damping.
  const double damping = std::min(damping_seconds / step.seconds, 1.0);
  const double multiplier = -(value + damping * moved) / ((1 + damping) * weight + compliance);
  for (std::size_t i = 0; i < N; ++i) x[v[i]] += (step.inverse_masses[v[i]] * multiplier) * gradient[i];
}

}  // namespace

ClothConstraints::ClothConstraints(const TriangleMesh& mesh, const ClothMaterial& material, const Vec3& along)
    : material_(material) {
  require_valid(material);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) add_face(mesh, FaceId(f), along);
  if (material.bending > 0) add_hinges(mesh);
}

void ClothConstraints::add_face(const TriangleMesh& mesh, FaceId f, const Vec3& along) {
  const Triangle& t = mesh.triangle(f);
  const Vec3 &a = mesh.position(t[0]), &b = mesh.position(t[1]), &c = mesh.position(t[2]);
  if (!has_area(a, b, c)) return;
  const Vec3 normal = (b - a).cross(c - a).normalized();
  Vec3 u = along - normal.dot(along) * normal;
  if (u.norm() < 1e-3 * along.norm()) u = b - a;  // the face stands across the direction
  u.normalize();
  const Vec3 v = normal.cross(u);
  const double bu = u.dot(b - a), bv = v.dot(b - a), cu = u.dot(c - a), cv = v.dot(c - a);
  const double twice_area = bu * cv - cu * bv;
  Face face{.v = {t[0].value, t[1].value, t[2].value},
            .u_weight = {0, cv / twice_area, -bv / twice_area},
            .v_weight = {0, -cu / twice_area, bu / twice_area},
            .area = twice_area / 2};
  face.u_weight[0] = -face.u_weight[1] - face.u_weight[2];
  face.v_weight[0] = -face.v_weight[1] - face.v_weight[2];
  faces_.push_back(face);
}

void ClothConstraints::add_hinges(const TriangleMesh& mesh) {
  const MeshTopology& topology = mesh.topology();
  for (std::size_t e = 0; e < topology.edges().size(); ++e) {
    const auto faces = topology.faces_of_edge(EdgeId(e));
    for (std::size_t i = 0; i + 1 < faces.size(); ++i) add_hinge(mesh, EdgeId(e), faces[i], faces[i + 1]);
  }
}

void ClothConstraints::add_hinge(const TriangleMesh& mesh, EdgeId e, FaceId first, FaceId second) {
  const Edge& edge = mesh.topology().edge(e);
  const auto far_corner = [&](FaceId f) {
    for (const VertexId v : mesh.triangle(f))
      if (v != edge[0] && v != edge[1]) return v;
    return edge[0];
  };
  const VertexId c = far_corner(first), d = far_corner(second);
  const Vec3 &pa = mesh.position(edge[0]), &pb = mesh.position(edge[1]), &pc = mesh.position(c), &pd = mesh.position(d);
  if (c == d || !has_area(pa, pb, pc) || !has_area(pa, pb, pd)) return;
  const double ac = cotangent(pa, pb, pc), bc = cotangent(pb, pa, pc);
  const double ad = cotangent(pa, pb, pd), bd = cotangent(pb, pa, pd);
  Hinge hinge{.v = {edge[0].value, edge[1].value, c.value, d.value},
              .weight = {bc + bd, ac + ad, -ac - bc, -ad - bd},
              .stiffness = material_.bending / (area_of(pa, pb, pc) + area_of(pa, pb, pd))};
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < 4; ++i) sum += hinge.weight[i] * mesh.positions()[hinge.v[i]];
  // Rounding must not give a flat sheet a direction to bend to.
  hinge.rest = sum.norm() < 1e-9 * (pb - pa).norm() ? 0 : sum.norm();
  hinges_.push_back(hinge);
}

void ClothConstraints::project_face(const Face& face, const Step& step, std::span<Vec3> x) const {
  const auto direction = [&](const std::array<double, 3>& weight) {
    return Vec3(weight[0] * x[face.v[0]] + weight[1] * x[face.v[1]] + weight[2] * x[face.v[2]]);
  };
  for (const auto* weight : {&face.u_weight, &face.v_weight}) {
    Vec3 d = direction(*weight);
    const double length = std::sqrt(d.squaredNorm());
    if (length < 1e-9) continue;  // collapsed: no direction to push in
    d /= length;
    apply<3>(length - 1, material_.stretch * face.area, material_.damping, face.v,
             {(*weight)[0] * d, (*weight)[1] * d, (*weight)[2] * d}, step, x);
  }
  if (material_.shear == 0) return;
  const Vec3 du = direction(face.u_weight), dv = direction(face.v_weight);
  std::array<Vec3, 3> gradient;
  for (std::size_t i = 0; i < 3; ++i) gradient[i] = face.u_weight[i] * dv + face.v_weight[i] * du;
  apply<3>(du.dot(dv), material_.shear * face.area, material_.damping, face.v, gradient, step, x);
}

void ClothConstraints::project_hinge(const Hinge& hinge, const Step& step, std::span<Vec3> x) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < 4; ++i) sum += hinge.weight[i] * x[hinge.v[i]];
  const double bend = std::sqrt(sum.squaredNorm());
  if (bend == 0) return;
  sum /= bend;
  apply<4>(bend - hinge.rest, hinge.stiffness, material_.damping, hinge.v,
           {hinge.weight[0] * sum, hinge.weight[1] * sum, hinge.weight[2] * sum, hinge.weight[3] * sum}, step, x);
}

void ClothConstraints::project(const Step& step, std::span<Vec3> x) const {
  for (const Face& face : faces_) project_face(face, step, x);
  for (const Hinge& hinge : hinges_) project_hinge(hinge, step, x);
}

double ClothConstraints::energy(std::span<const Vec3> x) const {
  double sum = 0;
  for (const Face& face : faces_) {
    Vec3 du = Vec3::Zero(), dv = Vec3::Zero();
    for (std::size_t i = 0; i < 3; ++i) {
      du += face.u_weight[i] * x[face.v[i]];
      dv += face.v_weight[i] * x[face.v[i]];
    }
    const double u = du.norm() - 1, v = dv.norm() - 1, shear = du.dot(dv);
    sum += face.area / 2 * (material_.stretch * (u * u + v * v) + material_.shear * shear * shear);
  }
  for (const Hinge& hinge : hinges_) {
    Vec3 bend = Vec3::Zero();
    for (std::size_t i = 0; i < 4; ++i) bend += hinge.weight[i] * x[hinge.v[i]];
    const double value = bend.norm() - hinge.rest;
    sum += hinge.stiffness * value * value / 2;
  }
  return sum;
}

}  // namespace pliant
