#include "pliant/bounds/sphere_tree/node_cover.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "pliant/bounds/sphere_tree/sphere_cover.h"

namespace pliant {
namespace {

// Spheres are chosen by so many points and spheres of the node at most; radii are fitted to all of it afterwards.
constexpr std::size_t kMostPieces = 600;
constexpr std::size_t kMostSpheres = 200;

bool is_smaller(const Vec3& a, const Vec3& b) {
  return std::tuple(a.x(), a.y(), a.z()) < std::tuple(b.x(), b.y(), b.z());
}

// Corners of the pieces, or of an even choice of them; each place once.
std::vector<Vec3> points_of(const TreePlan& plan, std::span<const std::uint32_t> pieces) {
  std::vector<Vec3> points;
  const std::size_t count = std::min(pieces.size(), kMostPieces);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& c = plan.corners(pieces[i * pieces.size() / count]);
    points.insert(points.end(), c.begin(), c.end());
  }
  std::sort(points.begin(), points.end(), is_smaller);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

// The spheres to choose from: those inside that hold points, most points first, and where these leave points out those
// outside that hold them. What is left then makes the nearest one grow.
class Candidates {
 public:
  Candidates(const CoverProblem& problem, const MedialSpheres& medial, std::span<const std::uint32_t> list)
      : problem_(problem), medial_(medial), left_(problem.points.size()) {
    for (std::size_t p = 0; p < problem.points.size(); ++p) left_.add(p);
    std::vector<std::uint32_t> outside;
    for (const std::uint32_t s : list) {
      if (medial.spheres()[s].is_inside()) add(s);
      else outside.push_back(s);
    }
    keep_most_useful();
    add_outside(outside);
    if (!spheres_.empty()) grow_nearest();
    find_neighbours();
  }

  std::vector<CoverSphere> take() { return std::move(spheres_); }

 private:
  void add(std::uint32_t s) {
    const MedialSphere& medial = medial_.spheres()[s];
    IndexSet held(problem_.points.size());
    for (std::size_t p = 0; p < problem_.points.size(); ++p)
      if (holds(medial.sphere, problem_.points[p])) held.add(p);
    if (held.empty()) return;
    spheres_.push_back({medial.sphere, medial.depth, std::move(held), {}});
    medial_of_.push_back(s);
  }

  void keep_most_useful() {
    std::vector<std::uint32_t> order(spheres_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return spheres_[a].points.count() > spheres_[b].points.count();
    });
    order.resize(std::min(order.size(), kMostSpheres));
    std::sort(order.begin(), order.end());
    std::vector<CoverSphere> kept;
    std::vector<std::uint32_t> kept_of;
    for (const std::uint32_t i : order) {
      left_.remove(spheres_[i].points);
      kept.push_back(std::move(spheres_[i]));
      kept_of.push_back(medial_of_[i]);
    }
    spheres_ = std::move(kept);
    medial_of_ = std::move(kept_of);
  }

  void add_outside(std::span<const std::uint32_t> outside) {
    std::vector<std::size_t> uncovered;
    left_.for_each([&](std::size_t p) { uncovered.push_back(p); });
    for (const std::size_t p : uncovered) {
      if (!left_.has(p)) continue;
      std::uint32_t best = 0;
      double least = std::numeric_limits<double>::infinity();
      for (const std::uint32_t s : outside) {
        const MedialSphere& medial = medial_.spheres()[s];
        if (medial.error() >= least || !holds(medial.sphere, problem_.points[p])) continue;
        least = medial.error();
        best = s;
      }
      // One that reaches out farther than the sphere of the node itself is no use.
      if (!std::isfinite(least) || least > limit()) continue;
      add(best);
      left_.remove(spheres_.back().points);
    }
  }
  double limit() const {
    double largest = 0;
    for (const CoverSphere& s : spheres_) largest = std::max(largest, s.error());
    return spheres_.empty() ? std::numeric_limits<double>::infinity() : 4 * largest;
  }

  void grow_nearest() {
    left_.for_each([&](std::size_t p) {
      CoverSphere* nearest = nullptr;
      double least = std::numeric_limits<double>::infinity(), radius = 0;
      for (CoverSphere& s : spheres_) {
        const double distance = fixed_length(problem_.points[p] - s.sphere.centre);
        if (distance - s.sphere.radius >= least) continue;
        least = distance - s.sphere.radius;
        radius = distance;
        nearest = &s;
      }
      nearest->points.add(p);
      nearest->sphere.radius = std::max(nearest->sphere.radius, radius * (1 + 4e-16));
    });
  }

  // Spheres with three sites in common: their centres are joined by an edge of the Voronoi diagram.
  void find_neighbours() {
    std::map<std::array<std::uint32_t, 3>, std::uint32_t> first;
    for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
      std::array<std::uint32_t, 4> sites = medial_.spheres()[medial_of_[i]].sites;
      std::sort(sites.begin(), sites.end());
      for (std::size_t skip = 0; skip < 4; ++skip) {
        std::array<std::uint32_t, 3> key{};
        for (std::size_t k = 0, at = 0; k < 4; ++k)
          if (k != skip) key[at++] = sites[k];
        const auto [found, is_new] = first.emplace(key, i);
        if (is_new) continue;
        spheres_[i].neighbours.push_back(found->second);
        spheres_[found->second].neighbours.push_back(i);
      }
    }
    for (CoverSphere& s : spheres_) {
      std::sort(s.neighbours.begin(), s.neighbours.end());
      s.neighbours.erase(std::unique(s.neighbours.begin(), s.neighbours.end()), s.neighbours.end());
    }
  }

  const CoverProblem& problem_;
  const MedialSpheres& medial_;
  std::vector<CoverSphere> spheres_;
  std::vector<std::uint32_t> medial_of_;
  IndexSet left_;
};

std::vector<CoverSphere> reduce(const CoverProblem& problem, const std::vector<CoverSphere>& all,
                                SphereReduction reduction) {
  if (all.size() <= problem.most) return refit_spheres(problem, all);
  switch (reduction) {
    case SphereReduction::merge:
      return refit_spheres(problem, merge_spheres(problem, all));
    case SphereReduction::burst:
      return refit_spheres(problem, burst_spheres(problem, all));
    case SphereReduction::expand:
      return refit_spheres(problem, expand_spheres(problem, all));
    case SphereReduction::combined:
      break;
  }
  std::vector<CoverSphere> merged = refit_spheres(problem, merge_spheres(problem, all));
  std::vector<CoverSphere> expanded = refit_spheres(problem, expand_spheres(problem, all));
  return !expanded.empty() && worst_error(expanded) < worst_error(merged) ? expanded : merged;
}

// The sphere that holds a piece deepest; if none does, the one that has to grow least.
std::uint32_t child_for(const std::array<Vec3, 3>& corners, std::span<const CoverSphere> spheres) {
  std::uint32_t best = 0;
  std::pair<bool, double> least{true, std::numeric_limits<double>::infinity()};
  for (std::uint32_t i = 0; i < spheres.size(); ++i) {
    const Sphere& s = spheres[i].sphere;
    double farthest = 0;
    for (const Vec3& p : corners) farthest = std::max(farthest, fixed_length(p - s.centre));
    const Vec3 d = (corners[0] + corners[1] + corners[2]) / 3 - s.centre;
    const bool outside = farthest > s.radius;
    const std::pair rank{outside, outside ? farthest - s.radius : fixed_dot(d, d) - s.radius * s.radius};
    if (rank >= least) continue;
    least = rank;
    best = i;
  }
  return best;
}

// A child: where its pieces stand in the list of the node.
struct Child {
  Vec3 centre = Vec3::Zero();
  std::vector<std::uint32_t> members;
  double radius = 0;
};

// Where few spheres are as good as many, there are fewer than there may be. Then the largest is cut in two across its
// longest side, and each half gets a sphere that reaches out no farther: leaves are smaller for it.
class ChildSplitting {
 public:
  ChildSplitting(const TreePlan& plan, std::span<const std::uint32_t> pieces, const SurfaceDepth& surface)
      : plan_(plan), pieces_(pieces), surface_(surface) {}

  void fill(std::vector<Child>& children) const {
    for (Child& child : children) measure(child);
    while (children.size() < plan_.branching()) {
      const auto largest = std::max_element(children.begin(), children.end(), [](const Child& a, const Child& b) {
        return (a.members.size() > 1 ? a.radius : 0) < (b.members.size() > 1 ? b.radius : 0);
      });
      if (largest->members.size() < 2) return;
      Child high = cut_off(*largest);
      children.push_back(std::move(high));
    }
  }

 private:
  void measure(Child& child) const {
    child.radius = 0;
    for (const std::uint32_t i : child.members)
      for (const Vec3& p : plan_.corners(pieces_[i]))
        child.radius = std::max(child.radius, fixed_length(p - child.centre));
  }
  Child cut_off(Child& low) const {
    Vec3 lo = plan_.middle(pieces_[low.members[0]]), hi = lo;
    for (const std::uint32_t i : low.members) {
      lo = lo.cwiseMin(plan_.middle(pieces_[i]));
      hi = hi.cwiseMax(plan_.middle(pieces_[i]));
    }
    int axis = 0;
    (hi - lo).maxCoeff(&axis);
    const std::vector<std::uint32_t> order =
        order_by(low.members.size(), [&](std::uint32_t i) { return plan_.middle(pieces_[low.members[i]])[axis]; });
    Child high{low.centre, {}, 0};
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < order.size(); ++i)
      (i < order.size() / 2 ? kept : high.members).push_back(low.members[order[i]]);
    low.members = std::move(kept);
    refit(low);
    refit(high);
    return high;
  }
  void refit(Child& child) const {
    std::vector<std::uint32_t> own;
    for (const std::uint32_t i : child.members) own.push_back(pieces_[i]);
    const CoverProblem problem{surface_, points_of(plan_, own), 1};
    IndexSet all(problem.points.size());
    for (std::size_t p = 0; p < problem.points.size(); ++p) all.add(p);
    CoverSphere sphere{{child.centre, 0}, 0, std::move(all), {}};
    refit_sphere(problem, sphere);
    child.centre = sphere.sphere.centre;
    measure(child);
  }

  const TreePlan& plan_;
  std::span<const std::uint32_t> pieces_;
  const SurfaceDepth& surface_;
};

void divide(TreePlan& plan, std::uint32_t node, std::span<const Child> children) {
  std::vector<Vec3> centres;
  std::vector<std::uint32_t> child_of(plan.pieces(node).size());
  for (const Child& child : children) {
    for (const std::uint32_t i : child.members) child_of[i] = static_cast<std::uint32_t>(centres.size());
    centres.push_back(child.centre);
  }
  plan.divide(node, centres, child_of);
}

// As many children as pieces.
void divide_by_pieces(TreePlan& plan, std::uint32_t node) {
  std::vector<Child> children;
  for (const std::uint32_t piece : plan.pieces(node))
    children.push_back({enclosing_ball(plan.corners(piece)).centre, {static_cast<std::uint32_t>(children.size())}, 0});
  divide(plan, node, children);
}

}  // namespace

void divide_by_cover(TreePlan& plan, std::uint32_t node, const SurfaceDepth& surface, const MedialSpheres& medial,
                     std::span<const std::uint32_t> list) {
  const std::span<const std::uint32_t> pieces = plan.pieces(node);
  if (pieces.size() <= plan.branching()) return divide_by_pieces(plan, node);
  const CoverProblem problem{surface, points_of(plan, pieces), plan.branching()};
  const std::vector<CoverSphere> all = Candidates(problem, medial, list).take();
  // A part of the surface too small to have sites of its own, or spheres that hold it.
  if (all.size() < plan.branching()) return divide_node_by_boxes(plan, node);
  const std::vector<CoverSphere> spheres = reduce(problem, all, plan.settings().reduction);
  std::vector<Child> children(spheres.size());
  for (std::size_t i = 0; i < spheres.size(); ++i) children[i].centre = spheres[i].sphere.centre;
  for (std::uint32_t i = 0; i < pieces.size(); ++i)
    children[child_for(plan.corners(pieces[i]), spheres)].members.push_back(i);
  std::erase_if(children, [](const Child& child) { return child.members.empty(); });
  ChildSplitting(plan, pieces, surface).fill(children);
  divide(plan, node, children);
}

}  // namespace pliant
