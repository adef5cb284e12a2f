#include "tests/bodies/truth_cases.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "pliant/bodies/cloth.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/tet_shapes.h"
#include "tests/bodies/hanging_cloth.h"

namespace pliant {
namespace {

void advance(BodyModel& body, double seconds) {
  const Prediction p = body.predict(seconds);
  body.commit(p.positions, p.velocities);
}

// Times (s) at which a value changes its sign, by linear interpolation.
std::vector<double> zero_crossings(BodyModel& body, double seconds, double step, const std::function<double()>& value) {
  std::vector<double> result;
  double before = value();
  for (int k = 0; k * step < seconds; ++k) {
    advance(body, step);
    const double now = value();
    if ((now < 0) != (before < 0)) result.push_back(step * (k + before / (before - now)));
    before = now;
  }
  return result;
}
// Mean of the periods between them.
double period_of(const std::vector<double>& crossings) {
  return crossings.size() < 2 ? 0
                              : 2 * (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

// Finds the equilibrium of a solid: at every peak of kinetic energy all velocities are set to zero.
void settle_solid(BodyModel& body, std::span<const Vec3> forces) {
  double before = 0;
  for (int peaks = 0, frame = 0; peaks < 12 && frame < 2000; ++frame) {
    body.apply_forces(forces);
    advance(body, 1.0 / 60);
    const double now = body.kinetic_energy();
    if (now < before) {
      BodyState state = body.snapshot();
      std::fill(state.velocities.begin(), state.velocities.end(), Vec3::Zero());
      body.restore(state);
      ++peaks;
    }
    before = body.kinetic_energy();
  }
}

double extent(std::span<const Vec3> x, int axis) {
  const auto [low, high] =
      std::minmax_element(x.begin(), x.end(), [axis](const Vec3& a, const Vec3& b) { return a[axis] < b[axis]; });
  return (*high)[axis] - (*low)[axis];
}

template <class Wanted>
std::vector<VertexId> vertices_where(std::span<const Vec3> x, Wanted&& wanted) {
  std::vector<VertexId> found;
  for (std::size_t v = 0; v < x.size(); ++v)
    if (wanted(x[v])) found.emplace_back(v);
  return found;
}

// Stretches of a block under a dead load per area along one axis, free across it: P_11 = 0, P_33 = load.
struct Stretches {
  double across = 1, along = 1;
};
Stretches under_load(const ElasticMaterial& m, double load) {
  const double mu = m.mu(), stiffness = m.lambda() + mu;
  Stretches s;
  for (int i = 0; i < 100'000; ++i) {
    const double c = stiffness * (s.across * s.across * s.along - 1) - mu;
    s.along -= 0.2 / m.young * (mu * s.along + c * s.across * s.across - load);
    s.across -= 0.2 / m.young * (mu * s.across + c * s.across * s.along);
  }
  return s;
}

// Of a dead load per area (Pa) on the two ends of a block along z.
std::vector<Vec3> end_forces(const BodyModel& body, double load) {
  std::vector<Vec3> forces(body.positions().size(), Vec3::Zero());
  for (const Triangle& face : body.mesh()->triangles()) {
    const Vec3 a = body.positions()[face[0].index()], b = body.positions()[face[1].index()],
               c = body.positions()[face[2].index()];
    const Vec3 area = 0.5 * (b - a).cross(c - a);
    if (std::abs(area.z()) < 0.9 * area.norm()) continue;
    for (const VertexId v : face) forces[v.index()] += Vec3(0, 0, load * area.z() / 3);
  }
  return forces;
}

// Angle and its slope at the end, and the drop there, of an elastica with the slope `k` at the clamp.
struct ElasticaEnd {
  double slope, drop;
};
ElasticaEnd shoot(double length, double load, double k) {
  constexpr int kSteps = 400;
  const double ds = length / kSteps;
  double angle = 0, slope = k, drop = 0;
  const auto bend = [&](double s, double at) { return -load * (length - s) * std::cos(at); };
  for (int i = 0; i < kSteps; ++i) {  // the classical method of Runge and Kutta
    const double s = i * ds;
    const double a1 = slope, b1 = bend(s, angle), d1 = std::sin(angle);
    const double a2 = slope + ds / 2 * b1, b2 = bend(s + ds / 2, angle + ds / 2 * a1),
                 d2 = std::sin(angle + ds / 2 * a1);
    const double a3 = slope + ds / 2 * b2, b3 = bend(s + ds / 2, angle + ds / 2 * a2),
                 d3 = std::sin(angle + ds / 2 * a2);
    const double a4 = slope + ds * b3, b4 = bend(s + ds, angle + ds * a3), d4 = std::sin(angle + ds * a3);
    angle += ds / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    slope += ds / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
    drop += ds / 6 * (d1 + 2 * d2 + 2 * d3 + d4);
  }
  return {slope, drop};
}

}  // namespace

double heavy_elastica(double length, double load) {
  double low = 0, high = load * length * length;  // more than a straight strip has at the clamp
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (shoot(length, load, middle).slope > 0 ? high : low) = middle;
  }
  return shoot(length, load, low).drop;
}

StripDrop clamped_strip(const StripSettings& s) {
  const MeshPtr mesh = make_grid({.width = s.length, .depth = s.width, .columns = s.columns, .rows = s.rows});
  const double cell = s.length / s.columns;
  ClothBodySettings settings{.material = s.material, .substep = s.substep, .air_density = 0};
  // Two columns, which clamp the strip between them.
  settings.pinned =
      vertices_where(mesh->positions(), [&](const Vec3& p) { return p.x() < -s.length / 2 + 1.5 * cell; });
  ClothBody body(mesh, settings);
  settle(body, s.seconds);
  const ClothElements elements(*mesh, s.material, Vec3::UnitX());
  const StaticCloth balanced = static_cloth(elements, {body.masses()}, body.positions(), 1e-9);
  const auto end = static_cast<std::size_t>(s.rows / 2 * (s.columns + 1) + s.columns);
  // The hinge at the clamp bends like a cell: half of it belongs to the strip.
  const double free = s.length - cell / 2;
  return {-body.positions()[end].z(), -balanced.x[end].z(),
          heavy_elastica(free, s.material.density * 9.81 / (5.0 / 6 * s.material.bending))};
}

Truth swinging_curtain(double substep, int rows) {
  const double length = 1;
  const int columns = rows / 4;
  const MeshPtr flat = make_grid({.width = 0.25, .depth = length, .columns = columns, .rows = rows});
  std::vector<Vec3> upright;
  for (const Vec3& p : flat->positions()) upright.emplace_back(p.x(), 0, p.y() - length / 2);
  const MeshPtr mesh = with_positions(*flat, upright);
  ClothBody body(mesh, {.material = {.stretch = 2000, .bending = 1e-7},
                        .pinned = vertices_where(mesh->positions(), [](const Vec3& p) { return p.z() > -1e-9; }),
                        .substep = substep,
                        .air_density = 0});
  std::vector<Vec3> x(body.positions().begin(), body.positions().end());
  for (Vec3& p : x) p.y() = 0.02 * std::cyl_bessel_j(0.0, 2.40483 * std::sqrt(std::max(0.0, length + p.z()) / length));
  body.commit(x, body.velocities());
  const auto end = static_cast<std::size_t>(columns / 2);
  const auto crossings = zero_crossings(body, 2.4, 1.0 / 60, [&] { return body.positions()[end].y(); });
  return {period_of(crossings), 2 * kPi / (2.40483 / 2 * std::sqrt(9.81 / length))};
}

Truth plucked_sheet(const PluckSettings& s) {
  const int rows = std::max(2, s.columns / 10);
  const double stretch = 2000, density = 0.15;
  const MeshPtr mesh = make_grid({.width = 1, .depth = 0.1, .columns = s.columns, .rows = rows});
  ClothBody body(mesh,
                 {.material = {.density = density, .stretch = stretch, .shear = 100, .bending = 1e-7},
                  .gravity = Vec3::Zero(),
                  .pinned = vertices_where(mesh->positions(), [](const Vec3& p) { return std::abs(p.x()) > 0.4999; }),
                  .substep = s.substep,
                  .air_density = 0});
  std::vector<Vec3> x(body.positions().begin(), body.positions().end());
  for (Vec3& p : x) p = Vec3((1 + s.strain) * p.x(), p.y(), 0.003 * std::cos(kPi * p.x()));
  body.commit(x, body.velocities());
  const auto middle = static_cast<std::size_t>(rows / 2 * (s.columns + 1) + s.columns / 2);
  // Its length is 1 + strain, its mass per length less by as much.
  const double theory = 2 * (1 + s.strain) / std::sqrt(stretch * s.strain * (1 + s.strain) / density);
  const auto crossings = zero_crossings(body, 3.5 * theory, 1.0 / 120, [&] { return body.positions()[middle].z(); });
  return {period_of(crossings), theory};
}

Truth solid_pendulum(FemIntegrator integrator, int cells) {
  const auto mesh = make_tet_box({.size = {0.05, 0.05, 0.4}, .cells = {2, 2, cells}});
  FemBody body(mesh, {.material = elastic_material("rubber"),
                      .integrator = integrator,
                      .pinned = vertices_where(mesh->positions(), [](const Vec3& p) {
                        return p.z() > 0.2 - 1e-9 && std::abs(p.x()) < 1e-9;
                      })});
  BodyState state = body.snapshot();
  double inertia = 0, moment = 0;  // about the pinned line; per second^2 of gravity
  for (std::size_t i = 0; i < state.positions.size(); ++i) {
    const double m = body.node_masses()[i], below = 0.2 - state.positions[i].z(), aside = state.positions[i].x();
    if (!std::isfinite(m)) continue;
    inertia += m * (below * below + aside * aside);
    moment += m * 9.81 * below;
    state.velocities[i] = 0.1 * std::sqrt(9.81 / 0.27) * Vec3(below, 0, aside);
  }
  body.restore(state);
  const auto lowest =
      static_cast<std::size_t>(std::min_element(state.positions.begin(), state.positions.end(),
                                                [](const Vec3& a, const Vec3& b) { return a.z() < b.z(); }) -
                               state.positions.begin());
  const double start = body.positions()[lowest].x();
  const auto crossings =
      zero_crossings(body, 2.3, 1.0 / 120, [&] { return body.positions()[lowest].x() - start + 1e-12; });
  const double small = 2 * kPi * std::sqrt(inertia / moment);
  return {period_of(crossings), small * (1 + 0.1 * 0.1 / 16)};
}

Truth heavy_bar(FemIntegrator integrator, int cells) {
  const double young = 5e4, gravity = 2, length = 0.5;
  const auto mesh = make_tet_box({.size = {0.1, 0.1, length}, .cells = {2, 2, cells}});
  FemBody body(mesh, {.material = ElasticMaterial{.young = young, .poisson = 0}.with_damping(2e-3),
                      .integrator = integrator,
                      .gravity = {0, 0, -gravity},
                      .pinned = vertices_where(mesh->positions(), [&](const Vec3& p) { return p.z() > 0.2499; })});
  settle_solid(body, std::vector<Vec3>(body.positions().size(), Vec3::Zero()));
  return {extent(body.positions(), 2) - length, 1000 * gravity * length * length / (2 * young)};
}

BlockStrains loaded_block(FemIntegrator integrator, double load, int cells) {
  const auto mesh = make_tet_box({.size = {0.1, 0.1, 0.2}, .cells = {cells, cells, 2 * cells}});
  const ElasticMaterial material = ElasticMaterial{.young = 5e4, .poisson = 0.35}.with_damping(2e-3);
  FemBody body(mesh, {.material = material, .integrator = integrator, .gravity = Vec3::Zero()});
  settle_solid(body, end_forces(body, load));
  const Stretches wanted = under_load(material, load);
  return {{extent(body.positions(), 2) / 0.2 - 1, wanted.along - 1},
          {extent(body.positions(), 0) / 0.1 - 1, wanted.across - 1}};
}

}  // namespace pliant
