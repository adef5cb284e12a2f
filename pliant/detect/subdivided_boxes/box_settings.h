// What subdivided boxes let one choose.
#pragma once

#include <cstdint>

namespace pliant {

// Ranges and effects: SubdividedBoxDetector::kInfo.
struct SubdivisionSettings {
  // How a body is divided.
  int levels = -1;  // -1: until boxes have at most `most_faces`; 3 in paper mode
  bool octree = false;
  std::uint32_t most_faces = 48;

  // How boxes are hashed.
  double cell_size = 0;           // length; 0: twice the mean extent of the boxes, axis by axis
  std::size_t buckets = 0;        // 0: one per box or more
  std::uint64_t most_cells = 64;  // that a box fills
  std::uint64_t prime_x = 73856093;
  std::uint64_t prime_y = 19349669;
  std::uint64_t prime_z = 83492791;

  // What is done as printed in paper mode.
  bool corners_only = true;
  bool vertices_only = true;
  bool one_way = true;
  bool third_needs_hit = false;
};

}  // namespace pliant
