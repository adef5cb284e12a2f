// Corners of a polygon in the plane, for ear clipping. Internal to io/.
#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant {

// A set of numbers below a count that finds the next member in about constant time: bits, bits of which 64 are any, ...
class CornerSet {
 public:
  explicit CornerSet(std::size_t count);

  bool empty() const { return levels_.back()[0] == 0; }
  void insert(std::uint32_t i);
  void erase(std::uint32_t i);
  // The smallest member that is not below i; or, if there is none, the smallest of all. The set must not be empty.
  std::uint32_t next_around(std::uint32_t i) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  std::uint32_t next(std::uint32_t i) const;

  std::vector<std::vector<std::uint64_t>> levels_;
};

// Points that are taken out one by one, and asked whether any is left in a triangle. A binary tree of boxes, halved at
// the median, so that it does not matter how unevenly the points lie. Deterministic.
class CornerTree {
 public:
  using Point = Eigen::Vector2d;

  // Holds the chosen ones of the points, which must outlive the tree.
  CornerTree(std::span<const Point> points, std::vector<std::uint32_t> chosen);

  void remove(std::uint32_t point);
  // Whether a point is left in the closed triangle, counter-clockwise, that lies at none of its corners. Takes what it
  // looks at from `work`, and gives up, with true, when that is used up.
  bool any_in(const Point& a, const Point& b, const Point& c, std::size_t& work) const;

 private:
  struct Node {
    Point low, high;
    std::uint32_t begin = 0, end = 0;      // of order_
    std::uint32_t left = 0;                // points not yet taken out; those of a leaf stand first
    std::uint32_t parent = 0, second = 0;  // 0: is a leaf; the first child stands right behind its parent
  };
  std::uint32_t build(std::uint32_t begin, std::uint32_t end, std::uint32_t parent);

  std::span<const Point> points_;
  std::vector<std::uint32_t> order_;    // of points, leaf by leaf
  std::vector<std::uint32_t> leaf_of_;  // by point
  std::vector<Node> nodes_;
};

// Positive: c lies to the left of the line from a to b.
inline double turn(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

}  // namespace pliant
