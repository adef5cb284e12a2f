#include "pliant/bounds/sphere_tree/voronoi.h"

#include "pliant/core/error.h"

#ifdef PLIANT_QHULL
#include <cstdio>
#include <memory>

#include "pliant/core/rigid.h"

extern "C" {
#include <libqhull_r/libqhull_r.h>
}

namespace pliant {
namespace {

// Qhull keeps all of its state here.
class QhullRun {
 public:
  QhullRun() { qh_zero(&qh_, nullptr); }
  ~QhullRun() {
    qh_freeqhull(&qh_, !qh_ALL);
    int short_left = 0, total_left = 0;
    qh_memfreeshort(&qh_, &short_left, &total_left);
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;

  // d: Delaunay; Qt: only simplices; Qbb: scales the lifted coordinate, against loss of digits; Pp: no warnings. What
  // Qhull says goes nowhere: its status tells enough.
  void triangulate(std::vector<Vec3>& points) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "w"), std::fclose);
    std::array<char, 32> command{"qhull d Qt Qbb Qc Pp"};
    const int status = qh_new_qhull(&qh_, 3, static_cast<int>(points.size()), points.front().data(), False,
                                    command.data(), nullptr, nowhere ? nowhere.get() : stderr);
    if (status != 0) throw Error("Qhull failed with status " + std::to_string(status));
  }
  template <class Call>
  void for_each_tet(Call&& call) {
    facetT* facet = nullptr;
    for (facet = qh_.facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next) {
      if (facet->upperdelaunay || !facet->simplicial) continue;
      std::array<std::uint32_t, 4> sites{};
      std::size_t count = 0;
      vertexT *vertex = nullptr, **vertexp = nullptr;
      FOREACHvertex_(facet->vertices) {
        if (count < 4) sites[count++] = static_cast<std::uint32_t>(qh_pointid(&qh_, vertex->point));
      }
      if (count == 4) call(sites);
    }
  }

 private:
  qhT qh_;
};

// Eight corners of a box around everything, so that no real site is on the hull and none are all in one plane.
void add_ghosts(std::vector<Vec3>& points) {
  Vec3 lo = points[0], hi = points[0];
  for (const Vec3& p : points) {
    lo = lo.cwiseMin(p);
    hi = hi.cwiseMax(p);
  }
  const double size = fixed_length(hi - lo);
  const Vec3 margin = Vec3::Constant(2 * (size > 0 ? size : 1));
  for (unsigned corner = 0; corner < 8; ++corner) {
    const auto at = [&](int axis) { return (corner >> axis & 1U) == 0 ? (lo - margin)[axis] : (hi + margin)[axis]; };
    points.emplace_back(at(0), at(1), at(2));
  }
}

// False for four points that are nearly in one plane.
bool circumsphere(const std::array<Vec3, 4>& p, Vec3& centre, double& radius) {
  const Vec3 a = p[1] - p[0], b = p[2] - p[0], c = p[3] - p[0];
  const Vec3 bc = b.cross(c), ca = c.cross(a), ab = a.cross(b);
  const double det = 2 * fixed_dot(a, bc);
  const double aa = fixed_dot(a, a), bb = fixed_dot(b, b), cc = fixed_dot(c, c);
  if (!(det * det > 1e-20 * aa * bb * cc)) return false;
  const Vec3 offset = (aa * bc + bb * ca + cc * ab) / det;
  centre = p[0] + offset;
  radius = fixed_length(offset);
  return true;
}

}  // namespace

std::vector<VoronoiVertex> voronoi_vertices(std::span<const Vec3> sites) {
  std::vector<VoronoiVertex> vertices;
  if (sites.size() < 4) return vertices;
  std::vector<Vec3> points(sites.begin(), sites.end());
  add_ghosts(points);
  QhullRun qhull;
  qhull.triangulate(points);
  qhull.for_each_tet([&](const std::array<std::uint32_t, 4>& tet) {
    for (const std::uint32_t site : tet)
      if (site >= sites.size()) return;
    VoronoiVertex vertex{.sites = tet};
    if (circumsphere({sites[tet[0]], sites[tet[1]], sites[tet[2]], sites[tet[3]]}, vertex.centre, vertex.radius))
      vertices.push_back(vertex);
  });
  return vertices;
}

}  // namespace pliant

#else

namespace pliant {

std::vector<VoronoiVertex> voronoi_vertices(std::span<const Vec3>) {
  throw Error("sphere trees by the medial axis need Qhull, which this library was built without",
              "build it with libqhull-dev, or use the builder 'boxes'");
}

}  // namespace pliant

#endif
