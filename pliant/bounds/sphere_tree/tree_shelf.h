// Sphere trees that are ready, found by the mesh that they belong to.
#pragma once

#include "pliant/bounds/sphere_tree/sphere_tree.h"

namespace pliant {

// Trees are kept for the whole process, so that any detector finds them, by SphereTree::mesh_hash(): one of another
// mesh is never found. Of two of one mesh the last put there counts. Safe from several threads.
void put_on_shelf(SphereTreePtr tree);
SphereTreePtr find_on_shelf(std::uint64_t mesh_hash);  // null if there is none

}  // namespace pliant
