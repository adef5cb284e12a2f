#include "pliant/response/dense_step.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "pliant/detect/feature_vertices.h"
#include "pliant/geometry/distance.h"
#include "pliant/mesh/topology.h"
#include "pliant/motion/embedding.h"
#include "pliant/response/touch_direction.h"

namespace pliant {
namespace {

// Directions whose sum is longer than this part of all of them have a mean.
constexpr double kAgreeing = 0.5;
// Of the separation: what is nearer meets.
constexpr double kMeets = 1e-3;

std::vector<Vec3> dense_positions(const RigidLinks& links, std::span<const Vec3> coarse) {
  std::vector<std::optional<LinkFrame>> frames(links.triples().size());
  for (std::size_t t = 0; t < frames.size(); ++t) frames[t] = links.frame_at(t, coarse);
  std::vector<Vec3> x(links.dense_count());
  for (std::size_t v = 0; v < x.size(); ++v) {
    const RigidLink& link = links.links()[v];
    if (const std::optional<LinkFrame>& frame = frames[link.triple]) {
      x[v] = links.position(VertexId(v), coarse, *frame);
      continue;
    }
    x[v] = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) x[v] += link.weights[k] * coarse[links.triples()[link.triple][k].index()];
  }
  return x;
}

// What all of a point's vertices do together when they are pushed by their weights.
double mass_of(const RigidLinks& links, const RigidLink& link, std::span<const double> masses) {
  double give = 0;
  for (std::size_t k = 0; k < 3; ++k)
    give += link.weights[k] * link.weights[k] / masses[links.triples()[link.triple][k].index()];
  return give > 0 ? 1 / give : std::numeric_limits<double>::infinity();
}

}  // namespace

bool has_dense(const Step& step) {
  return std::any_of(step.bodies.begin(), step.bodies.end(), [](const StepBody& body) { return body.dense; });
}

DenseStep::DenseStep(const Step& step, const FlatStep& flat) : bodies_(flat), bodies_t1_(flat.x_t1) {
  step_.seconds = flat.seconds;
  masses_.resize(step.bodies.size());
  step_.bodies.reserve(step.bodies.size());
  for (const StepBody& body : step.bodies) add(body, flat);
  flat_ = std::make_unique<FlatStep>(step_);
}

void DenseStep::add(const StepBody& body, const FlatStep& flat) {
  const std::span<const Vec3> x_t0 = flat.part(flat.x_t0, body.id), x_t1 = flat.part(flat.x_t1, body.id),
                              v = flat.part(flat.v_t1, body.id);
  StepBody seen{.id = body.id,
                .mesh = body.mesh,
                .masses = body.masses,
                .surface = body.surface,
                .x_t0 = {},
                .x_t1 = {},
                .v_t1 = {},
                .as_one = body.as_one,
                .dense = body.dense,
                .has_outside = body.has_outside};
  if (!body.dense) {
    seen.x_t0 = Frame::own({x_t0.begin(), x_t0.end()});
    seen.x_t1.assign(x_t1.begin(), x_t1.end());
    seen.v_t1.assign(v.begin(), v.end());
    step_.bodies.push_back(std::move(seen));
    return;
  }
  const RigidLinks& links = *body.dense->links;
  seen.mesh = body.dense->mesh;
  seen.has_outside = seen.mesh->face_count() > 0 && seen.mesh->topology().boundary_edge_count() == 0;
  seen.x_t0 = Frame::own(dense_positions(links, x_t0));
  seen.x_t1 = dense_positions(links, x_t1);
  std::vector<double>& masses = masses_[body.id.index()];
  for (const RigidLink& link : links.links()) {
    const auto& triple = links.triples()[link.triple];
    Vec3 velocity = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) velocity += link.weights[k] * v[triple[k].index()];
    seen.v_t1.push_back(velocity);
    masses.push_back(mass_of(links, link, body.masses));
  }
  seen.masses = masses;
  step_.bodies.push_back(std::move(seen));
}

// The frame of a triple turns with its vertices by the vector sum_k turn_k dx_k: with the direction of its first edge
// u, and around that by how far q2 leaves the plane.
Carrier DenseStep::carrier(std::uint32_t dense_slot) const {
  const BodyId body = flat_->body_at(dense_slot);
  const std::uint32_t vertex = dense_slot - flat_->first[body.index()], base = bodies_.first[body.index()];
  const DenseSurface* const dense = step_.bodies[body.index()].dense;
  Carrier carrier;
  if (!dense) {
    carrier.slot[0] = base + vertex;
    carrier.turn[0] = Eigen::Matrix3d::Identity();
    carrier.count = 1;
    return carrier;
  }
  const RigidLink& link = dense->links->links()[vertex];
  const auto& triple = dense->links->triples()[link.triple];
  Vec3 arm = flat_->x_t1[dense_slot];
  for (std::size_t k = 0; k < 3; ++k) {
    carrier.slot[k] = base + triple[k].value;
    carrier.turn[k] = link.weights[k] * Eigen::Matrix3d::Identity();
    arm -= link.weights[k] * bodies_t1_[carrier.slot[k]];
  }
  carrier.count = 3;
  const Vec3 &q0 = bodies_t1_[carrier.slot[0]], u = bodies_t1_[carrier.slot[1]] - q0,
             w = bodies_t1_[carrier.slot[2]] - q0;
  if (!dense->links->frame_at(link.triple, flat_of(body))) return carrier;
  const double length = u.norm();
  const Vec3 along = u / length, normal = u.cross(w).normalized(), across = normal.cross(along);
  const double height = w.dot(across), foot = w.dot(along) / length;
  const Eigen::Matrix3d aside = (normal * across.transpose() - across * normal.transpose()) / length;
  const Eigen::Matrix3d around = along * normal.transpose() / height;
  const std::array<Eigen::Matrix3d, 3> spin = {-(1 - foot) * around - aside, -foot * around + aside, around};
  for (std::size_t k = 0; k < 3; ++k)
    for (int column = 0; column < 3; ++column) carrier.turn[k].col(column) += Vec3(spin[k].col(column)).cross(arm);
  return carrier;
}

std::span<const Vec3> DenseStep::flat_of(BodyId body) const { return bodies_.part(bodies_t1_, body); }

void DenseStep::add_side(CarriedContact& carried, const Feature& feature, const Weights& weights, double sign) const {
  const StepBody& body = step_.bodies[feature.body.index()];
  const FeatureVertices of = vertices_of(feature, *body.mesh, weights);
  const std::uint32_t base = bodies_.first[feature.body.index()];
  const auto add_end = [&](VertexId vertex, double weight) {
    carried.slot[carried.count] = base + vertex.value;
    carried.weight[carried.count++] = sign * weight;
    carried.offset -= sign * weight * bodies_.x_t0[base + vertex.value];
  };
  Vec3 point = Vec3::Zero();
  for (std::size_t i = 0; i < of.size(); ++i)
    point += of.weights[i] * flat_->x_t0[flat_->slot(feature.body, of.vertex[i])];
  carried.offset += sign * point;
  if (!body.dense) {
    for (std::size_t i = 0; i < of.size(); ++i) add_end(of.vertex[i], of.weights[i]);
    return;
  }
  const auto nearest = std::max_element(of.weights.begin(), of.weights.begin() + of.count) - of.weights.begin();
  const RigidLinks& links = *body.dense->links;
  const auto& triple = links.triples()[links.links()[of.vertex[static_cast<std::size_t>(nearest)].index()].triple];
  const std::span<const Vec3> x = bodies_.part(bodies_.x_t0, feature.body);
  const Weights on =
      closest_points(point, Triangle3(x[triple[0].index()], x[triple[1].index()], x[triple[2].index()])).weights_b;
  for (std::size_t k = 0; k < 3; ++k) add_end(triple[k], on[k]);
}

std::optional<CarriedContact> DenseStep::carried(const Contact& contact, double separation) const {
  const auto at_time = [&](BodyId body, VertexId v) {
    const std::uint32_t slot = flat_->slot(body, v);
    return Vec3(flat_->x_t0[slot] + contact.time * (flat_->x_t1[slot] - flat_->x_t0[slot]));
  };
  const bool is_face = contact.kind() == ContactKind::vertex_face;
  std::array<Vec3, 4> x;
  std::size_t count = 0;
  for (const Feature& f : {contact.a, contact.b})
    for (const VertexId v : vertices_of(f, *step_.bodies[f.body.index()].mesh)) x[count++] = at_time(f.body, v);
  const ClosestPoints near = nearest_points(x, is_face);
  // What is behind the surface has a depth; the way between the two is not the way out.
  const bool is_apart = near.distance > kMeets * separation && !(contact.depth > 0);
  const auto side = [&](const Feature& f, const Weights& weights) {
    return TouchedSide{{*step_.bodies[f.body.index()].mesh, flat_->part(flat_->x_t0, f.body),
                        flat_->part(flat_->x_t1, f.body), contact.time},
                       f,
                       weights};
  };
  CarriedContact carried{.contact = contact};
  Contact& told = carried.contact;
  told.wa = is_face ? Weights{1, 0, 0} : near.weights_a;
  told.wb = near.weights_b;
  if (is_apart) told.normal = (near.a - near.b) / near.distance;
  const Vec3 allowed = agreed_direction(side(told.a, told.wa), side(told.b, told.wb), told.normal,
                                        bodies_.is_obstacle[told.a.body.index()]);
  if (allowed == Vec3::Zero() && is_apart) return std::nullopt;
  if (allowed != Vec3::Zero()) told.normal = allowed;
  add_side(carried, told.a, told.wa, 1);
  add_side(carried, told.b, told.wb, -1);
  return carried;
}

std::vector<CarriedContact> gathered(std::span<const CarriedContact> contacts, const FlatStep& flat) {
  struct Placed {
    std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> place;  // bodies, and the vertex that carries most of it
    std::size_t index = 0;
  };
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const CarriedContact& c = contacts[i];
    std::size_t most = 0;
    for (std::size_t k = 1; k < c.count; ++k)
      if (c.weight[k] > c.weight[most]) most = k;
    placed.push_back({{c.contact.a.body.value, c.contact.b.body.value, c.slot[most]}, i});
  }
  std::sort(placed.begin(), placed.end(),
            [](const Placed& x, const Placed& y) { return std::tie(x.place, x.index) < std::tie(y.place, y.index); });
  const auto gap_at_end = [&](const CarriedContact& c, const Vec3& normal) {
    Vec3 gap = c.offset;
    for (std::size_t i = 0; i < c.count; ++i) gap += c.weight[i] * flat.x_t1[c.slot[i]];
    return normal.dot(gap);
  };
  std::vector<CarriedContact> result;
  for (std::size_t begin = 0, end = 0; begin < placed.size(); begin = end) {
    Vec3 sum = Vec3::Zero();
    for (end = begin; end < placed.size() && placed[end].place == placed[begin].place; ++end)
      sum += contacts[placed[end].index].contact.normal;
    const double length = sum.norm();
    const bool agree = length > kAgreeing * static_cast<double>(end - begin);
    const CarriedContact* nearest = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = begin; i < end; ++i) {
      const CarriedContact& c = contacts[placed[i].index];
      const double gap = gap_at_end(c, agree ? Vec3(sum / length) : c.contact.normal);
      if (gap < least) nearest = &c, least = gap;
    }
    if (!nearest) continue;
    result.push_back(*nearest);
    if (agree) result.back().contact.normal = sum / length;
  }
  return result;
}

}  // namespace pliant
