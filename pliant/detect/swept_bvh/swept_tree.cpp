#include "pliant/detect/swept_bvh/swept_tree.h"

#include <algorithm>

namespace pliant {

void SweptFeatures::resize(std::size_t count, int corners) {
  stride_ = count + kRoom;
  corner_count_ = corners;
  boxes_.assign(6 * stride_, 0);
  corners_.assign(static_cast<std::size_t>(corners) * stride_, 0);
  ids_.assign(count, 0);
}

swept::FeatureArrays SweptFeatures::arrays() const {
  swept::FeatureArrays arrays{};
  for (std::size_t i = 0; i < 3; ++i) {
    arrays.lo[i] = boxes_.data() + i * stride_;
    arrays.hi[i] = boxes_.data() + (3 + i) * stride_;
  }
  for (int k = 0; k < corner_count_; ++k) arrays.corner[k] = corners_.data() + static_cast<std::size_t>(k) * stride_;
  arrays.id = ids_.data();
  return arrays;
}

std::size_t SweptFeatures::bytes() const {
  return boxes_.size() * sizeof(float) + (corners_.size() + ids_.size()) * sizeof(std::uint32_t);
}

bool SweptTree::is_fitted_to(const SweptBody& body, double min_separation) const {
  return !tree_.empty() && x_t0_.positions.data() == body.x_t0.positions.data() &&
         x_t1_.positions.data() == body.x_t1.positions.data() && min_separation_ == min_separation;
}

void SweptTree::fit(Threads threads, const SweptBody& body, double min_separation) {
  // Refits compare with what the boxes were when built for a step of about the same length.
  constexpr double kRebuildGrowth = 2;
  if (body.mesh->face_count() == 0 || is_fitted_to(body, min_separation)) return;
  x_t0_ = body.x_t0;
  x_t1_ = body.x_t1;
  min_separation_ = min_separation;
  update_vertex_boxes(threads, body, 0.5 * min_separation);
  if (!tree_.empty()) {
    if (identity_ != body.identity) list_corners(body);
    refit(threads);
    if (total_area() <= kRebuildGrowth * built_area_) return;
  }
  build(threads, body);
}

void SweptTree::update_vertex_boxes(Threads threads, const SweptBody& body, double margin) {
  vertex_boxes_.resize(body.mesh->vertex_count());
  parallel_for(threads, vertex_boxes_.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      PointBounds bounds;
      bounds.add(body.x_t0.positions[v]);
      bounds.add(body.x_t1.positions[v]);
      vertex_boxes_[v].set_box(margin > 0 ? grown(bounds.box(), margin) : bounds.box());
    }
  });
}

namespace {

template <std::size_t kCount>
Aabb box_of(const std::vector<AabbNode>& vertex_boxes, const std::array<VertexId, kCount>& corners) {
  Aabb box = vertex_boxes[corners[0].index()].box();
  for (std::size_t i = 1; i < kCount; ++i) box.add(vertex_boxes[corners[i].index()].box());
  return box;
}

}  // namespace

void SweptTree::build(Threads threads, const SweptBody& body) {
  std::vector<Aabb> boxes(body.mesh->face_count());
  parallel_for(threads, boxes.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) boxes[f] = box_of(vertex_boxes_, body.mesh->triangle(FaceId(f)));
  });
  tree_ = AabbTree(boxes, {.leaf_size = kLeafSize, .threads = threads});
  list_features(body);
  list_corners(body);
  refit(threads);
  built_area_ = total_area();
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
  vertices_.resize(first_vertex_.back(), 1);
  edges_.resize(first_edge_.back(), 2);
  faces_.resize(order.size(), 3);
  features_ = {vertices_.arrays(), edges_.arrays(), faces_.arrays()};
  for (std::size_t p = 0; p < order.size(); ++p) {
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
Aabb SweptTree::fit_leaf(const AabbNode& leaf) {
  const auto box_at = [this](const SweptFeatures& features, int corners, std::uint32_t p) {
    Aabb box = vertex_boxes_[features.corner(0, p)].box();
    for (int k = 1; k < corners; ++k) box.add(vertex_boxes_[features.corner(k, p)].box());
    return box;
  };
  const swept::FeatureRange vertices = vertices_of(leaf), edges = edges_of(leaf), faces = faces_of(leaf);
  for (std::uint32_t p = vertices.first; p < vertices.last; ++p) vertices_.set_box(p, box_at(vertices_, 1, p));
  for (std::uint32_t p = edges.first; p < edges.last; ++p) edges_.set_box(p, box_at(edges_, 2, p));
  Aabb all;
  for (std::uint32_t p = faces.first; p < faces.last; ++p) {
    const Aabb box = box_at(faces_, 3, p);
    faces_.set_box(p, box);
    all.add(box);
  }
  return all;
}

void SweptTree::refit(Threads threads) {
  tree_.refit(threads, [&](const AabbNode& leaf) { return fit_leaf(leaf); });
}

double SweptTree::total_area() const {
  double area = 0;
  for (std::size_t i = 0; i < tree_.nodes().size(); ++i) {
    if (i == 1) continue;
    const AabbNode& node = tree_.nodes()[i];
    const double x = double{node.hi[0]} - double{node.lo[0]};
    const double y = double{node.hi[1]} - double{node.lo[1]};
    const double z = double{node.hi[2]} - double{node.lo[2]};
    area += x * y + y * z + z * x;
  }
  return area;
}

std::size_t SweptTree::bytes() const {
  return tree_.bytes() + vertex_boxes_.size() * sizeof(AabbNode) + vertices_.bytes() + edges_.bytes() + faces_.bytes() +
         (first_vertex_.size() + first_edge_.size()) * sizeof(std::uint32_t);
}

}  // namespace pliant
