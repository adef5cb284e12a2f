#include "pliant/detect/still/intersection_curves.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "pliant/core/disjoint_sets.h"
#include "pliant/detect/ordered_hits.h"
#include "pliant/geometry/triangle_triangle.h"
#include "pliant/mesh/topology.h"

namespace pliant {
namespace {

// An edge of one triangle of a pair against the other triangle: where the curve may go on into the next pair.
struct Crossing {
  std::uint8_t side;
  std::uint32_t edge;
  std::uint32_t face;
  std::uint32_t pair;
  auto place() const { return std::tie(side, edge, face); }
  friend bool operator<(const Crossing& x, const Crossing& y) {
    return std::tie(x.side, x.edge, x.face, x.pair) < std::tie(y.side, y.edge, y.face, y.pair);
  }
};

Triangle3 corners(const PosedMesh& posed, std::uint32_t face) {
  const Triangle& t = posed.mesh->triangle(FaceId(face));
  return {posed.positions[t[0].index()], posed.positions[t[1].index()], posed.positions[t[2].index()]};
}

constexpr std::uint32_t kPairsPerPoll = 64;

// False if the budget ran out.
bool list_crossings(std::span<const Contact> contacts, const PosedMesh& a, const PosedMesh& b, BudgetState& state,
                    OrderedHits<Crossing>& crossings) {
  const bool self = a.mesh == b.mesh;
  std::vector<Crossing> all;
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    if (i % kPairsPerPoll == 0) {
      if (state.is_late()) return false;
      crossings.add(std::exchange(all, {}));
    }
    if (contacts[i].kind() != ContactKind::triangle_triangle) continue;
    const std::uint32_t f = contacts[i].a.id;
    const std::uint32_t g = contacts[i].b.id;
    for (const EdgeId e : a.mesh->topology().face_edges(FaceId(f))) all.push_back({0, e.value, g, i});
    // Within one body either triangle may be the one that goes on.
    const std::uint8_t side = self ? 0 : 1;
    for (const EdgeId e : b.mesh->topology().face_edges(FaceId(g))) all.push_back({side, e.value, f, i});
  }
  crossings.add(std::move(all));
  return crossings.empty() || crossings.sort({1}, state, 0);
}

}  // namespace

std::vector<IntersectionCurve> intersection_curves(std::span<const Contact> contacts, const PosedMesh& a,
                                                   const PosedMesh& b, const Budget& budget) {
  BudgetState state(budget);
  DisjointSets joined(contacts.size());
  OrderedHits<Crossing> crossings;
  if (!list_crossings(contacts, a, b, state, crossings)) return {};
  std::optional<Crossing> last;
  for (std::size_t i = 0; !crossings.empty(); ++i) {
    if (i % kPairsPerPoll == 0 && state.is_late()) return {};
    const Crossing crossing = crossings.next();
    if (last && last->place() == crossing.place()) joined.unite(last->pair, crossing.pair);
    last = crossing;
  }

  std::vector<IntersectionCurve> by_root(contacts.size());
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    if (i % kPairsPerPoll == 0 && state.is_late()) return {};
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
