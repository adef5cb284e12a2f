// What is imperfect about a mesh. None of it makes a mesh unusable; methods that need more say so themselves.
#pragma once

#include <cstddef>
#include <vector>

#include "pliant/core/ids.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// How often a defect occurs, and the first few places, ascending.
template <class Place>
struct Found {
  std::size_t count = 0;
  std::vector<Place> first;
};

struct DefectSettings {
  std::size_t places = 8;  // how many places to name for each kind of defect
  // Join vertices with bit-equal positions before looking at edges and faces: seams of files then are not boundaries.
  // Vertices are named by the smallest index at their place. Off: indices as given.
  bool welded = false;
};

struct DefectReport {
  Found<Edge> boundary_edges;             // on one face
  Found<Edge> nonmanifold_edges;          // on three faces or more
  Found<Edge> flipped_edges;              // on two faces that run along it in the same direction (and repeat no vertex)
  Found<VertexId> nonmanifold_vertices;   // whose faces form several fans that meet in the vertex alone
  Found<VertexId> unreferenced_vertices;  // on no face
  Found<VertexId> duplicate_vertices;     // at the position of an earlier vertex, bit for bit (+0 = -0)
  Found<FaceId> repeated_index_faces;     // with a vertex twice
  Found<FaceId> zero_area_faces;          // three vertices exactly on one line; those above are not listed again
  Found<FaceId> duplicate_faces;          // with the vertices of an earlier face, in any order
  std::size_t components = 0;             // of faces that share vertices
  std::size_t faces = 0;

  // Every edge lies on two faces that run along it in opposite directions: the surface has an inside.
  bool closed() const;
  // A surface, possibly with boundary: no edge on three faces, no vertex where several fans meet.
  bool manifold() const { return nonmanifold_edges.count == 0 && nonmanifold_vertices.count == 0; }
};

DefectReport find_defects(const TriangleMesh& mesh, const DefectSettings& settings = {});

}  // namespace pliant
