#include <algorithm>
#include <limits>

#include "pliant/bounds/sphere_tree/sphere_cover.h"

namespace pliant {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Two spheres and what would become of them.
struct Merger {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  Sphere sphere;
  double depth = 0;
  double error = kNever;
};

class Merging {
 public:
  Merging(const CoverProblem& problem, std::vector<CoverSphere> spheres)
      : problem_(problem), spheres_(std::move(spheres)), alive_(spheres_.size(), true), left_(spheres_.size()) {
    for (std::uint32_t a = 0; a < spheres_.size(); ++a)
      for (const std::uint32_t b : spheres_[a].neighbours)
        if (a < b) add(a, b);
  }

  std::vector<CoverSphere> run() {
    while (left_ > problem_.most) {
      if (!all_pairs_ && (left_ <= 3 * problem_.most || mergers_.empty())) add_all_pairs();
      apply(best());
    }
    std::vector<CoverSphere> result;
    for (std::size_t i = 0; i < spheres_.size(); ++i)
      if (alive_[i]) result.push_back(std::move(spheres_[i]));
    return result;
  }

 private:
  Merger evaluate(std::uint32_t a, std::uint32_t b) const {
    const CoverSphere &sa = spheres_[a], &sb = spheres_[b];
    IndexSet both = sa.points;
    both.add(sb.points);
    Merger merger{a, b, problem_.enclosing(both)};
    merger.depth = problem_.surface(merger.sphere.centre);
    merger.error = convex_error(merger.sphere.radius, merger.depth);
    for (const CoverSphere* old : {&sa, &sb}) {
      const Sphere kept = problem_.around(old->sphere.centre, both);
      const double error = convex_error(kept.radius, old->depth);
      if (error < merger.error) merger = {a, b, kept, old->depth, error};
    }
    return merger;
  }
  void add(std::uint32_t a, std::uint32_t b) { mergers_.push_back(evaluate(a, b)); }
  void add_all_pairs() {
    all_pairs_ = true;
    mergers_.clear();
    for (std::uint32_t a = 0; a < spheres_.size(); ++a)
      for (std::uint32_t b = a + 1; b < spheres_.size() && alive_[a]; ++b)
        if (alive_[b]) add(a, b);
  }

  // One that lowers the worst error, the most; if there is none, the one of least error. The first of equal ones.
  Merger best() const {
    std::uint32_t worst = 0;
    double most = -1;
    for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
      if (!alive_[i] || spheres_[i].error() <= most) continue;
      most = spheres_[i].error();
      worst = i;
    }
    const Merger *least = &mergers_.front(), *improving = nullptr;
    for (const Merger& m : mergers_) {
      if (m.error < least->error) least = &m;
      const bool improves = (m.a == worst || m.b == worst) && m.error < most;
      if (improves && (improving == nullptr || m.error < improving->error)) improving = &m;
    }
    return improving != nullptr ? *improving : *least;
  }

  void apply(const Merger& merger) {
    const std::uint32_t a = merger.a, b = merger.b;
    spheres_[a].sphere = merger.sphere;
    spheres_[a].depth = merger.depth;
    spheres_[a].points.add(spheres_[b].points);
    alive_[b] = false;
    --left_;
    std::vector<std::uint32_t> others;
    for (const Merger& m : mergers_) {
      if (m.a == a || m.a == b) others.push_back(m.b);
      else if (m.b == a || m.b == b) others.push_back(m.a);
    }
    std::erase_if(mergers_, [&](const Merger& m) { return m.a == a || m.a == b || m.b == a || m.b == b; });
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (const std::uint32_t other : others)
      if (other != a && other != b) add(std::min(a, other), std::max(a, other));
  }

  const CoverProblem& problem_;
  std::vector<CoverSphere> spheres_;
  std::vector<bool> alive_;
  std::size_t left_;
  std::vector<Merger> mergers_;  // of spheres that are alive
  bool all_pairs_ = false;
};

}  // namespace

std::vector<CoverSphere> merge_spheres(const CoverProblem& problem, std::vector<CoverSphere> spheres) {
  return Merging(problem, std::move(spheres)).run();
}

}  // namespace pliant
