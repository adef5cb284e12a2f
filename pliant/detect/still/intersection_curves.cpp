#include "pliant/detect/still/intersection_curves.h"

#include <algorithm>
#include <tuple>

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
  std::uint32_t pair;
  auto place() const { return std::tie(side, edge, face); }
};

Triangle3 corners(const PosedMesh& posed, std::uint32_t face) {
  const Triangle& t = posed.mesh->triangle(FaceId(face));
  return {posed.positions[t[0].index()], posed.positions[t[1].index()], posed.positions[t[2].index()]};
}

std::vector<Crossing> crossings(std::span<const Contact> contacts, const PosedMesh& a, const PosedMesh& b) {
  const bool self = a.mesh == b.mesh;
  std::vector<Crossing> all;
  all.reserve(6 * contacts.size());
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].kind() != ContactKind::triangle_triangle) continue;
    const std::uint32_t f = contacts[i].a.id;
    const std::uint32_t g = contacts[i].b.id;
    for (const EdgeId e : a.mesh->topology().face_edges(FaceId(f))) all.push_back({0, e.value, g, i});
    // Within one body either triangle may be the one that goes on.
    const std::uint8_t side = self ? 0 : 1;
    for (const EdgeId e : b.mesh->topology().face_edges(FaceId(g))) all.push_back({side, e.value, f, i});
  }
  std::sort(all.begin(), all.end(), [](const Crossing& x, const Crossing& y) { return x.place() < y.place(); });
  return all;
}

}  // namespace

std::vector<IntersectionCurve> intersection_curves(std::span<const Contact> contacts, const PosedMesh& a,
                                                   const PosedMesh& b) {
  DisjointSets joined(contacts.size());
  const std::vector<Crossing> all = crossings(contacts, a, b);
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i - 1].place() == all[i].place()) joined.unite(all[i - 1].pair, all[i].pair);

  std::vector<IntersectionCurve> by_root(contacts.size());
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
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
