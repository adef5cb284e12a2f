#include "pliant/response/pull_back.h"

#include <algorithm>
#include <cmath>

#include "pliant/detect/feature_vertices.h"
#include "pliant/mesh/topology.h"
#include "pliant/response/pierced_particles.h"

namespace pliant {
namespace {

// Above the surface where particles are put: of the edge that they have there.
constexpr double kLift = 1e-6;
// Two normals that nearly oppose each other have no mean.
constexpr double kOpposed = 0.1;

// One particle and one face, or two triangles: up to six vertices, those of the second side with negative weights.
struct Pull {
  std::array<std::uint32_t, 6> place{};
  std::array<double, 6> weight{};
  std::size_t count = 0;
  Vec3 way = Vec3::Zero();     // of the first side against the second
  Vec3 normal = Vec3::Zero();  // velocities against it are taken away
  bool is_particle = false;    // place[0] alone against a surface
  Contact contact;             // as it is told

  void add(std::uint32_t at, double w) {
    place[count] = at;
    weight[count++] = w;
  }
  Vec3 relative(const std::vector<Vec3>& rows) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < count; ++i) sum += weight[i] * rows[place[i]];
    return sum;
  }
};

// Vertices of a body that moves as one have its mass, and are moved together.
class Nodes {
 public:
  explicit Nodes(const FlatStep& flat) : flat_(flat) {
    for (std::size_t b = 0; b + 1 < flat.first.size(); ++b) {
      double mass = 0;
      if (flat.as_one[b])
        for (std::uint32_t p = flat.first[b]; p < flat.first[b + 1]; ++p) mass += 1 / flat.inverse_mass[p];
      inverse_mass_of_body_.push_back(mass > 0 && std::isfinite(mass) ? 1 / mass : 0);
    }
  }
  std::uint32_t node(std::uint32_t place) const {
    return flat_.moves_as_one(place) ? flat_.first[flat_.body[place]] : place;
  }
  double inverse_mass(std::uint32_t place) const {
    return flat_.moves_as_one(place) ? inverse_mass_of_body_[flat_.body[place]] : flat_.inverse_mass[place];
  }

 private:
  const FlatStep& flat_;
  std::vector<double> inverse_mass_of_body_;
};

// All pulls of one state, applied at once.
class Pulling {
 public:
  Pulling(const Step& step, FlatStep& flat, const PullBackSettings& settings)
      : step_(step), flat_(flat), settings_(settings), nodes_(flat) {}

  void add(const Pull& pull) { pulls_.push_back(pull); }

  void run(std::vector<Impact>& impacts) {
    if (pulls_.empty()) return;
    count_.assign(flat_.size(), 0);
    for (const Pull& pull : pulls_)
      for (std::size_t i = 0; i < pull.count; ++i) ++count_[nodes_.node(pull.place[i])];
    std::vector<Vec3> x(flat_.size(), Vec3::Zero()), v(flat_.size(), Vec3::Zero());
    for (const Pull& pull : pulls_) {
      const double mobility = mobility_of(pull);
      if (!(mobility > 0)) continue;
      push(pull, pull.way / mobility, x);
      const Vec3 impulse = impulse_of(pull, mobility);
      push(pull, impulse, v);
      impacts.push_back({pull.contact, impulse});
    }
    if (settings_.literal_velocity) set_literal_velocities(v);
    for (std::uint32_t p = 0; p < flat_.size(); ++p) {
      flat_.x_t1[p] += x[nodes_.node(p)];
      flat_.v_t1[p] += v[nodes_.node(p)];
    }
  }

 private:
  double mobility_of(const Pull& pull) const {
    double sum = 0;
    for (std::size_t i = 0; i < pull.count; ++i)
      sum += pull.weight[i] * pull.weight[i] * nodes_.inverse_mass(pull.place[i]) * count_[nodes_.node(pull.place[i])];
    return sum;
  }
  void push(const Pull& pull, const Vec3& impulse, std::vector<Vec3>& rows) const {
    for (std::size_t i = 0; i < pull.count; ++i)
      rows[nodes_.node(pull.place[i])] += (nodes_.inverse_mass(pull.place[i]) * pull.weight[i]) * impulse;
  }

  // Against the approach, with restitution and Coulomb friction. Of its share of the masses.
  Vec3 impulse_of(const Pull& pull, double mobility) const {
    const Vec3 v = pull.relative(flat_.v_t1);
    const double approach = -pull.normal.dot(v);
    if (!(approach > 0)) return Vec3::Zero();
    const Surface skin =
        between(step_.bodies[pull.contact.a.body.index()].surface, step_.bodies[pull.contact.b.body.index()].surface);
    const double push = (1 + skin.restitution) * approach / mobility;
    const Vec3 slip = v + approach * pull.normal;
    const double speed = slip.norm();
    Vec3 impulse = push * pull.normal;
    if (speed > 0) impulse -= (std::min(skin.friction * push, speed / mobility) / speed) * slip;
    return impulse;
  }

  // As printed: a particle goes on with its speed, along the normal. Faces get nothing for it.
  void set_literal_velocities(std::vector<Vec3>& v) const {
    std::fill(v.begin(), v.end(), Vec3::Zero());
    for (const Pull& pull : pulls_) {
      const std::uint32_t p = pull.place[0];
      if (!pull.is_particle || nodes_.inverse_mass(p) == 0) continue;
      v[nodes_.node(p)] = flat_.v_t1[p].norm() * pull.normal - flat_.v_t1[p];
    }
  }

  const Step& step_;
  FlatStep& flat_;
  const PullBackSettings& settings_;
  Nodes nodes_;
  std::vector<Pull> pulls_;
  std::vector<std::uint32_t> count_;
};

Vec3 shortened(const Vec3& way, double most) {
  const double length = way.norm();
  return length > most ? Vec3(way * (most / length)) : way;
}

// Length of the longest edge at a particle now.
double edge_at(const Step& step, const FlatStep& flat, std::uint32_t place) {
  const BodyId body = flat.body_at(place);
  const MeshTopology& topology = step.bodies[body.index()].mesh->topology();
  const std::uint32_t base = flat.first[body.index()];
  double longest_sq = 0;
  for (const EdgeId e : topology.edges_of_vertex(VertexId(place - base))) {
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

Pull pull_of(const Step& step, const FlatStep& flat, const PiercedParticle& particle, bool literal_position) {
  const Vec3& p = flat.x_t1[particle.place];
  const PiercedSurface& s = particle.first;
  const double edge = edge_at(step, flat, particle.place), lift = kLift * edge;
  Pull pull;
  pull.is_particle = true;
  pull.add(particle.place, 1);
  for (std::size_t i = 0; i < 3; ++i) pull.add(s.place[i], -s.weights[i]);
  pull.normal = s.normal;
  pull.way =
      literal_position ? Vec3(s.point + lift * s.normal - p) : Vec3((lift - s.normal.dot(p - s.point)) * s.normal);
  const Vec3 sum = particle.second ? Vec3(s.normal + particle.second->normal) : Vec3(Vec3::Zero());
  if (particle.second && sum.norm() >= kOpposed) {
    pull.way = way_to_corner(p, s, *particle.second, lift);
    pull.normal = sum.normalized();
  }
  // A wedge of two thin surfaces would throw it far away.
  pull.way = shortened(pull.way, edge);
  const BodyId body = flat.body_at(particle.place);
  pull.contact.a = {body, FeatureKind::vertex, particle.place - flat.first[body.index()]};
  pull.contact.b = face_feature(s.body, s.face);
  pull.contact.wa = {1, 0, 0};
  pull.contact.wb = s.weights;
  pull.contact.point = s.point;
  pull.contact.normal = pull.normal;
  pull.contact.relation = Relation::touching;
  return pull;
}

void add_side(Pull& pull, const Step& step, const FlatStep& flat, const Feature& feature, const Weights& weights,
              double sign) {
  const FeatureVertices of = vertices_of(feature, *step.bodies[feature.body.index()].mesh, weights);
  for (std::size_t i = 0; i < of.size(); ++i) pull.add(flat.place(feature.body, of.vertex[i]), sign * of.weights[i]);
}

Pull pull_of(const Step& step, const FlatStep& flat, const Contact& contact, double way) {
  Pull pull;
  add_side(pull, step, flat, contact.a, contact.wa, 1);
  add_side(pull, step, flat, contact.b, contact.wb, -1);
  pull.normal = contact.normal;
  pull.way = way * contact.normal;
  pull.contact = contact;
  return pull;
}

}  // namespace

void PullBack::move_ends(const Step& step, FlatStep& flat, std::span<const Contact> contacts,
                         std::vector<Impact>& impacts) const {
  const PiercedParticles pierced = find_pierced(step, flat, contacts);
  Pulling pulling(step, flat, settings_);
  for (const PiercedParticle& particle : pierced.particles)
    pulling.add(pull_of(step, flat, particle, settings_.literal_position));
  for (const Contact* contact : pierced.others)
    if (contact->depth > 0) pulling.add(pull_of(step, flat, *contact, contact->depth));
  // Of a body that lies inside another as a whole.
  for (const Contact& contact : contacts)
    if (contact.kind() == ContactKind::vertex_face && contact.depth > 0)
      pulling.add(pull_of(step, flat, contact, contact.depth));
  pulling.run(impacts);
}

// Where a feature passes through another on its way, it is put back onto the side that it came from, where the place of
// the impact is at the end of the step. Of each vertex the first impact counts.
void PullBack::move_paths(const Step& step, FlatStep& flat, std::span<const Contact> contacts,
                          std::vector<Impact>& impacts) const {
  Pulling pulling(step, flat, settings_);
  std::vector<bool> is_pulled(flat.size(), false);
  for (const Contact& contact : contacts) {
    if (contact.initial || contact.relation == Relation::possible || contact.normal == Vec3::Zero()) continue;
    Pull pull = pull_of(step, flat, contact, 0);
    if (contact.kind() == ContactKind::vertex_face) {
      if (is_pulled[pull.place[0]]) continue;
      is_pulled[pull.place[0]] = true;
      pull.is_particle = true;
    }
    const double gap = pull.normal.dot(pull.relative(flat.x_t1));
    const double lift = kLift * edge_at(step, flat, pull.place[0]);
    if (!(gap < lift)) continue;
    pull.way = (lift - gap) * pull.normal;
    pulling.add(pull);
  }
  pulling.run(impacts);
}

}  // namespace pliant
