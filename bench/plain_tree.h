// The textbook tree that others are measured against: median split on the longest axis, one triangle per leaf, boxes
// refitted from below in every frame, two trees gone through by recursion, triangles tested where leaves meet. Nothing
// is wrong with it, and nothing is done to make it fast; the exact test and the boxes are the library's.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "pliant/bounds/face_tree.h"
#include "pliant/detect/still/still_bodies.h"

namespace pliant::bench {

class PlainTree {
 public:
  PlainTree(const TriangleMesh& mesh, std::span<const Vec3> positions) : mesh_(mesh) {
    std::vector<std::uint32_t> faces(mesh.face_count());
    std::iota(faces.begin(), faces.end(), 0U);
    if (!faces.empty()) build(positions, faces);
  }

  void refit(std::span<const Vec3> positions) { refit(0, positions); }

  // visit(face of a, face of b) where leaves overlap.
  template <class Visit>
  static void traverse(const PlainTree& a, const PlainTree& b, Visit&& visit) {
    descend(a, 0, b, 0, visit);
  }

 private:
  struct Node {
    Aabb box;
    std::uint32_t left = 0;  // 0: a leaf
    std::uint32_t right = 0;
    std::uint32_t face = 0;
  };

  std::uint32_t build(std::span<const Vec3> x, std::span<std::uint32_t> faces) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    if (faces.size() == 1) {
      nodes_[index].face = faces[0];
      return index;
    }
    const auto middle = [&](std::uint32_t f, int axis) {
      const Triangle& t = mesh_.triangle(FaceId(f));
      return x[t[0].index()][axis] + x[t[1].index()][axis] + x[t[2].index()][axis];
    };
    Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);
    for (const std::uint32_t f : faces)
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], middle(f, axis));
        high[axis] = std::max(high[axis], middle(f, axis));
      }
    int longest = 0;
    (high - low).maxCoeff(&longest);
    const std::size_t half = faces.size() / 2;
    std::nth_element(faces.begin(), faces.begin() + static_cast<std::ptrdiff_t>(half), faces.end(),
                     [&](std::uint32_t f, std::uint32_t g) { return middle(f, longest) < middle(g, longest); });
    const std::uint32_t left = build(x, faces.subspan(0, half));
    const std::uint32_t right = build(x, faces.subspan(half));
    nodes_[index].left = left;
    nodes_[index].right = right;
    return index;
  }

  const Aabb& refit(std::uint32_t index, std::span<const Vec3> x) {
    Node& node = nodes_[index];
    if (node.left == 0) node.box = face_box(mesh_.triangle(FaceId(node.face)), x);
    else node.box = united(refit(node.left, x), refit(node.right, x));
    return node.box;
  }

  template <class Visit>
  static void descend(const PlainTree& a, std::uint32_t i, const PlainTree& b, std::uint32_t j, Visit& visit) {
    const Node &n = a.nodes_[i], &m = b.nodes_[j];
    if (!n.box.overlaps(m.box)) return;
    if (n.left == 0 && m.left == 0) {
      visit(FaceId(n.face), FaceId(m.face));
    } else if (n.left == 0) {
      descend(a, i, b, m.left, visit);
      descend(a, i, b, m.right, visit);
    } else if (m.left == 0) {
      descend(a, n.left, b, j, visit);
      descend(a, n.right, b, j, visit);
    } else {
      for (const std::uint32_t k : {n.left, n.right})
        for (const std::uint32_t l : {m.left, m.right}) descend(a, k, b, l, visit);
    }
  }

  const TriangleMesh& mesh_;
  std::vector<Node> nodes_;
};

}  // namespace pliant::bench
