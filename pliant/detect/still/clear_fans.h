// Vertices around which no two faces can meet beyond what they share: most vertices of most meshes.
#pragma once

#include <cstdint>
#include <vector>

#include "pliant/core/parallel.h"
#include "pliant/detect/still/still_bodies.h"

namespace pliant {

// Whether the faces (v, ring[i], ring[i + 1]), a closed fan, are proved to meet only in what they share; see below.
// `ring` has three vertices or more.
bool is_clear_fan(const Vec3& v, std::span<const VertexId> ring, std::span<const Vec3> positions);

// By vertex: 1 if it is proved that any two faces at the vertex meet only in the vertices and edges that they share.
//
// A closed fan of faces (v, r[i], r[i + 1]) is clear if its projection along some axis winds around v exactly once with
// every face turning the same way: then the faces' projections are sectors that overlap only in their common spokes,
// over which each face has only that spoke. Two faces have a common point only over a common point of their
// projections, so only on a common spoke. The signs of the projected turns are computed with a certified error bound
// (as in geometry/predicates.h); a sign in doubt leaves the vertex unproved, which costs time but no correctness.
//
// This replaces about six exact tests per face by a few multiplications per vertex.
std::vector<std::uint8_t> clear_fans(const StillBody& body, Threads threads);

}  // namespace pliant
