#include "pliant/asset/quality.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "pliant/asset/measure.h"
#include "pliant/asset/node_grid.h"
#include "pliant/bounds/closest_face.h"
#include "pliant/mesh/defects.h"

namespace pliant {
namespace {

using TetCorners = std::array<Vec3, 4>;

TetCorners corners_of(const TetMesh& mesh, const Tet& t) {
  TetCorners p;
  for (std::size_t i = 0; i < 4; ++i) p[i] = mesh.positions()[t[i].index()];
  return p;
}

std::array<Vec3, 4> face_normals(const TetCorners& p) {  // outward, twice the area long
  std::array<Vec3, 4> normals;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& f = kTetFaces[i];
    normals[i] = (p[f[1]] - p[f[0]]).cross(p[f[2]] - p[f[0]]);
  }
  return normals;
}

double radius_ratio(const TetCorners& p, const std::array<Vec3, 4>& normals) {
  const Vec3 u = p[1] - p[0], v = p[2] - p[0], w = p[3] - p[0];
  const double six_volumes = u.dot(v.cross(w));
  double area = 0;
  for (const Vec3& n : normals) area += n.norm() / 2;
  const double inner = six_volumes / 2 / area;
  const Vec3 centre = u.squaredNorm() * v.cross(w) + v.squaredNorm() * w.cross(u) +
                      w.squaredNorm() * u.cross(v);  // times six volumes, 2
  const double outer = centre.norm() / (2 * six_volumes);
  return six_volumes > 0 ? 3 * inner / outer : 0;
}

struct Angles {
  double least = std::numbers::pi;
  double largest = 0;
};

Angles dihedral_angles(const std::array<Vec3, 4>& normals) {
  Angles angles;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = i + 1; j < 4; ++j) {
      const double between = std::atan2(normals[i].cross(normals[j]).norm(), normals[i].dot(normals[j]));
      angles.least = std::min(angles.least, std::numbers::pi - between);
      angles.largest = std::max(angles.largest, std::numbers::pi - between);
    }
  }
  return angles;
}

// Sums in the order of the chunks, so that the threads do not show.
void measure_distances(const Asset& asset, Threads threads, AssetQuality& quality) {
  const ClosestFace closest(*asset.tets->surface());
  const auto positions = asset.dense->positions();
  constexpr std::size_t kGrain = 2048;
  struct Chunk {
    double sum = 0, largest = 0;
  };
  std::vector<Chunk> chunks((positions.size() + kGrain - 1) / kGrain);
  parallel_for(threads, positions.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    Chunk& chunk = chunks[begin / kGrain];
    for (std::size_t v = begin; v < end; ++v) {
      const double distance = closest.find(positions[v]).distance;
      chunk.sum += distance;
      chunk.largest = std::max(chunk.largest, distance);
    }
  });
  double sum = 0;
  for (const Chunk& chunk : chunks) {
    sum += chunk.sum;
    quality.largest_distance = std::max(quality.largest_distance, chunk.largest);
  }
  quality.mean_distance = sum / static_cast<double>(positions.size());
}

}  // namespace

TetQuality measure_tets(const TetMesh& mesh) {
  TetQuality quality{.least_radius_ratio = std::numeric_limits<double>::infinity()};
  Angles angles;
  for (const Tet& t : mesh.tets()) {
    const TetCorners p = corners_of(mesh, t);
    const std::array<Vec3, 4> normals = face_normals(p);
    const double ratio = radius_ratio(p, normals);
    quality.least_radius_ratio = std::min(quality.least_radius_ratio, ratio);
    quality.mean_radius_ratio += ratio / static_cast<double>(mesh.tet_count());
    const Angles own = dihedral_angles(normals);
    angles.least = std::min(angles.least, own.least);
    angles.largest = std::max(angles.largest, own.largest);
  }
  quality.least_dihedral_degrees = angles.least * 180 / std::numbers::pi;
  quality.largest_dihedral_degrees = angles.largest * 180 / std::numbers::pi;
  return quality;
}

std::optional<double> AssetQuality::volume_error() const {
  if (!dense_volume || !(*dense_volume > 0)) return std::nullopt;
  return std::abs(tet_volume - *dense_volume) / *dense_volume;
}

AssetQuality measure_asset(const Asset& asset, Threads threads) {
  AssetQuality quality{.tets = measure_tets(*asset.tets),
                       .coarse_volume = measure(*asset.coarse).volume(),
                       .tet_volume = asset.tets->volume(),
                       .diagonal = box_of(*asset.dense).diagonal().norm(),
                       .outside_vertices = asset.embedding ? asset.embedding->outside_count() : 0};
  if (find_defects(*asset.dense, {.welded = true}).boundary_edges.count == 0)
    quality.dense_volume = measure(*asset.dense).volume();
  measure_distances(asset, threads, quality);
  return quality;
}

}  // namespace pliant
