// Small worlds, and a record of what happens in them.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "pliant/bodies/cloth.h"
#include "pliant/bodies/fem.h"
#include "pliant/bodies/kinematic.h"
#include "pliant/bodies/pressure.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/world/world.h"

namespace pliant {

inline MeshPtr placed(const MeshPtr& mesh, const RigidTransform& where) {
  return with_positions(*mesh, transformed(mesh->positions(), where));
}
inline MeshPtr placed(const MeshPtr& mesh, const Vec3& where) { return placed(mesh, rigid({0, 0, 1}, 0, where)); }

// Its upper side at z = 0.
inline std::unique_ptr<BodyModel> ground() {
  return std::make_unique<FixedBody>(placed(make_box({.size = {4, 4, 0.1}}), {0, 0, -0.05}));
}

// Soft enough for few sub-steps, so that tests are quick.
inline std::unique_ptr<BodyModel> soft_ball(const Vec3& where, const Vec3& gravity = {0, 0, -9.81}) {
  PressureSettings settings;
  settings.gravity = gravity;
  return std::make_unique<PressureBody>(placed(make_icosphere({.radius = 0.1, .frequency = 3}), where), settings);
}

inline std::unique_ptr<BodyModel> soft_cube(const Vec3& where) {
  FemSettings settings;
  settings.material = {.young = 3e4, .poisson = 0.3, .density = 1000};
  settings.material = settings.material.with_damping(0.01);
  auto cube = std::make_unique<FemBody>(make_tet_box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), settings);
  BodyState state = cube->snapshot();
  for (Vec3& x : state.positions) x += where;
  cube->restore(state);
  return cube;
}

inline std::unique_ptr<BodyModel> sheet(const Vec3& where, int cells = 12, double size = 0.5) {
  ClothBodySettings settings;
  settings.material = cloth_material("cotton");
  return std::make_unique<ClothBody>(
      placed(make_grid({.width = size, .depth = size, .columns = cells, .rows = cells}), where), settings);
}

// Follows `where(frame)`, one key per frame.
template <class Where>
std::unique_ptr<BodyModel> moving(const MeshPtr& mesh, int frames, double fps, Where&& where) {
  std::vector<Frame> keys;
  for (int k = 0; k <= frames; ++k) keys.push_back(Frame::own(transformed(mesh->positions(), where(k))));
  return std::make_unique<KeyframedBody>(
      with_positions(*mesh, {keys[0].positions().begin(), keys[0].positions().end()}), Motion::keyframes(keys),
      KeyframeSettings{fps, 0});
}

inline void throw_body(BodyModel& body, const Vec3& velocity) {
  const std::vector<Vec3> x(body.positions().begin(), body.positions().end());
  body.commit(x, std::vector<Vec3>(x.size(), velocity));
}

// Every piece of every body.
class Recorder : public WorldObserver {
 public:
  explicit Recorder(const World& world) : frames_(world.body_count()) { piece(world, 0); }
  void piece(const World& world, double frame) override {
    times.push_back(frame);
    for (std::size_t b = 0; b < frames_.size(); ++b) {
      const std::span<const Vec3> x = world.body(BodyId(b)).positions();
      frames_[b].push_back(Frame::own({x.begin(), x.end()}));
    }
  }
  void contact(const World&, const WorldContact& contact) override {
    ++contacts;
    last_force = contact.force;
  }

  // Contacts that a continuous search of the record finds.
  Report check(const World& world, std::string_view method = "swept-bvh") const {
    const auto detector = make_detector(method);
    for (std::size_t b = 0; b < frames_.size(); ++b)
      detector->add_body(world.body(BodyId(b)).mesh(), Motion::keyframes(frames_[b], times));
    return detector->detect({times.front(), times.back()});
  }

  std::vector<double> times;
  std::size_t contacts = 0;
  Vec3 last_force = Vec3::Zero();

 private:
  std::vector<std::vector<Frame>> frames_;
};

inline Vec3 centre_of(const BodyModel& body) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& x : body.positions()) sum += x;
  return sum / static_cast<double>(body.positions().size());
}

inline double lowest(const BodyModel& body) {
  double low = body.positions()[0].z();
  for (const Vec3& x : body.positions()) low = std::min(low, x.z());
  return low;
}

inline WorldSettings two_steps(const std::string& method = "swept-bvh", int threads = 1) {
  WorldSettings settings;
  settings.substeps = 2;
  settings.method = method;
  settings.threads = {threads};
  return settings;
}

// The sum of the impulses on body 1, N s: over a second of rest, its weight.
struct ImpulseOnBody1 : WorldObserver {
  void piece(const World&, double) override {}
  void contact(const World&, const WorldContact& contact) override {
    sum += contact.impact.contact.a.body == BodyId(1) ? contact.impact.impulse : -contact.impact.impulse;
  }
  Vec3 sum = Vec3::Zero();
};

}  // namespace pliant
