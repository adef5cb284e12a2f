#include "pliant/asset/wrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "pliant/asset/node_grid.h"
#include "pliant/core/error.h"

namespace pliant {
namespace {

// Values at nodes: negative inside.
struct Field {
  NodeGrid grid;
  std::vector<float> value;
};

// Marks what can be reached from the corner of the grid over nodes farther than `offset` from the surface.
std::vector<std::uint8_t> nodes_outside(const NodeGrid& grid, const std::vector<float>& distances, double offset) {
  std::vector<std::uint8_t> outside(grid.size(), 0);
  std::vector<std::size_t> queue{0};
  outside[0] = 1;
  while (!queue.empty()) {
    const std::size_t n = queue.back();
    queue.pop_back();
    const Eigen::Vector3i at = grid.place(n);
    for (int axis = 0; axis < 3; ++axis) {
      for (const int step : {-1, 1}) {
        Eigen::Vector3i to = at;
        to[axis] += step;
        if (to[axis] < 0 || to[axis] >= grid.count[axis]) continue;
        const std::size_t next = grid.index(to.x(), to.y(), to.z());
        if (outside[next] != 0 || distances[next] <= offset) continue;
        outside[next] = 1;
        queue.push_back(next);
      }
    }
  }
  return outside;
}

Field make_field(const TriangleMesh& mesh, const WrapSettings& settings) {
  // Both ends of every lattice edge that the surface crosses must know their distance: edges are up to sqrt(3) cells
  // long.
  const double reach = settings.offset + 1.8 * settings.cell;
  Field field{NodeGrid::around(box_of(mesh), settings.cell, reach + 1.5 * settings.cell), {}};
  if (field.grid.size() > (std::size_t{1} << 27))
    throw Error("the lattice has more than 2^27 points", "ask for larger cells");
  const std::vector<float> distances = node_distances(mesh, field.grid, reach, settings.threads);
  const bool solid = settings.solid;
  const std::vector<std::uint8_t> sides =
      solid ? nodes_inside(mesh, field.grid) : nodes_outside(field.grid, distances, settings.offset);
  for (std::size_t n = 0; n < distances.size(); ++n) {
    const bool inside = solid ? sides[n] != 0 : sides[n] == 0;
    const double signed_distance = inside && (solid || distances[n] > settings.offset) ? -distances[n] : distances[n];
    field.value.push_back(static_cast<float>(signed_distance - settings.offset));
    // A node exactly on the surface goes to the side that it was found on.
    if (solid && inside) field.value.back() = std::min(field.value.back(), -1e-30F);
  }
  return field;
}

// The corners of a cube are numbered by their three bits. Each of six tets goes from corner 0 to corner 7 along the
// axes in one order; the second and third corner of odd orders are exchanged, so that all are positive.
constexpr std::array<std::array<int, 4>, 6> kCubeTets = {
    {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 6, 4, 7}}};

// Corner numbers of a positive tet, of which the first is told apart from the others, or the first two from the last
// two: even permutations.
constexpr std::array<std::array<int, 4>, 4> kOneApart = {{{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}}};
constexpr std::array<std::array<int, 4>, 6> kTwoApart = {
    {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}}};

class Marcher {
 public:
  explicit Marcher(const Field& field) : field_(field) {}

  MeshPtr march(const std::string& name) {
    const Eigen::Vector3i& count = field_.grid.count;
    for (int k = 0; k + 1 < count.z(); ++k)
      for (int j = 0; j + 1 < count.y(); ++j)
        for (int i = 0; i + 1 < count.x(); ++i) march_cube({i, j, k});
    if (triangles_.empty())
      throw Error(ErrorPlace{.file = name}, "the mesh is smaller than the cells that wrap it", "use smaller cells");
    return std::make_shared<const TriangleMesh>(std::move(positions_), std::move(triangles_), MeshOrigin{.name = name});
  }

 private:
  bool inside(std::size_t node) const { return field_.value[node] < 0; }

  void march_cube(const Eigen::Vector3i& at) {
    std::array<std::size_t, 8> node;
    int inside_count = 0;
    for (int c = 0; c < 8; ++c) {
      node[static_cast<std::size_t>(c)] =
          field_.grid.index(at.x() + (c & 1), at.y() + ((c >> 1) & 1), at.z() + (c >> 2));
      inside_count += inside(node[static_cast<std::size_t>(c)]) ? 1 : 0;
    }
    if (inside_count == 0 || inside_count == 8) return;
    for (const auto& tet : kCubeTets) march_tet(node, tet);
  }

  void march_tet(const std::array<std::size_t, 8>& node, const std::array<int, 4>& tet) {
    std::array<std::size_t, 4> corner;
    unsigned in = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      corner[i] = node[static_cast<std::size_t>(tet[i])];
      in |= inside(corner[i]) ? 1U << i : 0U;
    }
    for (const auto& p : kOneApart) {
      const unsigned apart = 1U << p[0];
      if (in == apart) add_triangle(corner, p, false);
      if (in == (15U ^ apart)) add_triangle(corner, p, true);
    }
    for (const auto& p : kTwoApart)
      if (in == ((1U << p[0]) | (1U << p[1]))) add_quad(corner, p);
  }

  void add_triangle(const std::array<std::size_t, 4>& corner, const std::array<int, 4>& p, bool turned) {
    const auto at = [&](int i) { return corner[static_cast<std::size_t>(p[static_cast<std::size_t>(i)])]; };
    Triangle t{vertex(at(0), at(1)), vertex(at(0), at(2)), vertex(at(0), at(3))};
    if (turned) std::swap(t[1], t[2]);
    triangles_.push_back(t);
  }

  void add_quad(const std::array<std::size_t, 4>& corner, const std::array<int, 4>& p) {
    const auto at = [&](int i) { return corner[static_cast<std::size_t>(p[static_cast<std::size_t>(i)])]; };
    const VertexId ac = vertex(at(0), at(2)), ad = vertex(at(0), at(3)), bd = vertex(at(1), at(3)),
                   bc = vertex(at(1), at(2));
    triangles_.push_back({ac, ad, bd});
    triangles_.push_back({ac, bd, bc});
  }

  // On the lattice edge between two nodes, one of them inside.
  VertexId vertex(std::size_t a, std::size_t b) {
    if (b < a) std::swap(a, b);
    // The 7 directions of lattice edges differ in b - a.
    const auto [found, is_new] =
        known_.emplace((std::uint64_t{a} << 32) | (b - a), static_cast<std::uint32_t>(positions_.size()));
    if (is_new) {
      const double fa = std::abs(field_.value[a]), fb = std::abs(field_.value[b]);
      // Away from the ends: vertices of different edges must not meet in a node.
      const double fraction = fa + fb > 0 ? std::clamp(fa / (fa + fb), 0.1, 0.9) : 0.5;
      positions_.emplace_back((1 - fraction) * field_.grid.point(a) + fraction * field_.grid.point(b));
    }
    return VertexId(found->second);
  }

  const Field& field_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
};

}  // namespace

MeshPtr wrap_surface(const TriangleMesh& mesh, const WrapSettings& settings) {
  if (!(settings.cell > 0) || !(settings.offset >= 0) || !std::isfinite(settings.cell + settings.offset))
    throw Error("a wrap needs cells of positive size and an offset that is not negative");
  const Field field = make_field(mesh, settings);
  return Marcher(field).march(mesh.origin().name);
}

}  // namespace pliant
