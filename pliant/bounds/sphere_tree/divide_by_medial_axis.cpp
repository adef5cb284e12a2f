#include <algorithm>
#include <atomic>
#include <map>

#include "pliant/bounds/sphere_tree/medial_spheres.h"
#include "pliant/bounds/sphere_tree/node_cover.h"
#include "pliant/bounds/sphere_tree/tree_plan.h"
#include "pliant/core/error.h"
#include "pliant/core/parallel.h"
#include "pliant/mesh/defects.h"

namespace pliant {

// Welded or not: repair parts sheets that touch along an edge by giving each vertices of its own.
bool has_medial_axis(const TriangleMesh& mesh) {
  return find_defects(mesh, {.welded = true}).closed() || find_defects(mesh).closed();
}

namespace {

constexpr std::size_t kFirstSites = 500;
constexpr std::size_t kLeastSpheres = 100;  // inside, of a node that is to be divided
constexpr int kMostRounds = 5;              // of refinement per level

void require_inside(const TriangleMesh& mesh) {
  if (!has_medial_axis(mesh))
    throw Error(ErrorPlace{.file = mesh.origin().name}, "the surface is not closed, so that it has no medial axis",
                "close its holes, or build it with boxes or as an octree, which take any surface");
}

// Level by level, all nodes of a level at once: they share one Voronoi diagram, which is refined where a node needs it.
class MedialDivision {
 public:
  explicit MedialDivision(TreePlan& plan)
      : plan_(plan),
        surface_(plan.mesh()),
        medial_(surface_, first_sites(), plan.settings().threads),
        node_of_piece_(plan.piece_count(), 0) {
    if (!medial_.has_inside())
      throw Error(ErrorPlace{.file = plan.mesh().origin().name}, "the surface encloses no volume",
                  "use the builder 'boxes'");
    for (std::uint32_t i = 0; i < plan.piece_count(); ++i) pieces_of_face_.emplace(plan.face(i), i);
  }

  void run() {
    const std::uint32_t depth = plan_.settings().shape.depth;
    double done = 0;
    for (std::uint32_t d = 0; d < depth; ++d) {
      std::vector<std::uint32_t> nodes = plan_.level(d);
      std::erase_if(nodes, [&](std::uint32_t node) { return !plan_.is_divided(node); });
      const double end = d + 1 == depth ? 1 : done + 0.5 / depth;
      divide_level(nodes, done, end);
      done = end;
    }
  }

 private:
  // Spread evenly over the surface: one piece for each equal part of the area, along a curve through space.
  std::vector<SurfaceSite> first_sites() const {
    const TreePlan& plan = plan_;
    const std::vector<std::uint32_t> order = along_a_curve();
    double area = 0;
    std::vector<double> sums;
    for (const std::uint32_t piece : order) {
      const auto& c = plan.corners(piece);
      area += fixed_length((c[1] - c[0]).cross(c[2] - c[0]));
      sums.push_back(area);
    }
    std::vector<SurfaceSite> sites;
    std::size_t at = 0;
    const std::size_t count = std::min(kFirstSites, order.size());
    for (std::size_t i = 0; i < count; ++i) {
      const double wanted = area * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
      const std::size_t before = at;
      while (at + 1 < order.size() && sums[at] < wanted) ++at;
      if (i == 0 || at != before) sites.push_back({plan.middle(order[at]), plan.face(order[at])});
    }
    return sites;
  }
  // By the Morton code of their middles.
  std::vector<std::uint32_t> along_a_curve() const {
    const Sphere& all = plan_.sphere(0);
    return order_by(plan_.piece_count(), [&](std::uint32_t piece) {
      const Vec3 p = (plan_.middle(piece) - all.centre) / std::max(all.radius, 1e-300);
      double code = 0;
      for (int bit = 0; bit < 10; ++bit)
        for (int axis = 0; axis < 3; ++axis) {
          const double scaled = std::floor((p[axis] + 1) * std::ldexp(1.0, bit));
          code = 2 * code + (std::fmod(scaled, 2) != 0 ? 1 : 0);
        }
      return code;
    });
  }

  void divide_level(const std::vector<std::uint32_t>& nodes, double begin, double end) {
    for (const std::uint32_t node : nodes)
      for (const std::uint32_t piece : plan_.pieces(node)) node_of_piece_[piece] = node;
    const auto lists = refined_lists(nodes);
    std::atomic<std::size_t> done{0};
    run_chunks(plan_.settings().threads, nodes.size(), [&](std::size_t i) {
      divide_by_cover(plan_, nodes[i], surface_, medial_, lists[i]);
      plan_.tell(++done, nodes.size(), begin + 0.2 * (end - begin), end);
    });
  }

  // The spheres of each node: those that touch its part of the surface.
  using Lists = std::vector<std::vector<std::uint32_t>>;
  Lists sphere_lists(const std::vector<std::uint32_t>& nodes) const {
    std::map<std::uint32_t, std::size_t> place;
    for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
    Lists lists(nodes.size());
    for (std::uint32_t site = 0; site < medial_.sites().size(); ++site) {
      const auto found = place.find(node_of_piece_[piece_of(medial_.sites()[site])]);
      if (found == place.end()) continue;
      const auto spheres = medial_.spheres_of_site(site);
      lists[found->second].insert(lists[found->second].end(), spheres.begin(), spheres.end());
    }
    for (auto& list : lists) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return lists;
  }
  std::uint32_t piece_of(const SurfaceSite& site) const {
    const auto [first, last] = pieces_of_face_.equal_range(site.face);
    return std::min_element(first, last,
                            [&](const auto& a, const auto& b) {
                              return fixed_length(plan_.middle(a.second) - site.at) <
                                     fixed_length(plan_.middle(b.second) - site.at);
                            })
        ->second;
  }

  Lists refined_lists(const std::vector<std::uint32_t>& nodes) {
    double sum = 0;
    std::vector<double> errors;
    for (const std::uint32_t node : nodes) {
      errors.push_back(convex_error(plan_.sphere(node).radius, surface_(plan_.sphere(node).centre)));
      sum += errors.back();
    }
    const double mean = nodes.empty() ? 0 : sum / static_cast<double>(nodes.size());
    Lists lists = sphere_lists(nodes);
    for (int round = 0; round < kMostRounds; ++round) {
      std::vector<std::uint32_t> chosen;
      for (std::size_t i = 0; i < nodes.size(); ++i)
        choose_worst(lists[i], plan_.pieces(nodes[i]).size(), std::min(errors[i], mean) / 2, chosen);
      std::sort(chosen.begin(), chosen.end());
      chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
      if (chosen.empty() || !medial_.refine(chosen)) break;
      lists = sphere_lists(nodes);
    }
    return lists;
  }

  // Of a node: spheres that reach out more than `limit`; if there are too few inside, the worst ones in any case.
  void choose_worst(std::span<const std::uint32_t> list, std::size_t pieces, double limit,
                    std::vector<std::uint32_t>& chosen) const {
    std::size_t inside = 0;
    for (const std::uint32_t s : list) inside += medial_.spheres()[s].is_inside() ? 1 : 0;
    const bool few = inside < std::min(kLeastSpheres, pieces);
    std::vector<std::uint32_t> worst;
    for (const std::uint32_t s : list)
      if (medial_.spheres()[s].is_inside() && (few || medial_.spheres()[s].error() > limit)) worst.push_back(s);
    // With none inside, those outside lead to sites as well.
    if (inside == 0) worst.assign(list.begin(), list.end());
    const auto by_error = [&](std::uint32_t a, std::uint32_t b) {
      const double ea = medial_.spheres()[a].error(), eb = medial_.spheres()[b].error();
      return ea != eb ? ea > eb : a < b;
    };
    std::sort(worst.begin(), worst.end(), by_error);
    worst.resize(std::min(worst.size(), kLeastSpheres / 2));
    chosen.insert(chosen.end(), worst.begin(), worst.end());
  }

  TreePlan& plan_;
  SurfaceDepth surface_;
  MedialSpheres medial_;
  std::vector<std::uint32_t> node_of_piece_;
  std::multimap<FaceId, std::uint32_t> pieces_of_face_;
};

}  // namespace

void divide_by_medial_axis(TreePlan& plan) {
  require_inside(plan.mesh());
  MedialDivision(plan).run();
}

}  // namespace pliant
