// Builders of sphere trees.
#pragma once

#include <functional>
#include <string_view>

#include "pliant/bounds/sphere_tree/sphere_tree.h"
#include "pliant/core/threads.h"

namespace pliant {

// Medial: spheres of the medial axis, reduced and refitted; tight, takes minutes for large meshes. Octree: around the
// occupied octants of a cube (eight children). Boxes: around the nodes of a binary box tree, of which as many levels as
// needed are skipped. The last two take milliseconds and any surface.
enum class SphereTreeBuilder : std::uint8_t { medial, octree, boxes };
// How the medial builder gets from many spheres to few. Combined: merge, and expand and select, whichever is better.
enum class SphereReduction : std::uint8_t { combined, merge, burst, expand };

struct SphereTreeSettings {
  SphereTreeBuilder builder = SphereTreeBuilder::medial;
  SphereReduction reduction = SphereReduction::combined;
  SphereTree::Shape shape;
  // Faces are cut until there are about so many pieces, long ones first; at least those that the faces make. 0: four
  // for every leaf of the tree, and a quarter more than faces.
  std::size_t pieces = 0;
  bool layered = false;  // spheres hold those of their children: never smaller, for comparison
  Threads threads;
  std::function<void(double)> progress;  // told the fraction done, from any one thread at a time; may throw to stop it
};

// The same tree, bit for bit, for any number of threads. Throws Error for a mesh without faces, a shape that
// SphereTree::node_count refuses, an octree whose branching is not 8, and, of the medial builder, for a surface that is
// not closed or encloses no volume.
SphereTreePtr build_sphere_tree(const TriangleMesh& mesh, const SphereTreeSettings& settings = {});

// Whether the surface is closed, which the medial builder asks for.
bool has_medial_axis(const TriangleMesh& mesh);

const char* to_string(SphereTreeBuilder builder);
const char* to_string(SphereReduction reduction);

}  // namespace pliant
