// Better triangles for a coarse surface, without a change of its shape.
#pragma once

#include "pliant/bounds/closest_face.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct PolishSettings {
  int rounds = 6;
};

// Flips edges where that makes the least angle larger and leaves the surface nearly where it is, and moves vertices,
// but not those on creases, towards the middle of their neighbours, back onto the surface that `target` searches.
// Slivers make tetrahedra flat, and flat ones make explicit time steps short.
//
// `coarse` must be closed and manifold; so is the result. That it is free of self-intersections is for the caller to
// check again.
MeshPtr polish_surface(const TriangleMesh& coarse, const ClosestFace& target, const PolishSettings& settings = {});

// The surface moved along its normals until it has about the volume asked for: one whose vertices lie on a round
// surface cuts everything round short. Vertices move by up to a quarter of the mean edge.
MeshPtr with_volume(const TriangleMesh& coarse, double volume);

}  // namespace pliant
