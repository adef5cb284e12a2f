// Imperfect surfaces made into surfaces with an inside, as far as that can be done without moving a vertex.
#pragma once

#include <cstddef>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct RepairSettings {
  bool fill_holes = true;
  // Connected parts whose box has a diagonal below this fraction of the whole are dropped. 0: none.
  double drop_below = 0;
};

// How often each repair was needed.
struct RepairReport {
  std::size_t unreferenced_vertices = 0;  // dropped: on no face
  std::size_t welded_vertices = 0;        // joined with an earlier vertex at the same place
  std::size_t repeated_index_faces = 0;   // dropped: a corner twice
  std::size_t duplicate_faces = 0;        // dropped: copies, and pairs that face each other
  std::size_t dangling_faces = 0;         // dropped: flaps on an edge that has two faces without them
  std::size_t overlapping_faces = 0;      // dropped: sheets that go twice through an edge even when cut apart
  std::size_t turned_faces = 0;           // given the orientation of their neighbours, or turned outward
  std::size_t cut_edges = 0;              // edges of more than two faces (or of two that disagree) that were cut apart
  std::size_t split_vertices = 0;         // vertices added by cutting, at the place of an old one
  std::size_t dropped_parts = 0;          // smaller than RepairSettings::drop_below
  std::size_t filled_holes = 0;
  std::size_t faces_added = 0;      // to fill holes
  std::size_t vertices_added = 0;   // in the middle of holes that needed one
  std::size_t open_sheets = 0;      // parts whose holes were left: filled, they would have no volume
  std::size_t zero_area_faces = 0;  // left in place: dropping them would open the surface

  bool any() const;  // something was changed
};

struct RepairedMesh {
  MeshPtr mesh;
  RepairReport report;
};

// The result is manifold (by its indices; vertices that were cut apart stand at one place) and consistently oriented.
// It is closed, except for sheets, if holes are filled. Closed parts face outward unless they are cavities inside
// others. Vertices keep their order; origin().vertex_in_file says which of the input they are, kNone for added ones.
//
// Takes time n log n in the number of faces. Throws Error if no face is left.
RepairedMesh repair_mesh(const TriangleMesh& mesh, const RepairSettings& settings = {});

}  // namespace pliant
