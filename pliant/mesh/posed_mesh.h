// A mesh at one instant: what one-line questions take.
#pragma once

#include <span>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// Owns nothing: mesh and positions must live as long as it does (the length of a call, as an argument).
// Throws Error for no mesh, another number of positions than vertices, or a position that is not finite.
struct PosedMesh {
  const TriangleMesh* mesh = nullptr;
  std::span<const Vec3> positions;

  PosedMesh() = default;
  // NOLINTBEGIN(google-explicit-constructor): a mesh is itself, at rest
  PosedMesh(const TriangleMesh& at_rest) : mesh(&at_rest), positions(at_rest.positions()) {}
  PosedMesh(const MeshPtr& at_rest);
  // NOLINTEND(google-explicit-constructor)
  PosedMesh(const TriangleMesh* posed, std::span<const Vec3> at);
  PosedMesh(const MeshPtr& posed, std::span<const Vec3> at) : PosedMesh(posed.get(), at) {}

  const Vec3& corner(FaceId f, std::size_t i) const { return positions[mesh->triangle(f)[i].index()]; }
};

// A mesh that takes one linear step: x(t) = x_t0 + t (x_t1 - x_t0), t in [0, 1].
// As above: owns nothing, throws Error for the same.
struct MovingMesh {
  const TriangleMesh* mesh = nullptr;
  std::span<const Vec3> x_t0;
  std::span<const Vec3> x_t1;

  MovingMesh(const MeshPtr& moved, std::span<const Vec3> start, std::span<const Vec3> end);
  // NOLINTNEXTLINE(google-explicit-constructor): something that does not move
  MovingMesh(const PosedMesh& still) : mesh(still.mesh), x_t0(still.positions), x_t1(still.positions) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  MovingMesh(const MeshPtr& at_rest) : MovingMesh(PosedMesh(at_rest)) {}
};

}  // namespace pliant
