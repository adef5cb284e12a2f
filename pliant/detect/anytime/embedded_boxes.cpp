#include "pliant/detect/anytime/embedded_boxes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "pliant/core/error.h"

namespace pliant {
namespace {

constexpr std::uint32_t kMostVertices = 32;
// So much of each kind of work takes about a microsecond.
constexpr std::uint32_t kClearedPerStep = 256;
constexpr std::uint32_t kRunsPerStep = 32;
constexpr std::uint32_t kPlannedPerStep = 64;
constexpr std::uint32_t kReadPerStep = 256;
// Every formula here is a sum of at most eight products: this many roundings of its largest terms cover it.
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();

double largest_of(const Vec3& p) { return std::max({std::abs(p.x()), std::abs(p.y()), std::abs(p.z())}); }

Aabb box_around(const Vec3& low, const Vec3& high, double margin) {
  const Vec3 out = Vec3::Constant(margin);
  return united(Aabb::of(low - out), Aabb::of(high + out));
}

// How far outside of its tetrahedron a vertex can be: times the size of that.
double reach_of(const BarycentricEmbedding::Anchor& anchor) {
  double negative = 0;
  for (const double w : anchor.weights) negative -= std::min(0.0, w);
  return negative;
}

// 1, unless squares of float could overflow or vanish.
double scale_for(double largest) {
  if (largest == 0 || (largest > 0x1p-30 && largest < 0x1p30)) return 1;
  return std::ldexp(1.0, std::min(1000, -std::ilogb(largest)));
}
// What is scaled and still smaller is taken as that large, so that margins do not vanish.
constexpr float kSmallest = 0x1p-40f;

}  // namespace

EmbeddedBoxes::EmbeddedBoxes(const WideTree& tree, const TriangleMesh& mesh, const EmbeddedIn& in)
    : tree_(tree), mesh_(mesh), links_(in.links), barycentric_(in.barycentric) {}

// Room is asked for and not touched: the system gives it page by page.
void EmbeddedBoxes::reserve() {
  const std::size_t vertices = mesh_.vertex_count(), lanes = 8 * tree_.nodes.size() + 1;
  positions_.reserve(vertices);
  placed_.reserve(vertices);
  seen_vertex_.reserve(vertices);
  found_vertices_.reserve(vertices);
  lanes_.reserve(lanes);
  faces_.reserve(lanes);
  if (barycentric_) {
    fitter_ = std::make_unique<TetPatchFitter>(*barycentric_);
    node_vertices_ = std::make_unique<NodeVertices>(tree_, mesh_, *barycentric_);
    node_vertices_->place(coarse_);
    cage_.positions.reserve(barycentric_->coarse_count());
    constexpr std::size_t kPatchesPerLane = 8;  // more than there ever were
    patches_.reserve(kPatchesPerLane * lanes);
  } else {
    reach_.reserve(lanes);
    seen_coarse_.reserve(links_->coarse_count());
    framed_.reserve(links_->triples().size());
    frames_.reserve(links_->triples().size());
  }
}

bool EmbeddedBoxes::step() {
  if (phase_ == Phase::clear) clear();
  else if (phase_ == Phase::faces) find_faces();
  else if (phase_ == Phase::done) read_coarse();
  else if (phase_ == Phase::vertices) phase_ = node_vertices_->step() ? Phase::vertices : Phase::done;
  else
    for (std::uint32_t done = 0; done < kPlannedPerStep && phase_ < Phase::vertices;)
      done += plan(kPlannedPerStep - done);
  return phase_ != Phase::done || read_ < coarse_.size();
}

// ---- the plan ----

void EmbeddedBoxes::clear() {
  if (next_ == 0) reserve();
  const auto vertices = static_cast<std::uint32_t>(mesh_.vertex_count());
  const auto lanes = static_cast<std::uint32_t>(8 * tree_.nodes.size() + 1);
  const std::size_t cells = links_ ? links_->triples().size() : barycentric_->tets().size();
  const std::size_t coarse = links_ ? links_->coarse_count() : barycentric_->coarse_count();
  const auto most = static_cast<std::uint32_t>(std::max<std::size_t>({vertices, lanes, cells, coarse}));
  const std::uint32_t last = std::min(next_ + kClearedPerStep, most);
  const auto grow = [&](auto& list, std::size_t size) {
    if (list.size() < size) list.resize(std::min<std::size_t>(last, size));
  };
  for (std::uint32_t v = next_; v < std::min(last, vertices); ++v) {
    rest_size_ = std::max(rest_size_, largest_of(mesh_.position(VertexId(v))));
    const double reach = links_ ? links_->links()[v].offset.norm() : reach_of(barycentric_->anchors()[v]);
    whole_reach_ = std::max(whole_reach_, reach);
  }
  grow(positions_, vertices);
  grow(placed_, vertices);
  grow(seen_vertex_, vertices);
  grow(lanes_, lanes);
  grow(faces_, lanes);
  if (barycentric_) {
    fitter_->grow(last);
    grow(cage_.positions, coarse);
  } else {
    grow(reach_, lanes);
    grow(seen_coarse_, coarse);
    grow(framed_, cells);
    grow(frames_, cells);
  }
  next_ = last;
  if (last < most) return;
  next_ = static_cast<std::uint32_t>(tree_.nodes.size());
  phase_ = Phase::faces;
}

// Which are below each lane: children stand behind their parents, and what is below a node is one run.
void EmbeddedBoxes::find_faces() {
  for (std::uint32_t done = 0; next_ > 0 && done < kRunsPerStep; ++done) {
    const std::uint32_t node = --next_;
    for (std::uint32_t l = 0; l < WideBoxes::kLanes; ++l) {
      const WideChild child = tree_.nodes[node].child[l];
      if (child.nothing()) break;
      Faces& lane = faces_[WideRef::of(node, l).bits];
      if (child.is_leaf()) {
        lane = {tree_.leaves[child.index()].first, tree_.leaves[child.index()].count};
        continue;
      }
      lane = {std::numeric_limits<std::uint32_t>::max(), 0};
      for (std::uint32_t k = 0; k < WideBoxes::kLanes && !tree_.nodes[child.index()].child[k].nothing(); ++k) {
        const Faces& below = faces_[WideRef::of(child.index(), k).bits];
        lane.first_slot = std::min(lane.first_slot, below.first_slot);
        lane.count += below.count;
      }
    }
  }
  if (next_ > 0) return;
  faces_[0] = {};  // the whole body needs none
  slot_ = 0;
  phase_ = Phase::see;
}

std::uint32_t EmbeddedBoxes::plan(std::uint32_t most) {
  return phase_ == Phase::see ? see_faces(most) : fit_patches(most);
}

std::uint32_t EmbeddedBoxes::see_faces(std::uint32_t most) {
  if (slot_ == 0) {
    found_vertices_.clear();
    found_coarse_.clear();
    found_reach_ = 0;
    if (fitter_) fitter_->start();
  }
  const bool by_vertices = barycentric_ && tree_.has({next_}) && tree_.child({next_}).is_leaf();
  const Faces faces = by_vertices ? Faces{} : faces_[next_];
  const std::uint32_t first = slot_, last = std::min(faces.count, first + most);
  for (; slot_ < last; ++slot_)
    for (const VertexId v : mesh_.triangle(FaceId(tree_.order[faces.first_slot + slot_]))) see(v);
  if (slot_ == faces.count) {
    slot_ = 0;
    if (faces.count == 0) keep_lane();
    else if (links_) keep_links_lane();
    else phase_ = Phase::turn;
  }
  return 1 + last - first;
}

void EmbeddedBoxes::see(VertexId v) {
  if (seen_vertex_[v.index()] == next_ + 1) return;
  seen_vertex_[v.index()] = next_ + 1;
  found_vertices_.push_back(v.value);
  if (fitter_) return fitter_->see(v);
  const RigidLink& link = links_->links()[v.index()];
  for (const VertexId q : links_->triples()[link.triple]) see_coarse(q);
  found_reach_ = std::max(found_reach_, link.offset.norm());
}

void EmbeddedBoxes::see_coarse(VertexId v) {
  if (seen_coarse_[v.index()] == next_ + 1) return;
  seen_coarse_[v.index()] = next_ + 1;
  found_coarse_.push_back(v.value);
}

std::uint32_t EmbeddedBoxes::fit_patches(std::uint32_t most) {
  const bool by_cell = phase_ == Phase::turn || phase_ == Phase::keep;
  const auto all = static_cast<std::uint32_t>(by_cell ? fitter_->cell_count() : found_vertices_.size());
  const std::uint32_t first = slot_, last = std::min(all, first + most);
  for (; slot_ < last; ++slot_) {
    if (phase_ == Phase::turn) fitter_->turn(slot_);
    else if (phase_ == Phase::measure) fitter_->measure(VertexId(found_vertices_[slot_]));
    else if (phase_ == Phase::outline) fitter_->outline(VertexId(found_vertices_[slot_]));
    else fitter_->add_patches(slot_, patches_);
  }
  if (slot_ == all) {
    slot_ = 0;
    if (phase_ == Phase::keep) {
      lanes_[next_].count = static_cast<std::uint32_t>(patches_.size()) - lanes_[next_].first;
      keep_lane();
    } else {
      phase_ = static_cast<Phase>(static_cast<int>(phase_) + 1);
    }
  }
  constexpr std::uint32_t kCell = 8;  // turning one takes as long as that many vertices
  return (by_cell ? kCell : 1) * (last - first);
}

void EmbeddedBoxes::keep_links_lane() {
  const bool few = found_vertices_.size() <= kMostVertices;
  std::vector<std::uint32_t>& list = few ? vertices_ : coarse_vertices_;
  const std::vector<std::uint32_t>& found = few ? found_vertices_ : found_coarse_;
  reach_[next_] = few ? -1 : found_reach_;
  lanes_[next_] = {static_cast<std::uint32_t>(list.size()), static_cast<std::uint32_t>(found.size())};
  list.insert(list.end(), found.begin(), found.end());
  keep_lane();
}

// The patches of the next lane begin where these end.
void EmbeddedBoxes::keep_lane() {
  phase_ = Phase::see;
  if (++next_ < lanes_.size()) lanes_[next_].first = static_cast<std::uint32_t>(patches_.size());
  if (next_ + 1 < lanes_.size()) return;
  phase_ = barycentric_ ? Phase::vertices : Phase::done;
  seen_vertex_ = seen_coarse_ = found_vertices_ = {};
  faces_ = {};
  fitter_.reset();
}

// ---- one frame ----

void EmbeddedBoxes::place(std::span<const Vec3> coarse, Motion dense, double time) {
  coarse_ = coarse;
  read_ = 0;
  dense_ = std::move(dense);
  time_ = time;
  all_.reset();
  ++epoch_;
  if (node_vertices_) node_vertices_->place(coarse);
}

void EmbeddedBoxes::read_coarse() {
  const auto count = static_cast<std::uint32_t>(coarse_.size());
  const std::uint32_t last = std::min(count, read_ + kReadPerStep);
  if (read_ == 0) low_ = high_ = coarse_[0];
  for (std::uint32_t i = read_; i < last; ++i) {
    const Vec3& q = coarse_[i];
    if (!q.allFinite())
      throw Error(ErrorPlace{.element = "coarse vertex " + std::to_string(i)}, "a coordinate is not a finite number",
                  "leave the body where it was, or repair the positions");
    low_ = low_.cwiseMin(q);
    high_ = high_.cwiseMax(q);
    if (barycentric_) {
      const auto scaled = [&](int k) { return static_cast<float>(q[k] * cage_.scale); };
      cage_.positions[i] = simd::Float4{scaled(0), scaled(1), scaled(2), 0};
    }
  }
  read_ = last;
  if (last < count || !barycentric_) return;
  const double largest = std::max(largest_of(low_), largest_of(high_));
  if (cage_.scale != scale_for(largest)) {  // once more
    cage_.scale = scale_for(largest);
    read_ = 0;
  }
  cage_.largest = std::max(round_up(largest * cage_.scale), kSmallest);
}

void EmbeddedBoxes::evaluate(VertexId v) {
  placed_[v.index()] = epoch_;
  Vec3& p = positions_[v.index()];
  if (barycentric_) {
    const BarycentricEmbedding::Anchor& anchor = barycentric_->anchors()[v.index()];
    const Tet& tet = barycentric_->tets()[anchor.tet.index()];
    Vec3 sum = Vec3::Zero();  // not in place: every step would wait for the one before to be written
    for (std::size_t i = 0; i < 4; ++i) sum += anchor.weights[i] * coarse_[tet[i].index()];
    p = sum;
    return;
  }
  const std::uint32_t triple = links_->links()[v.index()].triple;
  if (framed_[triple] != epoch_) {
    framed_[triple] = epoch_;
    frames_[triple] = links_->frame_at(triple, coarse_);
  }
  if (frames_[triple]) {
    p = links_->position(v, coarse_, *frames_[triple]);
    return;
  }
  // A triple that has collapsed depends on frames before.
  if (!all_) all_ = dense_->positions_at(time_);
  p = all_->positions()[v.index()];
}

Aabb EmbeddedBoxes::patches_box(const Lane& lane) const {
  return real_box(box_of(std::span(patches_).subspan(lane.first, lane.count), cage_, barycentric_->tets()));
}

Aabb EmbeddedBoxes::real_box(const Aabb& box) const {
  if (cage_.scale == 1) return box;
  const auto real = [&](const std::array<float, 3>& x) { return Vec3(Vec3(x[0], x[1], x[2]) / cage_.scale); };
  return box_around(real(box.lo), real(box.hi), 0);
}

Aabb EmbeddedBoxes::vertices_box(const Lane& lane) {
  PointBounds bounds;
  for (std::uint32_t i = lane.first; i < lane.first + lane.count; ++i) {
    need(VertexId(vertices_[i]));
    bounds.add(positions_[vertices_[i]]);
  }
  return bounds.box();
}

Aabb EmbeddedBoxes::hull_box(const Lane& lane, double reach) const {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (std::uint32_t i = lane.first; i < lane.first + lane.count; ++i) {
    const Vec3& q = coarse_[coarse_vertices_[i]];
    low = low.cwiseMin(q);
    high = high.cwiseMax(q);
  }
  const double size = std::max(largest_of(low), largest_of(high));
  return box_around(low, high, reach * (1 + 1e-12) + kRounding * (rest_size_ + size));
}

Aabb EmbeddedBoxes::whole_box() const {
  const double size = std::max(largest_of(low_), largest_of(high_));
  const double out = links_ ? whole_reach_ * (1 + 1e-12) : whole_reach_ * (high_ - low_).maxCoeff();
  return box_around(low_, high_, out + kRounding * (rest_size_ + (1 + whole_reach_) * size));
}

void EmbeddedBoxes::fit(std::uint32_t node, const Aabb& around, WideBoxes& boxes) {
  const bool by_vertices = node_vertices_ && node_vertices_->count(node) > 0;
  if (by_vertices) node_vertices_->fit_leaves(node, cage_, boxes);
  for (std::uint32_t l = 0; l < WideBoxes::kLanes && !tree_.nodes[node].child[l].nothing(); ++l) {
    if (by_vertices && tree_.nodes[node].child[l].is_leaf()) {
      if (cage_.scale != 1) boxes.set(l, real_box(boxes.box(l)));
      continue;
    }
    const std::uint32_t number = WideRef::of(node, l).bits;
    const Lane& lane = lanes_[number];
    boxes.set(l, barycentric_         ? patches_box(lane)
                 : reach_[number] < 0 ? vertices_box(lane)
                                      : hull_box(lane, reach_[number]));
  }
  // Lanes that are not used stay empty.
  for (std::size_t i = 0; i < 3; ++i)
    for (std::uint32_t l = 0; l < WideBoxes::kLanes; ++l) {
      boxes.lo[i][l] = std::max(boxes.lo[i][l], around.lo[i]);
      boxes.hi[i][l] = std::min(boxes.hi[i][l], around.hi[i]);
    }
}

void EmbeddedBoxes::prefetch(std::uint32_t node) const {
  if (!barycentric_) return;
  node_vertices_->prefetch(node);
  constexpr std::uint32_t kMost = 32;  // more would push out each other
  const std::uint32_t first = lanes_[8 * node].first, last = lanes_[8 * (node + 1)].first;
  for (std::uint32_t i = first; i < std::min(last, first + kMost); ++i) {
    __builtin_prefetch(&patches_[i]);
    __builtin_prefetch(&patches_[i].thick);
  }
}

std::uint32_t EmbeddedBoxes::time_to_fit(std::uint32_t node) const {
  constexpr std::uint32_t kNode = 60, kPatch = 10, kPut = 3, kVertex = 8, kCoarse = 3;  // ns
  if (barycentric_)
    return kNode + kPatch * (lanes_[8 * (node + 1)].first - lanes_[8 * node].first) +
           kPut * node_vertices_->count(node);
  std::uint32_t sum = kNode;
  for (std::uint32_t i = 8 * node; i < 8 * (node + 1); ++i)
    sum += (reach_[i] < 0 ? kVertex : kCoarse) * lanes_[i].count;
  return sum;
}

std::size_t EmbeddedBoxes::bytes() const {
  return lanes_.size() * sizeof(Lane) + patches_.size() * sizeof(TetPatch) + reach_.size() * sizeof(double) +
         (vertices_.size() + coarse_vertices_.size() + placed_.size() + framed_.size()) * sizeof(std::uint32_t) +
         (node_vertices_ ? node_vertices_->bytes() : 0) + positions_.size() * sizeof(Vec3) +
         frames_.size() * sizeof(frames_[0]);
}

}  // namespace pliant
