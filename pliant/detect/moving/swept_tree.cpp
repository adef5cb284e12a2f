#include "pliant/detect/moving/swept_tree.h"

#include <algorithm>

#include "pliant/detect/moving/vertex_box.h"

namespace pliant {

// All vertices of a leaf's faces, all edges, all faces, and one more block because they need not start with one.
static_assert((3 * SweptTree::kMostInLeaf + swept::kLanes - 1) / swept::kLanes + 1 <= swept::kMostBlocks);

bool SweptTree::is_fitted_to(const SweptBody& body, const SweptExtent& extent) const {
  return !tree_.empty() && x_t0_ == body.x_t0.stamp() && x_t1_ == body.x_t1.stamp() && extent_ == extent;
}

bool SweptTree::fit(Threads threads, const SweptBody& body, const SweptExtent& extent) {
  if (body.mesh->face_count() == 0 || is_fitted_to(body, extent)) return false;
  x_t0_ = body.x_t0.stamp();
  x_t1_ = body.x_t1.stamp();
  extent_ = extent;
  if (!tree_.empty()) {
    if (identity_ != body.identity) list_corners(body);
    refit(threads, body, extent);
    // Compares with what the boxes were when built for a step of about the same length.
    if (extent.limit < 1 || tree_.total_area() <= settings_.rebuild_growth * built_area_) return false;
  }
  build(threads, body, extent);
  return true;
}

namespace {

Aabb face_box(const SweptBody& body, FaceId face) {
  const WholeVertexBox vertex_box{body.vertices.floats()};
  const Triangle& t = body.mesh->triangle(face);
  VertexBox box = vertex_box(t[0].value);
  for (std::size_t i = 1; i < 3; ++i) box.add(vertex_box(t[i].value));
  return box.box();
}

}  // namespace

void SweptTree::build(Threads threads, const SweptBody& body, const SweptExtent& extent) {
  std::vector<Aabb> boxes(body.mesh->face_count());
  parallel_for(threads, boxes.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) boxes[f] = face_box(body, FaceId(f));
  });
  tree_ = AabbTree(boxes, {.leaf_size = settings_.leaf_size, .threads = threads});
  list_features(body);
  list_corners(body);
  refit(threads, body, extent);
  built_area_ = tree_.total_area();
}

// By node: which of the leaves it is, in the order of their first slots.
std::vector<std::uint32_t> SweptTree::leaf_numbers() const {
  std::vector<std::uint32_t> number(tree_.nodes().size(), 0);
  const std::vector<std::uint32_t> leaves = tree_.leaves();
  for (std::uint32_t i = 0; i < leaves.size(); ++i) number[leaves[i]] = i;
  return number;
}

bool SweptTree::adopt(const SweptBody& body, std::span<const FaceId> old_face) {
  if (tree_.empty()) return false;
  const std::vector<std::uint32_t> number = leaf_numbers();
  const std::vector<std::uint32_t> leaves = tree_.leaves();
  std::vector<std::uint32_t> leaf_of(tree_.order().size());  // by face of the last mesh
  for (std::uint32_t i = 0; i < leaves.size(); ++i)
    for (const std::uint32_t f : tree_.primitives(tree_.node(leaves[i]))) leaf_of[f] = i;
  std::vector<std::vector<std::uint32_t>> by_leaf(leaves.size());
  for (std::uint32_t f = 0; f < body.mesh->face_count(); ++f) {
    const bool known = f < old_face.size() && old_face[f].valid() && old_face[f].index() < leaf_of.size();
    const std::uint32_t leaf = known ? leaf_of[old_face[f].index()] : number[tree_.leaf_for(face_box(body, FaceId(f)))];
    by_leaf[leaf].push_back(f);
  }
  if (!tree_.assign(by_leaf, settings_.leaf_size)) return false;
  list_features(body);
  list_corners(body);
  x_t0_ = x_t1_ = 0;
  return true;
}

void SweptTree::list_features(const SweptBody& body) {
  const MeshTopology& topology = *body.topology;
  const auto order = tree_.order();
  first_vertex_.assign(order.size() + 1, 0);
  first_edge_.assign(order.size() + 1, 0);
  for (std::size_t p = 0; p < order.size(); ++p) {
    const std::uint8_t owned = topology.owned_features(FaceId(order[p]));
    first_vertex_[p + 1] = first_vertex_[p] + static_cast<std::uint32_t>(__builtin_popcount(owned & 7u));
    first_edge_[p + 1] = first_edge_[p] + static_cast<std::uint32_t>(__builtin_popcount(owned >> 3));
  }
  vertices_.resize(first_vertex_.back());
  edges_.resize(first_edge_.back());
  faces_.resize(order.size());
  features_ = {vertices_.blocks(), edges_.blocks(), faces_.blocks()};
  for (std::uint32_t p = 0; p < order.size(); ++p) {
    const FaceId face(order[p]);
    faces_.set_id(p, face.value);
    std::uint32_t vertex = first_vertex_[p], edge = first_edge_[p];
    for (int i = 0; i < 3; ++i) {
      const auto corner = static_cast<std::size_t>(i);
      if (topology.owns_corner(face, i)) vertices_.set_id(vertex++, body.mesh->triangle(face)[corner].value);
      if (topology.owns_edge(face, i)) edges_.set_id(edge++, topology.face_edges(face)[corner].value);
    }
  }
}

void SweptTree::list_corners(const SweptBody& body) {
  identity_ = body.identity;
  for (std::uint32_t p = 0; p < vertices_.size(); ++p)
    vertices_.set_corner(0, p, body.corner(VertexId(vertices_.id(p))));
  for (std::uint32_t p = 0; p < edges_.size(); ++p)
    for (int k = 0; k < 2; ++k) edges_.set_corner(k, p, body.ends(EdgeId(edges_.id(p)))[static_cast<std::size_t>(k)]);
  for (std::uint32_t p = 0; p < faces_.size(); ++p)
    for (int k = 0; k < 3; ++k)
      faces_.set_corner(k, p, body.corners(FaceId(faces_.id(p)))[static_cast<std::size_t>(k)]);
}

// Welded vertices lie at the same places, so that boxes may be taken by identity.
template <class VertexBoxOf>
Aabb SweptTree::fit_leaf(const AabbNode& leaf, const VertexBoxOf& vertex_box) {
  const auto fit = [&]<int kCorners>(SweptFeatures<kCorners>& features, std::uint32_t p) {
    VertexBox box = vertex_box(features.corner(0, p));
    for (int k = 1; k < kCorners; ++k) box.add(vertex_box(features.corner(k, p)));
    features.set_box(p, box.lo, box.hi);
    return box;
  };
  const swept::FeatureRange vertices = vertices_of(leaf), edges = edges_of(leaf), faces = faces_of(leaf);
  for (std::uint32_t p = vertices.first; p < vertices.last; ++p) fit(vertices_, p);
  for (std::uint32_t p = edges.first; p < edges.last; ++p) fit(edges_, p);
  VertexBox all = fit(faces_, faces.first);
  for (std::uint32_t p = faces.first + 1; p < faces.last; ++p) all.add(fit(faces_, p));
  return all.box();
}

void SweptTree::refit(Threads threads, const SweptBody& body, const SweptExtent& extent) {
  const auto fit_with = [&](const auto& vertex_box) {
    tree_.refit(threads, [&](const AabbNode& leaf) { return fit_leaf(leaf, vertex_box); });
  };
  if (extent == SweptExtent{}) {
    fit_with(WholeVertexBox{body.vertices.floats()});
    return;
  }
  // A vertex belongs to a dozen features: its box is made once.
  const LimitedVertexBox limited(body.vertices.floats(), extent);
  std::vector<VertexBox> boxes(body.x_t0.positions().size());
  parallel_for(threads, boxes.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) boxes[v] = limited(static_cast<std::uint32_t>(v));
  });
  fit_with([&](std::uint32_t v) { return boxes[v]; });
}

std::size_t SweptTree::bytes() const {
  return tree_.bytes() + vertices_.bytes() + edges_.bytes() + faces_.bytes() +
         (first_vertex_.size() + first_edge_.size()) * sizeof(std::uint32_t);
}

}  // namespace pliant
