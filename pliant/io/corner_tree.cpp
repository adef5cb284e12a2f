#include "pliant/io/corner_tree.h"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

constexpr std::uint32_t kLeafSize = 8;

}  // namespace

CornerSet::CornerSet(std::size_t count) {
  do {
    count = (count + 63) / 64;
    levels_.emplace_back(std::max<std::size_t>(count, 1));
  } while (count > 1);
}

void CornerSet::insert(std::uint32_t i) {
  for (std::vector<std::uint64_t>& level : levels_) {
    level[i / 64] |= std::uint64_t{1} << i % 64;
    i /= 64;
  }
}

void CornerSet::erase(std::uint32_t i) {
  for (std::vector<std::uint64_t>& level : levels_) {
    level[i / 64] &= ~(std::uint64_t{1} << i % 64);
    if (level[i / 64] != 0) return;
    i /= 64;
  }
}

std::uint32_t CornerSet::next(std::uint32_t i) const {
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    if (i / 64 >= levels_[k].size()) return kNone;
    const std::uint64_t from_here = levels_[k][i / 64] & ~std::uint64_t{0} << i % 64;
    if (from_here == 0) {
      i = i / 64 + 1;
      continue;
    }
    i = i / 64 * 64 + static_cast<std::uint32_t>(std::countr_zero(from_here));
    while (k-- > 0) i = i * 64 + static_cast<std::uint32_t>(std::countr_zero(levels_[k][i]));
    return i;
  }
  return kNone;
}

std::uint32_t CornerSet::next_around(std::uint32_t i) const {
  const std::uint32_t found = next(i);
  return found == kNone ? next(0) : found;
}

CornerTree::CornerTree(std::span<const Point> points, std::vector<std::uint32_t> chosen)
    : points_(points), order_(std::move(chosen)), leaf_of_(points.size()) {
  nodes_.reserve(order_.size() / 2 + 1);
  if (!order_.empty()) build(0, static_cast<std::uint32_t>(order_.size()), 0);
}

std::uint32_t CornerTree::build(std::uint32_t begin, std::uint32_t end, std::uint32_t parent) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  Node node{points_[order_[begin]], points_[order_[begin]], begin, end, end - begin, parent, 0};
  for (std::uint32_t i = begin; i < end; ++i) {
    node.low = node.low.cwiseMin(points_[order_[i]]);
    node.high = node.high.cwiseMax(points_[order_[i]]);
  }
  nodes_.push_back(node);
  if (end - begin <= kLeafSize) {
    for (std::uint32_t i = begin; i < end; ++i) leaf_of_[order_[i]] = index;
    return index;
  }
  const int axis = node.high.x() - node.low.x() >= node.high.y() - node.low.y() ? 0 : 1;
  const std::uint32_t middle = begin + (end - begin) / 2;
  const auto at = [&](std::uint32_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t i, std::uint32_t j) {
    return points_[i][axis] != points_[j][axis] ? points_[i][axis] < points_[j][axis] : i < j;
  });
  build(begin, middle, index);
  nodes_[index].second = build(middle, end, index);
  return index;
}

void CornerTree::remove(std::uint32_t point) {
  std::uint32_t at = leaf_of_[point];
  const auto first = order_.begin() + nodes_[at].begin, last = first + nodes_[at].left;
  std::iter_swap(std::find(first, last, point), last - 1);
  for (; at != 0; at = nodes_[at].parent) --nodes_[at].left;
  --nodes_[0].left;
}

bool CornerTree::any_in(const Point& a, const Point& b, const Point& c, std::size_t& work) const {
  if (nodes_.empty()) return false;
  const Point low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
  // Rounded differences and products grow with their operands: no point of the box is further to the left than this.
  const auto left_of = [](const Point& from, const Point& to, const Node& box) {
    const Point furthest(to.y() > from.y() ? box.low.x() : box.high.x(),
                         to.x() > from.x() ? box.high.y() : box.low.y());
    return turn(from, to, furthest) >= 0;
  };
  std::array<std::uint32_t, 64> stack{};  // the depth is the logarithm of a 32-bit count
  std::size_t depth = 1;
  while (depth > 0) {
    const std::uint32_t index = stack[--depth];
    const Node& node = nodes_[index];
    if (work == 0) return true;
    --work;
    if (node.left == 0 || (node.low.array() > high.array()).any() || (node.high.array() < low.array()).any()) continue;
    if (!left_of(a, b, node) || !left_of(b, c, node) || !left_of(c, a, node)) continue;
    if (node.second != 0) {
      stack[depth++] = node.second;
      stack[depth++] = index + 1;
      continue;
    }
    for (std::uint32_t i = node.begin; i < node.begin + node.left; ++i) {
      const Point& p = points_[order_[i]];
      if (p == a || p == b || p == c) continue;
      if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return true;
    }
  }
  return false;
}

}  // namespace pliant
