#include <cmath>
#include <span>

#include "pliant/mesh/shape_builder.h"
#include "pliant/mesh/shapes.h"
#include "pliant/mesh/teapot_patches.h"

namespace pliant {
namespace {

using detail::HalfTubePatch;
using detail::QuarterPatch;
using detail::QuarterRow;
using detail::ShapeBuilder;

std::array<double, 4> bernstein(double t) {
  const double s = 1 - t;
  return {s * s * s, 3 * t * (s * s), 3 * (t * t) * s, t * t * t};
}

QuarterRow row_at(const QuarterPatch& patch, double v) {
  const auto b = bernstein(v);
  QuarterRow row;
  for (std::size_t i = 0; i < 4; ++i) {
    row.r += b[i] * patch[i].r;
    row.k += b[i] * patch[i].k;
    row.z += b[i] * patch[i].z;
  }
  return row;
}

// 4 n vertices around the axis, counter-clockwise seen from above.
std::size_t add_ring(ShapeBuilder& builder, const QuarterRow& row, int n) {
  std::size_t first = 0;
  for (int quarter = 0; quarter < 4; ++quarter) {
    for (int j = 0; j < n; ++j) {
      const auto b = bernstein(static_cast<double>(j) / n);
      double x = (b[0] + b[1]) * row.r + b[2] * row.k;
      double y = b[1] * row.k + (b[2] + b[3]) * row.r;
      for (int turn = 0; turn < quarter; ++turn) std::tie(x, y) = std::pair(-y, x);
      const std::size_t v = builder.add_vertex({x, y, row.z});
      if (quarter == 0 && j == 0) first = v;
    }
  }
  return first;
}

void add_turned(ShapeBuilder& builder, std::span<const QuarterPatch> patches, int n, std::string name) {
  const int rows = static_cast<int>(patches.size()) * n;
  const std::size_t count = 4 * static_cast<std::size_t>(n);
  std::size_t previous = 0;
  for (int i = 0; i <= rows; ++i) {
    const int patch = std::min(i / n, static_cast<int>(patches.size()) - 1);
    const QuarterRow row = row_at(patches[static_cast<std::size_t>(patch)], static_cast<double>(i - patch * n) / n);
    const bool pole = row.r == 0;
    const std::size_t current = pole ? builder.add_vertex({0, 0, row.z}) : add_ring(builder, row, n);
    if (pole && i > 0) builder.add_fan(current, previous, count);
    else if (i == 1 && current - previous == 1)  // the row before was the pole below
      for (std::size_t j = 0; j < count; ++j) builder.add_face(previous, current + (j + 1) % count, current + j);
    else if (i > 0) builder.add_band(previous, current, count);
    previous = current;
  }
  builder.end_part(std::move(name));
}

// s runs over 0 to 2 along both patches, u over 0 to 1 along half a ring.
Vec3 tube_point(std::span<const HalfTubePatch> patches, double u, double s) {
  const HalfTubePatch& patch = patches[s < 1 ? 0 : 1];
  const auto bu = bernstein(u), bv = bernstein(s < 1 ? s : s - 1);
  Vec3 p = Vec3::Zero();
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) p += bv[i] * bu[j] * Vec3(patch[i][j][0], patch[i][j][1], patch[i][j][2]);
  return p;
}

// The body's radius at a height between its foot and its rim; heights rise along each patch of the wall.
double wall_radius(double z) {
  const QuarterPatch& patch = detail::kTeapotBody[z < detail::kTeapotBody[2][0].z ? 1 : 2];
  double low = 0, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (row_at(patch, middle).z < z ? low : high) = middle;
  }
  return row_at(patch, low).r;
}

bool outside_wall(const Vec3& p, double gap) {
  return std::sqrt(p.x() * p.x() + p.y() * p.y()) > wall_radius(p.z()) + gap;
}

// Where the line u of the tube leaves the wall between an inner and an outer parameter.
double crossing(std::span<const HalfTubePatch> patches, double u, double inner, double outer, double gap) {
  if (outside_wall(tube_point(patches, u, inner), gap)) return inner;
  for (int i = 0; i < 50; ++i) {
    const double middle = (inner + outer) / 2;
    (outside_wall(tube_point(patches, u, middle), gap) ? outer : inner) = middle;
  }
  return outer;
}

// Which ends of a tube to pull out of the wall, and how far in front of it.
struct TubeEnds {
  bool trim_first = false;
  bool trim_last = false;
  double gap = 0;
};

// Rings of 2 n vertices: half a ring on the side y <= 0, then its mirror image back.
void add_tube(ShapeBuilder& builder, std::span<const HalfTubePatch> patches, int n, const TubeEnds& ends,
              std::string name) {
  std::vector<std::array<double, 2>> range;
  for (int j = 0; j <= n; ++j) {
    const double u = static_cast<double>(j) / n;
    range.push_back({ends.trim_first ? crossing(patches, u, 0, 1, ends.gap) : 0,
                     ends.trim_last ? crossing(patches, u, 2, 1, ends.gap) : 2});
  }
  const std::size_t count = 2 * static_cast<std::size_t>(n);
  std::size_t previous = 0;
  for (int i = 0; i <= 2 * n; ++i) {
    std::size_t ring = 0;
    for (int j = 0; j < 2 * n; ++j) {
      const int column = j <= n ? j : 2 * n - j;
      const auto [begin, end] = range[static_cast<std::size_t>(column)];
      Vec3 p = tube_point(patches, static_cast<double>(column) / n, begin + (end - begin) * i / (2 * n));
      if (j > n) p.y() = -p.y();
      const std::size_t v = builder.add_vertex(p);
      if (j == 0) ring = v;
    }
    if (i > 0) builder.add_band(previous, ring, count);
    previous = ring;
  }
  builder.end_part(std::move(name));
}

}  // namespace

MeshPtr make_teapot(const TeapotSettings& s) {
  detail::require_size("teapot", "scale", s.scale);
  detail::require_count("teapot", "segments", s.segments, 2);
  detail::require_faces("teapot", 64.0 * s.segments * s.segments);
  const int n = s.segments;
  const double gap = 0.02 + 0.2 / (static_cast<double>(n) * n);
  ShapeBuilder builder;
  add_turned(builder, detail::kTeapotBody, n, "body");
  add_turned(builder, detail::kTeapotLid, n, "lid");
  add_tube(builder, detail::kTeapotHandle, n, {s.trimmed, s.trimmed, gap}, "handle");
  add_tube(builder, detail::kTeapotSpout, n, {s.trimmed, false, gap}, "spout");
  builder.scale(s.scale);
  return std::move(builder).build("teapot");
}

}  // namespace pliant
