#include "pliant/scene/shape_reader.h"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

// Beyond it a number is more likely mistyped than meant, and would take all memory
// before anything is said.
constexpr double kMostFaces = 20e6;

// `key` is the one to look at; how many faces (or tetrahedra) its value makes follows from shapes.h.
void require_few(const TableReader& t, std::string_view key, double faces) {
  if (faces > kMostFaces)
    t.fail(key, "makes a shape of " + std::to_string(static_cast<std::uint64_t>(std::min(faces, 1e18))) + " faces",
           "up to " + std::to_string(static_cast<std::uint64_t>(kMostFaces)) + " are made: give a smaller number");
}

double product(int a, int b) { return static_cast<double>(a) * b; }

Eigen::Vector3i read_cells(TableReader& table) {
  const Vec3 cells = table.vector("cells", Vec3::Ones());
  Eigen::Vector3i result;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(cells[axis] >= 1 && cells[axis] <= 10'000) || cells[axis] != static_cast<int>(cells[axis]))
      table.fail("cells", "is not three whole numbers from 1 to 10000");
    result[axis] = static_cast<int>(cells[axis]);
  }
  return result;
}

ShapeDescription read_grid(TableReader& t) {
  GridSettings s;
  s.width = t.positive("width", s.width, kLength);
  s.depth = t.positive("depth", s.depth, kLength);
  s.columns = t.integer("columns", s.columns, 1);
  s.rows = t.integer("rows", s.rows, 1);
  require_few(t, s.columns >= s.rows ? "columns" : "rows", 2 * product(s.columns, s.rows));
  s.alternate = t.boolean("alternate", s.alternate);
  return s;
}

ShapeDescription read_disc(TableReader& t) {
  DiscSettings s;
  s.radius = t.positive("radius", s.radius, kLength);
  s.rings = t.integer("rings", s.rings, 1);
  require_few(t, "rings", 6 * product(s.rings, s.rings));
  return s;
}

ShapeDescription read_bowl(TableReader& t) {
  BowlSettings s;
  s.radius = t.positive("radius", s.radius, kLength);
  s.thickness = t.positive("thickness", s.thickness, kLength);
  s.degrees = t.positive("degrees", s.degrees);
  s.segments = t.integer("segments", s.segments, 3);
  s.rings = t.integer("rings", s.rings, 1);
  require_few(t, s.segments >= s.rings ? "segments" : "rings", 4 * product(s.segments, s.rings));
  return s;
}

ShapeDescription read_box(TableReader& t) {
  const Eigen::Vector3i n = read_cells(t);
  require_few(t, "cells", 4 * (product(n.x(), n.y()) + product(n.y(), n.z()) + product(n.z(), n.x())));
  return BoxSettings{.size = t.vector("size", Vec3::Ones(), kLength), .cells = n};
}

ShapeDescription read_tet_box(TableReader& t) {
  const Eigen::Vector3i n = read_cells(t);
  require_few(t, "cells", 5 * product(n.x(), n.y()) * n.z());
  return TetBoxSettings{.size = t.vector("size", Vec3::Ones(), kLength), .cells = n};
}

ShapeDescription read_icosphere(TableReader& t) {
  IcosphereSettings s;
  s.radius = t.positive("radius", s.radius, kLength);
  s.frequency = t.integer("frequency", s.frequency, 1);
  require_few(t, "frequency", 20 * product(s.frequency, s.frequency));
  return s;
}

ShapeDescription read_uv_sphere(TableReader& t) {
  UvSphereSettings s;
  s.radius = t.positive("radius", s.radius, kLength);
  s.segments = t.integer("segments", s.segments, 3);
  s.rings = t.integer("rings", s.rings, 2);
  require_few(t, s.segments >= s.rings ? "segments" : "rings", 2 * product(s.segments, s.rings - 1));
  return s;
}

ShapeDescription read_torus(TableReader& t) {
  TorusSettings s;
  s.radius = t.positive("radius", s.radius, kLength);
  s.tube_radius = t.positive("tube_radius", s.tube_radius, kLength);
  s.segments = t.integer("segments", s.segments, 3);
  s.sides = t.integer("sides", s.sides, 3);
  require_few(t, s.segments >= s.sides ? "segments" : "sides", 2 * product(s.segments, s.sides));
  return s;
}

template <class Settings>
ShapeDescription read_round_bar(TableReader& t) {
  Settings s;
  s.radius = t.positive("radius", s.radius, kLength);
  s.length = t.positive("length", s.length, kLength);
  s.segments = t.integer("segments", s.segments, 3);
  s.cap_rings = t.integer("cap_rings", s.cap_rings, 1);
  s.side_rings = t.integer("side_rings", s.side_rings, 1);
  const int most = std::max({s.segments, s.cap_rings, s.side_rings});
  require_few(t,
              most == s.segments    ? "segments"
              : most == s.cap_rings ? "cap_rings"
                                    : "side_rings",
              4 * product(s.segments, s.cap_rings) + 2 * product(s.segments, s.side_rings));
  return s;
}

ShapeDescription read_teapot(TableReader& t) {
  TeapotSettings s{.trimmed = true};
  s.scale = t.positive("scale", s.scale);
  s.segments = t.integer("segments", s.segments, 2);
  require_few(t, "segments", 64 * product(s.segments, s.segments));
  s.trimmed = t.boolean("trimmed", s.trimmed);
  return s;
}

template <StandIn animal>
ShapeDescription read_stand_in(TableReader& t) {
  StandInSettings s{.animal = animal};
  s.size = t.positive("size", s.size, kLength);
  s.cell = t.positive("cell", s.cell);
  return s;
}

ShapeDescription read_figure(TableReader& t) {
  FigureSettings s;
  s.cell = t.positive("cell", s.cell, kLength);
  return s;
}

ShapeDescription read_skirt(TableReader& t) {
  SkirtSettings s;
  s.length = t.positive("length", s.length, kLength);
  s.flare = t.not_negative("flare", s.flare);
  s.ease = t.positive("ease", s.ease, kLength);
  s.segments = t.integer("segments", s.segments, 8);
  s.rings = t.integer("rings", s.rings, 1);
  require_few(t, s.segments >= s.rings ? "segments" : "rings", 2 * product(s.segments, s.rings));
  return s;
}

struct ShapeKind {
  std::string_view name;
  ShapeDescription (*read)(TableReader&);
};
constexpr std::array<ShapeKind, 16> kShapes = {{{"grid", read_grid},
                                                {"disc", read_disc},
                                                {"box", read_box},
                                                {"icosphere", read_icosphere},
                                                {"uv_sphere", read_uv_sphere},
                                                {"torus", read_torus},
                                                {"capsule", read_round_bar<CapsuleSettings>},
                                                {"cylinder", read_round_bar<CylinderSettings>},
                                                {"bowl", read_bowl},
                                                {"teapot", read_teapot},
                                                {"tet_box", read_tet_box},
                                                {"rabbit", read_stand_in<StandIn::rabbit>},
                                                {"serpent", read_stand_in<StandIn::serpent>},
                                                {"bear", read_stand_in<StandIn::bear>},
                                                {"figure", read_figure},
                                                {"skirt", read_skirt}}};

}  // namespace

ShapeDescription read_shape(TableReader table) {
  std::vector<std::string_view> names;
  names.reserve(kShapes.size());
  for (const ShapeKind& kind : kShapes) names.push_back(kind.name);
  const std::string type = table.choice("type", "", names);
  if (type.empty()) table.fail("type", "is missing", "say which shape: type = \"icosphere\"");
  for (const ShapeKind& kind : kShapes) {
    if (kind.name != type) continue;
    ShapeDescription shape = kind.read(table);
    table.finish();
    return shape;
  }
  return {};
}

}  // namespace pliant
