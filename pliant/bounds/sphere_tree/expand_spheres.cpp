#include <algorithm>
#include <limits>

#include "pliant/bounds/sphere_tree/sphere_cover.h"

namespace pliant {
namespace {

class Expansion {
 public:
  Expansion(const CoverProblem& problem, const std::vector<CoverSphere>& spheres)
      : problem_(problem), spheres_(spheres) {
    for (const CoverSphere& s : spheres)
      for (const Vec3& p : problem.points)
        stand_out_.push_back(static_cast<float>(fixed_length(p - s.sphere.centre) - s.depth));
  }

  std::vector<CoverSphere> run() const {
    double enough = worst_error(spheres_), least = 0;
    if (enough == 0) enough = spheres_.front().sphere.radius * 1e-3;
    while (select(enough).empty()) {
      least = enough;
      enough *= 2;
      if (!std::isfinite(enough)) return {};
    }
    for (int step = 0; step < 20 && enough - least > 1e-5 * enough; ++step) {
      const double tried = (enough + least) / 2;
      if (select(tried).empty()) least = tried;
      else enough = tried;
    }
    return select(enough);
  }

 private:
  // Spheres that stand out by `error` and hold everything; none if there are too many of them.
  std::vector<CoverSphere> select(double error) const {
    const std::size_t count = problem_.points.size();
    std::vector<IndexSet> held(spheres_.size(), IndexSet(count));
    for (std::size_t s = 0; s < spheres_.size(); ++s)
      for (std::size_t p = 0; p < count; ++p)
        if (stand_out_[s * count + p] <= error) held[s].add(p);
    IndexSet left(count);
    for (std::size_t p = 0; p < count; ++p) left.add(p);
    std::vector<CoverSphere> chosen;
    while (!left.empty()) {
      const auto [best, most] = most_of(left, held);
      if (most == 0 || chosen.size() == problem_.most) return {};
      left.remove(held[best]);
      CoverSphere sphere = spheres_[best];
      sphere.points = held[best];
      sphere.sphere = problem_.around(sphere.sphere.centre, sphere.points);
      chosen.push_back(std::move(sphere));
    }
    return chosen;
  }
  static std::pair<std::size_t, std::size_t> most_of(const IndexSet& left, const std::vector<IndexSet>& held) {
    std::pair<std::size_t, std::size_t> best{0, 0};
    for (std::size_t s = 0; s < held.size(); ++s) {
      const std::size_t common = held[s].common_count(left);
      if (common > best.second) best = {s, common};
    }
    return best;
  }

  const CoverProblem& problem_;
  const std::vector<CoverSphere>& spheres_;
  // By sphere and point: how far the sphere stands out of the surface when it reaches the point. In float: only a
  // choice hangs on it, and radii are fitted afterwards.
  std::vector<float> stand_out_;
};

}  // namespace

std::vector<CoverSphere> expand_spheres(const CoverProblem& problem, const std::vector<CoverSphere>& spheres) {
  if (spheres.size() <= problem.most) return spheres;
  return Expansion(problem, spheres).run();
}

}  // namespace pliant
