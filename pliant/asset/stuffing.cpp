#include "pliant/asset/stuffing.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "pliant/asset/bcc_lattice.h"
#include "pliant/asset/lattice_cuts.h"
#include "pliant/asset/stuffing_stencils.h"
#include "pliant/core/error.h"
#include "pliant/mesh/defects.h"

namespace pliant {
namespace {

using Node = BccLattice::Node;
using Side = WarpedLattice::Side;

// The lattice must go on beyond everything that is inside: two cubes do, the third is for rounding.
constexpr int kMargin = 3;
// Boundary triangles for each square of the size of a cell, measured on balls and tori.
constexpr double kTrianglesPerCell = 4;
constexpr double kVolumeTolerance = 0.001;  // as a fraction; what offsets are searched to
constexpr int kOffsetRounds = 5;

std::string short_number(double x) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.3g", x);
  return text.data();
}

// Tets, numbered vertices and what those are in the lattice.
struct Fill {
  std::vector<Vec3> positions;
  std::vector<FillVertex> vertices;
  std::vector<Tet> tets;

  double volume() const {
    double sum = 0;
    for (const Tet& t : tets) {
      const Vec3& o = positions[t[0].index()];
      sum += (positions[t[1].index()] - o).dot((positions[t[2].index()] - o).cross(positions[t[3].index()] - o));
    }
    return sum / 6;
  }
};

// Cubes around which nothing is cut or moved.
std::vector<std::uint8_t> deep_cubes(const BccLattice& lattice, const WarpedLattice& warped) {
  std::vector<std::uint8_t> deep(lattice.centres().size(), 0);
  const auto inside = [&](Node n) { return warped.side(n) == Side::inside; };
  const Eigen::Vector3i& cubes = lattice.cubes();
  for (int k = 1; k + 1 < cubes.z(); ++k) {
    for (int j = 1; j + 1 < cubes.y(); ++j) {
      for (int i = 1; i + 1 < cubes.x(); ++i) {
        bool all = inside(lattice.centre(i, j, k));
        for (int c = 0; all && c < 8; ++c) all = inside(lattice.corner(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)));
        for (const int step : {-1, 1})
          all = all && inside(lattice.centre(i + step, j, k)) && inside(lattice.centre(i, j + step, k)) &&
                inside(lattice.centre(i, j, k + step));
        deep[lattice.centres().index(i, j, k)] = all ? 1 : 0;
      }
    }
  }
  return deep;
}

// Cut and filled again and again, until the volume is right and no parts touch.
class Stuffer {
 public:
  Stuffer(const TriangleMesh& surface, const StuffingSettings& settings)
      : settings_(settings),
        name_(surface.origin().name),
        lattice_(BccLattice::around(box_of(surface), settings.cell, kMargin)),
        cuts_(lattice_, inside(surface), surface, settings.threads),
        rigid_(cuts_.nodes().size(), 0) {
    tell(0.5);
  }

  Stuffing run() {
    if (cuts_.cuts().empty()) return {};
    Stuffing result{.offset = settings_.volume > 0 ? find_offset() : 0};
    for (double fraction = 0.8;; fraction = (fraction + 1) / 2) {
      tell(fraction);
      Fill fill = make_fill(result.offset);
      if (fill.tets.empty()) return {};
      auto mesh = std::make_shared<const TetMesh>(fill.positions, std::move(fill.tets), name_);
      const std::size_t touching = make_rigid(*mesh, fill.vertices);
      result.rigid_nodes += touching;
      if (touching > 0) continue;  // only so many nodes can become rigid, and without moved nodes nothing touches
      result.mesh = std::move(mesh);
      return result;
    }
  }

 private:
  void tell(double fraction) const {
    if (settings_.progress) settings_.progress(fraction);
  }

  std::vector<std::uint8_t> inside(const TriangleMesh& surface) const {
    std::vector<std::uint8_t> result = nodes_inside(surface, lattice_.corners());
    tell(0.1);
    const std::vector<std::uint8_t> centres = nodes_inside(surface, lattice_.centres());
    result.insert(result.end(), centres.begin(), centres.end());
    tell(0.2);
    return result;
  }

  Fill make_fill(double offset) const;
  double find_offset() const;
  std::size_t make_rigid(const TetMesh& mesh, std::span<const FillVertex> vertices);

  const StuffingSettings& settings_;
  std::string name_;
  BccLattice lattice_;
  LatticeCuts cuts_;
  std::vector<std::uint8_t> rigid_;  // by slot of cuts_.nodes()
};

// Numbers the vertices in the order in which tets need them.
class FillBuilder {
 public:
  FillBuilder(const LatticeCuts& cuts, const WarpedLattice& warped)
      : cuts_(cuts), warped_(warped), of_node_(cuts.lattice().size()), of_cut_(cuts.cuts().size()) {}

  void add(const std::array<Node, 4>& tet) {
    std::array<Side, 4> sides;
    for (std::size_t i = 0; i < 4; ++i) sides[i] = warped_.side(tet[i]);
    const Stencil stencil = stencil_of(cuts_.lattice(), tet, sides);
    for (std::size_t i = 0; i < stencil.count; ++i) {
      Tet& added = fill_.tets.emplace_back();
      for (std::size_t c = 0; c < 4; ++c) added[c] = vertex(stencil.tets[i][c]);
    }
  }
  Fill take() { return std::move(fill_); }

 private:
  VertexId vertex(const FillVertex& v) {
    const bool is_node = v.inner == v.outer;
    const std::uint32_t cut = is_node ? 0 : cuts_.find(v.inner, v.outer);
    VertexId& id = is_node ? of_node_[v.inner] : of_cut_[cut];
    if (!id.valid()) {
      id = VertexId(fill_.positions.size());
      fill_.positions.push_back(is_node ? warped_.point(v.inner) : warped_.cut_point(cut));
      fill_.vertices.push_back(v);
    }
    return id;
  }

  const LatticeCuts& cuts_;
  const WarpedLattice& warped_;
  std::vector<VertexId> of_node_, of_cut_;
  Fill fill_;
};

Fill Stuffer::make_fill(double offset) const {
  const WarpedLattice warped(cuts_, offset, rigid_);
  const LatticeCells cells(lattice_, deep_cubes(lattice_, warped), settings_.grading);
  FillBuilder builder(cuts_, warped);
  cells.for_each_tet([&](Node n) { return warped.side(n) == Side::inside; },
                     [&](const std::array<Node, 4>& tet) { builder.add(tet); });
  return builder.take();
}

// By the secant rule: the volume grows with the offset, nearly in proportion, but in small leaps where nodes are moved
// to another cut. The best one that was seen.
double Stuffer::find_offset() const {
  const double most = StuffingSettings::kMostOffset * settings_.cell;
  const auto excess = [&](double offset) { return make_fill(offset).volume() / settings_.volume - 1; };
  double last = 0, last_excess = excess(0), best = 0, best_excess = last_excess;
  double offset = last_excess < 0 ? 0.05 * settings_.cell : -0.05 * settings_.cell;
  for (int round = 0; round < kOffsetRounds && std::abs(best_excess) > kVolumeTolerance; ++round) {
    tell(0.5 + 0.3 * round / kOffsetRounds);
    const double now = excess(offset);
    if (std::abs(now) < std::abs(best_excess)) {
      best = offset;
      best_excess = now;
    }
    if (now == last_excess) break;
    const double next = std::clamp(offset - now * (offset - last) / (now - last_excess), -most, most);
    last = offset;
    last_excess = now;
    if (next == offset) break;
    offset = next;
  }
  return best;
}

// Nodes that were moved onto the surface and in which parts of the boundary touch. How many there are.
std::size_t Stuffer::make_rigid(const TetMesh& mesh, std::span<const FillVertex> vertices) {
  const DefectReport defects = find_defects(*mesh.surface(), {.places = mesh.surface()->vertex_count()});
  std::vector<VertexId> touching = defects.nonmanifold_vertices.first;
  for (const Edge& edge : defects.nonmanifold_edges.first) touching.insert(touching.end(), edge.begin(), edge.end());
  std::size_t count = 0;
  for (const VertexId v : touching) {
    const FillVertex& vertex = vertices[mesh.surface_vertices()[v.index()].index()];
    const std::size_t slot = vertex.inner == vertex.outer ? cuts_.slot_of(vertex.inner) : rigid_.size();
    if (slot == rigid_.size() || rigid_[slot] != 0) continue;
    rigid_[slot] = 1;
    ++count;
  }
  return count;
}

}  // namespace

Stuffing stuff_surface(const TriangleMesh& surface, const StuffingSettings& settings) {
  if (!(settings.cell > 0) || !std::isfinite(settings.cell)) throw Error("cells need a positive size");
  if (are_too_small(settings.cell, surface)) {
    double fitting = settings.cell;
    while (are_too_small(fitting, surface)) fitting *= 1.1;
    throw Error(ErrorPlace{.file = surface.origin().name},
                "cells of " + short_number(settings.cell) + " would need a lattice of more than " +
                    std::to_string(static_cast<std::size_t>(StuffingSettings::kMostNodes)) + " nodes",
                "ask for larger cells, " + short_number(fitting) + " or more, or fewer triangles");
  }
  return Stuffer(surface, settings).run();
}

bool are_too_small(double cell, const TriangleMesh& surface) {
  return !(BccLattice::node_count(box_of(surface), cell, kMargin) <= StuffingSettings::kMostNodes);
}

double stuffing_cell(double area, std::size_t triangles) {
  return std::sqrt(kTrianglesPerCell * area / static_cast<double>(triangles));
}

std::size_t stuffing_triangles(double area, double cell) {
  return static_cast<std::size_t>(std::ceil(kTrianglesPerCell * area / (cell * cell)));
}

}  // namespace pliant
