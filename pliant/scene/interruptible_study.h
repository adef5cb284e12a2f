// Table 1 and figure 9 of C. Mendoza and C. O'Sullivan, "An interruptible algorithm for collision detection between
// deformable objects" (2005), measured again: two soft bodies run into each other, with one time for every search.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pliant/core/sphere.h"
#include "pliant/scene/scene_builder.h"

namespace pliant {

struct InterruptibleSettings {
  // Meshes "bunny" and "dragon": give assets that have a sphere tree (`pliant prepare --sphere-tree`). Shapes stand in
  // for meshes that are not there, and trees of boxes for those that are not stored.
  BuildOptions build;
  int frames = 60;
  std::vector<double> budgets{1e-4, 1e-3, 1e-2, 1e-1, 1};  // s, of each search
  std::function<void(const std::string&)> note;            // told what is being done; may be empty
};

// What the paper says of one interaction at one budget.
struct PublishedInteraction {
  const char* name;  // dragon-dragon, bunny-bunny, bunny-dragon
  double budget = 0;
  int pair_list = 0;
  int collision_list = 0;
  int frames_per_second = 0;
};
std::span<const PublishedInteraction> published_table1();

// The same as it was measured, with the search, the update and the response as printed. Means over the searches that
// had a pair of bodies to look at.
struct MeasuredInteraction {
  std::string name;
  double budget = 0;
  double pair_list = 0;       // left when it was interrupted
  double collision_list = 0;  // pairs of leaves
  double pairs_pushed = 0;    // in all
  std::uint64_t longest_list = 0;
  double search_seconds = 0;     // mean
  double frames_per_second = 0;  // of the simulation, nothing drawn
  double penetration = 0;        // m, the deepest at the end of a frame
};
std::vector<MeasuredInteraction> measure_table1(const InterruptibleSettings& settings);

// Whether the measured rows of one interaction, by ascending budget, go the way that the paper's do.
struct InterruptibleTrends {
  bool collisions_grow = true;   // never fewer with more time
  bool none_at_first = true;     // no pair of leaves at the smallest budget
  bool frame_rate_falls = true;  // up to a tenth, which is noise
  bool budgets_are_kept = true;  // up to a tenth and 50 us: placing bodies comes first
};
InterruptibleTrends judge(std::span<const MeasuredInteraction> rows);

// Figure 9: two bunnies in contact, and the spheres that push them at a budget.
struct UsedSphere {
  BodyId body;
  Sphere sphere;
  bool is_leaf = false;
};
struct InterruptibleFigure {
  double budget = 0;
  std::vector<MeshPtr> meshes;  // as they are then
  std::vector<UsedSphere> spheres;
};
InterruptibleFigure measure_figure9(const InterruptibleSettings& settings, double budget);

}  // namespace pliant
