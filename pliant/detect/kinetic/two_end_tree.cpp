#include "pliant/detect/kinetic/two_end_tree.h"

#include <algorithm>

namespace pliant::kinetic {

void TwoEndFeatures::resize(std::size_t count, int corners) {
  stride_ = count + kRoom;
  corner_count_ = corners;
  for (auto& boxes : boxes_) boxes.assign(6 * stride_, 0);
  corners_.assign(static_cast<std::size_t>(corners) * stride_, 0);
  ids_.assign(count, 0);
}

FeatureArrays TwoEndFeatures::arrays() const {
  FeatureArrays arrays{};
  for (int end = 0; end < 2; ++end) {
    for (std::size_t i = 0; i < 3; ++i) {
      arrays.lo[end][i] = boxes_[end].data() + i * stride_;
      arrays.hi[end][i] = boxes_[end].data() + (3 + i) * stride_;
    }
  }
  for (int k = 0; k < corner_count_; ++k) arrays.corner[k] = corners_.data() + static_cast<std::size_t>(k) * stride_;
  return arrays;
}

std::size_t TwoEndFeatures::bytes() const {
  return (boxes_[0].size() + boxes_[1].size()) * sizeof(float) +
         (corners_.size() + ids_.size()) * sizeof(std::uint32_t);
}

bool TwoEndTree::fit(Threads threads, const SweptBody& body, double min_separation) {
  constexpr double kRebuildGrowth = 2;
  if (body.mesh->face_count() == 0) return false;
  const auto same = [](const Frame& x, const Frame& y) { return x.positions.data() == y.positions.data(); };
  const bool same_margin = min_separation_ == min_separation;
  const bool kept_t0 = !empty() && same_margin && same(x_t0_, body.x_t0);
  const bool kept_t1 = !empty() && same_margin && same(x_t1_, body.x_t1);
  const bool goes_on = !empty() && same_margin && same(x_t1_, body.x_t0);
  x_t0_ = body.x_t0;
  x_t1_ = body.x_t1;
  min_separation_ = min_separation;
  const double margin = 0.5 * min_separation;
  if (empty()) {
    build(threads, body, margin);
    return true;
  }
  if (identity_ != body.identity) list_corners(body);
  if (kept_t0 && kept_t1) return false;
  const bool from_end = goes_on && !kept_t0;
  if (from_end) start_from_end();
  else if (!kept_t0) refit(threads, 0, x_t0_.positions, margin);
  if (from_end || !kept_t1) refit(threads, 1, x_t1_.positions, margin);
  if (total_area() <= kRebuildGrowth * built_area_) return false;
  build(threads, body, margin);
  return true;
}

void TwoEndTree::build(Threads threads, const SweptBody& body, double margin) {
  std::vector<Aabb> boxes(body.mesh->face_count());
  parallel_for(threads, boxes.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) {
      PointBounds bounds;
      for (const VertexId v : body.mesh->triangle(FaceId(f))) {
        bounds.add(x_t0_.positions[v.index()]);
        bounds.add(x_t1_.positions[v.index()]);
      }
      boxes[f] = bounds.box();
    }
  });
  const AabbTree tree(boxes, {.leaf_size = kLeafSize, .threads = threads});
  nodes_.assign(tree.nodes().size(), {});
  leaves_.clear();
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].first = tree.node(i).first;
    nodes_[i].count = tree.node(i).count;
    if (i != 1 && nodes_[i].is_leaf()) leaves_.push_back(i);
  }
  faces_.resize(tree.order().size(), 3);
  for (std::size_t p = 0; p < faces_.size(); ++p) faces_.set_id(p, tree.order()[p]);
  list_features(body);
  list_corners(body);
  refit(threads, 0, x_t0_.positions, margin);
  refit(threads, 1, x_t1_.positions, margin);
  built_area_ = total_area();
}

void TwoEndTree::list_features(const SweptBody& body) {
  const MeshTopology& topology = *body.topology;
  first_vertex_.assign(faces_.size() + 1, 0);
  first_edge_.assign(faces_.size() + 1, 0);
  for (std::uint32_t p = 0; p < faces_.size(); ++p) {
    const std::uint8_t owned = topology.owned_features(FaceId(faces_.id(p)));
    first_vertex_[p + 1] = first_vertex_[p] + static_cast<std::uint32_t>(__builtin_popcount(owned & 7u));
    first_edge_[p + 1] = first_edge_[p] + static_cast<std::uint32_t>(__builtin_popcount(owned >> 3));
  }
  vertices_.resize(first_vertex_.back(), 1);
  edges_.resize(first_edge_.back(), 2);
  for (std::uint32_t p = 0; p < faces_.size(); ++p) {
    const FaceId face(faces_.id(p));
    std::uint32_t vertex = first_vertex_[p], edge = first_edge_[p];
    for (int i = 0; i < 3; ++i) {
      const auto corner = static_cast<std::size_t>(i);
      if (topology.owns_corner(face, i)) vertices_.set_id(vertex++, body.mesh->triangle(face)[corner].value);
      if (topology.owns_edge(face, i)) edges_.set_id(edge++, topology.face_edges(face)[corner].value);
    }
  }
}

void TwoEndTree::list_corners(const SweptBody& body) {
  identity_ = body.identity;
  for (std::uint32_t p = 0; p < vertices_.size(); ++p)
    vertices_.set_corner(0, p, body.corner(VertexId(vertices_.id(p))));
  for (std::uint32_t p = 0; p < edges_.size(); ++p) {
    const auto ends = body.ends(EdgeId(edges_.id(p)));
    for (int k = 0; k < 2; ++k) edges_.set_corner(k, p, ends[static_cast<std::size_t>(k)]);
  }
  for (std::uint32_t p = 0; p < faces_.size(); ++p) {
    const auto corners = body.corners(FaceId(faces_.id(p)));
    for (int k = 0; k < 3; ++k) faces_.set_corner(k, p, corners[static_cast<std::size_t>(k)]);
  }
}

void TwoEndTree::start_from_end() {
  for (TwoEndFeatures* features : {&vertices_, &edges_, &faces_}) features->start_from_end();
  for (TwoEndBox& node : nodes_) {
    for (int k = 0; k < 3; ++k) {
      node.lo_t0[k] = node.lo_t1[k];
      node.hi_t0[k] = node.hi_t1[k];
    }
  }
}

namespace {

void set_box(TwoEndBox& node, int end, const Aabb& box) {
  float* lo = end == 0 ? node.lo_t0 : node.lo_t1;
  float* hi = end == 0 ? node.hi_t0 : node.hi_t1;
  for (std::size_t k = 0; k < 3; ++k) {
    lo[k] = box.lo[k];
    hi[k] = box.hi[k];
  }
}

Aabb box_at(const TwoEndBox& node, int end) {
  const float* lo = end == 0 ? node.lo_t0 : node.lo_t1;
  const float* hi = end == 0 ? node.hi_t0 : node.hi_t1;
  return {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
}

}  // namespace

// Welded vertices lie at the same places, so that boxes may be taken by identity.
void TwoEndTree::fit_leaf(int end, const std::vector<AabbNode>& vertex_boxes, TwoEndBox& leaf) {
  const auto box_of = [&](const TwoEndFeatures& features, int corners, std::uint32_t p) {
    Aabb box = vertex_boxes[features.corner(0, p)].box();
    for (int k = 1; k < corners; ++k) box.add(vertex_boxes[features.corner(k, p)].box());
    return box;
  };
  const FeatureRange vertices = vertices_of(leaf), edges = edges_of(leaf), faces = faces_of(leaf);
  for (std::uint32_t p = vertices.first; p < vertices.last; ++p) vertices_.set_box(end, p, box_of(vertices_, 1, p));
  for (std::uint32_t p = edges.first; p < edges.last; ++p) edges_.set_box(end, p, box_of(edges_, 2, p));
  Aabb all;
  for (std::uint32_t p = faces.first; p < faces.last; ++p) {
    const Aabb box = box_of(faces_, 3, p);
    faces_.set_box(end, p, box);
    all.add(box);
  }
  set_box(leaf, end, all);
}

void TwoEndTree::refit(Threads threads, int end, std::span<const Vec3> positions, double margin) {
  vertex_boxes_.resize(positions.size());
  parallel_for(threads, positions.size(), 1 << 12, [&](std::size_t begin, std::size_t last) {
    for (std::size_t v = begin; v < last; ++v) {
      const Aabb box = Aabb::of(positions[v]);
      vertex_boxes_[v].set_box(margin > 0 ? grown(box, margin) : box);
    }
  });
  parallel_for(threads, leaves_.size(), 1 << 9, [&](std::size_t begin, std::size_t last) {
    for (std::size_t i = begin; i < last; ++i) fit_leaf(end, vertex_boxes_, nodes_[leaves_[i]]);
  });
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    TwoEndBox& node = nodes_[i];
    if (i == 1 || node.is_leaf()) continue;
    set_box(node, end, united(box_at(nodes_[node.first], end), box_at(nodes_[node.first + 1], end)));
  }
}

double TwoEndTree::total_area() const {
  double area = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (i == 1) continue;
    const double x = double{nodes_[i].hi_t1[0]} - double{nodes_[i].lo_t1[0]};
    const double y = double{nodes_[i].hi_t1[1]} - double{nodes_[i].lo_t1[1]};
    const double z = double{nodes_[i].hi_t1[2]} - double{nodes_[i].lo_t1[2]};
    area += x * y + y * z + z * x;
  }
  return area;
}

Aabb TwoEndTree::swept_box(std::uint32_t node) const {
  return empty() ? Aabb{} : united(box_at(nodes_[node], 0), box_at(nodes_[node], 1));
}

Region TwoEndTree::region(std::uint32_t node) const {
  if (empty()) return {};
  std::uint32_t left = node, right = node;
  while (!nodes_[left].is_leaf()) left = nodes_[left].first;
  while (!nodes_[right].is_leaf()) right = nodes_[right].first + 1;
  std::vector<FaceId> faces;
  for (std::uint32_t p = nodes_[left].first; p < nodes_[right].first + nodes_[right].count; ++p)
    faces.emplace_back(faces_.id(p));
  std::sort(faces.begin(), faces.end());
  return region_of(std::move(faces), swept_box(node));
}

std::size_t TwoEndTree::bytes() const {
  return nodes_.size() * sizeof(TwoEndBox) + leaves_.size() * sizeof(std::uint32_t) + vertices_.bytes() +
         edges_.bytes() + faces_.bytes() + vertex_boxes_.size() * sizeof(AabbNode) +
         (first_vertex_.size() + first_edge_.size()) * sizeof(std::uint32_t);
}

}  // namespace pliant::kinetic
