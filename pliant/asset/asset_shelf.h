// Assets that were prepared before, found by what they were made from: the same mesh is not prepared twice, and a build
// that cannot prepare (without meshoptimizer) can be given what another one has.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "pliant/asset/asset.h"

namespace pliant {

// What an asset is made from, as a name that a file can have: a hash of the mesh, and how many faces its coarse surface
// is to have.
std::string shelf_name(const TriangleMesh& mesh, std::size_t coarse_faces);

// Kept for the whole process, up to kMostOnShelf: the one that was not asked for longest goes first. Safe from several
// threads.
inline constexpr std::size_t kMostOnShelf = 8;
void put_prepared(const std::string& name, Asset asset);
// None if it is not there; then it is the first thing that is missed, until somebody asks what that was.
std::optional<Asset> find_prepared(const std::string& name);
std::string take_missed_prepared();  // empty: nothing
// By name.
std::map<std::string, Asset> all_prepared();

}  // namespace pliant
