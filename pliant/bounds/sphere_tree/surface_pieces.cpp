#include "pliant/bounds/sphere_tree/surface_pieces.h"

#include <algorithm>
#include <limits>

#include "pliant/core/function_ref.h"
#include "pliant/core/rigid.h"

namespace pliant {
namespace {

constexpr int kMostHalvings = 40;  // edges of a millionth of the longest: rounding comes first

struct CutTriangle {
  std::array<Vec3, 3> at;
  PieceCut weights;
};

std::array<double, 3> middle(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
}

// Calls `keep` for every piece. The first of several longest edges is halved.
void halve(const CutTriangle& t, double longest, int halvings, FunctionRef<void(const CutTriangle&)> keep) {
  std::array<double, 3> length;
  for (std::size_t i = 0; i < 3; ++i) length[i] = fixed_length(t.at[(i + 1) % 3] - t.at[i]);
  const auto i = static_cast<std::size_t>(std::max_element(length.begin(), length.end()) - length.begin());
  if (length[i] <= longest || halvings == 0) {
    keep(t);
    return;
  }
  const std::size_t j = (i + 1) % 3;
  CutTriangle first = t, second = t;
  first.at[j] = second.at[i] = (t.at[i] + t.at[j]) / 2;
  first.weights[j] = second.weights[i] = middle(t.weights[i], t.weights[j]);
  halve(first, longest, halvings - 1, keep);
  halve(second, longest, halvings - 1, keep);
}

CutTriangle whole(const TriangleMesh& mesh, FaceId face) {
  return {face_corners(mesh.triangle(face), mesh.positions()), {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
}

std::size_t piece_count(const TriangleMesh& mesh, double longest, std::size_t enough) {
  std::size_t count = 0;
  for (std::size_t f = 0; f < mesh.face_count() && count <= enough; ++f) {
    // Halving stops counting where it is too much already: a tiny length would make millions of pieces.
    const CutTriangle t = whole(mesh, FaceId(f));
    const double edge =
        std::max({fixed_length(t.at[1] - t.at[0]), fixed_length(t.at[2] - t.at[1]), fixed_length(t.at[0] - t.at[2])});
    if (edge > longest * static_cast<double>(enough)) return enough + 1;
    halve(t, longest, kMostHalvings, [&](const CutTriangle&) { ++count; });
  }
  return count;
}

}  // namespace

SurfacePieces cut_surface(const TriangleMesh& mesh, double longest) {
  SurfacePieces result;
  std::vector<PieceCut> of_face;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    of_face.clear();
    halve(whole(mesh, FaceId(f)), longest, kMostHalvings,
          [&](const CutTriangle& piece) { of_face.push_back(piece.weights); });
    if (of_face.size() == 1) {
      result.pieces.push_back({FaceId(f), SurfacePiece::kWhole});
      continue;
    }
    for (const PieceCut& cut : of_face) {
      result.pieces.push_back({FaceId(f), static_cast<std::uint32_t>(result.cuts.size())});
      result.cuts.push_back(cut);
    }
  }
  return result;
}

double cut_length(const TriangleMesh& mesh, std::size_t most) {
  most = std::max(most, mesh.face_count());
  double longest = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const std::array<Vec3, 3> t = face_corners(mesh.triangle(FaceId(f)), mesh.positions());
    for (std::size_t i = 0; i < 3; ++i) longest = std::max(longest, fixed_length(t[(i + 1) % 3] - t[i]));
  }
  if (longest == 0) return std::numeric_limits<double>::infinity();
  double fits = longest, too_short = 0;
  for (int step = 0; step < 24; ++step) {
    const double tried = too_short == 0 ? fits / 2 : (fits + too_short) / 2;
    if (piece_count(mesh, tried, most) <= most) fits = tried;
    else too_short = tried;
    if (too_short > 0 && fits < too_short * 1.02) break;
  }
  return fits;
}

}  // namespace pliant
