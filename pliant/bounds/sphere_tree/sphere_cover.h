// One step of building a tree: the surface part of a node to be covered by few spheres.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bounds/sphere_tree/sphere_error.h"

namespace pliant {

// Numbers below a fixed count.
class IndexSet {
 public:
  explicit IndexSet(std::size_t count = 0) : words_((count + 63) / 64, 0) {}
  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  bool has(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void add(const IndexSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  }
  void remove(const IndexSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
  }
  std::size_t count() const {
    std::size_t sum = 0;
    for (const std::uint64_t w : words_) sum += static_cast<std::size_t>(std::popcount(w));
    return sum;
  }
  std::size_t common_count(const IndexSet& other) const {
    std::size_t sum = 0;
    for (std::size_t w = 0; w < words_.size(); ++w)
      sum += static_cast<std::size_t>(std::popcount(words_[w] & other.words_[w]));
    return sum;
  }
  bool empty() const { return count() == 0; }
  template <class Call>
  void for_each(Call&& call) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
        call(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
  }

 private:
  std::vector<std::uint64_t> words_;
};

// A sphere that may cover points of the problem.
struct CoverSphere {
  Sphere sphere;
  double depth = 0;                       // of the centre, negative outside
  IndexSet points;                        // that it covers
  std::vector<std::uint32_t> neighbours;  // ascending; spheres that it may be merged with

  double error() const { return convex_error(sphere.radius, depth); }
};

struct CoverProblem {
  const SurfaceDepth& surface;
  std::vector<Vec3> points;
  std::size_t most = 8;  // spheres of an answer

  // The smallest one with this centre that holds the points of a set.
  Sphere around(const Vec3& centre, const IndexSet& set) const;
  Sphere enclosing(const IndexSet& set) const;
  CoverSphere make(const Sphere& sphere, IndexSet set) const {
    return {sphere, surface(sphere.centre), std::move(set), {}};
  }
};

// The largest error of spheres; what answers are compared by.
double worst_error(std::span<const CoverSphere> spheres);

// Each takes spheres that together hold all points of the problem and gives no more than problem.most, which do too.
// After Bradshaw and O'Sullivan, "Adaptive medial-axis approximation for sphere-tree construction", 2004, section 5.
//
// Merge: two neighbours become one, which is the smallest ball of the points of both, or has the centre of either.
std::vector<CoverSphere> merge_spheres(const CoverProblem& problem, std::vector<CoverSphere> spheres);
// Burst: a sphere goes, and its points to those neighbours that need to grow least.
std::vector<CoverSphere> burst_spheres(const CoverProblem& problem, std::vector<CoverSphere> spheres);
// Expand and select: all spheres grow until they stand out of the surface equally far, just far enough that few of them
// hold everything.
std::vector<CoverSphere> expand_spheres(const CoverProblem& problem, const std::vector<CoverSphere>& spheres);

// Three rounds of: every point to the sphere that holds it deepest, or is nearest; each sphere moved to where it
// reaches out least (Nelder and Mead). Spheres without points are dropped.
// One of them, its points kept: to where it reaches out least, from its centre or that of the smallest ball.
void refit_sphere(const CoverProblem& problem, CoverSphere& sphere);
std::vector<CoverSphere> refit_spheres(const CoverProblem& problem, std::vector<CoverSphere> spheres);

}  // namespace pliant
