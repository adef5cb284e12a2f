#include "pliant/detect/anytime/anytime_body.h"

#include <algorithm>

namespace pliant {
namespace {

// So much of each kind of work takes about a microsecond.
constexpr std::uint32_t kVerticesPerStep = 256;
constexpr std::uint32_t kLeavesPerStep = 16;
constexpr std::uint32_t kNodesPerStep = 4;
constexpr std::uint32_t kStepTime = 400;  // ns

}  // namespace

AnytimeBody::AnytimeBody(MeshPtr mesh, const AnytimeBodySettings& settings)
    : mesh_(std::move(mesh)),
      settings_(settings),
      builder_(std::make_unique<WideTreeBuilder>(*mesh_, settings.leaf_size)) {
  if (settings.self) fans_ = VertexFans(*mesh_, settings.weld);
}

void AnytimeBody::place(const Motion& motion, double time) {
  motion_ = &motion;
  time_ = time;
  if (place_embedded(motion, time)) return;
  std::optional<Frame> stored = motion.stored_frame_at(time);
  const Frame frame = stored ? *std::move(stored) : motion.positions_at(time);
  if (!embedded_ && frame.stamp() == frame_.stamp()) return;
  embedded_ = false;
  frame_ = frame;
  positions_ = frame_.positions();
  fit_ = frame_.known_finite() ? Fit::leaves : Fit::look;
  fit_next_ = 0;
  ++epoch_;
  fans_.forget();
}

// False if the motion is not embedded, or asked for between its frames, where dense positions are linear in time and
// not a function of coarse ones.
bool AnytimeBody::place_embedded(const Motion& motion, double time) {
  const EmbeddedIn* const in = motion.embedded_in();
  if (!in) return false;
  const std::optional<Frame> coarse = in->coarse.stored_frame_at(time);
  if (!coarse) return false;
  if (embedded_ && coarse->stamp() == frame_.stamp() && boxes_ && boxes_->is_for(*in)) return true;
  if (!boxes_ || !boxes_->is_for(*in)) boxes_ = std::make_unique<EmbeddedBoxes>(tree_, *mesh_, *in);
  boxes_->place(coarse->positions(), motion, time);
  embedded_ = true;
  frame_ = *coarse;
  fit_ = Fit::plan;
  ++epoch_;
  fans_.forget();
  return true;
}

void AnytimeBody::go_on_planning() {
  if (boxes_->step()) return;
  positions_ = boxes_->positions();
  if (node_epoch_.size() < tree_.nodes.size()) node_epoch_.resize(tree_.nodes.size());
  tree_.nodes[0].boxes.set(0, boxes_->whole_box());
  node_epoch_[0] = epoch_;
  fit_ = Fit::done;
  find_points();
}

void AnytimeBody::find_points() {
  const NodeVertices* const own = embedded_ ? boxes_->node_vertices() : nullptr;
  points_ = own ? own->positions() : positions_;
  corners_ = own ? own->corners() : std::span<const Triangle>(tree_.corners);
}

void AnytimeBody::fit_children(std::uint32_t node) {
  boxes_->fit(node, box(tree_.parent[node]), tree_.nodes[node].boxes);
  node_epoch_[node] = epoch_;
}

bool AnytimeBody::build_step() {
  if (!builder_) return false;
  if (builder_->step()) return true;
  if (!fans_.done() && fans_.step()) return true;
  tree_ = builder_->take();
  const std::uint32_t leaves = tree_.leaf_count();
  leaf_boxes_.reserve(leaves);
  face_boxes_.reset(new WideBoxes[leaves]);  // not cleared
  face_boxes_of_.assign(leaves, 0);
  spent_ = std::move(builder_);
  return false;
}

void AnytimeBody::look_at_positions() {
  const auto count = static_cast<std::uint32_t>(positions_.size());
  const std::uint32_t last = std::min(count, fit_next_ + kVerticesPerStep);
  // The motion reads the whole frame and throws, naming frame and vertex.
  if (frame_.first_not_finite(fit_next_, last)) (void)motion_->positions_at(time_);
  fit_next_ = last;
  if (last < count) return;
  fit_ = Fit::leaves;
  fit_next_ = 0;
}

void AnytimeBody::fit_leaves() {
  const std::uint32_t last = std::min(tree_.leaf_count(), fit_next_ + kLeavesPerStep);
  if (leaf_boxes_.size() < last) leaf_boxes_.resize(last);
  if (fit_next_ < last) {
    const leaf_fit::Leaves leaves{&tree_.fits[fit_next_], tree_.fits.data() + last, tree_.vertices.data(),
                                  tree_.vertices.data() + tree_.leaves[fit_next_].vertices};
    const double* const x = positions_.data()->data();
    leaf_fit::kernels().fit_leaves(leaves, {x, x, positions_.size() <= leaf_fit::kFewVertices},
                                   {leaf_boxes_[0].words, 8});
  }
  fit_next_ = last;
  if (last < tree_.leaf_count()) return;
  fit_ = Fit::inner;
  fit_next_ = static_cast<std::uint32_t>(tree_.nodes.size());
}

void AnytimeBody::fit_inner() {
  const std::uint32_t last = fit_next_ - std::min(fit_next_, kNodesPerStep);
  while (fit_next_ > last) {
    WideNode& node = tree_.nodes[--fit_next_];
    for (std::uint32_t lane = 0; lane < WideBoxes::kLanes; ++lane) {
      const WideChild child = node.child[lane];
      if (child.nothing()) break;
      Aabb box;
      if (child.is_leaf()) {
        const float* const words = leaf_boxes_[child.index()].words;
        box = {{words[0], words[1], words[2]}, {words[4], words[5], words[6]}};
      } else {
        float ends[6];
        kernels_.unite(&tree_.nodes[child.index()].boxes.lo[0][0], ends);
        box = {{ends[0], ends[1], ends[2]}, {ends[3], ends[4], ends[5]}};
      }
      node.boxes.set(lane, box);
    }
  }
  if (fit_next_ > 0) return;
  fit_ = Fit::done;
  find_points();
}

void AnytimeBody::fit_step() {
  if (fit_ == Fit::look) look_at_positions();
  else if (fit_ == Fit::leaves) fit_leaves();
  else if (fit_ == Fit::plan) go_on_planning();
  else fit_inner();
}

bool AnytimeBody::fit(Pace& pace) {
  while (fit_ != Fit::done) {
    if (!pace.spend()) return false;
    fit_step();
    if (!pace.worked(kStepTime)) return fit_ == Fit::done;
  }
  return true;
}

Aabb AnytimeBody::outline() const {
  if (mesh_->face_count() == 0) return {};
  if (ready()) return box(WideRef{});
  constexpr float kFar = Aabb::kInf;
  const auto& bounds = frame_.bounds();
  if (!bounds || embedded_) return {{-kFar, -kFar, -kFar}, {kFar, kFar, kFar}};
  return united(Aabb::of((*bounds)[0]), Aabb::of((*bounds)[1]));
}

const WideBoxes& AnytimeBody::face_boxes(std::uint32_t leaf) {
  WideBoxes& boxes = face_boxes_[leaf];
  if (face_boxes_of_[leaf] == epoch_) return boxes;
  if (embedded_) need_leaf(leaf);
  static_assert(sizeof(Triangle) == 3 * sizeof(std::uint32_t));
  const auto triangles = corners_.subspan(tree_.leaves[leaf].first, tree_.leaves[leaf].count);
  kernels_.fit_faces(points_.data()->data(), &triangles[0][0].value, static_cast<std::uint32_t>(triangles.size()),
                     &boxes.lo[0][0]);
  face_boxes_of_[leaf] = epoch_;
  return boxes;
}

void AnytimeBody::prefetch_leaf(std::uint32_t leaf) const {
  __builtin_prefetch(&face_boxes_of_[leaf]);
  const char* const boxes = reinterpret_cast<const char*>(&face_boxes_[leaf]);
  for (std::size_t line = 0; line < sizeof(WideBoxes); line += 64) __builtin_prefetch(boxes + line);
  const WideTree::Leaf& at = tree_.leaves[leaf];
  __builtin_prefetch(&corners_[at.first]);
  __builtin_prefetch(&tree_.vertices[at.vertices]);
}

void AnytimeBody::prefetch_vertices(std::uint32_t leaf) const {
  if (face_boxes_of_[leaf] == epoch_) return;
  if (embedded_ && boxes_->node_vertices()) return boxes_->node_vertices()->prefetch_leaf(leaf);
  const double* const x = positions_.data()->data();
  for (const std::uint32_t v : vertices(leaf)) {
    __builtin_prefetch(x + v);
    if (embedded_) boxes_->prefetch(VertexId(v / 3));
  }
}

void AnytimeBody::need_leaf(std::uint32_t leaf) {
  if (NodeVertices* const own = boxes_->node_vertices()) return own->need_leaf(leaf);
  for (const std::uint32_t v : vertices(leaf)) boxes_->need(VertexId(v / 3));
}

void AnytimeBody::need(VertexId v) {
  if (embedded_) boxes_->need(v);
}

Triangle AnytimeBody::corners(std::uint32_t slot) {
  Triangle t = tree_.corners[slot];
  for (VertexId& v : t) v = fans_.identity(v, positions_, [this](VertexId u) { need(u); });
  return t;
}

bool AnytimeBody::clear(VertexId v) {
  return fans_.clear(v, positions_, [this](VertexId u) { need(u); });
}

std::size_t AnytimeBody::bytes() const {
  return tree_.bytes() + fans_.bytes() + (boxes_ ? boxes_->bytes() : 0) + leaf_boxes_.size() * sizeof(LeafBox) +
         face_boxes_of_.size() * (sizeof(WideBoxes) + sizeof(std::uint32_t));
}

}  // namespace pliant
