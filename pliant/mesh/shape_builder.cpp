#include "pliant/mesh/shape_builder.h"

#include <cmath>

#include "pliant/core/error.h"
#include "pliant/core/trig.h"

namespace pliant::detail {
namespace {

// "134 million".
std::string rounded(double count) {
  const bool millions = count < 1e13;
  return std::to_string(static_cast<long long>(count / (millions ? 1e6 : 1e12))) +
         (millions ? " million" : " trillion");
}

}  // namespace

void require_count(const char* shape, const char* what, int count, int least) {
  if (count < least)
    throw Error(std::string(shape) + ": " + what + " is " + std::to_string(count),
                "it must be " + std::to_string(least) + " or more");
}

void require_size(const char* shape, const char* what, double size) {
  if (!std::isfinite(size) || size <= 0)
    throw Error(std::string(shape) + ": " + what + " is " + std::to_string(size), "it must be positive and finite");
}

void require_at_most(const char* shape, double count, const char* what) {
  if (!(count <= kMostElements))
    throw Error(std::string(shape) + ": it would have about " + rounded(count) + " " + what,
                "choose smaller counts: " + rounded(kMostElements) + " are allowed");
}

void ShapeBuilder::add_fan(std::size_t apex, std::size_t first, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) add_face(apex, first + j, first + (j + 1) % count);
}

void ShapeBuilder::add_band(std::size_t first, std::size_t next, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) {
    const std::size_t k = (j + 1) % count;
    add_quad(first + j, first + k, next + k, next + j);
  }
}

void ShapeBuilder::end_part(std::string name) {
  const std::uint32_t begin = parts_.empty() ? 0 : parts_.back().first_face + parts_.back().face_count;
  parts_.push_back({std::move(name), begin, static_cast<std::uint32_t>(triangles_.size()) - begin});
}

MeshPtr ShapeBuilder::build(std::string name) && {
  return std::make_shared<const TriangleMesh>(std::move(positions_), std::move(triangles_),
                                              MeshOrigin{.name = std::move(name), .parts = std::move(parts_)});
}

MeshPtr revolve(std::string name, std::span<const ProfilePoint> profile, int segments) {
  ShapeBuilder builder;
  std::vector<SinCos> directions;
  directions.reserve(static_cast<std::size_t>(segments));
  for (int j = 0; j < segments; ++j) directions.push_back(sin_cos(2 * kPi * j / segments));
  const std::size_t count = directions.size();
  std::size_t previous = 0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const auto [radius, height] = profile[i];
    if (radius == 0) {
      const std::size_t pole = builder.add_vertex({0, 0, height});
      if (i == 0) previous = pole;
      else builder.add_fan(pole, previous, count);
      continue;
    }
    std::size_t ring = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const std::size_t v = builder.add_vertex({radius * directions[j].cos, radius * directions[j].sin, height});
      if (j == 0) ring = v;
    }
    if (i == 1 && profile[0].radius == 0) {
      for (std::size_t j = 0; j < count; ++j) builder.add_face(previous, ring + (j + 1) % count, ring + j);
    } else if (i > 0) {
      builder.add_band(previous, ring, count);
    }
    previous = ring;
  }
  return std::move(builder).build(std::move(name));
}

}  // namespace pliant::detail
