// A body-centred cubic lattice, and cells that grow inward. Internal to asset/.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pliant/asset/node_grid.h"

namespace pliant {

// Two cubic grids, the nodes of one (centres) in the middle of the cubes of the other (corners). Its tetrahedra have
// two centres of neighbouring cubes and an edge of the face between them as corners: two opposite edges as long as the
// cubes, four shorter ones. All are alike.
class BccLattice {
 public:
  using Node = std::uint32_t;
  using Place = Eigen::Vector3i;  // in half cells from the origin: even for corners, odd for centres

  // Around a box, with at least `margin` cubes to spare on all sides.
  static BccLattice around(const Eigen::AlignedBox3d& box, double cell, int margin);
  // How many nodes that would have; no number is too large to be asked for.
  static double node_count(const Eigen::AlignedBox3d& box, double cell, int margin);

  double cell() const { return corners_.spacing; }
  const NodeGrid& corners() const { return corners_; }
  const NodeGrid& centres() const { return centres_; }
  const Eigen::Vector3i& cubes() const { return centres_.count; }
  std::size_t size() const { return corners_.size() + centres_.size(); }

  bool is_centre(Node n) const { return n >= corners_.size(); }
  Vec3 point(Node n) const {
    return is_centre(n) ? centres_.point(std::size_t{n} - corners_.size()) : corners_.point(std::size_t{n});
  }
  Place place(Node n) const {
    if (!is_centre(n)) return 2 * corners_.place(n);
    return 2 * centres_.place(n - corners_.size()) + Place::Ones();
  }
  Node node(const Place& p) const {
    return (p.x() & 1) != 0 ? centre(p.x() >> 1, p.y() >> 1, p.z() >> 1) : corner(p.x() >> 1, p.y() >> 1, p.z() >> 1);
  }
  Node corner(int i, int j, int k) const { return static_cast<Node>(corners_.index(i, j, k)); }
  Node centre(int i, int j, int k) const { return static_cast<Node>(corners_.size() + centres_.index(i, j, k)); }
  bool is_long(Node a, Node b) const { return is_centre(a) == is_centre(b); }  // of the two kinds of edges

 private:
  NodeGrid corners_, centres_;
};

// Cells of the lattice: its cubes, and deep inside blocks of 2, 4, ... cubes as long as no two cells that touch differ
// by more than a factor of 2 (F. Labelle and J. Shewchuk, "Isosurface stuffing", 2007, section 4).
class LatticeCells {
 public:
  // `deep`: cubes that may be part of a block, such that all nodes of a deep cube and the centres of the cubes around
  // it are inside and at their places. Blocks are up to 2^levels cubes long.
  LatticeCells(const BccLattice& lattice, std::vector<std::uint8_t> deep, int levels);

  // Calls take(corners) for every tetrahedron of the lattice, positive, that holds a node n with wanted(n). Those that
  // are not of the lattice alone, at cells larger than cubes, have all their nodes in deep cubes or beside them.
  template <class Wanted, class Take>
  void for_each_tet(Wanted&& wanted, Take&& take) const;

 private:
  using Place = BccLattice::Place;
  struct Cell {
    Eigen::Vector3i low;  // its first cube
    int level = 0;
    Place middle() const { return 2 * low + Place::Constant(1 << level); }
  };

  int level_of(const Eigen::Vector3i& cube) const {
    return level_[lattice_.centres().index(cube.x(), cube.y(), cube.z())];
  }
  bool in_grid(const Eigen::Vector3i& cube) const {
    return (cube.array() >= 0).all() && (cube.array() < lattice_.cubes().array()).all();
  }
  bool halved(const Place& edge_low, int axis, int level) const;
  template <class Emit>
  void tets_between(const Cell& cell, const Cell& next, int axis, Emit&& emit) const;
  template <class Emit>
  void tets_to_halves(const Cell& cell, int axis, int side, Emit&& emit) const;

  const BccLattice& lattice_;
  std::vector<std::uint8_t> level_;  // of the cell that each cube is part of
};

template <class Wanted, class Take>
void LatticeCells::for_each_tet(Wanted&& wanted, Take&& take) const {
  const auto emit = [&](const std::array<Place, 4>& places) {
    std::array<BccLattice::Node, 4> nodes;
    bool any = false;
    for (std::size_t i = 0; i < 4; ++i) any = wanted(nodes[i] = lattice_.node(places[i])) || any;
    if (any) take(nodes);
  };
  const Eigen::Vector3i& count = lattice_.cubes();
  for (int k = 0; k < count.z(); ++k) {
    for (int j = 0; j < count.y(); ++j) {
      for (int i = 0; i < count.x(); ++i) {
        const Eigen::Vector3i low(i, j, k);
        const Cell cell{low, level_of(low)};
        const int size = 1 << cell.level;
        if (cell.level > 0 && (low.array() != low.array() / size * size).any()) continue;  // not its first cube
        for (int axis = 0; axis < 3; ++axis) {
          for (const int side : {0, 1}) {
            Eigen::Vector3i beside = low;
            beside[axis] += side == 1 ? size : -1;
            if (!in_grid(beside)) continue;
            const int level = level_of(beside);
            if (level == cell.level && side == 1) tets_between(cell, {beside, level}, axis, emit);
            if (level < cell.level) tets_to_halves(cell, axis, side, emit);
          }
        }
      }
    }
  }
}

// Four around the line between their middles; more where an edge of the common face is cut in two by smaller cells.
template <class Emit>
void LatticeCells::tets_between(const Cell& cell, const Cell& next, int axis, Emit&& emit) const {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3, length = 2 << cell.level;
  Place corner = 2 * next.low;  // around the face, counter-clockwise seen against the axis
  for (const auto& [along, step] : {std::pair{u, length}, {v, length}, {u, -length}, {v, -length}}) {
    Place end = corner, middle = corner;
    end[along] += step;
    middle[along] += step / 2;
    if (cell.level > 0 && halved(step > 0 ? corner : end, along, cell.level)) {
      emit({cell.middle(), next.middle(), corner, middle});
      emit({cell.middle(), next.middle(), middle, end});
    } else {
      emit({cell.middle(), next.middle(), corner, end});
    }
    corner = end;
  }
}

// The face of a cell with four smaller ones behind it: each quarter is cut from the middle of the face to its corner,
// and what is cut off is joined to the middles of the cells on both sides.
template <class Emit>
void LatticeCells::tets_to_halves(const Cell& cell, int axis, int side, Emit&& emit) const {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3, half = 1 << cell.level;  // in half cells
  Place face = cell.middle();
  face[axis] += side == 1 ? half : -half;
  const std::array<std::pair<int, int>, 4> quarters = {{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
  for (const auto& [du, dv] : quarters) {
    Place corner = face, on_u = face, on_v = face, beyond = face;
    corner[u] += du * half;
    corner[v] += dv * half;
    on_u[u] += du * half;
    on_v[v] += dv * half;
    beyond[u] += du * half / 2;
    beyond[v] += dv * half / 2;
    beyond[axis] += (side == 1 ? half : -half) / 2;
    // Seen from the side that the axis points to, (face, on_u, corner) turns counter-clockwise if du dv > 0.
    const bool turned = (du * dv > 0) != (side == 1);
    for (const auto& [first, second] : {std::pair{on_u, corner}, {corner, on_v}}) {
      emit({cell.middle(), turned ? second : first, turned ? first : second, face});
      emit({beyond, turned ? first : second, turned ? second : first, face});
    }
  }
}

}  // namespace pliant
