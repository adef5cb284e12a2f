#include <algorithm>
#include <limits>

#include "pliant/bounds/sphere_tree/sphere_cover.h"

namespace pliant {
namespace {

class Bursting {
 public:
  Bursting(const CoverProblem& problem, std::vector<CoverSphere> spheres)
      : problem_(problem), spheres_(std::move(spheres)), cost_(spheres_.size()) {
    for (std::size_t i = 0; i < spheres_.size(); ++i) alive_.push_back(static_cast<std::uint32_t>(i));
    for (const std::uint32_t i : alive_) cost_[i] = cost(i);
  }

  std::vector<CoverSphere> run() {
    while (alive_.size() > problem_.most) {
      if (alive_.size() == 3 * problem_.most)
        for (const std::uint32_t i : alive_) cost_[i] = cost(i);
      burst(*std::min_element(alive_.begin(), alive_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return cost_[a] != cost_[b] ? cost_[a] < cost_[b] : a < b;
      }));
    }
    std::vector<CoverSphere> result;
    for (const std::uint32_t i : alive_) result.push_back(std::move(spheres_[i]));
    return result;
  }

 private:
  // Neighbours while there are many spheres and it has some, then all others.
  std::vector<std::uint32_t> heirs(std::uint32_t gone) const {
    if (alive_.size() > 3 * problem_.most && !spheres_[gone].neighbours.empty()) return spheres_[gone].neighbours;
    std::vector<std::uint32_t> others;
    for (const std::uint32_t i : alive_)
      if (i != gone) others.push_back(i);
    return others;
  }

  // Gives every point of a sphere to an heir: the one that needs to grow least for it. told(heir, point, radius).
  template <class Told>
  void inherit(std::uint32_t gone, const std::vector<std::uint32_t>& heirs, Told&& told) const {
    spheres_[gone].points.for_each([&](std::size_t p) {
      std::uint32_t best = heirs[0];
      double least = std::numeric_limits<double>::infinity(), radius = 0;
      for (const std::uint32_t heir : heirs) {
        const double distance = fixed_length(problem_.points[p] - spheres_[heir].sphere.centre);
        if (distance - spheres_[heir].sphere.radius >= least) continue;
        least = distance - spheres_[heir].sphere.radius;
        best = heir;
        radius = distance;
      }
      told(best, p, radius);
    });
  }

  // What the sum of errors grows by.
  double cost(std::uint32_t gone) const {
    const std::vector<std::uint32_t> all = heirs(gone);
    std::vector<double> radii;
    for (const std::uint32_t heir : all) radii.push_back(spheres_[heir].sphere.radius);
    inherit(gone, all, [&](std::uint32_t heir, std::size_t, double radius) {
      double& r = radii[static_cast<std::size_t>(std::find(all.begin(), all.end(), heir) - all.begin())];
      r = std::max(r, radius);
    });
    double sum = -spheres_[gone].error();
    for (std::size_t i = 0; i < all.size(); ++i)
      sum += convex_error(radii[i], spheres_[all[i]].depth) - spheres_[all[i]].error();
    return sum;
  }

  void burst(std::uint32_t gone) {
    const std::vector<std::uint32_t> all = heirs(gone);
    inherit(gone, all, [&](std::uint32_t heir, std::size_t p, double radius) {
      CoverSphere& s = spheres_[heir];
      s.points.add(p);
      s.sphere.radius = std::max(s.sphere.radius, radius * (1 + 4e-16));
    });
    alive_.erase(std::find(alive_.begin(), alive_.end(), gone));
    join_neighbours(gone);
    for (const std::uint32_t heir : all) cost_[heir] = cost(heir);
  }

  // Those of a sphere that is gone are then next to each other.
  void join_neighbours(std::uint32_t gone) {
    const std::vector<std::uint32_t> old = spheres_[gone].neighbours;
    for (const std::uint32_t i : old) {
      std::vector<std::uint32_t>& own = spheres_[i].neighbours;
      own.insert(own.end(), old.begin(), old.end());
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
      std::erase_if(own, [&](std::uint32_t n) { return n == i || n == gone; });
    }
  }

  const CoverProblem& problem_;
  std::vector<CoverSphere> spheres_;
  std::vector<double> cost_;
  std::vector<std::uint32_t> alive_;
};

}  // namespace

std::vector<CoverSphere> burst_spheres(const CoverProblem& problem, std::vector<CoverSphere> spheres) {
  return Bursting(problem, std::move(spheres)).run();
}

}  // namespace pliant
