#include "pliant/asset/thin_parts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/asset/lattice_cuts.h"

namespace pliant {
namespace {

// A face cut into k^2 equal triangles, asked in the middle of each.
class ThinFace {
 public:
  ThinFace(const TriangleMesh& mesh, FaceId f)
      : face_(f),
        a_(mesh.position(mesh.triangle(f)[0])),
        u_(mesh.position(mesh.triangle(f)[1]) - a_),
        v_(mesh.position(mesh.triangle(f)[2]) - a_) {}

  ThinParts ask(const SegmentSearch& search, double thickness) const {
    constexpr double kMostCuts = 64;
    const double longest = std::max({u_.norm(), v_.norm(), (u_ - v_).norm()});
    const auto k = static_cast<int>(std::clamp(std::ceil(longest / thickness), 1.0, kMostCuts));
    const double area = u_.cross(v_).norm() / 2 / (k * k);  // of each
    ThinParts found;
    for (int i = 0; i < k; ++i) {
      for (int j = 0; i + j < k; ++j) {
        ask_at((i + 1.0 / 3) / k, (j + 1.0 / 3) / k, area, search, thickness, found);
        if (i + j + 1 < k) ask_at((i + 2.0 / 3) / k, (j + 2.0 / 3) / k, area, search, thickness, found);
      }
    }
    return found;
  }

 private:
  void ask_at(double u, double v, double area, const SegmentSearch& search, double thickness, ThinParts& found) const {
    const Vec3 p = a_ + u * u_ + v * v_, q = p - thickness * u_.cross(v_).stableNormalized();
    const auto met = search.first_on_way(p, q, face_);
    if (!met) return;
    if (!found.any() || met->fraction * thickness < found.least) {
      found.least = met->fraction * thickness;
      found.place = p;
    }
    found.fraction += area;
  }

  FaceId face_;
  Vec3 a_, u_, v_;
};

}  // namespace

ThinParts find_thin_parts(const TriangleMesh& surface, double thickness, Threads threads) {
  const SegmentSearch search(surface, threads);
  std::vector<ThinParts> by_face(surface.face_count());
  parallel_for(threads, by_face.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) by_face[f] = ThinFace(surface, FaceId(f)).ask(search, thickness);
  });
  ThinParts all;
  double area = 0;
  for (std::size_t f = 0; f < by_face.size(); ++f) {
    const Triangle& t = surface.triangles()[f];
    area += (surface.position(t[1]) - surface.position(t[0]))
                .cross(surface.position(t[2]) - surface.position(t[0]))
                .norm() /
            2;
    if (!by_face[f].any()) continue;
    if (!all.any() || by_face[f].least < all.least) {
      all.least = by_face[f].least;
      all.place = by_face[f].place;
    }
    all.fraction += by_face[f].fraction;
  }
  all.fraction = area > 0 ? std::min(1.0, all.fraction / area) : 0;
  return all;
}

}  // namespace pliant
