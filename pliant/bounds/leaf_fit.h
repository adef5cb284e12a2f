// The inner loops of a refit, compiled for each target: boxes of leaves from their vertices, of inner nodes from their
// children.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::leaf_fit {

// Where a leaf's vertices end in the list; they begin where those of the leaf before it end.
struct Leaf {
  std::uint32_t node;
  std::uint32_t end;
};

// Vertices are read four at a time, and asked for this many ahead.
constexpr std::uint32_t kGroup = 2;
constexpr std::uint32_t kAhead = 32;

struct Leaves {
  const Leaf* first;
  const Leaf* last;           // behind the last one
  const std::uint32_t* list;  // of vertices (three times their numbers): whole groups per leaf, kAhead more at the end
  const std::uint32_t* vertices;  // where those of the first leaf begin
};

// Three coordinates a vertex, at both ends of a step; the same twice for positions at one time.
struct Positions {
  const double* x_t0;
  const double* x_t1;
  bool in_cache;  // they are so few that asking for them ahead of time does not pay
};

// Eight words a node as in AabbNode: lo, first, hi, count, of which first and count stay as they are.
struct Nodes {
  float* words;
  std::size_t stride;  // words from one node to the next, 8 or more
};

namespace portable {
// The smallest boxes in float that hold the vertices at both ends.
void fit_leaves(const Leaves& leaves, const Positions& positions, const Nodes& nodes);
// Of the inner nodes [first, last), each behind those of its children that are inner nodes.
void unite_children(const std::uint32_t* first, const std::uint32_t* last, const Nodes& nodes);
}  // namespace portable

namespace avx2 {
void fit_leaves(const Leaves& leaves, const Positions& positions, const Nodes& nodes);
void unite_children(const std::uint32_t* first, const std::uint32_t* last, const Nodes& nodes);
}  // namespace avx2

// The faster of the two that this processor has.
struct Kernels {
  decltype(&portable::fit_leaves) fit_leaves;
  decltype(&portable::unite_children) unite_children;
};
Kernels kernels();

// Up to so many positions, half a megabyte, are in the cache (Positions::in_cache).
constexpr std::size_t kFewVertices = 20'000;

}  // namespace pliant::leaf_fit
