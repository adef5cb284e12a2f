#include "pliant/detect/anytime/node_vertices.h"

#include <algorithm>

#include "pliant/bounds/leaf_fit.h"
#include "pliant/core/cpu.h"

namespace pliant {
namespace {

// So much of each kind of work takes about a microsecond.
constexpr std::size_t kClearedAtOnce = 256;
constexpr std::uint32_t kAddedAtOnce = 48;  // vertices

// More than closed surfaces in leaves of eight faces have; others take more memory while they are made.
constexpr std::size_t kCopies = 2;

}  // namespace

NodeVertices::NodeVertices(const WideTree& tree, const TriangleMesh& mesh, const BarycentricEmbedding& embedding)
    : tree_(tree), mesh_(mesh), embedding_(embedding) {}

// Room is asked for and not touched. False when everything is there.
bool NodeVertices::clear() {
  const std::size_t vertices = mesh_.vertex_count();
  if (first_.empty()) {
    first_.reserve(tree_.nodes.size() + 1);
    first_.push_back(0);
    anchored_.reserve(kCopies * vertices);
    positions_.reserve(kCopies * vertices);
    corners_.reserve(tree_.corners.size());
    list_.reserve(tree_.vertices.size());
    node_of_.reserve(vertices);
    place_of_.reserve(vertices);
  }
  const auto grow = [](auto& list, std::size_t size) {
    if (list.size() < size) list.resize(std::min(size, list.size() + kClearedAtOnce));
    return list.size() < size;
  };
  const bool more_vertices = grow(node_of_, vertices);
  grow(place_of_, vertices);
  const bool more_corners = grow(corners_, tree_.corners.size());
  const bool more_list = grow(list_, tree_.vertices.size());
  return more_vertices || more_corners || more_list;
}

bool NodeVertices::step() {
  if (first_.size() > tree_.nodes.size()) return false;
  if (clear()) return true;
  for (const std::size_t last = anchored_.size() + kAddedAtOnce; anchored_.size() < last;) {
    add_node(static_cast<std::uint32_t>(first_.size()) - 1);
    if (first_.size() <= tree_.nodes.size()) continue;
    node_of_ = place_of_ = {};
    return false;
  }
  return true;
}

void NodeVertices::add_node(std::uint32_t node) {
  for (const WideChild child : tree_.nodes[node].child) {
    if (child.nothing()) break;
    if (child.is_leaf()) add_leaf(node, child.index());
  }
  positions_.resize(anchored_.size());
  first_.push_back(static_cast<std::uint32_t>(anchored_.size()));
}

void NodeVertices::add_leaf(std::uint32_t node, std::uint32_t leaf) {
  for (std::uint32_t i = tree_.leaves[leaf].vertices; i < tree_.leaves[leaf + 1].vertices; ++i) {
    const std::uint32_t v = tree_.vertices[i] / 3;
    if (node_of_[v] != node + 1) {
      node_of_[v] = node + 1;
      place_of_[v] = static_cast<std::uint32_t>(anchored_.size());
      const BarycentricEmbedding::Anchor& anchor = embedding_.anchors()[v];
      const auto& w = anchor.weights;
      anchored_.push_back({{w[0], w[1], w[2], w[3]}, anchor.tet.value, v});
    }
    list_[i] = 3 * place_of_[v];
  }
  const WideTree::Leaf& faces = tree_.leaves[leaf];
  for (std::uint32_t slot = faces.first; slot < faces.first + faces.count; ++slot)
    for (std::size_t k = 0; k < 3; ++k) corners_[slot][k] = VertexId(place_of_[tree_.corners[slot][k].index()]);
}

void NodeVertices::put(std::uint32_t node, std::span<const Vec3> coarse) {
  static_assert(sizeof(Tet) == 4 * sizeof(std::uint32_t));
#if defined(PLIANT_AVX2)
  const auto put_all = use_avx2() ? anchored::avx2::put : anchored::portable::put;
#else
  constexpr auto put_all = anchored::portable::put;
#endif
  put_all({anchored_.data() + first_[node], anchored_.data() + first_[node + 1], &embedding_.tets()[0][0].value,
           coarse.data()->data()},
          positions_[first_[node]].data());
}

// Leaves of a node stand one after the other, in the order of its lanes.
void NodeVertices::fit_leaves(std::uint32_t node, WideBoxes& boxes) const {
  const auto& children = tree_.nodes[node].child;
  leaf_fit::Leaf leaves[WideBoxes::kLanes];
  std::uint32_t count = 0, first = 0;
  for (std::uint32_t l = 0; l < WideBoxes::kLanes && !children[l].nothing(); ++l) {
    if (!children[l].is_leaf()) continue;
    if (count == 0) first = children[l].index();
    leaves[count++] = {l, tree_.fits[children[l].index()].end};
  }
  alignas(32) float words[WideBoxes::kLanes][8];
  const double* const x = positions_.data()->data();
  leaf_fit::kernels().fit_leaves({leaves, leaves + count, list_.data(), list_.data() + tree_.leaves[first].vertices},
                                 {x, x, true}, {words[0], 8});
  for (std::uint32_t i = 0; i < count; ++i) {
    const float* const box = words[leaves[i].node];
    boxes.set(leaves[i].node, {{box[0], box[1], box[2]}, {box[4], box[5], box[6]}});
  }
}

void NodeVertices::prefetch(std::uint32_t node) const {
  if (count(node) == 0) return;
  const auto ask = [](const auto* first, const auto* last) {
    const char* const end = reinterpret_cast<const char*>(last);
    for (const char* at = reinterpret_cast<const char*>(first); at < end; at += 64) __builtin_prefetch(at);
  };
  ask(anchored_.data() + first_[node], anchored_.data() + first_[node + 1]);
}

std::size_t NodeVertices::bytes() const {
  return anchored_.size() * (sizeof(AnchoredVertex) + sizeof(Vec3)) + corners_.size() * sizeof(Triangle) +
         (first_.size() + list_.size()) * sizeof(std::uint32_t);
}

}  // namespace pliant
