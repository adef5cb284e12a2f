// From a scene's description to a world that is ready for its first step.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pliant/scene/scene_file.h"

namespace pliant {

struct BuildOptions {
  Threads threads;
  std::map<std::string, std::string> meshes;  // files of named meshes
  std::vector<std::string> mesh_folders;      // where else to look for NAME.obj, NAME.ply ...
};

struct BuiltScene {
  World world;
  std::vector<std::string> kinds;  // by body: fem, pressure, cloth, keyframed, fixed
  // By body: the fine surface of an asset, or of a mesh that was made coarser, at the start; null where there is none.
  // It takes no part in the simulation, but follows the body by rigid links (motion/linked_frames.h).
  std::vector<MeshPtr> dense;
  // For people: stand-ins that are used, what files were read with reservations, what will not look as it is meant.
  std::vector<std::string> notes;
};

// Throws Error, naming the scene's file, line and key, for all that would go wrong in the first step: missing or bad
// meshes, materials that the mesh cannot carry, steps that a body cannot take, and (unless the scene allows it)
// bodies that overlap.
BuiltScene build_world(const SceneDescription& scene, const BuildOptions& options = {});

// The files that a scene is built from: its own, if it has one, those of its meshes (also of named ones, where they are
// found) and of its motions. Not everything need be there: what is missing is refused by build_world.
std::vector<std::string> files_read_for(const SceneDescription& scene, const BuildOptions& options = {});

}  // namespace pliant
