// Motions that are made, not simulated: meshes that move by formulas, the same for the same settings on every platform.
// Scenes replay them ([replay] of a scene file); scene_library.h is the list of all scenes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"
#include "pliant/motion/motion.h"

namespace pliant {

struct SceneSettings {
  std::size_t triangles = 16'000;  // of all bodies together; met within 5 percent from 10,000 up, within 15 below
  std::size_t frames = 60;         // 1 or more
  std::uint64_t seed = 1;
  std::size_t bodies = 12;  // of "n-bodies"; the other scenes have their own number
};

// A mesh at its place in frame 0, and where its vertices go.
struct MovingBody {
  std::string name;
  MeshPtr mesh;
  Motion motion;
};

// Frame 0 is free of intersections, within and between bodies. Later frames are not.
struct MovingScene {
  std::string name;
  std::vector<MovingBody> bodies;

  std::size_t triangle_count() const;
  std::size_t frame_count() const;  // of the body that moves longest
};

struct SceneInfo {
  std::string_view name;
  std::string_view description;     // one line
  std::size_t bodies = 0;           // with default settings
  std::size_t least_triangles = 0;  // the range over which the scene is meant to be used
  std::size_t most_triangles = 0;
};

// Every scene that make_scene() knows.
std::span<const SceneInfo> procedural_scenes();

// Frames are made when they are asked for, in any order, a few at a time: memory does not grow with the number of
// frames, but for what a cloth simulation keeps (about 80 kB per frame). Throws Error for an unknown name, naming the
// nearest, and for settings out of range.
MovingScene make_scene(std::string_view name, const SceneSettings& settings = {});

// The same scene with all frames in memory, for measurements that must not pay for making them.
MovingScene with_stored_frames(const MovingScene& scene);

}  // namespace pliant
