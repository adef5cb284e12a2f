#include "bench/peers/soft_cases.h"

#include <algorithm>
#include <cmath>

#include "bench/peers/hanging_solid.h"
#include "pliant/bodies/cloth.h"
#include "pliant/bodies/cloth_elements.h"
#include "pliant/bodies/fem.h"
#include "pliant/mesh/deform.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/tet_shapes.h"
#include "pliant/mesh/topology.h"
#include "pliant/world/world.h"
#include "tests/bodies/static_cloth.h"

namespace pliant::bench {
namespace {

bool is_along_an_axis(const Vec3& d) {
  return (std::abs(d.x()) > 0) + (std::abs(d.y()) > 0) + (std::abs(d.z()) > 0) == 1;
}

SoftCase cloth_case(std::string name, MeshPtr sheet) {
  SoftCase soft{.name = std::move(name), .sheet = std::move(sheet), .cloth = cloth_material("cotton")};
  const std::span<const Vec3> x = soft.sheet->positions();
  for (const Edge& edge : soft.sheet->topology().edges())
    if (is_along_an_axis(x[edge[0].index()] - x[edge[1].index()])) soft.threads.push_back(edge);
  return soft;
}

MeshPtr square(int cells) {
  return make_grid({.width = 1, .depth = 1, .columns = cells, .rows = cells, .alternate = true});
}

class PliantWorld : public SoftSimulation {
 public:
  explicit PliantWorld(std::unique_ptr<BodyModel> body) { world_.add(std::move(body), {.self_collision = false}); }
  void step_frame() override { world_.step(); }
  std::vector<Vec3> positions() const override {
    const BodyModel& body = world_.body(BodyId(0));
    if (const auto* fem = dynamic_cast<const FemBody*>(&body)) return fem->tet_positions();
    return {body.positions().begin(), body.positions().end()};
  }

 private:
  World world_{[] {
    WorldSettings settings;
    settings.threads = {1};
    settings.sleep.enabled = false;
    return settings;
  }()};
};

}  // namespace

SoftCase cloth_by_corners(int cells) {
  SoftCase soft = cloth_case("cotton by its corners", square(cells));
  const auto n = static_cast<std::size_t>(cells);
  for (const std::size_t v : {std::size_t{0}, n, n * (n + 1), (n + 1) * (n + 1) - 1}) soft.pinned.emplace_back(v);
  return soft;
}

SoftCase cloth_by_edge(int cells) {
  const MeshPtr flat = square(cells);
  std::vector<Vec3> upright;
  for (const Vec3& p : flat->positions()) upright.emplace_back(p.x(), 0, p.y());
  SoftCase soft = cloth_case("cotton by an edge", with_positions(*flat, std::move(upright)));
  const std::size_t row = static_cast<std::size_t>(cells) + 1;
  for (std::size_t v = row * (row - 1); v < row * row; ++v) soft.pinned.emplace_back(v);
  return soft;
}

SoftCase hanging_bar() {
  SoftCase soft{.name = "bar by its upper end",
                .solid = make_tet_box({.size = {0.1, 0.1, 0.5}, .cells = {4, 4, 20}}),
                .elastic = ElasticMaterial{.young = 2e5, .poisson = 0.3, .density = 1000}.with_damping(2e-3)};
  const std::span<const Vec3> x = soft.rest();
  for (std::size_t v = 0; v < x.size(); ++v)
    if (x[v].z() > 0.2499) soft.pinned.emplace_back(v);
  return soft;
}

SoftShape shape_of(const SoftCase& soft, std::span<const Vec3> positions) {
  SoftShape shape;
  const auto lowest = [](std::span<const Vec3> x) {
    double z = x[0].z();
    for (const Vec3& p : x) z = std::min(z, p.z());
    return z;
  };
  shape.sag = lowest(soft.rest()) - lowest(positions);
  if (soft.threads.empty()) return shape;
  std::vector<double> stretch;
  for (const Edge& edge : soft.threads) {
    const double rest = (soft.rest()[edge[0].index()] - soft.rest()[edge[1].index()]).norm();
    stretch.push_back((positions[edge[0].index()] - positions[edge[1].index()]).norm() / rest - 1);
  }
  const auto at = stretch.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(stretch.size()));
  std::nth_element(stretch.begin(), at, stretch.end());
  shape.stretch = *at;
  return shape;
}

SoftShape equilibrium_of(const SoftCase& soft, std::span<const Vec3> start) {
  if (soft.solid) return shape_of(soft, hanging_equilibrium(soft));
  const ClothElements elements(*soft.sheet, soft.cloth, soft.along);
  const ClothBody body(soft.sheet, {.material = soft.cloth, .along = soft.along, .pinned = soft.pinned});
  constexpr double kTolerance = 1e-5;  // N
  return shape_of(soft, static_cloth(elements, {body.masses()}, start, kTolerance, 40).x);
}

std::unique_ptr<SoftSimulation> make_pliant(const SoftCase& soft) {
  if (soft.sheet) {
    const ClothBodySettings settings{.material = soft.cloth, .along = soft.along, .pinned = soft.pinned};
    return std::make_unique<PliantWorld>(std::make_unique<ClothBody>(soft.sheet, settings));
  }
  FemSettings settings{.material = soft.elastic};
  settings.pinned = soft.pinned;
  return std::make_unique<PliantWorld>(std::make_unique<FemBody>(soft.solid, settings));
}

}  // namespace pliant::bench
