#include "pliant/bounds/sphere_tree/sphere_follower.h"

#include <algorithm>
#include <array>
#include <utility>

#include "pliant/bounds/face_tree.h"
#include "pliant/bounds/sphere_tree/fit_rotation.h"
#include "pliant/motion/nearest_points.h"

namespace pliant {
namespace {

constexpr std::size_t kSamples = 16;  // points that tell how a node has turned
// Spheres around so many vertices, or coarse ones, are worth a shorter way.
constexpr std::size_t kMany = 256;
constexpr Aabb kEverything{{-Aabb::kInf, -Aabb::kInf, -Aabb::kInf}, {Aabb::kInf, Aabb::kInf, Aabb::kInf}};
constexpr double kUlps = 64 * std::numeric_limits<double>::epsilon();

// A few points before and after, from their means.
struct Poses {
  std::array<Vec3, kSamples> from;
  std::array<Vec3, kSamples> to;
  std::size_t count = 0;
  Vec3 mean_from = Vec3::Zero();
  Vec3 mean_to = Vec3::Zero();

  void add(const Vec3& before, const Vec3& after) {
    from[count] = before;
    to[count++] = after;
    mean_from += before;
    mean_to += after;
  }
  Eigen::Matrix3d rotation() {
    mean_from /= static_cast<double>(count);
    mean_to /= static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
      from[i] -= mean_from;
      to[i] -= mean_to;
    }
    return fit_rotation(std::span(from).first(count), std::span(to).first(count));
  }
};

// Evenly chosen indices below `size`: visit(i).
template <class Visit>
void choose_samples(std::size_t size, Visit&& visit) {
  const std::size_t count = std::min(size, kSamples);
  for (std::size_t i = 0; i < count; ++i) visit(i * size / count);
}

// Somewhat more, since corners of pieces are rounded.
Aabb box_of(const Vec3& low, const Vec3& high, double reach) {
  const double largest = std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
  const Vec3 beyond = Vec3::Constant(reach + kUlps * (largest + reach));
  return united(Aabb::of(low - beyond), Aabb::of(high + beyond));
}

}  // namespace

SphereFollower::SphereFollower(SphereTreePtr tree, MeshPtr mesh, const FollowSettings& settings)
    : tree_(std::move(tree)),
      mesh_(std::move(mesh)),
      settings_(settings),
      spheres_(tree_->spheres().begin(), tree_->spheres().end()),
      sphere_stamp_(spheres_.size(), 0),
      boxes_(spheres_.size(), kEverything),
      has_rest_box_(spheres_.size(), 0) {
  if (!tree_->cuts_faces()) list_vertices();
}

void SphereFollower::list_vertices() {
  first_vertex_.push_back(0);
  std::vector<std::uint32_t> seen(mesh_->vertex_count(), 0);
  for (std::uint32_t node = 0; node < spheres_.size(); ++node) {
    if (tree_->has(node))
      for (const SurfacePiece& piece : tree_->pieces(node))
        for (const VertexId v : mesh_->triangle(piece.face))
          if (std::exchange(seen[v.index()], node + 1) != node + 1) vertices_.push_back(v);
    first_vertex_.push_back(static_cast<std::uint32_t>(vertices_.size()));
  }
}

// What hangs on the coarse vertices, once for all motions with the same links.
void SphereFollower::link(const Motion& motion) {
  link_to(motion);
  if (settings_.printed && near_.empty()) find_near();
}

void SphereFollower::link_to(const Motion& motion) {
  const EmbeddedIn* in = motion.embedded_in();
  const auto rigid = in ? in->links : nullptr;
  const auto barycentric = in ? in->barycentric : nullptr;
  if (rigid == rigid_ && barycentric == barycentric_ && (in != nullptr) == links_.has_value()) return;
  rigid_ = rigid;
  barycentric_ = barycentric;
  links_.reset();
  near_.clear();
  if (rigid_) {
    links_.emplace(*tree_, *mesh_, *rigid_);
    for (Key* key : {&start_, &end_}) {
      key->frame_stamp.assign(rigid_->triples().size(), 0);
      key->frames.resize(rigid_->triples().size());
    }
    coarse_rest_.assign(rigid_->coarse_rest().begin(), rigid_->coarse_rest().end());
  } else if (barycentric_) {
    links_.emplace(*tree_, *mesh_, *barycentric_);
    coarse_rest_.assign(barycentric_->coarse_rest().begin(), barycentric_->coarse_rest().end());
  }
  if (!links_) return;
  stray_.resize(coarse_rest_.size());
  dense_.resize(mesh_->vertex_count());
  vertex_stamp_.assign(mesh_->vertex_count(), 0);
}

// Which frames count at this time. False if they are those of before.
bool SphereFollower::set_keys(const Motion& motion, double time) {
  const std::uint64_t old_start = start_.coarse.stamp(), old_end = end_.coarse.stamp();
  const double old_share = share_;
  const MotionSegment segment = motion.segment_at(time);
  share_ = segment.t1 > segment.t0 ? (time - segment.t0) / (segment.t1 - segment.t0) : 0;
  start_.coarse = share_ < 1 ? segment.x_t0 : segment.x_t1;
  if (share_ >= 1) share_ = 0;
  end_.coarse = share_ > 0 ? segment.x_t1 : start_.coarse;
  return start_.coarse.stamp() != old_start || end_.coarse.stamp() != old_end || share_ != old_share;
}

void SphereFollower::place(const Motion& motion, double time) {
  link(motion);
  motion_ = &motion;
  time_ = time;
  if (links_) {
    if (!set_keys(motion.embedded_in()->coarse, time) && stamp_ != 0) return;
    full_.reset();
  } else {
    std::optional<Frame> stored = motion.stored_frame_at(time);
    Frame frame = stored && stored->known_finite() ? *std::move(stored) : motion.positions_at(time);
    if (full_ && full_->stamp() == frame.stamp()) return;
    full_ = std::move(frame);
  }
  at_rest_ = full_ && full_->positions().data() == mesh_->positions().data();
  ++stamp_;
}

const LinkFrame* SphereFollower::frame_of(Key& key, std::uint32_t triple) {
  if (key.frame_stamp[triple] != stamp_) {
    const std::optional<LinkFrame> frame = rigid_->frame_at(triple, key.coarse.positions());
    if (!frame) return nullptr;
    key.frames[triple] = *frame;
    key.frame_stamp[triple] = stamp_;
  }
  return &key.frames[triple];
}

std::optional<Vec3> SphereFollower::vertex_at(Key& key, VertexId v) {
  const std::span<const Vec3> coarse = key.coarse.positions();
  if (barycentric_) return barycentric_->position(v, coarse);
  const LinkFrame* frame = frame_of(key, rigid_->links()[v.index()].triple);
  if (frame == nullptr) return std::nullopt;
  return rigid_->position(v, coarse, *frame);
}

void SphereFollower::update_vertex(VertexId v) {
  const std::optional<Vec3> start = vertex_at(start_, v);
  const std::optional<Vec3> end = share_ > 0 ? vertex_at(end_, v) : start;
  if (!start || !end) {
    full_ = motion_->positions_at(time_);  // a triple has collapsed: where it was before counts
    return;
  }
  dense_[v.index()] = share_ > 0 ? Vec3(*start + (*end - *start) * share_) : *start;
  vertex_stamp_[v.index()] = stamp_;
}

void SphereFollower::update(std::uint32_t node) {
  ++updated_;
  sphere_stamp_[node] = stamp_;
  if (!at_rest_ || has_rest_box_[node] == 0) boxes_[node] = kEverything;
  if (!at_rest_) has_rest_box_[node] = 0;
  if (at_rest_) spheres_[node] = resting(node);
  else if (settings_.printed) spheres_[node] = printed(node);
  else if (const std::optional<Sphere> around = node == 0 ? around_everything() : std::nullopt)
    spheres_[node] = *around;
  else if (is_small(node) || !links_) spheres_[node] = fitted(node);
  else spheres_[node] = bounded(node);
}

// Counted on the machine that the library was written on; how much slower another is a search sees by itself.
std::uint32_t SphereFollower::time_to_update(std::uint32_t node) const {
  constexpr std::uint32_t kFit = 300, kTouch = 5, kCorner = 20, kLinkedCorner = 30, kStray = 9, kTurn = 30;
  if (at_rest_ || settings_.printed || node == 0) return kFit;
  const auto pieces = static_cast<std::uint32_t>(tree_->pieces(node).size());
  if (links_ && !is_small(node)) {
    const std::size_t links = links_->coarse(node).size() * kStray + links_->triples(node).size() * kTurn;
    return (kFit + static_cast<std::uint32_t>(links)) * (share_ > 0 ? 2 : 1);
  }
  if (links_) return kFit + kLinkedCorner * pieces;
  return kFit +
         (first_vertex_.empty() ? 3 * kCorner * pieces : kTouch * (first_vertex_[node + 1] - first_vertex_[node]));
}

// Of a large body. Dense vertices hang on sums of coarse ones (bounded_at), no farther than their reach.
std::optional<Sphere> SphereFollower::around_everything() {
  const bool hangs = links_ && share_ == 0;
  if (links_ && !hangs) return std::nullopt;
  const Frame& frame = hangs ? start_.coarse : *full_;
  if (frame.vertex_count() <= kMany || !frame.bounds()) return std::nullopt;
  const auto& [low, high] = *frame.bounds();
  const double largest = std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
  if (!has_distances(largest)) return Sphere{};
  const Vec3 centre = 0.5 * (low + high);
  double reach = hangs ? links_->reach(0) : 0;
  if (hangs && !rigid_) reach += (links_->weight(0) - 1) * fixed_length(high - centre);
  boxes_[0] = box_of(low, high, reach);
  return Sphere{centre, fixed_length(high - centre) + reach + kUlps * (largest + reach)};
}

// ---- nothing lost

// What a sphere has to hold.
template <class Visit>
void SphereFollower::for_each_corner(std::uint32_t node, Visit&& visit) {
  if (!first_vertex_.empty()) {
    for (std::uint32_t i = first_vertex_[node]; i < first_vertex_[node + 1]; ++i) visit(vertex(vertices_[i]));
    return;
  }
  for (const SurfacePiece& piece : tree_->pieces(node)) {
    const Triangle& t = mesh_->triangle(piece.face);
    // By value: asking for one may put the others elsewhere.
    const std::array<Vec3, 3> face{Vec3(vertex(t[0])), Vec3(vertex(t[1])), Vec3(vertex(t[2]))};
    for (std::size_t i = 0; i < 3; ++i) visit(tree_->corner(piece, i, face));
  }
}

SphereFollower::Ends SphereFollower::ends_of(std::uint32_t node) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for_each_corner(node, [&](const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  });
  return {low, high};
}

// As it was built. Boxes of large nodes would take long.
Sphere SphereFollower::resting(std::uint32_t node) {
  if (has_rest_box_[node] == 0 && tree_->pieces(node).size() <= kMany) {
    const Ends ends = ends_of(node);
    boxes_[node] = box_of(ends.low, ends.high, 0);
    has_rest_box_[node] = 1;
  }
  return tree_->spheres()[node];
}

// Around the middle of the box around it: that follows any deformation, and is found sooner than a rotation.
Sphere SphereFollower::fitted(std::uint32_t node) {
  const auto [low, high] = ends_of(node);
  const double largest = std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
  if (!has_distances(largest)) return {};
  const Vec3 centre = 0.5 * (low + high);
  boxes_[node] = box_of(low, high, 0);
  double most_sq = 0;
  for_each_corner(node, [&](const Vec3& p) { most_sq = std::max(most_sq, fixed_dot(p - centre, p - centre)); });
  return {centre, std::sqrt(most_sq) + kUlps * largest};
}

SphereFollower::Faces& SphereFollower::listed_faces(std::uint32_t node) {
  faces_.resize(spheres_.size());
  if (faces_[node].faces.empty()) faces_[node].faces = tree_->faces(node);
  return faces_[node];
}

const SphereFollower::Faces& SphereFollower::faces(std::uint32_t node) {
  Faces& known = listed_faces(node);
  if (known.stamp == stamp_) return known;
  for (const FaceId f : known.faces)  // all of them first: asking for one may put the others elsewhere
    for (const VertexId v : mesh_->triangle(f)) vertex(v);
  known.boxes.clear();
  known.box = {};
  for (const FaceId f : known.faces) {
    known.boxes.push_back(face_box(mesh_->triangle(f), positions()));
    known.box = united(known.box, known.boxes.back());
  }
  known.stamp = stamp_;
  return known;
}

// The box of linearly moving vertices is within those of both ends.
Sphere SphereFollower::bounded(std::uint32_t node) {
  boxes_[node] = {};
  const Sphere start = bounded_at(node, start_);
  if (share_ == 0) return start;
  const Sphere end = bounded_at(node, end_);
  if (!start.finite() || !end.finite()) {
    boxes_[node] = kEverything;
    return {};
  }
  const double largest = std::max(start.centre.cwiseAbs().maxCoeff(), end.centre.cwiseAbs().maxCoeff());
  return {start.centre + (end.centre - start.centre) * share_,
          (1 - share_) * start.radius + share_ * end.radius + kUlps * (largest + end.radius)};
}

Sphere SphereFollower::bounded_at(std::uint32_t node, Key& key) {
  const std::span<const VertexId> own = links_->coarse(node);
  const std::span<const Vec3> now = key.coarse.positions();
  Poses poses;
  choose_samples(own.size(), [&](std::size_t i) { poses.add(coarse_rest_[own[i].index()], now[own[i].index()]); });
  const Eigen::Matrix3d q = poses.rotation();
  const Sphere& rest = tree_->spheres()[node];
  const Vec3 centre = poses.mean_to + q * (rest.centre - poses.mean_from);
  double most_stray = 0, farthest = 0, largest = 0;
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const VertexId j : own) {
    low = low.cwiseMin(now[j.index()]);
    high = high.cwiseMax(now[j.index()]);
    stray_[j.index()] =
        fixed_length((now[j.index()] - poses.mean_to) - q * (coarse_rest_[j.index()] - poses.mean_from));
    most_stray = std::max(most_stray, stray_[j.index()]);
    farthest = std::max(farthest, fixed_length(now[j.index()] - centre));
    largest = std::max(largest,
                       std::max(now[j.index()].cwiseAbs().maxCoeff(), coarse_rest_[j.index()].cwiseAbs().maxCoeff()));
  }
  if (!centre.allFinite() || !has_distances(std::max(largest, centre.cwiseAbs().maxCoeff()))) {
    boxes_[node] = kEverything;
    return {};
  }
  const double reach = links_->reach(node);
  // Weights have the sum 1. Barycentric ones of vertices outside their tetrahedron are not convex: sums of them go as
  // much farther as the sum without signs says.
  const double beyond = rigid_ ? 1 : links_->weight(node);
  const double around_coarse = beyond * farthest + reach;
  const double growth = links_->triples(node).empty() ? links_->weight(node) * most_stray + 2 * reach
                                                      : growth_of(node, key, q, around_coarse - rest.radius);
  const double radius = std::min(rest.radius + growth, around_coarse);
  boxes_[node].add(box_of(low, high, 0.5 * (beyond - 1) * (high - low).maxCoeff() + reach));
  return {centre, radius + kUlps * (largest + centre.cwiseAbs().maxCoeff() + rest.radius)};
}

// By which the triples of a node differ from the rotation, with the strays of its coarse vertices; from `enough` on it
// does not matter how much more it is.
double SphereFollower::growth_of(std::uint32_t node, Key& key, const Eigen::Matrix3d& q, double enough) {
  constexpr double kMostTurn = 2;  // |G - Q| of rotations
  double growth = 0;
  for (const NodeLinks::Triple& t : links_->triples(node)) {
    double corner_stray = 0;
    for (const VertexId j : rigid_->triples()[t.triple]) corner_stray = std::max(corner_stray, stray_[j.index()]);
    if (corner_stray + kMostTurn * t.reach <= growth) continue;
    double turn = kMostTurn;
    if (const LinkFrame* frame = frame_of(key, t.triple)) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i)
        sum += (frame->axis[i] - q * rigid_->rest_frames()[t.triple].axis[i]).squaredNorm();
      turn = std::sqrt(sum / 2);  // the spectral norm of a difference of rotations, from that of Frobenius
    }
    growth = std::max(growth, corner_stray + t.reach * turn);
    if (growth >= enough) break;
  }
  return growth;
}

// ---- as printed

void SphereFollower::find_near() {
  const std::span<const Vec3> points = links_ ? std::span<const Vec3>(coarse_rest_) : mesh_->positions();
  const detail::NearestPoints nearest(points);
  near_.assign(spheres_.size() * settings_.near_vertices, VertexId());
  for (std::uint32_t node = 0; node < spheres_.size(); ++node) {
    if (!tree_->has(node)) continue;
    const auto found = nearest.nearest(tree_->spheres()[node].centre, settings_.near_vertices);
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), settings_.near_vertices); ++i)
      near_[node * settings_.near_vertices + i] = VertexId(found[i].index);
  }
}

std::span<const VertexId> SphereFollower::near(std::uint32_t node) const {
  return std::span(near_).subspan(node * settings_.near_vertices, settings_.near_vertices);
}

std::span<const VertexId> SphereFollower::near_vertices(std::uint32_t node) {
  if (near_.empty()) find_near();
  return near(node);
}

Sphere SphereFollower::printed(std::uint32_t node) {
  const std::span<const VertexId> near = near_vertices(node);
  const auto rest = [&](VertexId v) { return links_ ? coarse_rest_[v.index()] : mesh_->position(v); };
  const auto now = [&](VertexId v) -> Vec3 {
    if (!links_) return full_->positions()[v.index()];
    const Vec3& start = start_.coarse.positions()[v.index()];
    return start + (end_.coarse.positions()[v.index()] - start) * share_;
  };
  const Sphere& old = tree_->spheres()[node];
  Vec3 moved = Vec3::Zero();
  double count = 0;
  for (const VertexId v : near) {
    if (!v.valid()) continue;
    moved += now(v) - rest(v);
    ++count;
  }
  const Vec3 centre = old.centre + moved / std::max(count, 1.0);
  double lambda = 0;
  for (const VertexId v : near) {
    if (!v.valid()) continue;
    const double before = fixed_length(rest(v) - old.centre);
    if (before > 0) lambda = std::max(lambda, fixed_length(now(v) - centre) / before);
  }
  if (!centre.allFinite() || !std::isfinite(lambda)) return {};
  return {centre, (lambda > 0 ? lambda : 1) * old.radius};
}

std::size_t SphereFollower::bytes() const {
  return spheres_.size() * (sizeof(Sphere) + sizeof(Aabb) + 5) + dense_.size() * (sizeof(Vec3) + 4) +
         near_.size() * sizeof(VertexId) + first_vertex_.size() * 4 + vertices_.size() * sizeof(VertexId) +
         (links_ ? links_->bytes() : 0) + 2 * start_.frames.size() * (sizeof(LinkFrame) + 4);
}

}  // namespace pliant
