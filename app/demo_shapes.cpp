#include "app/demo_shapes.h"

#include <fmt/format.h>

#include "pliant/io/mesh_file.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/world/run_folder.h"

namespace pliant::app {
namespace {

// A body whose frame k is shape(k / (kDemoFrames - 1)).
template <class Shape>
MovieBody moving_body(std::string name, MeshPtr mesh, Shape&& shape) {
  std::vector<Frame> frames;
  for (std::size_t k = 0; k < kDemoFrames; ++k)
    frames.push_back(Frame::own(shape(static_cast<double>(k) / static_cast<double>(kDemoFrames - 1))));
  return {std::move(name), std::move(mesh), Motion::keyframes(std::move(frames))};
}

DemoScene teapot_and_ball() {
  const MeshPtr teapot = make_teapot({.segments = 6, .trimmed = true});
  const MeshPtr ball = make_icosphere({.radius = 1.2, .frequency = 7});
  const SmoothField wobble({.seed = 3, .amplitude = 0.12, .wavelength = 1.5});
  return {"ball through teapot",
          "teapot_and_ball.glb",
          {moving_body("teapot", teapot, [&](double s) { return displaced(teapot->positions(), wobble, s); }),
           moving_body("ball", ball, [&](double s) {
             return transformed(displaced(ball->positions(), wobble, -s), rigid({0, 0, 1}, s, {6 - 12 * s, 0.3, 1.5}));
           })}};
}

DemoScene bent_tube() {
  const MeshPtr tube = make_capsule({.radius = 0.4, .length = 6, .segments = 16, .cap_rings = 4, .side_rings = 64});
  return {"tube bent into itself",
          "tube.glb",
          {moving_body("tube", tube, [&](double s) { return bent(tube->positions(), 1.3 * s); })}};
}

DemoScene crumpling_cloth() {
  const MeshPtr cloth = make_grid({.width = 2, .depth = 2, .columns = 32, .rows = 32});
  const SmoothField ripples({.seed = 7, .amplitude = 0.5, .wavelength = 0.5, .waves = 8});
  return {"crumpling cloth", "cloth.glb", {moving_body("cloth", cloth, [&](double s) {
            std::vector<Vec3> positions(cloth->positions().begin(), cloth->positions().end());
            for (Vec3& p : positions) p += 1.5 * s * ripples.at(p, 0.2 * s);
            return positions;
          })}};
}

}  // namespace

std::size_t DemoScene::triangle_count() const {
  std::size_t triangles = 0;
  for (const MovieBody& body : bodies) triangles += body.mesh->face_count();
  return triangles;
}

std::vector<DemoScene> make_demo_scenes() { return {teapot_and_ball(), bent_tube(), crumpling_cloth()}; }

void write_demo_scene(const DemoScene& scene, const std::string& folder) {
  for (const MovieBody& body : scene.bodies) {
    for (std::size_t k = 0; k < kDemoFrames; ++k) {
      const Frame frame = body.motion.frame(k);
      const MeshPtr posed =
          with_positions(*body.mesh, std::vector<Vec3>(frame.positions().begin(), frame.positions().end()));
      write_mesh(file_in(folder, fmt::format("{}_{}.ply", body.name, k)), *posed);
    }
  }
  constexpr double kFramesPerSecond = 4;
  write_gltf_movie(file_in(folder, scene.file), scene.bodies, kFramesPerSecond);
}

}  // namespace pliant::app
