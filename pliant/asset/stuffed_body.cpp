#include "pliant/asset/stuffed_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "pliant/asset/half_edges.h"
#include "pliant/asset/measure.h"
#include "pliant/asset/node_grid.h"
#include "pliant/asset/stuffing.h"
#include "pliant/asset/tet_pieces.h"
#include "pliant/asset/thin_parts.h"
#include "pliant/core/error.h"

namespace pliant {
namespace {

constexpr double kMostVolumeError = 0.02;
constexpr double kCrumb = 1e-3;  // fraction of the volume: pieces below it are dropped
// Cells that are tried one after the other, as fractions of the size that was asked for, until the body is not lost in
// them: up to four times as many triangles, or sixteen where much of it would be lost.
constexpr std::array kFinerCells = {1.0, 0.7071, 0.5, 0.3536, 0.25};
constexpr double kLeastFraction = 0.5, kMuch = 0.1;

std::string rounded(double x) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.3g", x);
  return text.data();
}

// Bodies that a sound surface bounds: its closed parts that are not cavities.
std::size_t solid_count(const TriangleMesh& surface) {
  const SurfaceParts parts =
      find_parts(find_partners(surface.positions(), surface.triangles(), EdgeGroups(surface.triangles())));
  std::vector<SurfaceMeasure> measures(parts.count);
  for (std::size_t f = 0; f < surface.face_count(); ++f)
    measures[parts.of_face[f]].add(surface.positions(), surface.triangles()[f]);
  return static_cast<std::size_t>(
      std::count_if(measures.begin(), measures.end(), [](const SurfaceMeasure& m) { return m.volume() > 0; }));
}

// Stuffs a sound surface with cells that are small enough for it.
class StuffingSearch {
 public:
  StuffingSearch(const TriangleMesh& surface, double area, const TetSettings& settings)
      : surface_(surface),
        settings_(settings),
        volume_(measure(surface).volume()),
        solids_(solid_count(surface)),
        wanted_(settings.cell > 0 ? settings.cell : cell_for(area)) {}

  TetBody run() {
    TetBody body;
    for (const double fraction : kFinerCells) {
      if (fraction < 1 && are_too_small(fraction * wanted_, surface_)) break;
      body = fill(fraction * wanted_);
      if (body.mesh && !is_lost(*body.mesh)) break;
      if (settings_.cell > 0) break;  // as was asked for
      if (fraction <= kLeastFraction && body.mesh && volume_error(*body.mesh) < kMuch) break;
    }
    if (!body.mesh)
      throw Error(ErrorPlace{.file = surface_.origin().name},
                  "the body is thinner than the cells that should fill it (" + rounded(body.cell) + ")",
                  remedy(body.cell));
    warn(body);
    return body;
  }

 private:
  double cell_for(double area) const {
    const double most = box_of(surface_).sizes().maxCoeff() / 4;  // a few cells to a side at least
    return std::min(most, stuffing_cell(area, std::max<std::size_t>(8, settings_.faces)));
  }

  // Without a mesh if everything is thinner than the cells.
  TetBody fill(double cell) const {
    TetBody body{.way = TetWay::stuffing, .cell = cell};
    body.mesh = stuff_surface(surface_, {.cell = cell,
                                         .grading = settings_.grading,
                                         .volume = volume_,
                                         .threads = settings_.threads,
                                         .progress = settings_.progress})
                    .mesh;
    if (!body.mesh) return body;
    const TetPieces pieces = find_tet_pieces(*body.mesh);
    if (const auto whole = without_crumbs(*body.mesh, pieces, kCrumb)) {
      body.warnings.push_back(std::to_string(pieces.count() - piece_count(*whole)) +
                              " crumbs of the body, cut off by what is thinner than the cells, were dropped");
      body.mesh = whole;
    }
    return body;
  }

  double volume_error(const TetMesh& mesh) const { return std::abs(mesh.volume() - volume_) / volume_; }
  static std::size_t piece_count(const TetMesh& mesh) { return find_tet_pieces(mesh).count(); }
  bool is_lost(const TetMesh& mesh) const {
    return volume_error(mesh) > kMostVolumeError || piece_count(mesh) > solids_;
  }

  std::string remedy(double cell) const {
    const double smaller = std::min(cell / 2, box_of(surface_).sizes().maxCoeff() / 8);
    return "use smaller cells: --cell " + rounded(smaller) + ", or --coarse " +
           std::to_string(stuffing_triangles(measure(surface_).area, smaller));
  }

  void warn(TetBody& body) const {
    const auto say = [&](const std::string& words) { body.warnings.push_back(words); };
    if (body.cell < wanted_)
      say("cells of " + rounded(body.cell) + " instead of " + rounded(wanted_) + ", which were too large for the body");
    const ThinParts thin = find_thin_parts(surface_, 2 * body.cell, settings_.threads);
    if (thin.any())
      say(rounded(100 * thin.fraction) + " % of the surface belongs to parts thinner than two cells (" +
          rounded(2 * body.cell) + "), the thinnest " + rounded(thin.least) + " at (" + rounded(thin.place.x()) + ", " +
          rounded(thin.place.y()) + ", " + rounded(thin.place.z()) + "): they are rounded off or lost; " +
          remedy(body.cell));
    if (const std::size_t pieces = piece_count(*body.mesh); pieces > solids_)
      say("the body falls into " + std::to_string(pieces) + " pieces, where the surface bounds " +
          std::to_string(solids_) + ": what joins them is thinner than the cells");
    if (const double error = volume_error(*body.mesh); error > kMostVolumeError)
      say("the body's volume is off by " + rounded(100 * error) + " %; " + remedy(body.cell));
  }

  const TriangleMesh& surface_;
  const TetSettings& settings_;
  double volume_;
  std::size_t solids_;
  double wanted_;
};

}  // namespace

TetBody stuff_body(const TriangleMesh& surface, double area, const TetSettings& settings) {
  return StuffingSearch(surface, area, settings).run();
}

}  // namespace pliant
