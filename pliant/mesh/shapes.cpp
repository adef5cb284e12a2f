#include "pliant/mesh/shapes.h"

#include <array>
#include <map>

#include "pliant/core/error.h"
#include "pliant/core/rigid.h"
#include "pliant/core/trig.h"
#include "pliant/mesh/shape_builder.h"

namespace pliant {
namespace {

using detail::ProfilePoint;
using detail::require_count;
using detail::require_faces;
using detail::require_size;
using detail::ShapeBuilder;

// The i-th of n equal cells from -size/2 to size/2; both ends exact, symmetric.
double grid_coordinate(double size, int i, int n) { return size * (2 * i - n) / (2.0 * n); }

// The vertices of a box's surface, numbered layer by layer: full layers below and above, outlines between.
class BoxLattice {
 public:
  explicit BoxLattice(const Eigen::Vector3i& cells) : n_(cells) {}

  std::size_t vertex(const Eigen::Vector3i& at) const {
    const int layer = (n_[0] + 1) * (n_[1] + 1), outline = 2 * (n_[0] + n_[1]);
    if (at[2] == 0) return static_cast<unsigned>(in_layer(at));
    const int before = layer + (at[2] - 1) * outline;
    return static_cast<unsigned>(before + (at[2] == n_[2] ? in_layer(at) : in_outline(at)));
  }
  bool is_row_on_surface(int y, int z) const { return y == 0 || y == n_[1] || z == 0 || z == n_[2]; }

 private:
  int in_layer(const Eigen::Vector3i& at) const { return at[1] * (n_[0] + 1) + at[0]; }
  int in_outline(const Eigen::Vector3i& at) const {
    if (at[1] == 0) return at[0];
    const int middle = n_[0] + 1 + 2 * (at[1] - 1);
    return middle + (at[1] == n_[1] ? at[0] : (at[0] == 0 ? 0 : 1));
  }

  Eigen::Vector3i n_;
};

// The two sides of the box that are perpendicular to an axis.
void add_sides(ShapeBuilder& builder, const BoxLattice& lattice, const Eigen::Vector3i& cells, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (int side = 0; side < 2; ++side) {
    const auto corner = [&](int i, int j) {
      Eigen::Vector3i at;
      at[axis] = side * cells[axis];
      at[u] = i;
      at[v] = j;
      return lattice.vertex(at);
    };
    for (int j = 0; j < cells[v]; ++j) {
      for (int i = 0; i < cells[u]; ++i) {
        if (side == 1) builder.add_quad(corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
        else builder.add_quad(corner(i, j), corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j));
      }
    }
  }
}

// Numbers the points of the subdivided icosahedron; those on edges and corners are shared between its faces.
class IcosphereBuilder {
 public:
  explicit IcosphereBuilder(const IcosphereSettings& settings) : radius_(settings.radius), n_(settings.frequency) {
    const double phi = (1 + std::sqrt(5.0)) / 2;
    corners_ = {{{-1, phi, 0},
                 {1, phi, 0},
                 {-1, -phi, 0},
                 {1, -phi, 0},
                 {0, -1, phi},
                 {0, 1, phi},
                 {0, -1, -phi},
                 {0, 1, -phi},
                 {phi, 0, -1},
                 {phi, 0, 1},
                 {-phi, 0, -1},
                 {-phi, 0, 1}}};
  }

  void add_side(const std::array<int, 3>& side) {
    std::vector<std::vector<std::size_t>> rows(static_cast<std::size_t>(n_) + 1);
    for (int j = 0; j <= n_; ++j)
      for (int i = 0; i + j <= n_; ++i) rows[static_cast<std::size_t>(j)].push_back(vertex(side, {n_ - i - j, i, j}));
    for (std::size_t j = 0; j + 1 < rows.size(); ++j) {
      for (std::size_t i = 0; i + 1 < rows[j].size(); ++i) {
        builder_.add_face(rows[j][i], rows[j][i + 1], rows[j + 1][i]);
        if (i + 1 < rows[j + 1].size()) builder_.add_face(rows[j][i + 1], rows[j + 1][i + 1], rows[j + 1][i]);
      }
    }
  }

  MeshPtr build() && { return std::move(builder_).build("icosphere"); }

 private:
  // The point with integer weights (summing to n) on the corners of a side.
  std::size_t vertex(const std::array<int, 3>& side, const std::array<int, 3>& weights) {
    std::map<int, int> key;  // in order of the corners, so that the sums of shared points round alike
    for (std::size_t k = 0; k < 3; ++k)
      if (weights[k] > 0) key[side[k]] = weights[k];
    if (key.size() < 3) {
      const auto known = shared_.find(key);
      if (known != shared_.end()) return known->second;
    }
    Vec3 sum = Vec3::Zero();
    for (const auto& [corner, weight] : key) sum += weight * corners_[static_cast<std::size_t>(corner)];
    const std::size_t v = builder_.add_vertex(sum * (radius_ / fixed_length(sum)));
    if (key.size() < 3) shared_.emplace(std::move(key), v);
    return v;
  }

  double radius_;
  int n_;
  std::array<Vec3, 12> corners_;
  std::map<std::map<int, int>, std::size_t> shared_;
  ShapeBuilder builder_;
};

constexpr std::array<std::array<int, 3>, 20> kIcosahedron = {
    {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
     {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
     {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};

// `points` points of a quarter circle from `begin` (radians from the equator, exclusive) to begin + pi/2 (inclusive).
void add_quarter(std::vector<ProfilePoint>& profile, double radius, double centre, double begin, int points) {
  for (int i = 1; i <= points; ++i) {
    const SinCos at = sin_cos(begin + kPi / 2 * i / points);
    profile.push_back({radius * at.cos, centre + radius * at.sin});
  }
}

// The i-th vertex of a sector of a disc's ring: ring k has k in each of six sectors.
std::size_t disc_vertex(int ring, int sector, int i) {
  if (ring == 0) return 0;
  const int inside = 3 * ring * (ring - 1) + 1;
  const int along = (sector * ring + i) % (6 * ring);
  return static_cast<std::size_t>(inside) + static_cast<std::size_t>(along);
}

// The faces of a sector between a ring and the next.
void add_disc_sector(ShapeBuilder& builder, int ring, int sector) {
  for (int i = 0; i <= ring; ++i) {
    const std::size_t inner = disc_vertex(ring, sector, i), outer = disc_vertex(ring + 1, sector, i + 1);
    builder.add_face(inner, disc_vertex(ring + 1, sector, i), outer);
    if (i < ring) builder.add_face(inner, outer, disc_vertex(ring, sector, i + 1));
  }
}

}  // namespace

MeshPtr make_grid(const GridSettings& s) {
  require_size("grid", "width", s.width);
  require_size("grid", "depth", s.depth);
  require_count("grid", "columns", s.columns, 1);
  require_count("grid", "rows", s.rows, 1);
  require_faces("grid", 2.0 * s.columns * s.rows);
  ShapeBuilder builder;
  for (int j = 0; j <= s.rows; ++j)
    for (int i = 0; i <= s.columns; ++i)
      builder.add_vertex({grid_coordinate(s.width, i, s.columns), grid_coordinate(s.depth, j, s.rows), 0});
  const auto stride = static_cast<std::size_t>(s.columns) + 1;
  for (int j = 0; j < s.rows; ++j) {
    for (int i = 0; i < s.columns; ++i) {
      const std::size_t a = static_cast<std::size_t>(j) * stride + static_cast<std::size_t>(i);
      if (s.alternate && (i + j) % 2 == 1) builder.add_quad(a + 1, a + 1 + stride, a + stride, a);
      else builder.add_quad(a, a + 1, a + 1 + stride, a + stride);
    }
  }
  return std::move(builder).build("grid");
}

MeshPtr make_disc(const DiscSettings& s) {
  require_size("disc", "radius", s.radius);
  require_count("disc", "rings", s.rings, 1);
  require_faces("disc", 6.0 * s.rings * s.rings);
  ShapeBuilder builder;
  builder.add_vertex(Vec3::Zero());
  for (int ring = 1; ring <= s.rings; ++ring) {
    for (int i = 0; i < 6 * ring; ++i) {
      const SinCos at = sin_cos(2 * kPi * i / (6.0 * ring));
      const double radius = s.radius * ring / s.rings;
      builder.add_vertex({radius * at.cos, radius * at.sin, 0});
    }
  }
  for (int ring = 0; ring < s.rings; ++ring)
    for (int sector = 0; sector < 6; ++sector) add_disc_sector(builder, ring, sector);
  return std::move(builder).build("disc");
}

MeshPtr make_box(const BoxSettings& s) {
  for (int axis = 0; axis < 3; ++axis) {
    require_size("box", "size", s.size[axis]);
    require_count("box", "cells", s.cells[axis], 1);
  }
  const Vec3 n = s.cells.cast<double>();
  require_faces("box", 4 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]));
  const BoxLattice lattice(s.cells);
  ShapeBuilder builder;
  for (int z = 0; z <= s.cells[2]; ++z) {
    for (int y = 0; y <= s.cells[1]; ++y) {
      const int stride = lattice.is_row_on_surface(y, z) ? 1 : s.cells[0];  // otherwise its ends only
      for (int x = 0; x <= s.cells[0]; x += stride)
        builder.add_vertex({grid_coordinate(s.size[0], x, s.cells[0]), grid_coordinate(s.size[1], y, s.cells[1]),
                            grid_coordinate(s.size[2], z, s.cells[2])});
    }
  }
  for (int axis = 0; axis < 3; ++axis) add_sides(builder, lattice, s.cells, axis);
  return std::move(builder).build("box");
}

MeshPtr make_icosphere(const IcosphereSettings& s) {
  require_size("icosphere", "radius", s.radius);
  require_count("icosphere", "frequency", s.frequency, 1);
  require_faces("icosphere", 20.0 * s.frequency * s.frequency);
  IcosphereBuilder builder(s);
  for (const auto& side : kIcosahedron) builder.add_side(side);
  return std::move(builder).build();
}

MeshPtr make_uv_sphere(const UvSphereSettings& s) {
  require_size("sphere", "radius", s.radius);
  require_count("sphere", "segments", s.segments, 3);
  require_count("sphere", "rings", s.rings, 2);
  require_faces("sphere", 2.0 * s.segments * (s.rings - 1.0));
  std::vector<ProfilePoint> profile = {{0, -s.radius}};
  for (int i = 1; i < s.rings; ++i) {
    const SinCos at = sin_cos(kPi * i / s.rings);
    profile.push_back({s.radius * at.sin, -s.radius * at.cos});
  }
  profile.push_back({0, s.radius});
  return detail::revolve("sphere", profile, s.segments);
}

MeshPtr make_torus(const TorusSettings& s) {
  require_size("torus", "radius", s.radius);
  require_size("torus", "tube radius", s.tube_radius);
  require_count("torus", "segments", s.segments, 3);
  require_count("torus", "sides", s.sides, 3);
  require_faces("torus", 2.0 * s.segments * s.sides);
  if (s.tube_radius >= s.radius) throw Error("torus: the tube is thicker than the ring", "make tube_radius smaller");
  ShapeBuilder builder;
  for (int i = 0; i < s.sides; ++i) {
    const SinCos tube = sin_cos(2 * kPi * i / s.sides);
    const double r = s.radius + s.tube_radius * tube.cos;
    for (int j = 0; j < s.segments; ++j) {
      const SinCos turn = sin_cos(2 * kPi * j / s.segments);
      builder.add_vertex({r * turn.cos, r * turn.sin, s.tube_radius * tube.sin});
    }
  }
  const auto count = static_cast<std::size_t>(s.segments), sides = static_cast<std::size_t>(s.sides);
  for (std::size_t i = 0; i < sides; ++i) builder.add_band(i * count, (i + 1) % sides * count, count);
  return std::move(builder).build("torus");
}

MeshPtr make_capsule(const CapsuleSettings& s) {
  require_size("capsule", "radius", s.radius);
  require_size("capsule", "length", s.length);
  require_count("capsule", "segments", s.segments, 3);
  require_count("capsule", "cap rings", s.cap_rings, 1);
  require_count("capsule", "side rings", s.side_rings, 1);
  require_faces("capsule", 2.0 * s.segments * (2.0 * s.cap_rings + s.side_rings));
  const double half = s.length / 2;
  std::vector<ProfilePoint> profile = {{0, -half - s.radius}};
  add_quarter(profile, s.radius, -half, -kPi / 2, s.cap_rings);
  for (int i = 1; i <= s.side_rings; ++i) profile.push_back({s.radius, grid_coordinate(s.length, i, s.side_rings)});
  add_quarter(profile, s.radius, half, 0, s.cap_rings);
  profile.back() = {0, half + s.radius};
  return detail::revolve("capsule", profile, s.segments);
}

MeshPtr make_cylinder(const CylinderSettings& s) {
  require_size("cylinder", "radius", s.radius);
  require_size("cylinder", "length", s.length);
  require_count("cylinder", "segments", s.segments, 3);
  require_count("cylinder", "cap rings", s.cap_rings, 1);
  require_count("cylinder", "side rings", s.side_rings, 1);
  require_faces("cylinder", 2.0 * s.segments * (2.0 * s.cap_rings + s.side_rings));
  const double half = s.length / 2;
  std::vector<ProfilePoint> profile;
  for (int i = 0; i <= s.cap_rings; ++i) profile.push_back({s.radius * i / s.cap_rings, -half});
  for (int i = 1; i <= s.side_rings; ++i) profile.push_back({s.radius, grid_coordinate(s.length, i, s.side_rings)});
  for (int i = s.cap_rings - 1; i >= 0; --i) profile.push_back({s.radius * i / s.cap_rings, half});
  return detail::revolve("cylinder", profile, s.segments);
}

MeshPtr make_bowl(const BowlSettings& s) {
  require_size("bowl", "radius", s.radius);
  require_size("bowl", "thickness", s.thickness);
  require_count("bowl", "segments", s.segments, 3);
  require_count("bowl", "rings", s.rings, 1);
  require_faces("bowl", 4.0 * s.segments * s.rings);
  if (!(s.degrees > 0 && s.degrees <= 150))
    throw Error("bowl: it goes up to " + std::to_string(s.degrees) + " degrees", "give more than 0, up to 150");
  const auto at = [&](double radius, int ring) {
    const SinCos turn = sin_cos(s.degrees / 180 * kPi * ring / s.rings);
    return ProfilePoint{radius * turn.sin, -radius * turn.cos};
  };
  std::vector<ProfilePoint> profile = {{0, -s.radius - s.thickness}};
  for (int ring = 1; ring <= s.rings; ++ring) profile.push_back(at(s.radius + s.thickness, ring));
  for (int ring = s.rings; ring >= 1; --ring) profile.push_back(at(s.radius, ring));
  profile.push_back({0, -s.radius});
  return detail::revolve("bowl", profile, s.segments);
}

}  // namespace pliant
