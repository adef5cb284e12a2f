#include "pliant/asset/lattice_cuts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/bounds/face_tree.h"
#include "pliant/geometry/segment_triangle.h"

namespace pliant {
namespace {

using Node = BccLattice::Node;

// Of an edge that runs along a face rather than through it, a small move of the face is not made a long way.
constexpr double kLeastSlope = 0.25;

double slope_at(const TriangleMesh& mesh, FaceId f, const Vec3& along) {
  const Triangle& t = mesh.triangle(f);
  const Vec3 normal =
      (mesh.position(t[1]) - mesh.position(t[0])).cross(mesh.position(t[2]) - mesh.position(t[0])).stableNormalized();
  return std::max(kLeastSlope, normal.dot(along));
}

// A segment and how far it is looked along, against boxes. Boxes are widened by more than what rounding can lose.
class BoxSieve {
 public:
  BoxSieve(const Vec3& p, const Vec3& q, const Aabb& bounds) : box_(united(Aabb::of(p), Aabb::of(q))), p_(p) {
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      largest = std::max({largest, std::abs(double{bounds.lo[i]}), std::abs(double{bounds.hi[i]}), std::abs(p[axis])});
      inverse_[axis] = 1 / (q[axis] - p[axis]);
    }
    margin_ = 1e-12 * largest;
  }

  bool may_meet(const AabbNode& node, double reach) const {
    if (!node.box().overlaps(box_)) return false;
    double from = 0, to = reach;
    for (int axis = 0; axis < 3; ++axis) {
      if (!std::isfinite(inverse_[axis])) continue;  // the boxes overlap along this axis
      const auto i = static_cast<std::size_t>(axis);
      const double a = (node.lo[i] - margin_ - p_[axis]) * inverse_[axis];
      const double b = (node.hi[i] + margin_ - p_[axis]) * inverse_[axis];
      from = std::max(from, std::min(a, b));
      to = std::min(to, std::max(a, b));
    }
    return from <= to;
  }

 private:
  Aabb box_;
  Vec3 p_, inverse_;
  double margin_ = 0;
};

}  // namespace

SegmentSearch::SegmentSearch(const TriangleMesh& mesh, Threads threads)
    : mesh_(mesh),
      tree_(face_boxes(mesh, mesh.positions(), threads),
            {.build = TreeBuild::sah, .leaf_size = 4, .threads = threads}) {}

std::optional<SegmentSearch::Meeting> SegmentSearch::first_on_way(const Vec3& p, const Vec3& q, FaceId without) const {
  std::optional<Meeting> best;
  if (tree_.empty()) return best;
  const BoxSieve sieve(p, q, tree_.bounds());
  std::array<std::uint32_t, 128> stack;  // deeper than any tree: one node waits at every level
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const AabbNode& node = tree_.node(stack[--size]);
    if (!sieve.may_meet(node, best ? best->fraction : 1)) continue;
    if (!node.is_leaf()) {
      stack[size++] = node.first + 1;
      stack[size++] = node.first;
      continue;
    }
    for (const std::uint32_t i : tree_.primitives(node)) {
      const FaceId f(i);
      if (f == without) continue;
      const Triangle& t = mesh_.triangle(f);
      const SegmentTriangleContact met = segment_triangle_contact(
          Segment3(p, q), Triangle3(mesh_.position(t[0]), mesh_.position(t[1]), mesh_.position(t[2])));
      if (met.relation == Relation::none) continue;
      if (!best || met.t0 < best->fraction || (met.t0 == best->fraction && f < best->face)) best = {f, met.t0};
    }
  }
  return best;
}

LatticeCuts::LatticeCuts(const BccLattice& lattice, std::vector<std::uint8_t> inside, const TriangleMesh& surface,
                         Threads threads)
    : lattice_(lattice), inside_(std::move(inside)) {
  collect();
  place(surface, threads);
  sort_by_node();
}

void LatticeCuts::collect() {
  const auto add = [&](Node a, Node b) {
    if (inside_[a] != inside_[b]) cuts_.push_back({.inner = inside(a) ? a : b, .outer = inside(a) ? b : a});
  };
  const Eigen::Vector3i& cubes = lattice_.cubes();
  for (int k = 0; k < cubes.z(); ++k) {
    for (int j = 0; j < cubes.y(); ++j) {
      for (int i = 0; i < cubes.x(); ++i) {
        const Node corner = lattice_.corner(i, j, k), centre = lattice_.centre(i, j, k);
        for (int axis = 0; axis < 3; ++axis) {
          const int x = axis == 0 ? 1 : 0, y = axis == 1 ? 1 : 0, z = axis == 2 ? 1 : 0;
          add(corner, lattice_.corner(i + x, j + y, k + z));
          if (Eigen::Vector3i(i, j, k)[axis] + 1 < cubes[axis]) add(centre, lattice_.centre(i + x, j + y, k + z));
        }
        for (int c = 0; c < 8; ++c) add(centre, lattice_.corner(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)));
      }
    }
  }
}

// Where several sheets cut an edge, the one farthest out counts: behind it there is nothing of the body.
void LatticeCuts::place(const TriangleMesh& surface, Threads threads) {
  const SegmentSearch search(surface, threads);
  parallel_for(threads, cuts_.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      LatticeCut& cut = cuts_[i];
      const Vec3 inner = lattice_.point(cut.inner), outer = lattice_.point(cut.outer);
      const auto met = search.first_on_way(outer, inner);
      // A node that lies on the surface up to rounding may be on either side of it: nothing is met, it is the cut.
      cut.fraction = met ? std::clamp(1 - met->fraction, 0.0, 1.0) : 1;
      const Vec3 along = outer - inner;
      const double length = along.norm();
      cut.rate = 1 / (length * (met ? slope_at(surface, met->face, along / length) : 1));
    }
  });
}

void LatticeCuts::sort_by_node() {
  std::vector<std::pair<Node, std::uint32_t>> ends;
  ends.reserve(2 * cuts_.size());
  for (std::uint32_t c = 0; c < cuts_.size(); ++c) {
    ends.emplace_back(cuts_[c].inner, c);
    ends.emplace_back(cuts_[c].outer, c);
  }
  std::sort(ends.begin(), ends.end());
  for (const auto& [node, cut] : ends) {
    if (nodes_.empty() || nodes_.back() != node) {
      nodes_.push_back(node);
      starts_.push_back(static_cast<std::uint32_t>(cuts_of_.size()));
    }
    cuts_of_.push_back(cut);
  }
  starts_.push_back(static_cast<std::uint32_t>(cuts_of_.size()));
}

std::size_t LatticeCuts::slot_of(Node n) const {
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), n);
  return found != nodes_.end() && *found == n ? static_cast<std::size_t>(found - nodes_.begin()) : nodes_.size();
}

std::uint32_t LatticeCuts::find(Node inner, Node outer) const {
  const auto own = cuts_of(slot_of(inner));
  return *std::find_if(own.begin(), own.end(), [&](std::uint32_t c) { return cuts_[c].outer == outer; });
}

// The distance from the node as a fraction of what is too near.
double WarpedLattice::nearness(Node n, const LatticeCut& cut, double fraction) const {
  const double from_node = n == cut.inner ? fraction : 1 - fraction;
  return from_node / (cuts_.lattice().is_long(cut.inner, cut.outer) ? kNearLong : kNearShort);
}

WarpedLattice::WarpedLattice(const LatticeCuts& cuts, double offset, std::span<const std::uint8_t> rigid)
    : cuts_(cuts), moved_to_(cuts.nodes().size(), kNotMoved), side_(cuts.lattice().size(), Side::outside) {
  for (Node n = 0; n < side_.size(); ++n)
    if (cuts.inside(n)) side_[n] = Side::inside;
  for (const LatticeCut& cut : cuts.cuts()) fraction_.push_back(std::clamp(cut.fraction + offset * cut.rate, 0.0, 1.0));
  for (std::size_t s = 0; s < moved_to_.size(); ++s) {
    if (rigid.empty() || rigid[s] == 0) continue;
    for (const std::uint32_t c : cuts.cuts_of(s)) {
      const LatticeCut& cut = cuts.cuts()[c];
      const double least = cuts.lattice().is_long(cut.inner, cut.outer) ? kNearLong : kNearShort;
      if (cuts.nodes()[s] == cut.inner) fraction_[c] = std::max(fraction_[c], least);
      else fraction_[c] = std::min(fraction_[c], 1 - least);
    }
  }
  for (std::size_t s = 0; s < moved_to_.size(); ++s) {
    if (!rigid.empty() && rigid[s] != 0) continue;
    const Node n = cuts.nodes()[s];
    double nearest = 1;
    for (const std::uint32_t c : cuts.cuts_of(s)) {
      const LatticeCut& cut = cuts.cuts()[c];
      const bool is_cut = side_[cut.inner] == Side::inside && side_[cut.outer] == Side::outside;
      const double near = nearness(n, cut, fraction_[c]);
      if (!is_cut || !(near < nearest)) continue;
      nearest = near;
      moved_to_[s] = c;
    }
    if (moved_to_[s] == kNotMoved) continue;
    side_[n] = Side::on_surface;
    ++moved_count_;
  }
}

Vec3 WarpedLattice::cut_point(std::uint32_t cut) const {
  const Vec3 inner = cuts_.lattice().point(cuts_.cuts()[cut].inner);
  return inner + fraction_[cut] * (cuts_.lattice().point(cuts_.cuts()[cut].outer) - inner);
}

Vec3 WarpedLattice::point(Node n) const {
  if (side_[n] != Side::on_surface) return cuts_.lattice().point(n);
  return cut_point(moved_to_[cuts_.slot_of(n)]);
}

}  // namespace pliant
