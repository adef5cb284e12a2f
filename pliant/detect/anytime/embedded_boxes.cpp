#include "pliant/detect/anytime/embedded_boxes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr std::uint32_t kMostVertices = 32;
constexpr std::size_t kMostCells = 8;
constexpr std::uint32_t kClearedPerStep = 2048;
constexpr std::uint32_t kRangesPerStep = 32;
constexpr std::uint32_t kSlotsPerStep = 64;
// Every formula here is a sum of at most eight products: this many roundings of its largest terms cover it.
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();

double largest_of(const Vec3& p) { return std::max({std::abs(p.x()), std::abs(p.y()), std::abs(p.z())}); }

Aabb box_around(const Vec3& low, const Vec3& high, double margin) {
  const Vec3 out = Vec3::Constant(margin);
  return united(Aabb::of(low - out), Aabb::of(high + out));
}

}  // namespace

EmbeddedBoxes::EmbeddedBoxes(const WideTree& tree, const TriangleMesh& mesh, const EmbeddedIn& in)
    : tree_(tree), mesh_(mesh), links_(in.links), barycentric_(in.barycentric) {
  const std::size_t vertices = mesh.vertex_count();
  positions_.reserve(vertices);
  placed_.reserve(vertices);
  seen_vertex_.reserve(vertices);
  lanes_.reserve(8 * tree.nodes.size());
}

bool EmbeddedBoxes::step() {
  if (phase_ == Phase::clear) clear_step();
  else if (phase_ == Phase::ranges) ranges_step();
  else if (phase_ == Phase::lanes) lanes_step();
  return phase_ != Phase::done;
}

void EmbeddedBoxes::clear_step() {
  const auto vertices = static_cast<std::uint32_t>(mesh_.vertex_count());
  const auto lanes = static_cast<std::uint32_t>(8 * tree_.nodes.size());
  const std::size_t cells = links_ ? links_->triples().size() : barycentric_->tets().size();
  const std::size_t coarse = links_ ? links_->coarse_count() : barycentric_->coarse_count();
  const auto most = static_cast<std::uint32_t>(std::max<std::size_t>({vertices, lanes, cells, coarse}));
  const std::uint32_t last = std::min(next_ + kClearedPerStep, most);
  const auto grow = [&](auto& list, std::size_t size) {
    if (list.size() < size) list.resize(std::min<std::size_t>(last, size));
  };
  for (std::uint32_t v = next_; v < std::min(last, vertices); ++v)
    rest_size_ = std::max(rest_size_, largest_of(mesh_.position(VertexId(v))));
  grow(positions_, vertices);
  grow(placed_, vertices);
  grow(seen_vertex_, vertices);
  grow(lanes_, lanes);
  grow(seen_cell_, cells);
  grow(cell_slot_, cells);
  grow(seen_coarse_, coarse);
  if (links_) {
    grow(framed_, cells);
    grow(frames_, cells);
  }
  next_ = last;
  if (last < most) return;
  next_ = static_cast<std::uint32_t>(tree_.nodes.size());
  phase_ = Phase::ranges;
}

// Which faces are below each lane: children stand behind their parents, and what is below a node is one run.
void EmbeddedBoxes::ranges_step() {
  for (std::uint32_t done = 0; next_ > 0 && done < kRangesPerStep; ++done) {
    const std::uint32_t node = --next_;
    for (std::uint32_t l = 0; l < WideBoxes::kLanes; ++l) {
      const WideChild child = tree_.nodes[node].child[l];
      if (child.nothing()) break;
      Lane& lane = lanes_[WideRef::of(node, l).bits];
      if (child.is_leaf()) {
        lane.first_slot = tree_.leaves[child.index()].first;
        lane.face_count = tree_.leaves[child.index()].count;
        continue;
      }
      lane.first_slot = std::numeric_limits<std::uint32_t>::max();
      for (std::uint32_t k = 0; k < WideBoxes::kLanes && !tree_.nodes[child.index()].child[k].nothing(); ++k) {
        const Lane& below = lanes_[WideRef::of(child.index(), k).bits];
        lane.first_slot = std::min(lane.first_slot, below.first_slot);
        lane.face_count += below.face_count;
      }
    }
  }
  if (next_ > 0) return;
  slot_ = 0;
  phase_ = Phase::lanes;
}

void EmbeddedBoxes::see_coarse(VertexId v) {
  if (seen_coarse_[v.index()] == next_ + 1) return;
  seen_coarse_[v.index()] = next_ + 1;
  found_coarse_.push_back(v.value);
}

void EmbeddedBoxes::see_cell(std::uint32_t tet, const std::array<double, 4>& weights) {
  const Vec3 w(weights[1], weights[2], weights[3]);
  if (seen_cell_[tet] != next_ + 1) {
    seen_cell_[tet] = next_ + 1;
    cell_slot_[tet] = static_cast<std::uint32_t>(found_cells_.size());
    found_cells_.push_back({tet, w, w});
  }
  Cell& cell = found_cells_[cell_slot_[tet]];
  cell.low = cell.low.cwiseMin(w);
  cell.high = cell.high.cwiseMax(w);
}

void EmbeddedBoxes::see(VertexId v) {
  if (seen_vertex_[v.index()] == next_ + 1) return;
  seen_vertex_[v.index()] = next_ + 1;
  if (found_vertices_.size() <= kMostVertices) found_vertices_.push_back(v.value);
  if (links_) {
    const RigidLink& link = links_->links()[v.index()];
    for (const VertexId q : links_->triples()[link.triple]) see_coarse(q);
    found_reach_ = std::max(found_reach_, link.offset.norm());
    return;
  }
  const BarycentricEmbedding::Anchor& anchor = barycentric_->anchors()[v.index()];
  for (const VertexId q : barycentric_->tets()[anchor.tet.index()]) see_coarse(q);
  see_cell(anchor.tet.value, anchor.weights);
  double negative = 0;
  for (const double w : anchor.weights) negative -= std::min(0.0, w);
  found_reach_ = std::max(found_reach_, negative);
}

void EmbeddedBoxes::finish_lane(Lane& lane) {
  const auto put = [&lane](auto& list, const auto& found, Plan plan) {
    lane.plan = plan;
    lane.first = static_cast<std::uint32_t>(list.size());
    lane.count = static_cast<std::uint32_t>(found.size());
    list.insert(list.end(), found.begin(), found.end());
  };
  if (found_vertices_.size() <= kMostVertices) put(vertices_, found_vertices_, Plan::vertices);
  else if (barycentric_ && found_cells_.size() <= kMostCells) put(cells_, found_cells_, Plan::cells);
  else put(coarse_vertices_, found_coarse_, Plan::hull);
  lane.reach = found_reach_;
}

bool EmbeddedBoxes::next_lane() {
  found_vertices_.clear();
  found_cells_.clear();
  found_coarse_.clear();
  found_reach_ = 0;
  slot_ = 0;
  return ++next_ < lanes_.size();
}

void EmbeddedBoxes::lanes_step() {
  for (std::uint32_t looked = 0; looked < kSlotsPerStep;) {
    Lane& lane = lanes_[next_];
    for (; slot_ < lane.face_count && looked < kSlotsPerStep; ++slot_, ++looked)
      for (const VertexId v : mesh_.triangle(FaceId(tree_.order[lane.first_slot + slot_]))) see(v);
    if (slot_ < lane.face_count) return;
    if (lane.face_count > 0) finish_lane(lane);
    ++looked;
    if (next_lane()) continue;
    phase_ = Phase::done;
    seen_vertex_ = seen_coarse_ = seen_cell_ = cell_slot_ = {};
    return;
  }
}

void EmbeddedBoxes::place(std::span<const Vec3> coarse, Motion dense, double time) {
  coarse_ = coarse;
  dense_ = std::move(dense);
  time_ = time;
  all_.reset();
  ++epoch_;
}

void EmbeddedBoxes::evaluate(VertexId v) {
  placed_[v.index()] = epoch_;
  Vec3& p = positions_[v.index()];
  if (barycentric_) {
    const BarycentricEmbedding::Anchor& anchor = barycentric_->anchors()[v.index()];
    const Tet& tet = barycentric_->tets()[anchor.tet.index()];
    p = Vec3::Zero();
    for (std::size_t i = 0; i < 4; ++i) p += anchor.weights[i] * coarse_[tet[i].index()];
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

Aabb EmbeddedBoxes::cell_box(const Cell& cell) const {
  const Tet& tet = barycentric_->tets()[cell.tet];
  const Vec3& origin = coarse_[tet[0].index()];
  Vec3 middle = origin, half = Vec3::Zero();
  double largest = largest_of(origin);
  for (int k = 0; k < 3; ++k) {
    const Vec3& corner = coarse_[tet[static_cast<std::size_t>(k) + 1].index()];
    const Vec3 edge = corner - origin;
    middle += 0.5 * (cell.low[k] + cell.high[k]) * edge;
    half += 0.5 * (cell.high[k] - cell.low[k]) * edge.cwiseAbs();
    largest = std::max(largest, largest_of(corner));
  }
  const double weights = 2 + cell.low.cwiseAbs().maxCoeff() + cell.high.cwiseAbs().maxCoeff();
  return box_around(middle - half, middle + half, kRounding * weights * largest);
}

Aabb EmbeddedBoxes::box(WideRef ref, std::uint32_t& took) {
  const Lane& lane = lanes_[ref.bits];
  if (lane.plan == Plan::vertices) {
    took += 12 + 12 * lane.count;
    PointBounds bounds;
    for (std::uint32_t i = lane.first; i < lane.first + lane.count; ++i) {
      need(VertexId(vertices_[i]));
      bounds.add(positions_[vertices_[i]]);
    }
    return bounds.box();
  }
  if (lane.plan == Plan::cells) {
    took += 20 + 20 * lane.count;
    Aabb box;
    for (std::uint32_t i = lane.first; i < lane.first + lane.count; ++i) box.add(cell_box(cells_[i]));
    return box;
  }
  took += 20 + 4 * lane.count;
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (std::uint32_t i = lane.first; i < lane.first + lane.count; ++i) {
    const Vec3& q = coarse_[coarse_vertices_[i]];
    low = low.cwiseMin(q);
    high = high.cwiseMax(q);
  }
  const double size = std::max(largest_of(low), largest_of(high));
  const double rounding = kRounding * (rest_size_ + (1 + lane.reach) * size);
  const double out = links_ ? lane.reach * (1 + 1e-12) : lane.reach * (high - low).maxCoeff();
  return box_around(low, high, out + rounding);
}

std::size_t EmbeddedBoxes::bytes() const {
  return lanes_.size() * sizeof(Lane) + (vertices_.size() + coarse_vertices_.size() + placed_.size()) * 4 +
         cells_.size() * sizeof(Cell) + positions_.size() * sizeof(Vec3) + frames_.size() * sizeof(frames_[0]);
}

}  // namespace pliant
