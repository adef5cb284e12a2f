// Simple shapes as triangle meshes. Lengths are in the unit of the caller's choice; z is up; shapes are centred at the
// origin. The same settings give the same bits on every platform.
//
// Closed shapes are manifold, without degenerate faces, and every face is seen counter-clockwise from outside. Each
// function throws Error for a count that is too small, counts that add up to more than 134 million triangles, or a size
// that is not positive and finite.
#pragma once

#include "pliant/core/vec3.h"
#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// A flat sheet in the plane z = 0, facing up. Vertices row by row from (-x, -y), x first; each cell is cut along the
// diagonal from its lowest x and y, or along alternating diagonals.
// (columns + 1) (rows + 1) vertices, 2 columns rows faces.
struct GridSettings {
  double width = 1;  // along x
  double depth = 1;  // along y
  int columns = 16;
  int rows = 16;
  bool alternate = false;
};
MeshPtr make_grid(const GridSettings& settings = {});

// A round flat sheet in the plane z = 0, facing up: rings of 6, 12, 18, ... nearly equal edges around the middle.
// 3 n (n + 1) + 1 vertices, the last 6 n of them on the rim; 6 n^2 faces.
struct DiscSettings {
  double radius = 1;
  int rings = 16;  // n
};
MeshPtr make_disc(const DiscSettings& settings = {});

// 2 (nx ny + ny nz + nz nx) + 2 vertices, 4 (nx ny + ny nz + nz nx) faces, where n are the `cells` along each axis.
struct BoxSettings {
  Vec3 size = Vec3::Ones();
  Eigen::Vector3i cells = Eigen::Vector3i::Ones();
};
MeshPtr make_box(const BoxSettings& settings = {});

// An icosahedron whose edges are cut into `frequency` parts, blown up: nearly equal faces.
// 10 f^2 + 2 vertices, 20 f^2 faces.
struct IcosphereSettings {
  double radius = 1;
  int frequency = 4;
};
MeshPtr make_icosphere(const IcosphereSettings& settings = {});

// Meridians and parallels; slim faces at the poles. segments (rings - 1) + 2 vertices, 2 segments (rings - 1) faces.
struct UvSphereSettings {
  double radius = 1;
  int segments = 32;  // around, 3 or more
  int rings = 16;     // from pole to pole, 2 or more
};
MeshPtr make_uv_sphere(const UvSphereSettings& settings = {});

// Around the z axis. segments sides vertices, 2 segments sides faces.
struct TorusSettings {
  double radius = 1;          // of the centre line
  double tube_radius = 0.35;  // below `radius`
  int segments = 48;          // around the axis, 3 or more
  int sides = 24;             // around the tube, 3 or more
};
MeshPtr make_torus(const TorusSettings& settings = {});

// A cylinder along z with half spheres on its ends.
// With r = 2 cap_rings + side_rings: segments (r - 1) + 2 vertices, 2 segments (r - 1) faces.
struct CapsuleSettings {
  double radius = 0.5;
  double length = 1;   // of the cylinder, without the half spheres
  int segments = 32;   // around, 3 or more
  int cap_rings = 8;   // along each half sphere, 1 or more
  int side_rings = 8;  // along the cylinder, 1 or more
};
MeshPtr make_capsule(const CapsuleSettings& settings = {});

// Along z, with flat ends. Counts as for the capsule.
struct CylinderSettings {
  double radius = 0.5;
  double length = 1;
  int segments = 32;   // around, 3 or more
  int cap_rings = 4;   // from the middle of each end to its rim, 1 or more
  int side_rings = 8;  // along the side, 1 or more
};
MeshPtr make_cylinder(const CylinderSettings& settings = {});

// A part of a hollow sphere about the origin, open above, with a flat rim: from its lowest point up to `degrees` (90: a
// half sphere, whose rim is at z = 0). segments 2 rings + 2 vertices, 4 segments rings faces.
struct BowlSettings {
  double radius = 1;       // of the inside
  double thickness = 0.1;  // of the wall
  double degrees = 90;     // above 0, up to 150
  int segments = 48;       // around, 3 or more
  int rings = 12;          // from the middle to the rim, on both sides, 1 or more
};
MeshPtr make_bowl(const BowlSettings& settings = {});

// The Utah teapot (M. Newell, 1975), 32 bicubic Bezier patches: body radius 2, spout towards +x, from z = 0 to
// z = 3.15, centred in x and y on the body's axis; scaled by `scale`. Each patch is cut into n x n cells.
// 32 n^2 + 4 n + 2 vertices, 64 n^2 - 8 n faces, in four parts named body (with rim and bottom), lid, handle, spout.
//
// Patches of one part are joined: no seams. As modelled, the pot has no inside wall and is open in six circles: the
// rim, the lid's edge, both ends of handle and spout. The lid stands free inside the rim. Handle and spout start inside
// the body and pass through its wall: the model intersects itself, unless `trimmed`, which lets them start a little way
// (0.02 + 0.2 / n^2, before scaling) in front of the wall.
struct TeapotSettings {
  double scale = 1;
  int segments = 8;  // n, 2 or more
  bool trimmed = false;
};
MeshPtr make_teapot(const TeapotSettings& settings = {});

}  // namespace pliant
