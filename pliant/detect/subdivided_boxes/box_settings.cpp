#include "pliant/detect/subdivided_boxes/box_settings.h"

#include <limits>

#include "pliant/detect/setting_table.h"
#include "pliant/detect/subdivided_boxes/subdivided_boxes.h"

namespace pliant {
namespace {

constexpr double kLargestPrime = 4294967295.0;

constexpr SettingInfo kSubdivisionSettings[]{
    setting<&SubdivisionSettings::levels>(
        {.name = "levels",
         .effect = "how often a body's box is halved; -1: until boxes have most_faces or fewer, and 3 in paper mode",
         .least = -1,
         .most = 24}),
    setting<&SubdivisionSettings::octree>(
        {.name = "octree", .effect = "a level halves all three axes, not one in turn"}),
    setting<&SubdivisionSettings::most_faces>({.name = "most_faces",
                                               .unit = "faces",
                                               .effect = "a box with more is halved, unless levels are given",
                                               .least = 1,
                                               .most = 1 << 20}),
    setting<&SubdivisionSettings::cell_size>(
        {.name = "cell_size",
         .unit = "length",
         .effect = "edge of the cubic cells; 0: twice the mean extent of the boxes, axis by axis",
         .least = 0,
         .most = std::numeric_limits<double>::max()}),
    setting<&SubdivisionSettings::buckets>(
        {.name = "buckets", .effect = "size of the hash table; 0: one per box or more", .least = 0, .most = 1 << 24}),
    setting<&SubdivisionSettings::most_cells>({.name = "most_cells",
                                               .unit = "cells",
                                               .effect = "a box that would fill more of them goes into larger cells",
                                               .least = 8,
                                               .most = 1 << 12}),
    setting<&SubdivisionSettings::prime_x>(
        {.name = "prime_x", .effect = "factors of the hash function", .least = 0, .most = kLargestPrime}),
    setting<&SubdivisionSettings::prime_y>(
        {.name = "prime_y", .effect = "likewise", .least = 0, .most = kLargestPrime}),
    setting<&SubdivisionSettings::prime_z>(
        {.name = "prime_z", .effect = "likewise", .least = 0, .most = kLargestPrime}),
    setting<&SubdivisionSettings::corners_only>(
        {.name = "corners_only", .effect = "paper mode: hash the corners of a box, not all cells that it covers"}),
    setting<&SubdivisionSettings::vertices_only>(
        {.name = "vertices_only",
         .effect = "paper mode: a box has the faces of the vertices in it, and is not fitted"}),
    setting<&SubdivisionSettings::one_way>(
        {.name = "one_way", .effect = "paper mode: only edges of the first triangle against the second"}),
    setting<&SubdivisionSettings::third_needs_hit>(
        {.name = "third_needs_hit", .effect = "paper mode: the third edge only if the first or second hit"}),
};

}  // namespace

const MethodInfo SubdividedBoxDetector::kInfo{
    .name = "subdivided-boxes",
    .answers = "all intersecting triangle pairs of still meshes, by hashed boxes of parts of bodies",
    .guarantee = "exact; statistical in paper mode",
    .paper = "Mesit, Guha: line-triangle test; Mesit, Guha, Hastings 2006",
    .still = true,
    .moving = false,
    .has_paper_mode = true,
    .settings = kSubdivisionSettings};

}  // namespace pliant
