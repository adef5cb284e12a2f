#include "pliant/asset/tet_pieces.h"

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

// Which vertices hang together, by the smallest of each set.
class VertexSets {
 public:
  explicit VertexSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }

  std::uint32_t find(VertexId v) {
    std::uint32_t at = v.value;
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  void join(VertexId a, VertexId b) {
    const std::uint32_t one = find(a), other = find(b);
    parent_[std::max(one, other)] = std::min(one, other);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

TetPieces find_tet_pieces(const TetMesh& mesh) {
  VertexSets sets(mesh.vertex_count());
  for (const Tet& t : mesh.tets())
    for (std::size_t i = 1; i < 4; ++i) sets.join(t[0], t[i]);
  TetPieces pieces;
  std::vector<std::uint32_t> number(mesh.vertex_count(), VertexId::kNone);
  for (std::size_t t = 0; t < mesh.tet_count(); ++t) {
    std::uint32_t& piece = number[sets.find(mesh.tets()[t][0])];
    if (piece == VertexId::kNone) {
      piece = static_cast<std::uint32_t>(pieces.count());
      pieces.volume.push_back(0);
    }
    pieces.of_tet.push_back(piece);
    pieces.volume[piece] += mesh.tet_volume(TetId(t));
  }
  return pieces;
}

std::shared_ptr<const TetMesh> without_crumbs(const TetMesh& mesh, const TetPieces& pieces, double fraction) {
  const double least = fraction * mesh.volume();
  const auto crumbs =
      std::count_if(pieces.volume.begin(), pieces.volume.end(), [&](double volume) { return volume < least; });
  if (crumbs == 0 || static_cast<std::size_t>(crumbs) == pieces.count()) return nullptr;
  std::vector<VertexId> number(mesh.vertex_count());
  std::vector<Vec3> positions;
  std::vector<Tet> tets;
  for (std::size_t t = 0; t < mesh.tet_count(); ++t) {
    if (pieces.volume[pieces.of_tet[t]] < least) continue;
    for (VertexId& v : tets.emplace_back(mesh.tets()[t])) {
      VertexId& id = number[v.index()];
      if (!id.valid()) {
        id = VertexId(positions.size());
        positions.push_back(mesh.positions()[v.index()]);
      }
      v = id;
    }
  }
  return std::make_shared<const TetMesh>(std::move(positions), std::move(tets), mesh.surface()->origin().name);
}

}  // namespace pliant
