#include "pliant/scene/draped_cloth.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "pliant/core/error.h"
#include "pliant/core/rigid.h"
#include "pliant/mesh/shapes.h"

namespace pliant {
namespace {

// Contacts act here after each step, which strains a sheet the less the shorter steps are.
constexpr double kContactSeconds = 1.0 / 1920;

// Vertices by the box of edge `reach` that they lie in: a hash table laid out as one array, in which the boxes of a
// column follow each other.
class VertexGrid {
 public:
  VertexGrid(std::span<const Vec3> vertices, double reach)
      : boxes_(vertices.size()), first_(std::bit_ceil(2 * vertices.size()) + 1, 0), entries_(vertices.size()) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const auto number = [&](int axis) { return static_cast<std::int32_t>(std::floor(vertices[i][axis] / reach)); };
      boxes_[i] = {number(0), number(1), number(2)};
      ++first_[slot(boxes_[i]) + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t i = 0; i < vertices.size(); ++i) entries_[next[slot(boxes_[i])]++] = {boxes_[i], i};
  }

  // Calls visit(other) for the vertices in the 27 boxes around a vertex, itself among them.
  template <class Visit>
  void visit_near(std::uint32_t vertex, Visit&& visit) const {
    const Box& centre = boxes_[vertex];
    for (std::int32_t x = centre.x - 1; x <= centre.x + 1; ++x)
      for (std::int32_t y = centre.y - 1; y <= centre.y + 1; ++y)
        for (std::int32_t z = centre.z - 1; z <= centre.z + 1; ++z) {
          const std::size_t s = slot({x, y, z});
          for (std::uint32_t i = first_[s]; i < first_[s + 1]; ++i)
            if (entries_[i].box.x == x && entries_[i].box.y == y && entries_[i].box.z == z) visit(entries_[i].vertex);
        }
  }

 private:
  struct Box {
    std::int32_t x = 0, y = 0, z = 0;
  };
  struct Entry {
    Box box;
    std::uint32_t vertex = 0;
  };

  std::size_t slot(const Box& box) const {
    const std::uint64_t column =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(box.x)) << 32 | static_cast<std::uint32_t>(box.y);
    return ((column * 0x9e3779b97f4a7c15ULL >> 40) + static_cast<std::uint32_t>(box.z)) & (first_.size() - 2);
  }

  std::vector<Box> boxes_;            // by vertex
  std::vector<std::uint32_t> first_;  // by slot: where its entries begin
  std::vector<Entry> entries_;
};

}  // namespace

DrapedCloth::DrapedCloth(const DrapeSettings& settings, const ClothObstacle* obstacle)
    : settings_(settings),
      obstacle_(obstacle),
      cell_(settings.size / settings.cells),
      body_(make_grid(
                {.width = settings.size, .depth = settings.size, .columns = settings.cells, .rows = settings.cells}),
            {.material = settings.material, .air_density = 0}),
      forces_(body_.positions().size(), Vec3::Zero()) {
  std::vector<Vec3> raised(body_.positions().begin(), body_.positions().end());
  for (Vec3& p : raised) p.z() = settings.height;
  start_at(raised);
}

void DrapedCloth::advance_frame() {
  constexpr int kStepsPerSearch = 16;  // pairs are searched with a margin for as many steps
  const int count = static_cast<int>(std::ceil(settings_.frame_seconds / kContactSeconds * (1 - 1e-9)));
  for (int step = 0; step < count; ++step) {
    if (step % kStepsPerSearch == 0) {
      find_near_pairs();
      find_forces();
    }
    short_step(settings_.frame_seconds / count);
  }
}

// The draught, and drag of the air: kept for some steps.
void DrapedCloth::find_forces() {
  for (std::size_t i = 0; i < forces_.size(); ++i) {
    Vec3 acceleration = -settings_.drag * body_.velocities()[i];
    if (settings_.push) acceleration += settings_.push(body_.positions()[i], body_.seconds());
    forces_[i] = body_.masses()[i] * acceleration;
  }
}

void DrapedCloth::short_step(double h) {
  body_.apply_forces(forces_);
  const Prediction end = body_.predict(h);
  if (!end.status.ok()) throw Error("draped cloth: " + std::string(describe(end.status.trouble)));
  x_.assign(end.positions.begin(), end.positions.end());
  v_.assign(end.velocities.begin(), end.velocities.end());
  keep_layers_apart();
  if (obstacle_) keep_off_obstacle();
  body_.commit(x_, v_);
}

// Vertices within reach of each other that are not neighbours in the sheet.
void DrapedCloth::find_near_pairs() {
  const double reach = cell_ * (settings_.layers + 0.5);
  const std::span<const Vec3> x = body_.positions();
  const VertexGrid grid(x, reach);
  const std::int64_t stride = std::int64_t{settings_.cells} + 1;
  const auto neighbours = [stride](std::int64_t a, std::int64_t b) {
    return std::abs(a / stride - b / stride) <= 2 && std::abs(a % stride - b % stride) <= 2;
  };
  near_.clear();
  for (std::uint32_t a = 0; a < x.size(); ++a) {
    grid.visit_near(a, [&](std::uint32_t b) {
      if (b <= a || fixed_length(x[a] - x[b]) >= reach || neighbours(a, b)) return;
      near_.push_back({a, b});
    });
  }
}

// Layers that are too near come apart slowly, and their motion towards each other ends. What comes apart gains no speed
// by it: pushed off within one short step, a cloth would be blown up by its own folds.
void DrapedCloth::keep_layers_apart() {
  constexpr double kRegained = 0.1;  // of what lacks, in a step
  const double least = cell_ * settings_.layers;
  for (const Pair& pair : near_) {
    const Vec3 along = x_[pair.b] - x_[pair.a];
    const double now = fixed_length(along);
    if (now >= least || now == 0) continue;
    const Vec3 direction = along / now;
    const Vec3 correction = direction * (0.5 * kRegained * (least - now));
    x_[pair.a] -= correction;
    x_[pair.b] += correction;
    const double approach = fixed_dot(v_[pair.a] - v_[pair.b], direction);
    if (approach <= 0) continue;
    v_[pair.a] -= 0.5 * approach * direction;
    v_[pair.b] += 0.5 * approach * direction;
  }
}

// Vertices stay on the surface, and are stopped there: towards it, and along it as Coulomb says.
void DrapedCloth::keep_off_obstacle() {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const ClothObstacle::Nearest nearest = obstacle_->nearest(x_[i]);
    const double push = settings_.offset - nearest.distance;
    if (push <= 0) continue;
    x_[i] += push * nearest.normal;
    const Vec3 slip = v_[i] - obstacle_->velocity(x_[i], body_.seconds());
    const double approach = -fixed_dot(slip, nearest.normal);
    if (approach <= 0) continue;
    const Vec3 tangential = slip + approach * nearest.normal;
    const double speed = fixed_length(tangential);
    v_[i] += approach * nearest.normal;
    if (speed > 0) v_[i] -= tangential * std::min(1.0, settings_.friction * approach / speed);
  }
}

}  // namespace pliant
