#include "pliant/asset/stuffing_stencils.h"

#include <algorithm>

namespace pliant {
namespace {

using Node = BccLattice::Node;
using Side = WarpedLattice::Side;

FillVertex at(Node n) { return {n, n}; }

// Of the quad p, q, cut(q, out), cut(p, out): whether its diagonal starts at p, and not at q.
// Where one of the cut edges is long, the diagonal ends at its cut. Where both are short, two of the quads that meet in
// a prism must not have their diagonals at the same end: of p and q the one counts that lies above `out` along an even
// number of axes (the parity rule).
bool diagonal_starts_at(const BccLattice& lattice, Node p, Node q, Node out) {
  if (lattice.is_long(q, out)) return true;
  if (lattice.is_long(p, out)) return false;
  return (lattice.place(p).array() > lattice.place(out).array()).count() % 2 == 0;
}

void add(Stencil& stencil, const FillVertex& a, const FillVertex& b, const FillVertex& c, const FillVertex& d) {
  stencil.tets[stencil.count++] = {a, b, c, d};
}

// Over the quad p, q, r, s with a diagonal at p or at q.
void add_pyramid(Stencil& stencil, const FillVertex& apex, const std::array<FillVertex, 4>& quad, bool at_first) {
  const auto& [p, q, r, s] = quad;
  if (at_first) {
    add(stencil, p, q, r, apex);
    add(stencil, p, r, s, apex);
  } else {
    add(stencil, p, q, s, apex);
    add(stencil, q, r, s, apex);
  }
}

// Between the triangles `low` and `high`; the quad i has the sides from low[i] to low[i + 1] and from high[i] to
// high[i + 1], and its diagonal starts at low[i] or at low[i + 1]. Not all three may turn the same way.
void add_prism(Stencil& stencil, const std::array<FillVertex, 3>& low, const std::array<FillVertex, 3>& high,
               const std::array<bool, 3>& at_first) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t next = (i + 1) % 3, last = (i + 2) % 3;
    if (!at_first[i] || at_first[last]) continue;  // both diagonals beside low[i] must start there
    add(stencil, low[i], high[0], high[1], high[2]);
    add_pyramid(stencil, low[i], {low[next], high[next], high[last], low[last]}, at_first[next]);
    return;
  }
}

// The nodes in an even order with those inside first, then those on the surface, then those outside.
std::array<Node, 4> by_side(const std::array<Node, 4>& tet, const std::array<Side, 4>& sides) {
  std::array<std::size_t, 4> order = {0, 1, 2, 3};
  bool odd = false;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 3; j > i; --j)
      if (sides[order[j]] > sides[order[j - 1]]) {
        std::swap(order[j], order[j - 1]);
        odd = !odd;
      }
  // Two nodes are on the same side: exchanging them changes nothing else.
  for (std::size_t i = 0; odd && i < 3; ++i) {
    if (sides[order[i]] != sides[order[i + 1]]) continue;
    std::swap(order[i], order[i + 1]);
    odd = false;
  }
  return {tet[order[0]], tet[order[1]], tet[order[2]], tet[order[3]]};
}

}  // namespace

Stencil stencil_of(const BccLattice& lattice, const std::array<Node, 4>& tet, const std::array<Side, 4>& sides) {
  Stencil stencil;
  const auto inside = std::count(sides.begin(), sides.end(), Side::inside);
  const auto outside = std::count(sides.begin(), sides.end(), Side::outside);
  if (inside == 0) return stencil;
  const auto [a, b, c, d] = by_side(tet, sides);
  const auto cut = [](Node in, Node out) { return FillVertex{in, out}; };
  const auto starts_at = [&](Node p, Node q, Node out) { return diagonal_starts_at(lattice, p, q, out); };
  if (outside == 0) {
    add(stencil, at(a), at(b), at(c), at(d));
  } else if (inside == 1) {
    add(stencil, at(a), outside == 3 ? cut(a, b) : at(b), outside >= 2 ? cut(a, c) : at(c), cut(a, d));
  } else if (inside == 2 && outside == 1) {
    add_pyramid(stencil, at(c), {at(a), cut(a, d), cut(b, d), at(b)}, starts_at(a, b, d));
  } else if (inside == 2) {
    // The prism between a with its cuts and b with its cuts. The third quad is on the surface, so that any diagonal
    // will do that does not turn the same way as the other two, if those do.
    const bool at_a = starts_at(a, b, c), at_b = !starts_at(a, b, d);
    add_prism(stencil, {at(a), cut(a, c), cut(a, d)}, {at(b), cut(b, c), cut(b, d)}, {at_a, !at_a, at_b});
  } else {
    add_prism(stencil, {at(a), at(b), at(c)}, {cut(a, d), cut(b, d), cut(c, d)},
              {starts_at(a, b, d), starts_at(b, c, d), starts_at(c, a, d)});
  }
  return stencil;
}

}  // namespace pliant
