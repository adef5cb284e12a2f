#include <algorithm>
#include <array>
#include <limits>

#include "pliant/bounds/sphere_tree/sphere_cover.h"

namespace pliant {
namespace {

// J. A. Nelder and R. Mead, "A simplex method for function minimization", 1965: a simplex that walks downhill by
// reflection, expansion, contraction.
class CentreSearch {
 public:
  CentreSearch(const CoverProblem& problem, const IndexSet& points) : problem_(problem), points_(points) {}

  struct Vertex {
    Sphere sphere;
    double depth = 0;
    double error = 0;
  };

  Vertex at(const Vec3& centre) const {
    Vertex v{problem_.around(centre, points_), problem_.surface(centre)};
    v.error = convex_error(v.sphere.radius, v.depth);
    return v;
  }

  Vertex run(const Vec3& start, double size) const {
    constexpr int kMostSteps = 24;
    std::array<Vertex, 4> simplex{at(start), at(start + Vec3(size, 0, 0)), at(start + Vec3(0, size, 0)),
                                  at(start + Vec3(0, 0, size))};
    for (int step = 0; step < kMostSteps; ++step) {
      std::stable_sort(simplex.begin(), simplex.end(),
                       [](const Vertex& a, const Vertex& b) { return a.error < b.error; });
      if (simplex[3].error - simplex[0].error <= 1e-4 * simplex[3].error) break;
      walk(simplex);
    }
    return *std::min_element(simplex.begin(), simplex.end(),
                             [](const Vertex& a, const Vertex& b) { return a.error < b.error; });
  }

 private:
  void walk(std::array<Vertex, 4>& simplex) const {
    const Vec3 middle = (simplex[0].sphere.centre + simplex[1].sphere.centre + simplex[2].sphere.centre) / 3;
    const Vec3 away = middle - simplex[3].sphere.centre;
    const Vertex reflected = at(middle + away);
    if (reflected.error < simplex[0].error) {
      const Vertex further = at(middle + 2 * away);
      simplex[3] = further.error < reflected.error ? further : reflected;
    } else if (reflected.error < simplex[2].error) {
      simplex[3] = reflected;
    } else {
      const Vertex nearer = at(middle - 0.5 * away);
      if (nearer.error < simplex[3].error) simplex[3] = nearer;
      else
        for (std::size_t i = 1; i < 4; ++i) simplex[i] = at((simplex[i].sphere.centre + simplex[0].sphere.centre) / 2);
    }
  }

  const CoverProblem& problem_;
  const IndexSet& points_;
};

// Each point to the sphere that it lies deepest in, by the power of the point: the planes between spheres in which
// their surfaces meet, and outside of all of them nearly the nearest.
void share_out_points(const CoverProblem& problem, std::vector<CoverSphere>& spheres) {
  for (CoverSphere& s : spheres) s.points = IndexSet(problem.points.size());
  for (std::size_t p = 0; p < problem.points.size(); ++p) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < spheres.size(); ++s) {
      const Vec3 d = problem.points[p] - spheres[s].sphere.centre;
      const double power = fixed_dot(d, d) - spheres[s].sphere.radius * spheres[s].sphere.radius;
      if (power >= least) continue;
      least = power;
      best = s;
    }
    spheres[best].points.add(p);
  }
  std::erase_if(spheres, [](const CoverSphere& s) { return s.points.empty(); });
}

}  // namespace

void refit_sphere(const CoverProblem& problem, CoverSphere& s) {
  const CentreSearch search(problem, s.points);
  CentreSearch::Vertex best = search.at(problem.enclosing(s.points).centre);
  const CentreSearch::Vertex kept = search.at(s.sphere.centre);
  if (kept.error < best.error) best = kept;
  const CentreSearch::Vertex found = search.run(best.sphere.centre, 0.25 * best.sphere.radius);
  if (found.error < best.error) best = found;
  s.sphere = best.sphere;
  s.depth = best.depth;
}

std::vector<CoverSphere> refit_spheres(const CoverProblem& problem, std::vector<CoverSphere> spheres) {
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    share_out_points(problem, spheres);
    for (CoverSphere& s : spheres) refit_sphere(problem, s);
  }
  return spheres;
}

}  // namespace pliant
