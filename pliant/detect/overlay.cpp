#include "pliant/detect/overlay.h"

#include <algorithm>
#include <cmath>

namespace pliant::detail {
namespace {

bool finite(const Aabb& box) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!std::isfinite(box.lo[i]) || !std::isfinite(box.hi[i])) return false;
  return !box.empty();
}

Vec3 middle(const Aabb& box) {
  Vec3 sum;
  for (std::size_t i = 0; i < 3; ++i) sum[static_cast<int>(i)] = 0.5 * (double{box.lo[i]} + double{box.hi[i]});
  return sum;
}

}  // namespace

std::size_t Overlay::share(std::size_t all) const {
  return std::max<std::size_t>(8, all / std::max<std::size_t>(1, limits_.bodies));
}

void Overlay::add_box(BodyId body, const Aabb& box) {
  if (!finite(box)) return;
  if (boxes_.size() < limits_.boxes) boxes_.push_back({body, box});
  else ++left_out_;
}

void Overlay::add_sphere(BodyId body, const Sphere& sphere, bool leaf) {
  if (!sphere.finite()) return;
  if (spheres_.size() < limits_.spheres) spheres_.push_back({body, sphere, leaf});
  else ++left_out_;
}

void Overlay::add_line(const Line& line) {
  if (lines_.size() < limits_.pairs) lines_.push_back(line);
  else ++left_out_;
}

void Overlay::add_level(BodyId body, const AabbTree& tree) {
  if (tree.empty()) return;
  const auto children = [&](std::uint32_t node) -> std::vector<std::uint32_t> {
    const AabbNode& at = tree.node(node);
    if (at.is_leaf()) return {};
    return {at.first, at.first + 1};
  };
  add_level(body, 0, children, [&](std::uint32_t node) { return tree.node(node).box(); });
}

void Overlay::join_boxes(const Box& a, const Box& b) {
  if (finite(a.box) && finite(b.box)) add_line({a.body, b.body, middle(a.box), middle(b.box)});
}

void Overlay::join_open_boxes() {
  for (std::size_t i = 0; i < boxes_.size(); ++i)
    for (std::size_t j = i + 1; j < boxes_.size(); ++j)
      if (boxes_[i].body != boxes_[j].body && boxes_[i].box.overlaps(boxes_[j].box)) join_boxes(boxes_[i], boxes_[j]);
}

void Overlay::mark_open_boxes() {
  for (Box& one : boxes_)
    for (Box& other : boxes_)
      if (one.body != other.body && one.box.overlaps(other.box)) one.open = true;
}

// The spheres of a cut, and which faces are in it: by the first of its regions that has them.
void Overlay::add_cut(const Detector& detector, const Report& report) {
  std::vector<Surface> touched;
  const auto surface = [&](BodyId body) -> Surface& {
    for (Surface& one : touched)
      if (one.body == body) return one;
    touched.push_back({body, std::vector<std::uint32_t>(detector.body(body).mesh->face_count(), kNoRegion), {}});
    return touched.back();
  };
  std::vector<Feature> seen;
  for (const UnresolvedPair& pair : report.cut) {
    if (pair.sphere_a.finite() && pair.sphere_b.finite() && pair.a != pair.b)
      add_line({pair.a.body, pair.b.body, pair.sphere_a.centre, pair.sphere_b.centre});
    for (const auto& [feature, sphere] : {std::pair{pair.a, pair.sphere_a}, std::pair{pair.b, pair.sphere_b}}) {
      seen.push_back(feature);
      add_sphere(feature.body, sphere, pair.leaves);
    }
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  for (const Feature& feature : seen)
    for (const FaceId face : detector.region(feature.body, feature.id).faces) {
      std::uint32_t& region = surface(feature.body).region_of_face[face.index()];
      if (region == kNoRegion) region = feature.id;
    }
  for (Surface& one : touched) surfaces_.push_back(std::move(one));
}

void Overlay::add_surfaces(const Detector& detector) {
  for (const BodyId body : detector.body_ids()) {
    Division division = detector.division(body);
    if (!division.region_of_face.empty() || !division.particles.empty())
      surfaces_.push_back({body, std::move(division.region_of_face), std::move(division.particles)});
  }
}

Overlay overlay_of(const Detector& detector, const Report& report, const OverlayLimits& limits) {
  OverlayLimits shared = limits;
  shared.bodies = detector.body_ids().size();
  Overlay overlay(shared);
  detector.draw(report, overlay);
  overlay.add_surfaces(detector);
  overlay.add_cut(detector, report);
  overlay.mark_open_boxes();
  return overlay;
}

namespace {

float place_of(BodyId body, std::span<const BodyId> bodies) {
  return static_cast<float>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin());
}

void append(std::vector<float>& numbers, const Vec3& v) {
  for (int axis = 0; axis < 3; ++axis) numbers.push_back(static_cast<float>(v[axis]));
}

}  // namespace

std::vector<float> flat_boxes(const Overlay& overlay, std::span<const BodyId> bodies) {
  std::vector<float> numbers;
  for (const Overlay::Box& box : overlay.boxes()) {
    numbers.insert(numbers.end(), {place_of(box.body, bodies), box.open ? 1.0F : 0.0F});
    numbers.insert(numbers.end(), box.box.lo.begin(), box.box.lo.end());
    numbers.insert(numbers.end(), box.box.hi.begin(), box.box.hi.end());
  }
  return numbers;
}

std::vector<float> flat_spheres(const Overlay& overlay, std::span<const BodyId> bodies) {
  std::vector<float> numbers;
  for (const Overlay::Ball& ball : overlay.spheres()) {
    numbers.insert(numbers.end(), {place_of(ball.body, bodies), ball.leaf ? 1.0F : 0.0F});
    append(numbers, ball.sphere.centre);
    numbers.push_back(static_cast<float>(ball.sphere.radius));
  }
  return numbers;
}

std::vector<float> flat_lines(const Overlay& overlay, std::span<const BodyId> bodies) {
  std::vector<float> numbers;
  for (const Overlay::Line& line : overlay.lines()) {
    numbers.insert(numbers.end(), {place_of(line.body_a, bodies), place_of(line.body_b, bodies)});
    append(numbers, line.a);
    append(numbers, line.b);
  }
  return numbers;
}

}  // namespace pliant::detail
