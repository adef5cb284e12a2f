#include "pliant/detect/anytime/node_vertices.h"

#include <algorithm>
#include <limits>

#include "pliant/core/cpu.h"

namespace pliant {
namespace {

// So much of each kind of work takes about a microsecond.
constexpr std::size_t kClearedAtOnce = 256;
constexpr std::size_t kAddedAtOnce = 32;  // vertices

// More than closed surfaces in leaves of eight faces have; others take more memory while they are made.
constexpr std::size_t kCopies = 2;

template <class Type>
void ask_for(const Type* first, const Type* last) {
  const char* const end = reinterpret_cast<const char*>(last);
  for (const char* at = reinterpret_cast<const char*>(first); at < end; at += 64) __builtin_prefetch(at);
}

}  // namespace

NodeVertices::NodeVertices(const WideTree& tree, const TriangleMesh& mesh, const BarycentricEmbedding& embedding)
    : tree_(tree), mesh_(mesh), embedding_(embedding) {}

// ---- what there is ----

// Room is asked for and not touched. False when everything is there.
bool NodeVertices::clear() {
  const std::size_t vertices = mesh_.vertex_count(), nodes = tree_.nodes.size();
  if (nodes_.empty()) {
    nodes_.reserve(nodes + 1);
    nodes_.emplace_back();
    runs_.reserve(2 * nodes);
    weights_.reserve(3 * kCopies * vertices);
    indices_.reserve(tree_.vertices.size());
    anchored_.reserve(kCopies * vertices);
    positions_.reserve(kCopies * vertices);
    corners_.reserve(tree_.corners.size());
    node_of_leaf_.reserve(tree_.leaf_count());
    node_of_.reserve(vertices);
    place_of_.reserve(vertices);
    placed_.reserve(nodes);
  }
  bool more = false;
  const auto grow = [&](auto& list, std::size_t size) {
    if (list.size() < size) list.resize(std::min(size, list.size() + kClearedAtOnce));
    more = more || list.size() < size;
  };
  grow(node_of_, vertices);
  grow(place_of_, vertices);
  grow(corners_, tree_.corners.size());
  grow(node_of_leaf_, tree_.leaf_count());
  grow(placed_, nodes);
  return more;
}

bool NodeVertices::step() {
  if (nodes_.size() > tree_.nodes.size()) return false;
  if (clear()) return true;
  for (const std::size_t last = anchored_.size() + kAddedAtOnce; anchored_.size() < last;) {
    add_node(static_cast<std::uint32_t>(nodes_.size()) - 1);
    if (nodes_.size() <= tree_.nodes.size()) continue;
    node_of_ = place_of_ = {};
    return false;
  }
  return true;
}

void NodeVertices::add_node(std::uint32_t node) {
  gather(node);
  add_vertices();
  Node& to = nodes_[node];
  for (std::uint32_t lane = 0; lane < WideBoxes::kLanes; ++lane) {
    const WideChild child = tree_.nodes[node].child[lane];
    if (child.nothing()) break;
    if (!child.is_leaf()) continue;
    node_of_leaf_[child.index()] = node;
    add_leaf(to, lane, child.index());
  }
  Node next;
  next.first = static_cast<std::uint32_t>(anchored_.size());
  next.first_run = static_cast<std::uint32_t>(runs_.size());
  next.first_index = static_cast<std::uint32_t>(indices_.size());
  nodes_.push_back(next);
}

// Its vertices, by tetrahedra.
void NodeVertices::gather(std::uint32_t node) {
  gathered_.clear();
  for (const WideChild child : tree_.nodes[node].child) {
    if (child.nothing()) break;
    if (!child.is_leaf()) continue;
    const std::uint32_t leaf = child.index();
    for (std::uint32_t i = tree_.leaves[leaf].vertices; i < tree_.leaves[leaf + 1].vertices; ++i) {
      const std::uint32_t v = tree_.vertices[i] / 3;
      if (node_of_[v] == node + 1) continue;
      node_of_[v] = node + 1;
      gathered_.push_back(v);
    }
  }
  const auto tet = [&](std::uint32_t v) { return embedding_.anchors()[v].tet; };
  std::sort(gathered_.begin(), gathered_.end(),
            [&](std::uint32_t u, std::uint32_t v) { return tet(u) != tet(v) ? tet(u) < tet(v) : u < v; });
}

void NodeVertices::add_vertices() {
  Node& to = nodes_.back();
  double size = 1;
  for (const std::uint32_t v : gathered_) {
    const BarycentricEmbedding::Anchor& anchor = embedding_.anchors()[v];
    const auto& w = anchor.weights;
    if (runs_.size() == to.first_run || runs_.back().tet != anchor.tet.value) runs_.push_back({anchor.tet.value, 0});
    ++runs_.back().count;
    place_of_[v] = static_cast<std::uint32_t>(anchored_.size());
    anchored_.push_back({{w[0], w[1], w[2], w[3]}, anchor.tet.value});
    for (std::size_t i = 1; i < 4; ++i) weights_.push_back(static_cast<float>(w[i]));
    size = std::max(size, 1 + std::abs(w[1]) + std::abs(w[2]) + std::abs(w[3]));
  }
  positions_.resize(anchored_.size());
  to.margin = patch_margin(size);
}

void NodeVertices::add_leaf(Node& to, std::uint32_t lane, std::uint32_t leaf) {
  const WideTree::Leaf& faces = tree_.leaves[leaf];
  const std::uint32_t first = faces.vertices, last = tree_.leaves[leaf + 1].vertices;
  to.lanes[to.leaf_count] = static_cast<std::uint8_t>(lane);
  to.counts[to.leaf_count] = static_cast<std::uint8_t>(last - first);
  ++to.leaf_count;
  for (std::uint32_t i = first; i < last; ++i)
    indices_.push_back(static_cast<std::uint8_t>(place_of_[tree_.vertices[i] / 3] - to.first));
  for (std::uint32_t slot = faces.first; slot < faces.first + faces.count; ++slot)
    for (std::size_t k = 0; k < 3; ++k) corners_[slot][k] = VertexId(place_of_[tree_.corners[slot][k].index()]);
}

// ---- one frame ----

void NodeVertices::place(std::span<const Vec3> coarse) {
  coarse_ = coarse;
  ++epoch_;
}

void NodeVertices::fit_leaves(std::uint32_t node, const ScaledCage& cage, WideBoxes& boxes) const {
#if defined(PLIANT_AVX2)
  const auto bound = use_avx2() ? leaf_outline::avx2::bound : leaf_outline::portable::bound;
#else
  constexpr auto bound = leaf_outline::portable::bound;
#endif
  const Node& of = nodes_[node];
  const LeafOutlines leaves{runs_.data() + of.first_run,
                            runs_.data() + nodes_[node + 1].first_run,
                            weights_.data() + std::size_t{3} * of.first,
                            indices_.data() + of.first_index,
                            of.counts,
                            of.lanes,
                            of.leaf_count,
                            of.margin};
  bound(leaves, view_of(cage, embedding_.tets()), &boxes.lo[0][0]);
}

void NodeVertices::prefetch(std::uint32_t node) const {
  if (count(node) == 0) return;
  const Node &from = nodes_[node], &to = nodes_[node + 1];
  ask_for(weights_.data() + std::size_t{3} * from.first, weights_.data() + std::size_t{3} * to.first);
  ask_for(indices_.data() + from.first_index, indices_.data() + to.first_index);
  __builtin_prefetch(runs_.data() + from.first_run);
}

void NodeVertices::put(std::uint32_t node) {
  static_assert(sizeof(Tet) == 4 * sizeof(std::uint32_t));
#if defined(PLIANT_AVX2)
  const auto put_all = use_avx2() ? anchored::avx2::put : anchored::portable::put;
#else
  constexpr auto put_all = anchored::portable::put;
#endif
  const std::uint32_t first = nodes_[node].first, last = nodes_[node + 1].first;
  placed_[node] = epoch_;
  put_all({anchored_.data() + first, anchored_.data() + last, &embedding_.tets()[0][0].value, coarse_.data()->data()},
          positions_[first].data());
}

void NodeVertices::prefetch_leaf(std::uint32_t leaf) const {
  const std::uint32_t node = node_of_leaf_[leaf];
  if (placed_[node] != epoch_)
    ask_for(anchored_.data() + nodes_[node].first, anchored_.data() + nodes_[node + 1].first);
}

std::size_t NodeVertices::bytes() const {
  return nodes_.size() * sizeof(Node) + runs_.size() * sizeof(LeafOutlines::Run) + weights_.size() * sizeof(float) +
         indices_.size() + anchored_.size() * (sizeof(AnchoredVertex) + sizeof(Vec3)) +
         corners_.size() * sizeof(Triangle) + (node_of_leaf_.size() + placed_.size()) * sizeof(std::uint32_t);
}

}  // namespace pliant
