#include "pliant/detect/kinetic/two_end_tree.h"

#include <algorithm>

namespace pliant::kinetic {
namespace {

// A node's two boxes, eight words each (bounds/leaf_fit.h).
constexpr std::size_t kHalf = 8;
constexpr std::size_t kStride = sizeof(TwoEndBox) / sizeof(float);
static_assert(kStride == 2 * kHalf);

}  // namespace

void TwoEndTree::change_mesh(std::vector<FaceId> old_face) {
  if (old_face_)
    for (FaceId& face : old_face)
      face = face.valid() && face.index() < old_face_->size() ? (*old_face_)[face.index()] : FaceId{};
  old_face_ = std::move(old_face);
}

bool TwoEndTree::adopt(const SweptBody& body) {
  if (!old_face_) return false;
  const bool suits = swept_.adopt(body, *old_face_);
  if (!suits) swept_ = SweptTree(settings_);
  old_face_.reset();
  return suits;
}

bool TwoEndTree::fit(Threads threads, const SweptBody& body, double min_separation) {
  if (body.mesh->face_count() == 0) return false;
  const bool adopted = adopt(body);
  const bool anew = swept_.fit(threads, body, {min_separation, 1});
  if (anew || adopted) copy_nodes(body);
  const bool valid = !anew && !adopted && min_separation_ == min_separation;
  const bool kept_t0 = valid && x_t0_ == body.x_t0.stamp();
  const bool kept_t1 = valid && x_t1_ == body.x_t1.stamp();
  const bool from_end = valid && !kept_t0 && x_t1_ == body.x_t0.stamp();
  x_t0_ = body.x_t0.stamp();
  x_t1_ = body.x_t1.stamp();
  min_separation_ = min_separation;
  const double margin = 0.5 * min_separation;
  if (from_end) start_from_end();
  else if (!kept_t0) refit(threads, 0, body.x_t0.positions(), margin);
  if (from_end || !kept_t1) refit(threads, 1, body.x_t1.positions(), margin);
  return anew;
}

void TwoEndTree::copy_nodes(const SweptBody& body) {
  const AabbTree& tree = swept_.tree();
  nodes_.assign(tree.nodes().size(), {});
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].first = nodes_[i].first_too = tree.node(i).first;
    nodes_[i].count = nodes_[i].count_too = tree.node(i).count;
  }
  leaves_ = LeafVertices(tree, *body.mesh);
}

void TwoEndTree::start_from_end() {
  float* words = nodes_.data()->lo_t0;
  for (std::size_t i = 0; i < nodes_.size(); ++i, words += kStride) std::copy_n(words + kHalf, kHalf, words);
}

void TwoEndTree::refit(Threads threads, int end, std::span<const Vec3> positions, double margin) {
  const leaf_fit::Nodes nodes{end == 0 ? nodes_.data()->lo_t0 : nodes_.data()->lo_t1, kStride};
  const auto fit_slice = [&](std::size_t slice) {
    leaves_.fit_slice(static_cast<std::uint32_t>(slice), {positions, positions}, nodes, margin);
  };
  const std::uint32_t last = leaves_.slice_count() - 1;
  run_chunks(threads, last, fit_slice);
  fit_slice(last);
}

Aabb TwoEndTree::swept_box(std::uint32_t node) const {
  if (empty()) return {};
  const TwoEndBox& box = nodes_[node];
  const auto bounds = [](const float* k) { return std::array{k[0], k[1], k[2]}; };
  return united({bounds(box.lo_t0), bounds(box.hi_t0)}, {bounds(box.lo_t1), bounds(box.hi_t1)});
}

Region TwoEndTree::region(std::uint32_t node) const {
  if (empty()) return {};
  const auto [first, last] = swept_.tree().range_below(node);
  std::vector<FaceId> faces;
  for (std::uint32_t p = first; p < last; ++p) faces.emplace_back(swept_.tree().order()[p]);
  std::sort(faces.begin(), faces.end());
  return region_of(std::move(faces), swept_box(node));
}

std::size_t TwoEndTree::bytes() const { return swept_.bytes() + nodes_.size() * sizeof(TwoEndBox) + leaves_.bytes(); }

}  // namespace pliant::kinetic
