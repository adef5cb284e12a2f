#include "pliant/bounds/sphere_tree/sphere_follower.h"

#include <algorithm>
#include <array>

#include "pliant/bounds/sphere_tree/fit_rotation.h"
#include "pliant/motion/nearest_points.h"

namespace pliant {
namespace {

constexpr std::size_t kSamples = 16;  // points that tell how a node has turned
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

}  // namespace

SphereFollower::SphereFollower(SphereTreePtr tree, MeshPtr mesh, const FollowSettings& settings)
    : tree_(std::move(tree)),
      mesh_(std::move(mesh)),
      settings_(settings),
      spheres_(tree_->spheres().begin(), tree_->spheres().end()),
      sphere_stamp_(spheres_.size(), 0) {}

// What hangs on the coarse vertices, once for all motions with the same links.
void SphereFollower::link(const Motion& motion) {
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
    Frame frame = motion.positions_at(time);
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
  const bool is_small = tree_->pieces(node).size() <= settings_.fitted_pieces;
  if (at_rest_) spheres_[node] = tree_->spheres()[node];
  else if (settings_.printed) spheres_[node] = printed(node);
  else if (is_small || !links_) spheres_[node] = fitted(node, followed_centre(node));
  else spheres_[node] = bounded(node);
}

// ---- nothing lost

// Where the centre goes with a rigid motion near that of the node's vertices.
Vec3 SphereFollower::followed_centre(std::uint32_t node) {
  Poses poses;
  const auto pieces = tree_->pieces(node);
  choose_samples(3 * pieces.size(), [&](std::size_t i) {
    const VertexId v = mesh_->triangle(pieces[i / 3].face)[i % 3];
    poses.add(mesh_->position(v), vertex(v));
  });
  const Eigen::Matrix3d q = poses.rotation();
  return poses.mean_to + q * (tree_->spheres()[node].centre - poses.mean_from);
}

Sphere SphereFollower::fitted(std::uint32_t node, const Vec3& centre) {
  double most_sq = 0, largest = centre.cwiseAbs().maxCoeff();
  for (const SurfacePiece& piece : tree_->pieces(node)) {
    const Triangle& t = mesh_->triangle(piece.face);
    // By value: asking for one may put the others elsewhere.
    const std::array<Vec3, 3> face{Vec3(vertex(t[0])), Vec3(vertex(t[1])), Vec3(vertex(t[2]))};
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 p = tree_->corner(piece, i, face);
      most_sq = std::max(most_sq, fixed_dot(p - centre, p - centre));
      largest = std::max(largest, p.cwiseAbs().maxCoeff());
    }
  }
  return centre.allFinite() && has_distances(largest) ? Sphere{centre, std::sqrt(most_sq) + kUlps * largest} : Sphere{};
}

Sphere SphereFollower::bounded(std::uint32_t node) {
  const Sphere start = bounded_at(node, start_);
  if (share_ == 0) return start;
  const Sphere end = bounded_at(node, end_);
  if (!start.finite() || !end.finite()) return {};
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
  const auto stray = [&](VertexId j) {
    return fixed_length((now[j.index()] - poses.mean_to) - q * (coarse_rest_[j.index()] - poses.mean_from));
  };
  double most_stray = 0, farthest = 0, largest = 0;
  for (const VertexId j : own) {
    most_stray = std::max(most_stray, stray(j));
    farthest = std::max(farthest, fixed_length(now[j.index()] - centre));
    largest = std::max(largest,
                       std::max(now[j.index()].cwiseAbs().maxCoeff(), coarse_rest_[j.index()].cwiseAbs().maxCoeff()));
  }
  if (!centre.allFinite() || !has_distances(std::max(largest, centre.cwiseAbs().maxCoeff()))) return {};
  const double reach = links_->reach(node);
  double growth = links_->weight(node) * most_stray + 2 * reach;
  if (!links_->triples(node).empty()) {
    growth = 0;
    for (const NodeLinks::Triple& t : links_->triples(node)) {
      double corner_stray = 0;
      for (const VertexId j : rigid_->triples()[t.triple]) corner_stray = std::max(corner_stray, stray(j));
      double turn = 2;  // |G - Q| of rotations, at most
      if (const LinkFrame* frame = frame_of(key, t.triple)) {
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i)
          sum += (frame->axis[i] - q * rigid_->rest_frames()[t.triple].axis[i]).squaredNorm();
        turn = std::sqrt(sum / 2);  // the spectral norm of a difference of rotations, from that of Frobenius
      }
      growth = std::max(growth, corner_stray + t.reach * turn);
    }
  }
  double radius = rest.radius + growth;
  // Convex weights only: barycentric ones of vertices outside their tetrahedron are not.
  if (rigid_) radius = std::min(radius, farthest + reach);
  return {centre, radius + kUlps * (largest + centre.cwiseAbs().maxCoeff() + rest.radius)};
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
  return spheres_.size() * (sizeof(Sphere) + 4) + dense_.size() * (sizeof(Vec3) + 4) + near_.size() * sizeof(VertexId) +
         (links_ ? links_->bytes() : 0) + 2 * start_.frames.size() * (sizeof(LinkFrame) + 4);
}

}  // namespace pliant
