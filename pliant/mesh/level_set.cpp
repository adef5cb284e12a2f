#include "pliant/mesh/level_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "pliant/core/error.h"
#include "pliant/core/rigid.h"
#include "pliant/mesh/shape_builder.h"

namespace pliant {
namespace {

using Node = Eigen::Vector3i;
using Distance = FunctionRef<double(const Vec3&)>;

// A corner of a cell is a number with one bit for each axis. Edges by axis, then by their place along the next two
// axes.
constexpr std::size_t edge_number(int axis, int du, int dv) { return static_cast<unsigned>(4 * axis + du + 2 * dv); }

constexpr std::array<std::array<unsigned, 2>, 12> kEdges = [] {
  std::array<std::array<unsigned, 2>, 12> edges{};
  for (int axis = 0; axis < 3; ++axis)
    for (int du = 0; du < 2; ++du)
      for (int dv = 0; dv < 2; ++dv) {
        const unsigned low = static_cast<unsigned>(du << (axis + 1) % 3 | dv << (axis + 2) % 3);
        edges[edge_number(axis, du, dv)] = {low, low | 1u << axis};
      }
  return edges;
}();

Node offset(unsigned corner) {
  return {static_cast<int>(corner & 1), static_cast<int>(corner >> 1 & 1), static_cast<int>(corner >> 2 & 1)};
}

constexpr std::size_t edge_between(unsigned a, unsigned b) {
  for (std::size_t e = 0; e < kEdges.size(); ++e)
    if (kEdges[e][0] == std::min(a, b) && kEdges[e][1] == std::max(a, b)) return e;
  return kEdges.size();
}

// The corners around each side of a cell.
constexpr std::array<std::array<unsigned, 4>, 6> kSides = [] {
  std::array<std::array<unsigned, 4>, 6> sides{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const unsigned u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
    for (unsigned high = 0; high < 2; ++high) {
      const unsigned base = high << axis;
      sides[2 * axis + high] = {base, base | u, base | u | v, base | v};
    }
  }
  return sides;
}();

// Which edges of a cell the same sheet of the surface crosses.
class CellSheets {
 public:
  static constexpr std::uint8_t kNone = 255;

  // `inside` has a bit for each corner.
  explicit CellSheets(unsigned inside) {
    std::array<std::uint8_t, 12> least;  // the smallest edge of the sheet, for each edge
    for (std::uint8_t e = 0; e < 12; ++e) least[e] = e;
    for (const auto& side : kSides) join_on_side(side, inside, least);
    of_edge_.fill(kNone);
    for (std::size_t e = 0; e < 12; ++e) {
      if ((inside >> kEdges[e][0] & 1) == (inside >> kEdges[e][1] & 1)) continue;
      of_edge_[e] = least[e] == e ? count_++ : of_edge_[least[e]];
    }
  }

  std::uint8_t count() const { return count_; }
  std::uint8_t of_edge(std::size_t e) const { return of_edge_[e]; }  // kNone where the surface does not cross

 private:
  // Two crossed edges of a side belong to one sheet. Of four, those that meet in an inside corner do: the cell beyond
  // the side decides alike.
  static void join_on_side(const std::array<unsigned, 4>& side, unsigned inside, std::array<std::uint8_t, 12>& least) {
    std::array<std::size_t, 4> crossed{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const unsigned a = side[i], b = side[(i + 1) % 4];
      if ((inside >> a & 1) != (inside >> b & 1)) crossed[count++] = edge_between(a, b);
    }
    if (count == 2) join(crossed[0], crossed[1], least);
    if (count < 4) return;
    for (std::size_t i = 0; i < 4; ++i)
      if (inside >> side[i] & 1)
        join(edge_between(side[(i + 3) % 4], side[i]), edge_between(side[i], side[(i + 1) % 4]), least);
  }

  static void join(std::size_t a, std::size_t b, std::array<std::uint8_t, 12>& least) {
    const std::uint8_t from = std::max(least[a], least[b]), to = std::min(least[a], least[b]);
    std::replace(least.begin(), least.end(), from, to);
  }

  std::array<std::uint8_t, 12> of_edge_{};
  std::uint8_t count_ = 0;
};

class SurfaceNet {
 public:
  SurfaceNet(const LevelSetSettings& settings, Distance distance)
      : settings_(settings), distance_(distance), origin_(settings.box.min()) {
    if (settings.box.isEmpty()) throw Error("the level set's box is empty", "give it a positive size");
    double cells = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const double count = std::ceil(settings.box.sizes()[axis] / settings.cell) + 1;
      cells *= count;
      if (!(cells <= 0x1p28)) throw Error("the level set has too many cells", "make them larger");
      nodes_[axis] = static_cast<int>(count) + 1;
    }
    sample();
  }

  MeshPtr build() && {
    add_vertices();
    for (int axis = 0; axis < 3; ++axis) add_faces(axis);
    return std::move(builder_).build("level set");
  }

 private:
  static constexpr int kBlock = 8;

  std::size_t index(const Node& n) const {
    return (static_cast<std::size_t>(n[2]) * static_cast<std::size_t>(nodes_[1]) + static_cast<std::size_t>(n[1])) *
               static_cast<std::size_t>(nodes_[0]) +
           static_cast<std::size_t>(n[0]);
  }
  double value(const Node& n) const { return values_[index(n)]; }
  Vec3 position_of(const Node& n) const { return origin_ + settings_.cell * n.cast<double>(); }

  template <class Visit>
  static void visit(const Node& begin, const Node& end, int stride, Visit&& visit_node) {
    for (int z = begin[2]; z < end[2]; z += stride)
      for (int y = begin[1]; y < end[1]; y += stride)
        for (int x = begin[0]; x < end[0]; x += stride) visit_node(Node(x, y, z));
  }

  // Block by block; a block whose middle is farther from the surface than its corners are from the middle has one sign.
  void sample() {
    values_.resize(static_cast<std::size_t>(nodes_[0]) * static_cast<std::size_t>(nodes_[1]) *
                   static_cast<std::size_t>(nodes_[2]));
    const double half_diagonal = settings_.cell * kBlock * std::sqrt(3.0) / 2;
    visit(Node::Zero(), nodes_, kBlock, [&](const Node& begin) {
      const Node end = (begin.array() + kBlock).matrix().cwiseMin(nodes_);
      const double middle = distance_(position_of(begin) + Vec3::Constant(settings_.cell * (kBlock - 1) / 2.0));
      const bool far = std::abs(middle) > half_diagonal;
      visit(begin, end, 1, [&](const Node& n) { values_[index(n)] = far ? middle : distance_(position_of(n)); });
    });
  }

  // In each cell one for every sheet of the surface that passes through it: the mean of the zeros along the cell's
  // edges that the sheet crosses, moved onto the surface.
  void add_vertices() {
    visit(Node::Zero(), nodes_ - Node::Ones(), 1, [&](const Node& cell) {
      unsigned inside = 0;  // bit per corner
      for (unsigned corner = 0; corner < 8; ++corner) inside |= (value(cell + offset(corner)) < 0 ? 1u : 0u) << corner;
      if (inside == 0 || inside == 255) return;
      const CellSheets sheets(inside);
      std::array<std::uint32_t, 12> vertices;
      vertices.fill(VertexId::kNone);
      for (std::uint8_t sheet = 0; sheet < sheets.count(); ++sheet) {
        const auto v = static_cast<std::uint32_t>(builder_.add_vertex(on_surface(mean_zero(cell, sheets, sheet))));
        for (std::size_t e = 0; e < 12; ++e)
          if (sheets.of_edge(e) == sheet) vertices[e] = v;
      }
      cells_.emplace(index(cell), vertices);
    });
  }

  Vec3 mean_zero(const Node& cell, const CellSheets& sheets, std::uint8_t sheet) const {
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (std::size_t e = 0; e < 12; ++e) {
      if (sheets.of_edge(e) != sheet) continue;
      const Node a = cell + offset(kEdges[e][0]), b = cell + offset(kEdges[e][1]);
      const double va = value(a), vb = value(b);
      sum += position_of(a) + va / (va - vb) * (position_of(b) - position_of(a));
      ++count;
    }
    return sum / count;
  }

  Vec3 on_surface(Vec3 p) const {
    for (int i = 0; i < 2; ++i) p -= distance_(p) * distance_gradient(distance_, p, settings_.cell / 4);
    return p;
  }

  // A quad around each grid edge along the axis whose ends differ in sign.
  void add_faces(int axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    Node begin = Node::Ones();
    begin[axis] = 0;
    visit(begin, nodes_ - Node::Ones(), 1, [&](const Node& a) {
      const bool inside = value(a) < 0;
      if (inside == (value(a + Node::Unit(axis)) < 0)) return;
      // In the cell that lies du, dv before this edge, the edge is du, dv after the cell's lowest one.
      const auto vertex = [&](int du, int dv) {
        const auto& vertices = cells_.at(index(a - du * Node::Unit(u) - dv * Node::Unit(v)));
        return static_cast<std::size_t>(vertices[edge_number(axis, du, dv)]);
      };
      const std::array<std::size_t, 4> ring = {vertex(1, 1), vertex(0, 1), vertex(0, 0), vertex(1, 0)};
      if (inside) add_quad(ring[0], ring[1], ring[2], ring[3]);
      else add_quad(ring[3], ring[2], ring[1], ring[0]);
    });
  }

  // Cut along the shorter diagonal.
  void add_quad(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    const bool ac = fixed_length(builder_.position(a) - builder_.position(c)) <=
                    fixed_length(builder_.position(b) - builder_.position(d));
    if (ac) builder_.add_quad(a, b, c, d);
    else builder_.add_quad(b, c, d, a);
  }

  LevelSetSettings settings_;
  Distance distance_;
  Vec3 origin_;
  Node nodes_ = Node::Zero();   // along each axis
  std::vector<double> values_;  // by node
  // By the lowest node of a cell that the surface passes: the vertex of the sheet that crosses each of its edges.
  std::unordered_map<std::size_t, std::array<std::uint32_t, 12>> cells_;
  detail::ShapeBuilder builder_;
};

}  // namespace

Vec3 distance_gradient(FunctionRef<double(const Vec3&)> distance, const Vec3& p, double delta) {
  Vec3 gradient;
  for (int axis = 0; axis < 3; ++axis)
    gradient[axis] = distance(p + delta * Vec3::Unit(axis)) - distance(p - delta * Vec3::Unit(axis));
  const double size = fixed_length(gradient);
  return size > 0 ? Vec3(gradient / size) : Vec3::UnitZ();
}

MeshPtr make_level_set(const LevelSetSettings& settings, FunctionRef<double(const Vec3&)> distance) {
  detail::require_size("level set", "cell", settings.cell);
  return SurfaceNet(settings, distance).build();
}

}  // namespace pliant
