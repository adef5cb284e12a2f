// A deformable thing ready for use: its fine surface, the coarse body that moves it, and how the one follows the other.
// Made by `pliant prepare` (asset/prepare.h); the file is described in docs/assets.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/core/parallel.h"
#include "pliant/mesh/tet_mesh.h"
#include "pliant/mesh/triangle_mesh.h"
#include "pliant/motion/embedding.h"

namespace pliant {

// Data of a method or of the caller, kept as it is.
struct AssetSection {
  std::string name;   // 1 to 16 printable ASCII characters, not one of those that the asset uses itself
  std::string bytes;  // little-endian by convention
  // A reader that does not know the section must refuse the file: without it the rest would be misread.
  bool needed = false;
};

// Immutable parts, safe to share. `dense`, `coarse` and `tets` are never null in an asset that was read or prepared.
struct Asset {
  // What collides and what people see. origin().vertex_in_file names the vertices of the file that it was made from;
  // those that repair added have kNone there.
  MeshPtr dense;
  // A simplified surface: closed, manifold, outward, and free of self-intersections when prepared.
  MeshPtr coarse;
  // The body. Its boundary is `coarse` if Netgen filled it, or a surface of its own that follows `dense` (stuffing).
  std::shared_ptr<const TetMesh> tets;
  // Dense vertices on the vertices of tets->surface(), and in the tetrahedra.
  std::shared_ptr<const RigidLinks> links;
  std::shared_ptr<const BarycentricEmbedding> embedding;
  std::string report;                  // how it was prepared and how good it is, JSON (docs/assets.md); may be empty
  std::vector<AssetSection> sections;  // the rest, in the order of the file

  const AssetSection* find_section(std::string_view name) const;  // null if there is none
};

// Both ways for `asset.dense` to follow `asset.tets`; replaces those that are there.
void link_dense(Asset& asset, Threads threads = {});

}  // namespace pliant
