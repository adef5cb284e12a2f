// A surface cut into small triangles: what the spheres of a tree are assigned. A sphere that holds the corners of a
// piece holds all of it, so that coverage is proved per piece and no point of a face is left between samples.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant {

// A face, or a part of one.
struct SurfacePiece {
  static constexpr std::uint32_t kWhole = 0xffffffff;
  FaceId face;
  std::uint32_t cut = kWhole;  // index in SurfacePieces::cuts
};

// Weights of the corners of the face at the three corners of a piece.
using PieceCut = std::array<std::array<double, 3>, 3>;

struct SurfacePieces {
  std::vector<SurfacePiece> pieces;  // by face, ascending, when cut; in the order of a tree later
  std::vector<PieceCut> cuts;

  // Corner `i` of a piece, of a face with its corners at `face`.
  Vec3 corner(const SurfacePiece& piece, std::size_t i, const std::array<Vec3, 3>& face) const {
    if (piece.cut == SurfacePiece::kWhole) return face[i];
    const std::array<double, 3>& w = cuts[piece.cut][i];
    return w[0] * face[0] + w[1] * face[1] + w[2] * face[2];
  }
};

inline std::array<Vec3, 3> face_corners(const Triangle& t, std::span<const Vec3> positions) {
  return {positions[t[0].index()], positions[t[1].index()], positions[t[2].index()]};
}

// Halves every face at the middle of its longest edge, and the halves again, until no edge at rest is longer than
// `longest` (not below 0; infinite: all faces stay whole). Together the pieces of a face are the face, also after it
// has deformed. A face without length stays whole.
SurfacePieces cut_surface(const TriangleMesh& mesh, double longest);

// The smallest such length, up to some percent, that gives no more than `most` pieces. At least as many as faces.
double cut_length(const TriangleMesh& mesh, std::size_t most);

}  // namespace pliant
