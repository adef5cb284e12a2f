// What the surface looks like to something that walks along its edges: welded vertices, their neighbours and normals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/mesh/posed_mesh.h"
#include "pliant/mesh/topology.h"

namespace pliant {

// The distinct neighbours of each vertex, ascending. Welded vertices are one: only the smallest of them has neighbours,
// and only such ones are neighbours.
using VertexGraph = Adjacency<VertexId, VertexId>;
VertexGraph vertex_graph(const TriangleMesh& mesh);

// Unit normals by vertex, zero where there is none to be had; copies of a welded vertex have that of the vertex. Faces
// count by the sine of their angle over the lengths of the two edges (Max, "Weights for computing vertex normals from
// facet normals", 1999): exact on spheres, independent of how a polygon was cut to a good degree, and free of
// arc functions, whose last bits differ between C libraries. Any finite coordinates will do.
std::vector<Vec3> vertex_normals(const PosedMesh& mesh);

// One number per vertex: which connected part of the graph it belongs to, among vertices with the same label. Parts are
// numbered in the order of their first vertices; copies are in the part of the vertex that they are welded to.
struct GraphParts {
  std::vector<std::uint32_t> part_of_vertex;
  std::uint32_t count = 0;
};
GraphParts graph_parts(const TriangleMesh& mesh, const VertexGraph& graph, std::span<const std::uint32_t> label);

}  // namespace pliant
