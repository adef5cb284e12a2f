// Assets in and out: one file, versioned, in named sections with checksums (docs/assets.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/asset/asset.h"

namespace pliant {

// The version that is written. Every version from 1 to this one is read.
inline constexpr std::uint32_t kAssetVersion = 1;

struct AssetReadOptions {
  // Off: for what is left of a damaged file, and for fuzzers. Everything else is still checked.
  bool checksums = true;
  // Sections beyond those of the asset itself that the caller understands. A section that is marked as needed and not
  // named here makes the file unreadable.
  std::vector<std::string> known;
};

// Needs memory in proportion to the size of the file, whatever is in it. Sections that this version does not know are
// kept as they are.
//
// Throws Error, naming the file, section and element, for anything that could not be used: another kind of file, a
// newer version, damage, a missing mesh, an index out of range, a coordinate that is not finite, a tetrahedron that is
// inside out or has no volume, a vertex of the body without mass (on no tetrahedron), links that do not fit.
Asset read_asset(const std::string& path, const AssetReadOptions& options = {});
Asset parse_asset(std::string_view bytes, const std::string& name, const AssetReadOptions& options = {});

// The same asset gives the same bytes. Throws Error if a mesh is missing, the links do not belong to the meshes, or a
// section's name cannot be used; the file is complete or not there.
void write_asset(const std::string& path, const Asset& asset);
std::string format_asset(const Asset& asset);

}  // namespace pliant
