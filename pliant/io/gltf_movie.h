// Several moving bodies in one glTF file, for the eye: any viewer opens it.
#pragma once

#include <span>
#include <string>

#include "pliant/motion/motion.h"

namespace pliant {

struct MovieBody {
  std::string name;
  MeshPtr mesh;
  Motion motion;  // as many frames as the others', or one; those that do not differ from the first are left out
};

// A node for each body with its motion as morph targets, none for those that stand still, in colours that differ; z,
// which is up with us, becomes the y of glTF. Throws Error for what cannot be written, or for a motion of another mesh
// or length.
void write_gltf_movie(const std::string& path, std::span<const MovieBody> bodies, double frames_per_second);

}  // namespace pliant
