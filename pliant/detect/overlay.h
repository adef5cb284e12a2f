// What a method worked with in its last detection, as things that can be drawn: boxes, spheres, pairs, regions,
// particles. Internal: pages (world/run_overlay.h) and the browser's module ask for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pliant/bounds/aabb_tree.h"
#include "pliant/core/sphere.h"
#include "pliant/detect/detector.h"

namespace pliant {

// So much of each is kept; what is beyond is counted.
struct OverlayLimits {
  std::size_t boxes = 512;
  std::size_t spheres = 512;
  std::size_t pairs = 512;
  std::size_t bodies = 1;  // that share the boxes and spheres
};

namespace detail {

class Overlay {
 public:
  static constexpr std::uint32_t kNoRegion = 0xffff'ffff;

  struct Box {
    BodyId body;
    Aabb box;
    bool open = false;  // overlaps a box of another body that is here
  };
  struct Ball {
    BodyId body;
    Sphere sphere;
    bool leaf = false;  // found to overlap, and not to be opened; false: left over
  };
  // Between the middles of what may meet.
  struct Line {
    BodyId body_a, body_b;
    Vec3 a, b;
  };
  struct Surface {
    BodyId body;
    std::vector<std::uint32_t> region_of_face;  // kNoRegion: in none; empty if the method divides nothing
    std::vector<VertexId> particles;
  };

  explicit Overlay(const OverlayLimits& limits) : limits_(limits) {}

  // ---- for methods (Detector::draw) ----
  void add_box(BodyId body, const Aabb& box);
  void add_sphere(BodyId body, const Sphere& sphere, bool leaf);
  void add_line(const Line& line);
  // How many boxes (spheres) of one body there is room for, at least 8.
  std::size_t room_for_boxes() const { return share(limits_.boxes); }
  std::size_t room_for_spheres() const { return share(limits_.spheres); }
  // The boxes of a level of a tree, the lowest that there is room for; leaves above it too.
  void add_level(BodyId body, const AabbTree& tree);
  // The same of any tree: children(node) lists the nodes below one, none of a leaf; box(node) has its box.
  template <class Children, class BoxOf>
  void add_level(BodyId body, std::uint32_t root, Children&& children, BoxOf&& box) {
    for (const std::uint32_t node : level(root, room_for_boxes(), children)) add_box(body, box(node));
  }
  // A line between the middles of two boxes.
  void join_boxes(const Box& a, const Box& b);
  // Lines between boxes of different bodies that overlap: of methods that test all of these.
  void join_open_boxes();
  // Which nodes a level of at most `most` has.
  template <class Children>
  static std::vector<std::uint32_t> level(std::uint32_t root, std::size_t most, Children&& children) {
    std::vector<std::uint32_t> nodes{root};
    while (true) {
      std::vector<std::uint32_t> below;
      bool grew = false;
      for (const std::uint32_t node : nodes) {
        const auto sons = children(node);
        grew = grew || !sons.empty();
        if (sons.empty()) below.push_back(node);
        else below.insert(below.end(), sons.begin(), sons.end());
      }
      if (!grew || below.size() > most) return nodes;
      nodes = std::move(below);
    }
  }

  // ---- for whoever draws ----
  const std::vector<Box>& boxes() const { return boxes_; }
  const std::vector<Ball>& spheres() const { return spheres_; }
  const std::vector<Line>& lines() const { return lines_; }
  const std::vector<Surface>& surfaces() const { return surfaces_; }
  std::size_t left_out() const { return left_out_; }  // boxes, spheres and pairs beyond the limits

 private:
  friend Overlay overlay_of(const Detector& detector, const Report& report, const OverlayLimits& limits);

  std::size_t share(std::size_t all) const;
  void add_cut(const Detector& detector, const Report& report);
  void add_surfaces(const Detector& detector);
  void mark_open_boxes();

  OverlayLimits limits_;
  std::vector<Box> boxes_;
  std::vector<Ball> spheres_;
  std::vector<Line> lines_;
  std::vector<Surface> surfaces_;
  std::size_t left_out_ = 0;
};

// As pages have them, so many numbers each. Boxes 8: body, open, least x y z, most x y z. Spheres 6: body, leaf,
// centre, radius. Lines 8: two bodies, two ends. Bodies by their place in `bodies`, ascending ids.
std::vector<float> flat_boxes(const Overlay& overlay, std::span<const BodyId> bodies);
std::vector<float> flat_spheres(const Overlay& overlay, std::span<const BodyId> bodies);
std::vector<float> flat_lines(const Overlay& overlay, std::span<const BodyId> bodies);

// Of the detector's last detect(), which gave this report.
Overlay overlay_of(const Detector& detector, const Report& report, const OverlayLimits& limits = {});

}  // namespace detail
}  // namespace pliant
