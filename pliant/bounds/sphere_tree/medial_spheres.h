// The medial axis of a surface, nearly: spheres inside it that touch it in several places, refined where they reach out
// most.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bounds/sphere_tree/sphere_error.h"
#include "pliant/core/threads.h"

namespace pliant {

// A sphere through four sites of the surface.
struct MedialSphere {
  Sphere sphere;
  double depth = 0;  // of its centre, negative outside
  std::array<std::uint32_t, 4> sites{};

  double error() const { return convex_error(sphere.radius, depth); }
  bool is_inside() const { return depth > 0; }
};

// A point of the surface.
struct SurfaceSite {
  Vec3 at = Vec3::Zero();
  FaceId face;
};

// After Bradshaw and O'Sullivan 2004: the vertices of the Voronoi diagram of surface points (sites) that lie inside are
// the centres of spheres near the medial axis. Those outside are kept too: where no sphere inside reaches a point of
// the surface, one of them covers it. A sphere that reaches out too far is replaced by giving the diagram a new site,
// the surface point nearest to its centre. They insert sites one by one; Qhull has no use for that, so here many at a
// time, each beside another.
class MedialSpheres {
 public:
  // The surface must outlive it.
  MedialSpheres(const SurfaceDepth& surface, std::vector<SurfaceSite> sites, Threads threads);

  std::span<const SurfaceSite> sites() const { return sites_; }
  std::span<const MedialSphere> spheres() const { return spheres_; }
  // Spheres of which a site is one, ascending.
  std::span<const std::uint32_t> spheres_of_site(std::uint32_t site) const {
    return std::span(of_site_).subspan(first_[site], first_[site + 1] - first_[site]);
  }
  bool has_inside() const;

  // Gives the diagram new sites, nearest to the centres of these spheres, and finds its spheres anew. False, and
  // nothing is changed, if all of those are sites already.
  bool refine(std::span<const std::uint32_t> spheres);

 private:
  void find_spheres();

  const SurfaceDepth& surface_;
  std::vector<SurfaceSite> sites_;
  Threads threads_;
  std::vector<MedialSphere> spheres_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> of_site_;
};

}  // namespace pliant
