// What the method `sphere-tree` lets one choose. Ranges and effects: SphereTreeDetector::kInfo.
#pragma once

#include <cstdint>

#include "pliant/bounds/sphere_tree/build_sphere_tree.h"

namespace pliant {

struct SphereTreeMethodSettings {
  std::uint32_t builder = 0;  // 0: a stored tree, or boxes if there is none; 1: medial; 2: octree; 3: boxes
  std::uint32_t branching = 8;
  std::uint32_t depth = 4;
  std::uint32_t order = 0;  // of safe mode; 0: largest first; 1: bodies in turn; 2: depth first
  bool exact = true;
  std::uint32_t most_pairs = 1u << 16;
  std::uint32_t near_vertices = 4;
  std::uint32_t fitted_pieces = 32;
  bool printed_update = true;
  bool depth_first = false;

  SphereTreeSettings build_settings(Threads threads) const;
};

}  // namespace pliant
