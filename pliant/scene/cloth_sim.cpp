#include "pliant/scene/cloth_sim.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "pliant/core/rigid.h"
#include "pliant/mesh/shapes.h"

namespace pliant {
namespace {

// Particles by the box of edge `reach` that they lie in: a hash table laid out as one array, in which the boxes of a
// column follow each other.
class ParticleGrid {
 public:
  ParticleGrid(std::span<const Vec3> particles, double reach)
      : boxes_(particles.size()), first_(std::bit_ceil(2 * particles.size()) + 1, 0), entries_(particles.size()) {
    for (std::size_t i = 0; i < particles.size(); ++i) {
      const auto number = [&](int axis) { return static_cast<std::int32_t>(std::floor(particles[i][axis] / reach)); };
      boxes_[i] = {number(0), number(1), number(2)};
      ++first_[slot(boxes_[i]) + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t i = 0; i < particles.size(); ++i) entries_[next[slot(boxes_[i])]++] = {boxes_[i], i};
  }

  // Calls visit(other) for the particles in the 27 boxes around a particle, itself among them.
  template <class Visit>
  void visit_near(std::uint32_t particle, Visit&& visit) const {
    const Box& centre = boxes_[particle];
    for (std::int32_t x = centre.x - 1; x <= centre.x + 1; ++x)
      for (std::int32_t y = centre.y - 1; y <= centre.y + 1; ++y)
        for (std::int32_t z = centre.z - 1; z <= centre.z + 1; ++z) {
          const std::size_t s = slot({x, y, z});
          for (std::uint32_t i = first_[s]; i < first_[s + 1]; ++i)
            if (entries_[i].box.x == x && entries_[i].box.y == y && entries_[i].box.z == z) visit(entries_[i].particle);
        }
  }

 private:
  struct Box {
    std::int32_t x = 0, y = 0, z = 0;
  };
  struct Entry {
    Box box;
    std::uint32_t particle = 0;
  };

  std::size_t slot(const Box& box) const {
    const std::uint64_t column =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(box.x)) << 32 | static_cast<std::uint32_t>(box.y);
    return ((column * 0x9e3779b97f4a7c15ULL >> 40) + static_cast<std::uint32_t>(box.z)) & (first_.size() - 2);
  }

  std::vector<Box> boxes_;            // by particle
  std::vector<std::uint32_t> first_;  // by slot: where its entries begin
  std::vector<Entry> entries_;
};

}  // namespace

ClothSim::ClothSim(const ClothSettings& settings, const ClothObstacle* obstacle)
    : settings_(settings), obstacle_(obstacle), cell_(settings.size / settings.cells) {
  const MeshPtr sheet =
      make_grid({.width = settings.size, .depth = settings.size, .columns = settings.cells, .rows = settings.cells});
  x_.assign(sheet->positions().begin(), sheet->positions().end());
  for (Vec3& p : x_) p.z() = settings.height;
  x_before_ = x_;
  v_.assign(x_.size(), Vec3::Zero());
  add_links();
}

std::size_t ClothSim::at(int row, int column) const {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(settings_.cells + 1) +
         static_cast<std::size_t>(column);
}

// Threads along both axes, diagonals against shear, and links over two cells against bending.
void ClothSim::add_links() {
  struct Kind {
    int rows, columns;
    double stiffness;
  };
  const std::array<Kind, 6> kinds = {
      {{0, 1, 1}, {1, 0, 1}, {1, 1, 0.4}, {1, -1, 0.4}, {0, 2, settings_.bending}, {2, 0, settings_.bending}}};
  // One kind after the other, and of each kind every second one first: consecutive links share no particle, so that
  // the processor works on several at once (a whole frame takes a third less time than with links row by row).
  const int n = settings_.cells;
  for (const Kind& kind : kinds) {
    const int span = std::max(kind.rows, kind.columns);
    const double rest = cell_ * std::sqrt(kind.rows * kind.rows + kind.columns * kind.columns);
    for (int turn = 0; turn < 2; ++turn) {
      for (int row = 0; row + kind.rows <= n; ++row) {
        for (int column = std::max(0, -kind.columns); column <= std::min(n, n - kind.columns); ++column) {
          const int along = kind.columns == 0 ? row : column;
          if (along / span % 2 != turn) continue;
          links_.push_back({static_cast<std::uint32_t>(at(row, column)),
                            static_cast<std::uint32_t>(at(row + kind.rows, column + kind.columns)), rest,
                            kind.stiffness});
        }
      }
    }
  }
}

void ClothSim::advance_frame() {
  constexpr int kStepsPerSearch = 8;  // pairs are searched with a margin for as many steps
  const double h = settings_.frame_seconds / settings_.substeps;
  for (int step = 0; step < settings_.substeps; ++step) {
    if (step % kStepsPerSearch == 0) find_near_pairs();
    substep(h);
  }
}

void ClothSim::substep(double h) {
  accelerate(h);
  // Corrections travel along the sheet with the order of the links: once each way.
  for (const Link& link : links_) satisfy(link);
  for (auto link = links_.rbegin(); link != links_.rend(); ++link) satisfy(*link);
  keep_layers_apart();
  if (obstacle_) keep_off_obstacle(h);
  for (std::size_t i = 0; i < x_.size(); ++i) v_[i] = (x_[i] - x_before_[i]) / h;
  seconds_ += h;
}

void ClothSim::accelerate(double h) {
  const double keep = 1 / (1 + settings_.drag * h);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    Vec3 acceleration(0, 0, -settings_.gravity);
    if (settings_.push) acceleration += settings_.push(x_[i], seconds_);
    v_[i] = (v_[i] + h * acceleration) * keep;
    x_before_[i] = x_[i];
    x_[i] += h * v_[i];
  }
}

void ClothSim::satisfy(const Link& link) {
  const Vec3 along = x_[link.b] - x_[link.a];
  const double now = fixed_length(along);
  if (now == 0) return;
  const Vec3 correction = along * (0.5 * link.stiffness * (1 - link.length / now));
  x_[link.a] += correction;
  x_[link.b] -= correction;
}

// Particles within reach of each other that are not neighbours in the sheet.
void ClothSim::find_near_pairs() {
  const double reach = cell_ * (settings_.layers + 0.5);
  const ParticleGrid grid(x_, reach);
  const std::int64_t stride = std::int64_t{settings_.cells} + 1;
  const auto neighbours = [stride](std::int64_t a, std::int64_t b) {
    return std::abs(a / stride - b / stride) <= 2 && std::abs(a % stride - b % stride) <= 2;
  };
  near_.clear();
  for (std::uint32_t a = 0; a < x_.size(); ++a) {
    grid.visit_near(a, [&](std::uint32_t b) {
      if (b <= a || fixed_length(x_[a] - x_[b]) >= reach || neighbours(a, b)) return;
      near_.push_back({a, b});
    });
  }
}

void ClothSim::keep_layers_apart() {
  const double least = cell_ * settings_.layers;
  for (const Pair& pair : near_) {
    const Vec3 along = x_[pair.b] - x_[pair.a];
    const double now = fixed_length(along);
    if (now >= least || now == 0) continue;
    const Vec3 correction = along * (0.5 * (least - now) / now);
    x_[pair.a] -= correction;
    x_[pair.b] += correction;
  }
}

void ClothSim::keep_off_obstacle(double h) {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const ClothObstacle::Nearest nearest = obstacle_->nearest(x_[i]);
    const double push = settings_.offset - nearest.distance;
    if (push <= 0) continue;
    x_[i] += push * nearest.normal;
    const Vec3 slip = x_[i] - x_before_[i] - h * obstacle_->velocity(x_[i], seconds_);
    const Vec3 tangential = slip - fixed_dot(slip, nearest.normal) * nearest.normal;
    const double distance = fixed_length(tangential);
    if (distance > 0) x_[i] -= tangential * std::min(1.0, settings_.friction * push / distance);
  }
}

}  // namespace pliant
