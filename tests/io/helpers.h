// Shared by the tests of io/.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "pliant/mesh/triangle_mesh.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

namespace pliant {

using testing::error_of;
using testing::says;
using testing::TemporaryFolder;

// A text with its first `from` changed.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

// The rows of a data folder's table of files, cell by cell (the first is empty).
inline std::vector<std::vector<std::string>> data_table(const std::filesystem::path& folder) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream table(folder / "LICENSES.md");
  for (std::string line; std::getline(table, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '|');) {
      cell.erase(0, cell.find_first_not_of(' '));
      cell.erase(cell.find_last_not_of(' ') + 1);
      cells.push_back(cell);
    }
    const bool is_file = cells.size() > 7 && std::filesystem::exists(folder / cells[1]);
    if (is_file) rows.push_back(std::move(cells));
  }
  return rows;
}

// Any finite double, all magnitudes alike, or a round number; as floats when asked for.
inline rc::Gen<double> finite_double() {
  const auto any_bits = rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t bits) {
    const double value = std::bit_cast<double>(bits);
    return std::isfinite(value) ? value : 0.5;
  });
  const auto round = rc::gen::map(rc::gen::inRange(-1000, 1000), [](int i) { return i / 8.0; });
  return rc::gen::oneOf(any_bits, round);
}
inline rc::Gen<double> finite_float() {
  return rc::gen::map(rc::gen::arbitrary<std::uint32_t>(), [](std::uint32_t bits) -> double {
    const float value = std::bit_cast<float>(bits);
    return std::isfinite(value) ? value : 0.5f;
  });
}

inline rc::Gen<std::vector<Vec3>> points(const rc::Gen<double>& coordinate, std::size_t count) {
  return rc::gen::map(rc::gen::container<std::vector<double>>(3 * count, coordinate),
                      [count](const std::vector<double>& flat) {
                        std::vector<Vec3> result;
                        for (std::size_t i = 0; i < count; ++i)
                          result.emplace_back(flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]);
                        return result;
                      });
}

// A soup: any triangles over any vertices, repeated and unused ones included.
inline MeshPtr any_mesh(const rc::Gen<double>& coordinate) {
  const auto vertex_count = *rc::gen::inRange<std::size_t>(1, 30);
  const auto vertices = *points(coordinate, vertex_count);
  const auto face_count = *rc::gen::inRange<std::size_t>(1, 40);
  const auto flat = *rc::gen::container<std::vector<std::uint32_t>>(
      3 * face_count, rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(vertex_count)));
  std::vector<Triangle> triangles;
  for (std::size_t f = 0; f < face_count; ++f)
    triangles.push_back({VertexId(flat[3 * f]), VertexId(flat[3 * f + 1]), VertexId(flat[3 * f + 2])});
  MeshOrigin origin;
  for (std::uint32_t first = *rc::gen::inRange<std::uint32_t>(0, 3); first < face_count;) {
    const auto count =
        std::min<std::uint32_t>(*rc::gen::inRange<std::uint32_t>(1, 5), static_cast<std::uint32_t>(face_count) - first);
    origin.parts.push_back({"part " + std::to_string(first), first, count});
    first += count + *rc::gen::inRange<std::uint32_t>(0, 2);
  }
  return std::make_shared<const TriangleMesh>(vertices, triangles, origin);
}

inline bool same_bits(const Vec3& a, const Vec3& b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (std::bit_cast<std::uint64_t>(a[axis]) != std::bit_cast<std::uint64_t>(b[axis])) return false;
  }
  return true;
}
inline bool same_positions(std::span<const Vec3> a, std::span<const Vec3> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_bits);
}
inline bool same_triangles(const TriangleMesh& a, const TriangleMesh& b) {
  return std::equal(a.triangles().begin(), a.triangles().end(), b.triangles().begin(), b.triangles().end());
}
inline bool same_parts(const TriangleMesh& a, const TriangleMesh& b) {
  const auto same = [](const MeshPart& x, const MeshPart& y) {
    return x.name == y.name && x.first_face == y.first_face && x.face_count == y.face_count;
  };
  return std::equal(a.origin().parts.begin(), a.origin().parts.end(), b.origin().parts.begin(), b.origin().parts.end(),
                    same);
}

}  // namespace pliant
