// Shapes that deform through each other and through themselves, for every method to look at.
#pragma once

#include <string>
#include <vector>

#include "pliant/io/gltf_movie.h"

namespace pliant::app {

struct DemoScene {
  std::string name;
  std::string file;  // of its movie
  std::vector<MovieBody> bodies;

  std::size_t triangle_count() const;
};

inline constexpr std::size_t kDemoFrames = 8;

std::vector<DemoScene> make_demo_scenes();

// Every frame as a mesh, NAME_0.ply and so on, and all of it in one file for any glTF viewer. Throws Error.
void write_demo_scene(const DemoScene& scene, const std::string& folder);

}  // namespace pliant::app
