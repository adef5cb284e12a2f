#include "pliant/response/penalty.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pliant/detect/feature_vertices.h"
#include "pliant/response/flat_step.h"

namespace pliant {
namespace {

// One contact as its corners see it: up to six of them, those of b with negative weights.
struct Spring {
  std::array<std::uint32_t, 6> row{};
  std::array<double, 6> weight{};
  std::size_t count = 0;
  const Contact* contact = nullptr;
};

void add_side(Spring& spring, const Step& step, const FlatStep& flat, const Feature& feature, const Weights& weights,
              double sign) {
  const FeatureVertices of = vertices_of(feature, *step.bodies[feature.body.index()].mesh, weights);
  for (std::size_t i = 0; i < of.size(); ++i) {
    spring.row[spring.count] = flat.slot(feature.body, of.vertex[i]);
    spring.weight[spring.count++] = sign * of.weights[i];
  }
}

// Of contacts that have a depth. (Regions have no vertices to push; a mere touch needs no push.)
std::vector<Spring> springs_of(const Step& step, const FlatStep& flat, std::span<const Contact> contacts) {
  std::vector<Spring> springs;
  for (const Contact& contact : contacts) {
    if (!(contact.depth > 0) || contact.kind() == ContactKind::region_region) continue;
    Spring spring;
    spring.contact = &contact;
    add_side(spring, step, flat, contact.a, contact.wa, 1);
    add_side(spring, step, flat, contact.b, contact.wb, -1);
    springs.push_back(spring);
  }
  return springs;
}

// How many springs pull at each vertex.
std::vector<std::uint32_t> count_springs(const std::vector<Spring>& springs, std::size_t rows) {
  std::vector<std::uint32_t> count(rows, 0);
  for (const Spring& spring : springs)
    for (std::size_t i = 0; i < spring.count; ++i) ++count[spring.row[i]];
  return count;
}

Vec3 relative(const Spring& spring, const std::vector<Vec3>& values) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < spring.count; ++i) sum += spring.weight[i] * values[spring.row[i]];
  return sum;
}

}  // namespace

// A vertex lends each of its springs an equal part of its mass: then many springs at one vertex are together as stiff
// as one would be, and the shortest stable step does not depend on how finely meshes overlap.
void Penalty::add_forces(const Step& step, const FlatStep& flat, std::span<const Contact> contacts,
                         std::span<Vec3> forces, std::vector<Impact>& impacts) const {
  const std::vector<Spring> springs = springs_of(step, flat, contacts);
  const std::vector<std::uint32_t> count = count_springs(springs, flat.size());
  const double omega = std::numbers::pi / (2 * settings_.seconds);
  for (const Spring& spring : springs) {
    double mobility = 0;
    for (std::size_t i = 0; i < spring.count; ++i)
      mobility += spring.weight[i] * spring.weight[i] * flat.inverse_mass[spring.row[i]] * count[spring.row[i]];
    if (!(mobility > 0)) continue;
    const double mass = 1 / mobility;
    const Contact& contact = *spring.contact;
    const Vec3 v = relative(spring, flat.v_t1);
    const double approach = -contact.normal.dot(v);
    const double push = std::max(0.0, mass * omega * (omega * contact.depth + 2 * settings_.damping * approach));
    const Vec3 slip = v + approach * contact.normal;
    const double speed = slip.norm();
    const Surface surface =
        between(step.bodies[contact.a.body.index()].surface, step.bodies[contact.b.body.index()].surface);
    // Enough to stop the slip within the spring's time, and no more than Coulomb allows.
    const double rub = std::min(surface.friction * push, mass * omega * speed);
    Vec3 force = push * contact.normal;
    if (speed > 0) force -= (rub / speed) * slip;
    if (force == Vec3::Zero()) continue;
    for (std::size_t i = 0; i < spring.count; ++i) forces[spring.row[i]] += spring.weight[i] * force;
    impacts.push_back({contact, force * flat.seconds});
  }
}

}  // namespace pliant
