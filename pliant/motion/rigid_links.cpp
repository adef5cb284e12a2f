#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "pliant/core/error.h"
#include "pliant/core/rigid.h"
#include "pliant/motion/embedding.h"
#include "pliant/motion/nearest_points.h"

namespace pliant {
namespace {

using Triple = std::array<VertexId, 3>;

// Twice the area of a triple, as a fraction of its longest edge squared, below which it counts as a line at rest; and
// as a fraction of its value at rest, below which it counts as collapsed. Likewise for its first edge.
constexpr double kLeastRestNormal = 1e-3;
// The same of triples that are looked for first: on a flat one a dense vertex swings far when a coarse one moves a
// little. (0.87 at most; of two legs at a right angle 0.5.)
constexpr double kGoodRestNormal = 0.4;
constexpr double kLeastNormal = 1e-6;
constexpr double kLeastEdge = 1e-9;

struct TripleEdges {
  Vec3 u;
  Vec3 n;
  TripleEdges(const Triple& t, std::span<const Vec3> q)
      : u(q[t[1].index()] - q[t[0].index()]), n(u.cross(q[t[2].index()] - q[t[0].index()])) {}
};

LinkFrame frame_of(const TripleEdges& edges) {
  const Vec3 a = edges.u.cross(edges.n);
  return {{edges.n / fixed_length(edges.n), -edges.u / fixed_length(edges.u), a / fixed_length(a)}};
}

bool spans_a_plane(const Triple& t, std::span<const Vec3> q, double least = kLeastRestNormal) {
  const Vec3 &a = q[t[0].index()], &b = q[t[1].index()], &c = q[t[2].index()];
  const double longest_sq = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  return longest_sq > 0 && fixed_length((b - a).cross(c - a)) >= least * longest_sq;
}

// The nearest vertex and the first two behind it that make a plane with it: the smallest last one first.
std::optional<Triple> first_triple(std::span<const detail::NearestPoints::Neighbour> near, std::span<const Vec3> q,
                                   double least) {
  for (std::size_t last = 2; last < near.size(); ++last) {
    for (std::size_t middle = 1; middle < last; ++middle) {
      const Triple triple{VertexId(near[0].index), VertexId(near[middle].index), VertexId(near[last].index)};
      if (spans_a_plane(triple, q, least)) return triple;
    }
  }
  return std::nullopt;
}

Triple find_triple(const Vec3& p, std::size_t dense_vertex, const detail::NearestPoints& tree,
                   std::span<const Vec3> coarse) {
  for (std::size_t count = 8;; count *= 4) {
    const auto near = tree.nearest(p, count);
    for (const double least : {kGoodRestNormal, kLeastRestNormal})
      if (const auto triple = first_triple(near, coarse, least)) return *triple;
    if (count >= coarse.size())
      throw Error(ErrorPlace{.element = "vertex " + std::to_string(dense_vertex)},
                  "no three coarse vertices that are not on a line", "give a coarse mesh that is a surface");
  }
}

// The smallest rotation that takes the unit vector `from` to `to`, applied to a frame.
LinkFrame transported(const LinkFrame& frame, const Vec3& from, const Vec3& to) {
  LinkFrame result;
  result.axis[1] = -to;  // the frame's second axis is minus its first edge
  result.axis[0] = turned(frame.axis[0], from, to);
  result.axis[0] = (result.axis[0] - result.axis[0].dot(to) * to).normalized();
  result.axis[2] = result.axis[0].cross(result.axis[1]);
  return result;
}

void require_finite(std::span<const Vec3> points, const char* what) {
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!points[i].allFinite())
      throw Error(ErrorPlace{.element = what + (" vertex " + std::to_string(i))}, "a coordinate is not finite");
}

void require_count(std::size_t given, std::size_t wanted) {
  if (given != wanted)
    throw Error(std::to_string(given) + " coarse positions given", "there are " + std::to_string(wanted));
}

std::vector<Triple> find_triples(std::span<const Vec3> dense, std::span<const Vec3> coarse) {
  require_finite(dense, "dense");
  require_finite(coarse, "coarse");
  const detail::NearestPoints tree(coarse);
  std::vector<Triple> triples;
  triples.reserve(dense.size());
  for (std::size_t i = 0; i < dense.size(); ++i) triples.push_back(find_triple(dense[i], i, tree, coarse));
  return triples;
}

void require_linkable(const Triple& triple, std::size_t dense_vertex, std::span<const Vec3> coarse) {
  const ErrorPlace place{.element = "vertex " + std::to_string(dense_vertex)};
  for (const VertexId v : triple) {
    if (v.index() >= coarse.size())
      throw Error(place, "is linked to coarse vertex " + std::to_string(v.value),
                  "there are " + std::to_string(coarse.size()));
  }
  if (!spans_a_plane(triple, coarse)) throw Error(place, "is linked to three coarse vertices on a line");
}

}  // namespace

RigidLinks::RigidLinks(std::span<const Vec3> dense_rest, std::span<const Vec3> coarse_rest)
    : RigidLinks(dense_rest, coarse_rest, find_triples(dense_rest, coarse_rest)) {}

RigidLinks::RigidLinks(std::span<const Vec3> dense_rest, std::span<const Vec3> coarse_rest,
                       std::span<const Triple> triple_of_dense)
    : coarse_rest_(coarse_rest.begin(), coarse_rest.end()) {
  require_finite(dense_rest, "dense");
  require_finite(coarse_rest, "coarse");
  if (triple_of_dense.size() != dense_rest.size())
    throw Error(std::to_string(triple_of_dense.size()) + " links given",
                "there are " + std::to_string(dense_rest.size()) + " dense vertices");
  std::map<Triple, std::uint32_t> known;
  for (std::size_t i = 0; i < dense_rest.size(); ++i) {
    const Triple& triple = triple_of_dense[i];
    require_linkable(triple, i, coarse_rest);
    const auto [at, is_new] = known.emplace(triple, static_cast<std::uint32_t>(triples_.size()));
    if (is_new) {
      const TripleEdges edges(triple, coarse_rest);
      triples_.push_back(triple);
      rest_frames_.push_back(frame_of(edges));
      rest_sizes_.push_back({fixed_length(edges.n), fixed_length(edges.u)});
    }
    links_.push_back({.triple = at->second});
    add_link(dense_rest[i], coarse_rest, triple);
  }
}

void RigidLinks::add_link(const Vec3& p, std::span<const Vec3> coarse, const Triple& triple) {
  RigidLink& link = links_.back();
  std::array<double, 3> distance;
  for (std::size_t i = 0; i < 3; ++i) distance[i] = fixed_length(p - coarse[triple[i].index()]);
  const double sum = distance[0] + distance[1] + distance[2];
  Vec3 origin = Vec3::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    link.weights[i] = (sum - distance[i]) / (2 * sum);
    origin += link.weights[i] * coarse[triple[i].index()];
  }
  const LinkFrame& frame = rest_frames_[link.triple];
  for (int i = 0; i < 3; ++i) link.offset[i] = fixed_dot(p - origin, frame.axis[static_cast<std::size_t>(i)]);
  rounding_.emplace_back(p - position(link, coarse, frame));
}

Vec3 RigidLinks::position(const RigidLink& link, std::span<const Vec3> coarse, const LinkFrame& frame) const {
  Vec3 p = Vec3::Zero();
  for (std::size_t i = 0; i < 3; ++i) p += link.weights[i] * coarse[triples_[link.triple][i].index()];
  for (std::size_t i = 0; i < 3; ++i) p += link.offset[static_cast<int>(i)] * frame.axis[i];
  return p;
}

LinkFollower::LinkFollower(const RigidLinks& links)
    : links_(&links), frames_(links.rest_frames().begin(), links.rest_frames().end()) {}

std::optional<LinkFrame> RigidLinks::frame_at(std::size_t triple, std::span<const Vec3> coarse) const {
  const TripleEdges edges(triples_[triple], coarse);
  const RestSize& rest = rest_sizes_[triple];
  if (fixed_length(edges.u) < kLeastEdge * rest.edge || fixed_length(edges.n) < kLeastNormal * rest.normal)
    return std::nullopt;
  return frame_of(edges);
}

void LinkFollower::update_frame(std::size_t triple, std::span<const Vec3> coarse) {
  LinkFrame& frame = frames_[triple];
  if (const std::optional<LinkFrame> next = links_->frame_at(triple, coarse)) {
    flipped_ += next->axis[0].dot(frame.axis[0]) < 0 ? 1 : 0;
    frame = *next;
    return;
  }
  ++collapsed_;
  const Vec3 u = TripleEdges(links_->triples_[triple], coarse).u;
  const double edge = fixed_length(u);
  if (edge >= kLeastEdge * links_->rest_sizes_[triple].edge) frame = transported(frame, -frame.axis[1], u / edge);
}

std::span<const Vec3> LinkFollower::follow(std::span<const Vec3> coarse) {
  require_count(coarse.size(), links_->coarse_count());
  collapsed_ = flipped_ = 0;
  for (std::size_t t = 0; t < frames_.size(); ++t) update_frame(t, coarse);
  dense_.resize(links_->dense_count());
  for (std::size_t i = 0; i < dense_.size(); ++i) {
    dense_[i] = links_->position(VertexId(i), coarse, frames_[links_->links_[i].triple]);
  }
  return dense_;
}

void LinkFollower::restore(std::span<const LinkFrame> frames) {
  if (frames.size() != frames_.size())
    throw Error(std::to_string(frames.size()) + " frames given", "there are " + std::to_string(frames_.size()));
  std::copy(frames.begin(), frames.end(), frames_.begin());
}

}  // namespace pliant
