#include "pliant/bounds/sphere_tree/medial_spheres.h"

#include <algorithm>
#include <tuple>

#include "pliant/bounds/sphere_tree/voronoi.h"
#include "pliant/core/parallel.h"

namespace pliant {
namespace {

// A new site that takes less than this fraction of a sphere's radius away is none: the sphere is as good as it gets.
constexpr double kLeastGain = 1e-3;

bool is_before(const Vec3& a, const Vec3& b) {
  return std::tuple(a.x(), a.y(), a.z()) < std::tuple(b.x(), b.y(), b.z());
}

}  // namespace

MedialSpheres::MedialSpheres(const SurfaceDepth& surface, std::vector<SurfaceSite> sites, Threads threads)
    : surface_(surface), sites_(std::move(sites)), threads_(threads) {
  find_spheres();
}

bool MedialSpheres::has_inside() const {
  return std::any_of(spheres_.begin(), spheres_.end(), [](const MedialSphere& s) { return s.is_inside(); });
}

void MedialSpheres::find_spheres() {
  std::vector<Vec3> points;
  points.reserve(sites_.size());
  for (const SurfaceSite& site : sites_) points.push_back(site.at);
  const std::vector<VoronoiVertex> vertices = voronoi_vertices(points);
  spheres_.resize(vertices.size());
  parallel_for(threads_, vertices.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      spheres_[i] = {{vertices[i].centre, vertices[i].radius}, surface_(vertices[i].centre), vertices[i].sites};
  });
  first_.assign(sites_.size() + 1, 0);
  for (const MedialSphere& s : spheres_)
    for (const std::uint32_t site : s.sites) ++first_[site + 1];
  for (std::size_t i = 0; i < sites_.size(); ++i) first_[i + 1] += first_[i];
  of_site_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t s = 0; s < spheres_.size(); ++s)
    for (const std::uint32_t site : spheres_[s].sites) of_site_[next[site]++] = s;
}

bool MedialSpheres::refine(std::span<const std::uint32_t> chosen) {
  std::vector<SurfaceSite> found(chosen.size());
  parallel_for(threads_, chosen.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const MedialSphere& s = spheres_[chosen[i]];
      const NearestOnSurface nearest = surface_.closest().find(s.sphere.centre);
      if (nearest.distance < (1 - kLeastGain) * s.sphere.radius) found[i] = {nearest.point, nearest.face};
    }
  });
  std::erase_if(found, [](const SurfaceSite& site) { return !site.face.valid(); });
  std::sort(found.begin(), found.end(),
            [](const SurfaceSite& a, const SurfaceSite& b) { return is_before(a.at, b.at); });
  // Spheres side by side often have one and the same nearest point.
  const auto nearly_same = [](const SurfaceSite& a, const SurfaceSite& b) {
    return fixed_length(a.at - b.at) <= 1e-9 * (fixed_length(a.at) + fixed_length(b.at));
  };
  found.erase(std::unique(found.begin(), found.end(), nearly_same), found.end());
  if (found.empty()) return false;
  sites_.insert(sites_.end(), found.begin(), found.end());
  find_spheres();
  return true;
}

}  // namespace pliant
