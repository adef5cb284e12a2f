// Random triangle soups for property tests: few vertices, so that faces share, repeat and duplicate them often.
#pragma once

#include <rapidcheck.h>

#include <vector>

#include "pliant/mesh/triangle_mesh.h"

namespace pliant::testing {

struct Soup {
  std::size_t vertex_count = 0;
  std::vector<Triangle> triangles;
};

inline Soup random_soup() {
  Soup soup;
  soup.vertex_count = *rc::gen::inRange<std::size_t>(1, 14);
  const auto vertex = rc::gen::map(rc::gen::inRange<std::size_t>(0, soup.vertex_count),
                                   [](std::size_t v) { return static_cast<std::uint32_t>(v); });
  const auto corners = *rc::gen::container<std::vector<std::uint32_t>>(vertex);
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
    soup.triangles.push_back({VertexId(corners[i]), VertexId(corners[i + 1]), VertexId(corners[i + 2])});
  return soup;
}

// Positions on a 3 x 3 x 3 grid: many are equal, collinear or coplanar.
inline std::vector<Vec3> grid_positions(std::size_t count) {
  std::vector<Vec3> positions(count);
  for (Vec3& p : positions)
    for (int axis = 0; axis < 3; ++axis) p[axis] = *rc::gen::inRange(-1, 2);
  return positions;
}

}  // namespace pliant::testing
