// What goes to the helper program that runs Netgen, and comes back. Internal to asset/ and the helper.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/core/vec3.h"
#include "pliant/io/byte_reader.h"

namespace pliant::tet_stream {

// Magic, two counts, points, cells of N indices; little-endian.
template <std::size_t N>
struct Cells {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, N>> cells;
};

inline constexpr std::string_view kMagic = "PLTETS01";

template <std::size_t N>
std::string format(const Cells<N>& cells) {
  std::string bytes(kMagic);
  append_little(bytes, static_cast<std::uint32_t>(cells.points.size()));
  append_little(bytes, static_cast<std::uint32_t>(cells.cells.size()));
  for (const Vec3& p : cells.points)
    for (int axis = 0; axis < 3; ++axis) append_little(bytes, p[axis]);
  for (const auto& cell : cells.cells)
    for (const std::uint32_t v : cell) append_little(bytes, v);
  return bytes;
}

// Throws Error for anything but what format() wrote; indices are not looked at.
template <std::size_t N>
Cells<N> parse(std::string_view bytes, std::string_view name) {
  ByteReader reader(bytes, name);
  if (std::string_view(reader.take(kMagic.size(), "the header"), kMagic.size()) != kMagic)
    reader.fail("is not a list of cells");
  const auto points = reader.take<std::uint32_t>(std::endian::little, "the header");
  const auto count = reader.take<std::uint32_t>(std::endian::little, "the header");
  if (std::uint64_t{points} * 24 + std::uint64_t{count} * 4 * N != reader.remaining()) reader.fail("has a wrong size");
  Cells<N> cells;
  cells.points.resize(points);
  for (Vec3& p : cells.points)
    for (int axis = 0; axis < 3; ++axis) p[axis] = reader.take<double>(std::endian::little, "points");
  cells.cells.resize(count);
  for (auto& cell : cells.cells)
    for (std::uint32_t& v : cell) v = reader.take<std::uint32_t>(std::endian::little, "cells");
  return cells;
}

}  // namespace pliant::tet_stream
