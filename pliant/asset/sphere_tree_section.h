// A sphere tree in an asset: a section that programs without use for it leave alone (docs/assets.md).
#pragma once

#include "pliant/asset/asset.h"
#include "pliant/bounds/sphere_tree/sphere_tree.h"

namespace pliant {

inline constexpr std::string_view kSphereTreeSection = "sphere-tree";

// Puts the tree of asset.dense into the asset, in place of one that is there. Throws Error for a tree of another mesh.
void store_sphere_tree(Asset& asset, const SphereTree& tree);

// Null if the asset has none. What is read is proved to cover the surface. Throws Error for a tree of another mesh, and
// for data that are damaged.
SphereTreePtr stored_sphere_tree(const Asset& asset);

}  // namespace pliant
