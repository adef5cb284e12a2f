#include "pliant/response/pull_back.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "pliant/detect/feature_vertices.h"
#include "pliant/mesh/topology.h"
#include "pliant/response/carried_pulls.h"
#include "pliant/response/dense_step.h"
#include "pliant/response/pierced_particles.h"
#include "pliant/response/pull.h"
#include "pliant/response/sure_behind.h"
#include "pliant/response/surface_walk.h"

namespace pliant {
namespace {

// Above the surface where particles are put: of the edge that they have there.
constexpr double kLift = 1e-6;
// Two normals that nearly oppose each other have no mean.
constexpr double kOpposed = 0.1;

// All pulls act on all vertices at once, so often: what one leaves open because it shares a vertex with others.
constexpr int kSweepsOfPulls = 6;

// All pulls of one state. In every sweep each sees what the one before left, and all are applied at once; a vertex
// lends each of its pulls an equal part of its mass (R. Tonge et al., "Mass splitting for jitter-free parallel rigid
// body simulation", SIGGRAPH 2012), so that sums do not overshoot.
class Pulling {
 public:
  Pulling(const Step& step, FlatStep& flat, const PullBackSettings& settings)
      : step_(step), flat_(flat), settings_(settings), nodes_(flat) {}

  void add(const Pull& pull) { pulls_.push_back(pull); }

  void run(std::vector<Impact>& impacts) {
    prepare();
    if (pulls_.empty()) return;
    for (int sweep = 0; sweep < kSweepsOfPulls; ++sweep) sweep_positions(sweep == 0);
    if (settings_.literal_velocity) set_literal_velocities();
    else
      for (int sweep = 0; sweep < kSweepsOfPulls; ++sweep) sweep_velocities();
    for (const Pull& pull : pulls_) impacts.push_back({pull.contact, pull.push * pull.normal + pull.rub});
  }

 private:
  void prepare() {
    count_.assign(flat_.size(), 0);
    for (const Pull& pull : pulls_)
      for (std::size_t i = 0; i < pull.count; ++i) ++count_[nodes_.node(pull.slot[i])];
    for (Pull& pull : pulls_) {
      for (std::size_t i = 0; i < pull.count; ++i)
        pull.mobility +=
            pull.weight[i] * pull.weight[i] * nodes_.inverse_mass(pull.slot[i]) * count_[nodes_.node(pull.slot[i])];
      pull.speed = std::max(0.0, -skin_of(pull).restitution * pull.normal.dot(pull.relative(flat_.v_t1)));
    }
    std::erase_if(pulls_, [](const Pull& pull) { return !(pull.mobility > 0); });
    moved_.assign(flat_.size(), Vec3::Zero());
    list_touched();
  }

  // The vertices that pulls can move: few of all.
  void list_touched() {
    for (std::uint32_t p = 0; p < flat_.size(); ++p)
      if (count_[nodes_.node(p)] > 0 && nodes_.inverse_mass(p) > 0) touched_.push_back(p);
  }

  Surface skin_of(const Pull& pull) const {
    return between(step_.bodies[pull.contact.a.body.index()].surface,
                   step_.bodies[pull.contact.b.body.index()].surface);
  }

  void sweep_positions(bool first) {
    for (const Pull& pull : pulls_) {
      const double lack = pull.height - pull.normal.dot(pull.relative(flat_.x_t1));
      if (pull.way && first) push(pull, *pull.way / pull.mobility);
      if (!pull.way && lack > 0) push(pull, (std::min(lack, pull.most) / pull.mobility) * pull.normal);
    }
    apply(flat_.x_t1);
  }

  // Coulomb: what rubs is at most friction times what pushes, of both so far.
  void sweep_velocities() {
    for (Pull& pull : pulls_) {
      const Vec3 v = pull.relative(flat_.v_t1);
      const double along = pull.normal.dot(v), before = pull.push;
      const Vec3 rub_before = pull.rub;
      pull.push = std::max(0.0, before + (pull.speed - along) / pull.mobility);
      pull.rub -= (v - along * pull.normal) / pull.mobility;
      const double most = skin_of(pull).friction * pull.push, now = pull.rub.norm();
      if (now > most) pull.rub *= most / now;
      push(pull, (pull.push - before) * pull.normal + (pull.rub - rub_before));
    }
    apply(flat_.v_t1);
  }

  // As printed: a particle goes on with its speed, along the normal. Faces get nothing for it.
  void set_literal_velocities() {
    for (const Pull& pull : pulls_) {
      const std::uint32_t p = pull.slot[0];
      if (pull.is_particle && nodes_.inverse_mass(p) > 0)
        moved_[nodes_.node(p)] = flat_.v_t1[p].norm() * pull.normal - flat_.v_t1[p];
    }
    apply(flat_.v_t1);
  }

  void push(const Pull& pull, const Vec3& impulse) {
    for (std::size_t i = 0; i < pull.count; ++i)
      moved_[nodes_.node(pull.slot[i])] += (nodes_.inverse_mass(pull.slot[i]) * pull.weight[i]) * impulse;
  }
  void apply(std::vector<Vec3>& rows) {
    for (const std::uint32_t p : touched_) rows[p] += moved_[nodes_.node(p)];
    for (const std::uint32_t p : touched_) moved_[nodes_.node(p)].setZero();
  }

  const Step& step_;
  FlatStep& flat_;
  const PullBackSettings& settings_;
  Nodes nodes_;
  std::vector<Pull> pulls_;
  std::vector<std::uint32_t> count_;  // by node: pulls
  std::vector<Vec3> moved_;           // by node, in a sweep; zero between two
  std::vector<std::uint32_t> touched_;
};

Vec3 shortened(const Vec3& way, double most) {
  const double length = way.norm();
  return length > most ? Vec3(way * (most / length)) : way;
}

// Length of the longest edge at a particle now.
double edge_at(const Step& step, const FlatStep& flat, std::uint32_t slot) {
  const BodyId body = flat.body_at(slot);
  const MeshTopology& topology = step.bodies[body.index()].mesh->topology();
  const std::uint32_t base = flat.first[body.index()];
  double longest_sq = 0;
  for (const EdgeId e : topology.edges_of_vertex(VertexId(slot - base))) {
    const Edge& edge = topology.edge(e);
    longest_sq =
        std::max(longest_sq, (flat.x_t1[base + edge[0].value] - flat.x_t1[base + edge[1].value]).squaredNorm());
  }
  return std::sqrt(longest_sq);
}

// Along the line of two planes: the nearest point, p - N^+ (N p - d) with the normals as rows of N.
Vec3 way_to_corner(const Vec3& p, const PiercedSurface& first, const PiercedSurface& second, double lift) {
  const double c = first.normal.dot(second.normal), det = 1 - c * c;
  const double h1 = lift - first.normal.dot(p - first.point), h2 = lift - second.normal.dot(p - second.point);
  const double a = (h1 - c * h2) / det, b = (h2 - c * h1) / det;
  return a * first.normal + b * second.normal;
}

struct Behind {
  PiercedSurface first;
  std::optional<PiercedSurface> second;
  bool is_literal = false;  // to the point of `first`, not along its normal
};

// Of closed bodies, where the way out is the shortest: that needs no corner of one body, whose faces are behind each
// other at a ridge and met at once in a valley.
Behind behind(const Step& step, const FlatStep& flat, const std::vector<bool>& is_closed,
              const PiercedParticle& particle) {
  const Vec3& p = flat.x_t1[particle.slot];
  const auto has_inside = [&](BodyId body) { return body != flat.body_at(particle.slot) && is_closed[body.index()]; };
  Behind result{particle.first, particle.second};
  if (has_inside(result.first.body)) result.first = walk_out(step, flat, p, result.first);
  if (!result.second) return result;
  if (result.second->body == result.first.body) {
    if (has_inside(result.first.body)) result.second.reset();
  } else if (has_inside(result.second->body)) {
    result.second = walk_out(step, flat, p, *result.second);
  }
  if (result.second && !makes_corner(result.first, *result.second)) result.second.reset();
  return result;
}

// At the start of the step.
bool was_behind(const FlatStep& flat, std::uint32_t slot, const PiercedSurface& surface) {
  Vec3 point = Vec3::Zero();
  for (std::size_t i = 0; i < 3; ++i) point += surface.weights[i] * flat.x_t0[surface.slot[i]];
  return surface.normal.dot(flat.x_t0[slot] - point) < 0;
}

// As it is told.
Contact contact_on(const FlatStep& flat, std::uint32_t slot, const PiercedSurface& surface, const Vec3& normal) {
  const BodyId body = flat.body_at(slot);
  Contact contact;
  contact.a = {body, FeatureKind::vertex, slot - flat.first[body.index()]};
  contact.b = face_feature(surface.body, surface.face);
  contact.wa = {1, 0, 0};
  contact.wb = surface.weights;
  contact.point = surface.point;
  contact.normal = normal;
  contact.relation = Relation::touching;
  return contact;
}

Pull pull_of(const Step& step, const FlatStep& flat, const PiercedParticle& particle, const Behind& behind) {
  const Vec3& p = flat.x_t1[particle.slot];
  const PiercedSurface& s = behind.first;
  const std::optional<PiercedSurface>& second = behind.second;
  const double edge = edge_at(step, flat, particle.slot), lift = kLift * edge;
  Pull pull;
  pull.is_particle = true;
  pull.add(particle.slot, 1);
  for (std::size_t i = 0; i < 3; ++i) pull.add(s.slot[i], -s.weights[i]);
  pull.normal = s.normal;
  pull.height = lift;
  if (was_behind(flat, particle.slot, s)) pull.most = edge / kSweepsOfPulls;
  if (behind.is_literal) pull.way = shortened(s.point + lift * s.normal - p, edge);
  const Vec3 sum = second ? Vec3(s.normal + second->normal) : Vec3(Vec3::Zero());
  if (second && sum.norm() >= kOpposed) {
    // A wedge of two thin surfaces would throw it far away.
    pull.way = shortened(way_to_corner(p, s, *second, lift), edge);
    pull.normal = sum.normalized();
  }
  pull.contact = contact_on(flat, particle.slot, s, pull.normal);
  return pull;
}

void add_side(Pull& pull, const Step& step, const FlatStep& flat, const Feature& feature, const Weights& weights,
              double sign) {
  const FeatureVertices of = vertices_of(feature, *step.bodies[feature.body.index()].mesh, weights);
  for (std::size_t i = 0; i < of.size(); ++i) pull.add(flat.slot(feature.body, of.vertex[i]), sign * of.weights[i]);
}

// An edge stands in a closed surface: out of it where it is deepest, halfway.
Pull pull_of(const Step& step, const FlatStep& flat, const PiercedByEdge& edge) {
  const Vec3 p = (1 - edge.at) * flat.x_t1[edge.from] + edge.at * flat.x_t1[edge.to];
  const PiercedSurface s = walk_out(step, flat, p, edge.surface);
  Pull pull;
  pull.add(edge.from, 1 - edge.at);
  pull.add(edge.to, edge.at);
  for (std::size_t i = 0; i < 3; ++i) pull.add(s.slot[i], -s.weights[i]);
  pull.normal = s.normal;
  pull.height = kLift * edge_at(step, flat, s.slot[0]);
  pull.contact = contact_on(flat, edge.at < 0.5 ? edge.from : edge.to, s, s.normal);
  return pull;
}

// Apart by `way` more than they are.
Pull pull_of(const Step& step, const FlatStep& flat, const Contact& contact, double way) {
  Pull pull;
  add_side(pull, step, flat, contact.a, contact.wa, 1);
  add_side(pull, step, flat, contact.b, contact.wb, -1);
  pull.normal = contact.normal;
  pull.height = pull.normal.dot(pull.relative(flat.x_t1)) + way;
  pull.contact = contact;
  return pull;
}

// Of a particle of a dense surface: one for each surface that it is behind for sure.
void add_dense(const Step& step, const FlatStep& flat, const PiercedParticle& particle, const Behind& found,
               const PiercedParticles& pierced, SureBehind& is_sure, std::vector<Pull>& pulls) {
  const double edge = edge_at(step, flat, particle.slot);
  const auto add = [&](const PiercedSurface& surface) {
    const bool has_inside = surface.body != flat.body_at(particle.slot) && pierced.is_closed[surface.body.index()];
    if (has_inside && !is_sure(particle.slot, surface, edge)) return;
    pulls.push_back(pull_of(step, flat, particle, {surface, std::nullopt, found.is_literal}));
  };
  add(found.first);
  if (found.second) add(*found.second);
}

// Of what intersects at the end of a step.
std::vector<Pull> pulls_of_ends(const Step& step, const FlatStep& flat, std::span<const Contact> contacts,
                                const PullBackSettings& settings, bool is_dense) {
  const PiercedParticles pierced = find_pierced(step, flat, contacts);
  std::vector<Pull> pulls;
  SureBehind is_sure(step, flat);
  for (const PiercedParticle& particle : pierced.particles) {
    const Behind found = settings.literal_position ? Behind{particle.first, particle.second, true}
                                                   : behind(step, flat, pierced.is_closed, particle);
    if (is_dense) add_dense(step, flat, particle, found, pierced, is_sure, pulls);
    else pulls.push_back(pull_of(step, flat, particle, found));
  }
  if (!settings.literal_position)
    for (const PiercedByEdge& edge : pierced.edges) pulls.push_back(pull_of(step, flat, edge));
  for (const Contact& contact : pierced.others)
    if (contact.depth > 0) pulls.push_back(pull_of(step, flat, contact, contact.depth));
  // Of a body that lies inside another as a whole.
  for (const Contact& contact : contacts)
    if (contact.kind() == ContactKind::vertex_face && contact.depth > 0)
      pulls.push_back(pull_of(step, flat, contact, contact.depth));
  return pulls;
}

// Where a feature passes through another on its way, it is put back onto the side that it came from, where the slot of
// the impact is at the end of the step. Of each vertex the first impact counts; edges only where none of their ends has
// one of its own.
std::vector<Pull> pulls_of_paths(const Step& step, const FlatStep& flat, std::span<const Contact> contacts) {
  std::vector<Pull> pulls;
  std::vector<bool> is_pulled(flat.size(), false);
  for (const ContactKind kind : {ContactKind::vertex_face, ContactKind::edge_edge})
    for (const Contact& contact : contacts) {
      if (contact.kind() != kind || contact.initial || contact.normal == Vec3::Zero()) continue;
      Pull pull = pull_of(step, flat, contact, 0);
      const std::size_t own = kind == ContactKind::vertex_face ? 1 : pull.count;
      const auto has_own = [&](std::uint32_t slot) { return is_pulled[slot]; };
      if (std::any_of(pull.slot.begin(), pull.slot.begin() + static_cast<std::ptrdiff_t>(own), has_own)) continue;
      const double lift = kLift * edge_at(step, flat, pull.slot[0]);
      if (pull.height >= lift) continue;
      if (kind == ContactKind::vertex_face) is_pulled[pull.slot[0]] = pull.is_particle = true;
      pull.height = lift;
      pulls.push_back(pull);
    }
  return pulls;
}

void move_carried(std::vector<Pull> pulls, const DenseStep& dense, FlatStep& flat, const PullBackSettings& settings,
                  std::vector<Impact>& impacts) {
  CarriedPulls carried(dense, flat, settings);
  for (Pull& pull : pulls) {
    pull.most *= kSweepsOfPulls;
    carried.add(pull);
  }
  carried.run(impacts);
}

}  // namespace

Nodes::Nodes(const FlatStep& flat) : flat_(flat) {
  for (std::size_t b = 0; b + 1 < flat.first.size(); ++b) {
    double mass = 0;
    if (flat.as_one[b])
      for (std::uint32_t p = flat.first[b]; p < flat.first[b + 1]; ++p) mass += 1 / flat.inverse_mass[p];
    inverse_mass_of_body_.push_back(mass > 0 && std::isfinite(mass) ? 1 / mass : 0);
  }
}

void PullBack::move_ends(const Step& step, FlatStep& flat, std::span<const Contact> contacts,
                         std::vector<Impact>& impacts) const {
  Pulling pulling(step, flat, settings_);
  for (const Pull& pull : pulls_of_ends(step, flat, contacts, settings_, false)) pulling.add(pull);
  pulling.run(impacts);
}

void PullBack::move_dense_ends(const DenseStep& dense, FlatStep& flat, std::span<const Contact> contacts,
                               std::vector<Impact>& impacts) const {
  move_carried(pulls_of_ends(dense.step(), dense.flat(), contacts, settings_, true), dense, flat, settings_, impacts);
}

void PullBack::move_paths(const Step& step, FlatStep& flat, std::span<const Contact> contacts,
                          std::vector<Impact>& impacts) const {
  Pulling pulling(step, flat, settings_);
  for (const Pull& pull : pulls_of_paths(step, flat, contacts)) pulling.add(pull);
  pulling.run(impacts);
}

void PullBack::move_dense_paths(const DenseStep& dense, FlatStep& flat, std::span<const Contact> contacts,
                                std::vector<Impact>& impacts) const {
  move_carried(pulls_of_paths(dense.step(), dense.flat(), contacts), dense, flat, settings_, impacts);
}

}  // namespace pliant
