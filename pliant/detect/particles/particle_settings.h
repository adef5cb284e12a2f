// What the particle method lets one choose.
#pragma once

#include <cstdint>

namespace pliant {

// Ranges and effects: ParticleDetector::kInfo.
struct ParticleSettings {
  // How many regions (= particles) a body has.
  std::uint32_t regions = 0;      // 0: by the rules below
  double regions_per_root = 1.8;  // safe mode: times the root of the number of triangles
  std::uint32_t least_regions = 4;
  std::uint32_t most_regions = 256;
  bool count_bodies = false;
  double critical_angle = 40;  // degrees

  // How the surface is cut (mesh/partition.h).
  double normal_weight = 0.25;
  double split = 0.1;
  double stop = 0;  // 0: 0.001 in paper mode, 0.05 in safe mode
  bool printed_split = false;

  // How particles move.
  double reach = 0;               // length; 0: the largest distance between a body's particles at the start
  double collision_distance = 0;  // length; 0: the mean length of the two bodies' edges
  bool longest_edge = false;
  double relaxed_fraction = 0.1;
  int most_sweeps = 0;  // 0: the longest route along edges between two particles
  bool synchronous = false;
  int restarts = 0;
  bool always_walk = false;

  // When regions stretch.
  bool repartition = true;
  double stretch = 0;  // times the largest region at rest; 0: 1 in paper mode, 2 in safe mode
  bool true_area = false;
  int repartition_gap = 10;   // frames
  int repartition_steps = 8;  // iterations per frame

  // The predecessor.
  bool free_particles = false;
  std::uint32_t seed = 1;
};

}  // namespace pliant
