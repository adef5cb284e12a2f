// Positions moved, bent and rippled. Each function returns new positions; the same input gives the same bits
// everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/core/transform.h"
#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

struct SmoothFieldSettings {
  std::uint64_t seed = 1;
  double amplitude = 0.1;  // length; no point moves further than this
  double wavelength = 1;   // length; the shortest wave. The longest is twice as long.
  int waves = 6;
};

// A smooth random displacement of space: a sum of sine waves in random directions, each drifting with time.
//
// Lipschitz with constant slope(): two points move apart or together by at most slope() times their distance. While
// slope() < 1 the map p -> p + at(p, time) is one-to-one, so that a surface without self-intersections stays so (the
// smooth map, that is: flat faces follow it only at their corners).
class SmoothField {
 public:
  explicit SmoothField(const SmoothFieldSettings& settings);

  // Waves travel by one to two periods per unit of time.
  Vec3 at(const Vec3& p, double time = 0) const;
  double slope() const;  // at most 2 pi amplitude / wavelength

 private:
  struct Wave {
    Vec3 amplitude;
    Vec3 frequency;  // radians per length
    double phase = 0;
    double speed = 0;  // radians per unit of time
  };
  std::vector<Wave> waves_;
};

std::vector<Vec3> displaced(std::span<const Vec3> positions, const SmoothField& field, double time = 0);

std::vector<Vec3> transformed(std::span<const Vec3> positions, const RigidTransform& transform);

// Turns each point around the z axis by an angle that grows with z.
std::vector<Vec3> twisted(std::span<const Vec3> positions, double radians_per_length);

// Bends the z axis into a circle of radius 1 / curvature towards +x (Barr, "Global and local deformations of solid
// primitives", SIGGRAPH 1984). One-to-one where curvature x < 1 and |curvature z| < pi. Lengths along the axis stay.
std::vector<Vec3> bent(std::span<const Vec3> positions, double curvature);

// The same faces and origin at other places.
MeshPtr with_positions(const TriangleMesh& mesh, std::vector<Vec3> positions);

// Of a closed, outward surface; negative if it is inside out. In cubed length units.
double enclosed_volume(const TriangleMesh& mesh, std::span<const Vec3> positions);
double enclosed_volume(const TriangleMesh& mesh);

}  // namespace pliant
