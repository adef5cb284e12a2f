#include "pliant/detect/sphere_tree/sphere_tree_settings.h"

#include "pliant/detect/setting_table.h"
#include "pliant/detect/sphere_tree/sphere_tree_detector.h"

namespace pliant {
namespace {

using Own = SphereTreeMethodSettings;

constexpr SettingInfo kSphereTreeSettings[]{
    setting<&Own::builder>({.name = "builder",
                            .effect = "0: the stored tree of the mesh, boxes if there is none; 1: medial axis, boxes "
                                      "around what is not closed; 2: octree; 3: boxes",
                            .least = 0,
                            .most = 3}),
    setting<&Own::branching>({.name = "branching",
                              .unit = "children",
                              .effect = "of a sphere, in trees that are not stored",
                              .least = 2,
                              .most = 64}),
    setting<&Own::depth>(
        {.name = "depth",
         .unit = "levels",
         .effect = "below the root, at most and as memory allows, in trees that are not stored; 0: one sphere",
         .least = 0,
         .most = 12}),
    setting<&Own::order>({.name = "order",
                          .effect = "safe mode: 0: the largest pair first; 1: pairs of bodies in turn; 2: depth first",
                          .least = 0,
                          .most = 2}),
    setting<&Own::exact>({.name = "exact", .effect = "safe mode: go on from leaves to triangles"}),
    setting<&Own::most_pairs>(
        {.name = "most_pairs",
         .unit = "pairs",
         .effect = "safe mode: open at once; beyond them the smallest is resolved depth first, and none is dropped",
         .least = 16,
         .most = 1u << 26}),
    setting<&Own::near_vertices>({.name = "near_vertices",
                                  .unit = "vertices",
                                  .effect = "V_i: coarse vertices of a sphere; paper mode: that move it",
                                  .least = 1,
                                  .most = 64}),
    setting<&Own::fitted_pieces>(
        {.name = "fitted_pieces",
         .unit = "pieces",
         .effect = "safe mode: spheres of no more are fitted to their vertices, larger ones bounded",
         .least = 0,
         .most = 1e6}),
    setting<&Own::printed_update>(
        {.name = "printed_update",
         .effect = "paper mode: spheres follow as printed; false: none loses what it covers"}),
    setting<&Own::depth_first>(
        {.name = "depth_first", .effect = "paper mode: the traditional search that the paper compares with"}),
};

}  // namespace

const MethodInfo SphereTreeDetector::kInfo{
    .name = "sphere-tree",
    .answers = "intersecting triangle pairs of still meshes, by spheres that follow a coarse mesh; can be interrupted",
    .guarantee = "exact; conservative with a bound when interrupted",
    .paper = "Mendoza & O'Sullivan 2005; trees: Bradshaw & O'Sullivan 2004",
    .still = true,
    .moving = false,
    .has_paper_mode = true,
    .settings = kSphereTreeSettings};

SphereTreeSettings SphereTreeMethodSettings::build_settings(Threads threads) const {
  SphereTreeSettings settings;
  settings.builder = builder == 1   ? SphereTreeBuilder::medial
                     : builder == 2 ? SphereTreeBuilder::octree
                                    : SphereTreeBuilder::boxes;
  settings.shape = {builder == 2 ? 8 : branching, depth};
  settings.threads = threads;
  return settings;
}

}  // namespace pliant
