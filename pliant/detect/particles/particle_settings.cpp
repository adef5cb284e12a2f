#include "pliant/detect/particles/particle_settings.h"

#include "pliant/detect/setting_table.h"

#include <limits>

#include "pliant/detect/particles/particles.h"

namespace pliant {
namespace {

constexpr double kLargestLength = std::numeric_limits<double>::max();

constexpr SettingInfo kParticleSettings[]{
    setting<&ParticleSettings::regions>({.name = "regions",
                                         .effect = "regions, and particles, of a body; 0: by the rules below",
                                         .least = 0,
                                         .most = 65536}),
    setting<&ParticleSettings::regions_per_root>(
        {.name = "regions_per_root",
         .effect = "safe mode: so many times the root of a body's number of triangles",
         .least = 0.01,
         .most = 100}),
    setting<&ParticleSettings::least_regions>(
        {.name = "least_regions", .effect = "paper mode: of a part of a body", .least = 1, .most = 4096}),
    setting<&ParticleSettings::most_regions>(
        {.name = "most_regions",
         .effect = "paper mode: of a part of a body, however many small spheres could touch it",
         .least = 1,
         .most = 4096}),
    setting<&ParticleSettings::count_bodies>(
        {.name = "count_bodies", .effect = "paper mode: no more particles on a body than there are other bodies"}),
    setting<&ParticleSettings::critical_angle>(
        {.name = "critical_angle",
         .unit = "degrees",
         .effect = "paper mode: a body falls into parts where normals of neighbours differ by more",
         .least = 1,
         .most = 180}),
    setting<&ParticleSettings::normal_weight>(
        {.name = "normal_weight",
         .unit = "diameters",
         .effect = "how much normals count beside positions when the surface is cut",
         .least = 0,
         .most = 100}),
    setting<&ParticleSettings::split>({.name = "split",
                                       .unit = "deviations",
                                       .effect = "how far code vectors are set apart when they are doubled",
                                       .least = 1e-6,
                                       .most = 1}),
    setting<&ParticleSettings::stop>(
        {.name = "stop",
         .effect =
             "relative fall of the distortion that ends the iterations; 0: 0.001 in paper mode, 0.05 in safe mode",
         .least = 0,
         .most = 1}),
    setting<&ParticleSettings::printed_split>(
        {.name = "printed_split", .effect = "double code vectors as printed: fails on bodies around the origin"}),
    setting<&ParticleSettings::reach>(
        {.name = "reach",
         .unit = "length",
         .effect =
             "how far particles see; 0: the widest distance of the smaller body's particles, or what two regions need",
         .least = 0,
         .most = kLargestLength}),
    setting<&ParticleSettings::collision_distance>(
        {.name = "collision_distance",
         .unit = "length",
         .effect = "paper mode: particles nearer than this have their regions tested; 0: the mean edge of both bodies",
         .least = 0,
         .most = kLargestLength}),
    setting<&ParticleSettings::longest_edge>(
        {.name = "longest_edge", .effect = "paper mode: use the longest edges instead of the mean"}),
    setting<&ParticleSettings::relaxed_fraction>(
        {.name = "relaxed_fraction",
         .effect =
             "a sweep in which of every body fewer than this fraction of its particles moved, or none, is the last",
         .least = 0,
         .most = 1}),
    setting<&ParticleSettings::most_sweeps>({.name = "most_sweeps",
                                             .unit = "sweeps",
                                             .effect = "0: the longest route along edges between two particles",
                                             .least = 0,
                                             .most = 1e6}),
    setting<&ParticleSettings::synchronous>(
        {.name = "synchronous",
         .effect = "all particles of a sweep move at once; two may then change places for ever"}),
    setting<&ParticleSettings::restarts>(
        {.name = "restarts",
         .effect = "paper mode: from so many places do two particles start again whose regions' boxes overlap",
         .least = 0,
         .most = 10}),
    setting<&ParticleSettings::always_walk>(
        {.name = "always_walk", .effect = "safe mode: particles walk even if nothing can end the search early"}),
    setting<&ParticleSettings::repartition>(
        {.name = "repartition", .effect = "cut a body anew when a region has grown too large"}),
    // A new cut costs hundreds of searches; boxes that are less than twice as large do not repay it.
    setting<&ParticleSettings::stretch>(
        {.name = "stretch",
         .effect = "beyond so many times the largest region at rest; 0: 1 in paper mode, 2 in safe mode",
         .least = 0,
         .most = 1e6}),
    setting<&ParticleSettings::true_area>(
        {.name = "true_area", .effect = "measure regions by the area of their faces, not by walks to their borders"}),
    setting<&ParticleSettings::repartition_gap>(
        {.name = "repartition_gap", .unit = "frames", .effect = "at least, between two cuts", .least = 1, .most = 1e6}),
    setting<&ParticleSettings::repartition_steps>({.name = "repartition_steps",
                                                   .unit = "iterations",
                                                   .effect = "of the new cut, per frame, until it is finished",
                                                   .least = 1,
                                                   .most = 1e6}),
    setting<&ParticleSettings::free_particles>(
        {.name = "free_particles",
         .effect = "paper mode: the predecessor: particles anywhere, which repel those of their own body"}),
    setting<&ParticleSettings::seed>(
        {.name = "seed", .effect = "of the places of free particles", .least = 0, .most = 4294967295.0}),
};

}  // namespace

const MethodInfo ParticleDetector::kInfo{
    .name = "particles",
    .answers = "all intersecting triangle pairs of still meshes, by regions and particles on them",
    .guarantee = "exact; statistical in paper mode",
    .paper = "adaptive particles by LBG partitioning; Senin et al. 2003",
    .still = true,
    .moving = false,
    .has_paper_mode = true,
    .settings = kParticleSettings};

}  // namespace pliant
