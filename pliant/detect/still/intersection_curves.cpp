#include "pliant/detect/still/intersection_curves.h"

#include <algorithm>
#include <unordered_map>

#include "pliant/core/budget_poll.h"
#include "pliant/core/disjoint_sets.h"
#include "pliant/geometry/triangle_triangle.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// An edge of one triangle of a pair against the other triangle: where the curve may go on into the next pair.
struct Crossing {
  std::uint8_t side;
  std::uint32_t edge;
  std::uint32_t face;
  friend bool operator==(const Crossing&, const Crossing&) = default;
};

struct CrossingHash {
  std::size_t operator()(const Crossing& c) const {
    const std::uint64_t h = ((std::uint64_t{c.edge} << 32 | c.face) + c.side) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
  }
};

Triangle3 corners(const PosedMesh& posed, std::uint32_t face) {
  const Triangle& t = posed.mesh->triangle(FaceId(face));
  return {posed.positions[t[0].index()], posed.positions[t[1].index()], posed.positions[t[2].index()]};
}

// Pairs that go on into each other, as one set; false if the budget was spent.
bool join(std::span<const Contact> contacts, const PosedMesh& a, const PosedMesh& b, BudgetPoll& poll,
          DisjointSets& joined) {
  const std::uint8_t side_b = a.mesh == b.mesh ? 0 : 1;  // within one body either triangle may be the one that goes on
  std::unordered_map<Crossing, std::uint32_t, CrossingHash> first_pair;
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    if (poll.spent()) return false;
    if (contacts[i].kind() != ContactKind::triangle_triangle) continue;
    const auto add = [&](const Crossing& crossing) {
      const auto [entry, is_new] = first_pair.try_emplace(crossing, i);
      if (!is_new) joined.unite(entry->second, i);
    };
    const FaceId f(contacts[i].a.id);
    const FaceId g(contacts[i].b.id);
    for (const EdgeId e : a.mesh->topology().face_edges(f)) add({0, e.value, g.value});
    for (const EdgeId e : b.mesh->topology().face_edges(g)) add({side_b, e.value, f.value});
  }
  return true;
}

}  // namespace

std::optional<std::vector<IntersectionCurve>> intersection_curves(std::span<const Contact> contacts, const PosedMesh& a,
                                                                  const PosedMesh& b, const Budget& budget) {
  BudgetPoll poll(budget, 64);
  DisjointSets joined(contacts.size());
  if (!join(contacts, a, b, poll, joined)) return std::nullopt;
  std::vector<IntersectionCurve> by_root(contacts.size());
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    if (poll.spent()) return std::nullopt;
    if (contacts[i].kind() != ContactKind::triangle_triangle) continue;
    IntersectionCurve& curve = by_root[joined.root(i)];
    const TriangleContact common =
        triangle_triangle_contact(corners(a, contacts[i].a.id), corners(b, contacts[i].b.id));
    if (curve.pairs++ == 0) curve.point = contacts[i].point;
    curve.length += (common.q - common.p).norm();
  }
  std::erase_if(by_root, [](const IntersectionCurve& curve) { return curve.pairs == 0; });
  std::stable_sort(by_root.begin(), by_root.end(),
                   [](const IntersectionCurve& x, const IntersectionCurve& y) { return x.length > y.length; });
  return by_root;
}

}  // namespace pliant
