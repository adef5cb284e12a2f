// Typed indices: a vertex index cannot be passed where a face index is wanted.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace pliant {

// An index into one kind of array. Same size and cost as a std::uint32_t.
template <class Tag>
struct Id {
  std::uint32_t value = kNone;

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t v) : value(v) {}
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
  constexpr explicit Id(int v) : value(static_cast<std::uint32_t>(v)) {}

  constexpr bool valid() const { return value != kNone; }
  constexpr std::size_t index() const { return value; }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

using VertexId = Id<struct VertexTag>;
using EdgeId = Id<struct EdgeTag>;
using FaceId = Id<struct FaceTag>;
using TetId = Id<struct TetTag>;
using BodyId = Id<struct BodyTag>;

}  // namespace pliant

template <class Tag>
struct std::hash<pliant::Id<Tag>> {
  std::size_t operator()(const pliant::Id<Tag>& id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
