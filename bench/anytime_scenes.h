// Two meshes, each twisted and bent by a cage over some moments: what the anytime method is measured on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/asset/repair.h"
#include "pliant/detect/registry.h"
#include "pliant/io/mesh_file.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/motion/embedding.h"

namespace pliant::bench {

// In a cube of side 1 around the origin.
inline MeshPtr in_unit_cube(const std::string& path, bool closed) {
  MeshPtr mesh = read_mesh_file(path).mesh;
  if (closed) mesh = repair_mesh(*mesh, {}).mesh;
  const auto bounds = *Frame::of_mesh(mesh).bounds();
  const double side = (bounds[1] - bounds[0]).maxCoeff();
  std::vector<Vec3> x;
  for (const Vec3& p : mesh->positions()) x.emplace_back((p - 0.5 * (bounds[0] + bounds[1])) / side);
  return with_positions(*mesh, std::move(x));
}

// A mesh in a cage of 5 x 5 x 5 points, and where the cage is at some moments.
struct Caged {
  MeshPtr mesh;
  std::shared_ptr<const BarycentricEmbedding> embedding;
  std::vector<Frame> cage;
  std::vector<std::vector<Vec3>> dense;

  Caged(MeshPtr m, double turn, const Vec3& way, int frames) : mesh(std::move(m)) {
    const auto box = make_tet_box({.cells = {4, 4, 4}});
    const auto bounds = *Frame::own({box->positions().begin(), box->positions().end()}).bounds();
    std::vector<Vec3> corners;
    for (const Vec3& p : box->positions())
      corners.emplace_back(1.02 * ((p - bounds[0]).cwiseQuotient(bounds[1] - bounds[0]) - Vec3::Constant(0.5)));
    const TetMesh tets(corners, {box->tets().begin(), box->tets().end()});
    embedding = std::make_shared<const BarycentricEmbedding>(mesh->positions(), tets);
    for (int k = 0; k < frames; ++k) {
      const double t = static_cast<double>(k) / frames;
      std::vector<Vec3> x = bent(twisted(corners, turn * (1 + 0.2 * t)), 0.5 + 0.1 * t);
      for (Vec3& p : x) p += way;
      dense.push_back(embedding->positions(x));
      cage.push_back(Frame::own(std::move(x)));
    }
  }
};

// Two bodies over some moments.
struct Scene {
  std::string name;
  Caged a, b;
  int frames() const { return static_cast<int>(a.cage.size()); }
};

enum class Way { embedded, shared, copied };
inline const char* name_of(Way way) {
  return way == Way::embedded ? "embedded" : way == Way::shared ? "share" : "set_positions";
}

inline std::unique_ptr<Detector> detector_for(const Scene& scene, const std::string& method, MethodSettings own = {},
                                              Mode mode = Mode::safe) {
  DetectorSettings settings;
  settings.mode = mode;
  settings.self = false;
  settings.threads = {1};
  settings.method = std::move(own);
  auto detector = make_detector(method, settings);
  detector->add_body(scene.a.mesh);
  detector->add_body(scene.b.mesh);
  return detector;
}

// New frames every time: nothing of another call is known.
inline void place(Detector& detector, const Scene& scene, int frame, Way way) {
  const Caged* const bodies[] = {&scene.a, &scene.b};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto k = static_cast<std::size_t>(frame % scene.frames());
    const std::vector<Vec3>& x = bodies[i]->dense[k];
    if (way == Way::copied) detector.set_positions(BodyId(i), x);
    else if (way == Way::shared) detector.set_motion(BodyId(i), Motion::at_rest(Frame::share(nullptr, x)));
    else
      detector.set_motion(BodyId(i),
                          Motion::embedded(Motion::at_rest(Frame::share(nullptr, bodies[i]->cage[k].positions())),
                                           bodies[i]->embedding));
  }
}

inline double diagonal(const Scene& scene, int frame) {
  Vec3 lo = Vec3::Constant(1e300), hi = -lo;
  for (const Caged* body : {&scene.a, &scene.b})
    for (const Vec3& p : body->dense[static_cast<std::size_t>(frame)]) {
      lo = lo.cwiseMin(p);
      hi = hi.cwiseMax(p);
    }
  return (hi - lo).norm();
}

// Bunny and armadillo in slight contact, and two bunnies nearly in the same place.
// `closed`: holes filled, as medial sphere trees need it.
inline std::vector<Scene> anytime_scenes(const std::string& bunny_file, const std::string& armadillo_file,
                                         bool closed = false) {
  const MeshPtr bunny = in_unit_cube(bunny_file, closed), armadillo = in_unit_cube(armadillo_file, closed);
  std::vector<Scene> scenes;
  constexpr double kApart = 0.62;  // 182 contacts
  scenes.push_back({"slight", {bunny, 0.6, Vec3::Zero(), 8}, {armadillo, -0.5, {kApart, 0.05, 0.02}, 8}});
  constexpr double kOff = 0.02;  // 6,323 contacts
  scenes.push_back({"coincident", {bunny, 0.6, Vec3::Zero(), 8}, {bunny, 0.62, {kOff, 0.7 * kOff, 0.5 * kOff}, 8}});
  return scenes;
}

}  // namespace pliant::bench
