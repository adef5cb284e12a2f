// How many particles a body needs: as many as the smallest part of the scene can touch it in places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/detect/particles/particle_settings.h"
#include "pliant/mesh/posed_mesh.h"

namespace pliant {

// Spheres of radius r around one of radius R, all touching it: their shadows from its centre cover at most the whole
// sphere. A/B, the area of the sphere over that of a shadow: above the number of spheres that fit, since circles do not
// tile. At least 2; grows with R/r. Computed without cancellation for r much smaller than R.
double shadow_ratio(double large, double small);

// The ratio rounded down; of equal spheres 12, which is known to be the most (the kissing number).
std::uint32_t touching_spheres(double large, double small);

struct PartSphere {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
  std::size_t vertices = 0;
};

// Vertices whose normal differs by more than the angle from that of a neighbour.
std::vector<std::uint8_t> critical_vertices(const PosedMesh& mesh, double degrees);

// The body as a collection of spheres: its surface falls into parts where critical vertices are taken away; these then
// go to the nearest part along edges; parts of less than a hundredth of the vertices go to the neighbour that they
// share most edges with (to the largest part if they have none). Linear in the size of the mesh.
std::vector<PartSphere> part_spheres(const PosedMesh& mesh, double critical_angle);

// By body. For every part as many as the smallest sphere of all bodies can touch it in places, between least_regions
// and most_regions; that sphere counts as no smaller than a thousandth of the scene. With count_bodies no more than
// there are other bodies.
std::vector<std::uint32_t> particle_counts(std::span<const PosedMesh> bodies, const ParticleSettings& settings);

}  // namespace pliant
