#include "pliant/asset/bcc_lattice.h"

#include <cmath>

namespace pliant {
namespace {

// Blocks of one size, by their place in blocks.
class Blocks {
 public:
  Blocks(const Eigen::Vector3i& count) : grid_{.count = count}, kept_(grid_.size(), 0) {}
  Blocks(const Eigen::Vector3i& count, std::vector<std::uint8_t> kept)
      : grid_{.count = count}, kept_(std::move(kept)) {}

  const Eigen::Vector3i& count() const { return grid_.count; }
  bool has(const Eigen::Vector3i& p) const {
    return (p.array() >= 0).all() && (p.array() < grid_.count.array()).all() &&
           kept_[grid_.index(p.x(), p.y(), p.z())] != 0;
  }
  bool has_all(const Eigen::Vector3i& low, const Eigen::Vector3i& high) const {
    for (int k = low.z(); k <= high.z(); ++k)
      for (int j = low.y(); j <= high.y(); ++j)
        for (int i = low.x(); i <= high.x(); ++i)
          if (!has({i, j, k})) return false;
    return true;
  }
  void add(const Eigen::Vector3i& p) { kept_[grid_.index(p.x(), p.y(), p.z())] = 1; }

 private:
  NodeGrid grid_;
  std::vector<std::uint8_t> kept_;
};

template <class Call>
void for_each_place(const Eigen::Vector3i& low, const Eigen::Vector3i& high, Call&& call) {
  for (int k = low.z(); k < high.z(); ++k)
    for (int j = low.y(); j < high.y(); ++j)
      for (int i = low.x(); i < high.x(); ++i) call(Eigen::Vector3i(i, j, k));
}

}  // namespace

BccLattice BccLattice::around(const Eigen::AlignedBox3d& box, double cell, int margin) {
  BccLattice lattice;
  lattice.corners_ = NodeGrid::around(box, cell, margin * cell);
  lattice.centres_ = lattice.corners_;
  lattice.centres_.count -= Eigen::Vector3i::Ones();
  lattice.centres_.origin += Vec3::Constant(cell / 2);
  return lattice;
}

double BccLattice::node_count(const Eigen::AlignedBox3d& box, double cell, int margin) {
  return 2 * (box.sizes() / cell + Vec3::Constant(2 * margin + 2)).prod();
}

LatticeCells::LatticeCells(const BccLattice& lattice, std::vector<std::uint8_t> deep, int levels)
    : lattice_(lattice), level_(lattice.centres().size(), 0) {
  Blocks smaller(lattice.cubes(), std::move(deep));
  for (int level = 1; level <= levels; ++level) {
    Blocks blocks(smaller.count() / 2);
    bool any = false;
    for_each_place(Eigen::Vector3i::Zero(), blocks.count(), [&](const Eigen::Vector3i& p) {
      // Next to a block there are blocks of half its size at least.
      const int around = level == 1 ? 0 : 1;
      const Eigen::Vector3i first = 2 * p - Eigen::Vector3i::Constant(around);
      if (!smaller.has_all(first, 2 * p + Eigen::Vector3i::Constant(1 + around))) return;
      blocks.add(p);
      any = true;
      for_each_place(p * (1 << level), (p + Eigen::Vector3i::Ones()) * (1 << level), [&](const Eigen::Vector3i& cube) {
        level_[lattice_.centres().index(cube.x(), cube.y(), cube.z())] = static_cast<std::uint8_t>(level);
      });
    });
    if (!any) break;
    smaller = std::move(blocks);
  }
}

// Whether one of the four cells around an edge of a cell is smaller than that cell.
bool LatticeCells::halved(const Place& edge_low, int axis, int level) const {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (const int du : {0, -1}) {
    for (const int dv : {0, -1}) {
      Eigen::Vector3i cube = edge_low / 2;
      cube[u] += du;
      cube[v] += dv;
      if (in_grid(cube) && level_of(cube) < level) return true;
    }
  }
  return false;
}

}  // namespace pliant
