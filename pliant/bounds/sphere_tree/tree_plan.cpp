#include "pliant/bounds/sphere_tree/tree_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "pliant/core/error.h"

namespace pliant {
namespace {

std::size_t pieces_wanted(const TriangleMesh& mesh, const SphereTreeSettings& settings) {
  if (settings.pieces != 0) return settings.pieces;
  std::size_t leaves = 1;
  for (std::uint32_t i = 0; i < settings.shape.depth; ++i) leaves *= settings.shape.branching;
  return std::max(4 * leaves, mesh.face_count() + mesh.face_count() / 4);
}

double largest_coordinate(const TriangleMesh& mesh) {
  double largest = 0;
  for (const Vec3& p : mesh.positions()) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  return largest;
}

// For coordinates that have no distances.
SphereTreePtr one_sphere(const TriangleMesh& mesh, std::uint32_t branching) {
  SphereTree::Parts parts;
  parts.shape = {branching, 0};
  parts.cut_length = std::numeric_limits<double>::infinity();
  parts.order.resize(mesh.face_count());
  std::iota(parts.order.begin(), parts.order.end(), 0U);
  parts.spheres.assign(1, Sphere{});
  parts.ranges.assign(1, {0, static_cast<std::uint32_t>(mesh.face_count())});
  return std::make_shared<const SphereTree>(mesh, std::move(parts));
}

}  // namespace

TreePlan::TreePlan(const TriangleMesh& mesh, const SphereTreeSettings& settings) : mesh_(mesh), settings_(settings) {
  parts_.shape = settings.shape;
  const std::uint32_t nodes = SphereTree::node_count(settings.shape);
  if (mesh.face_count() == 0) throw Error(ErrorPlace{.file = mesh.origin().name}, "the mesh has no faces");
  parts_.cut_length = pliant::cut_length(mesh, pieces_wanted(mesh, settings));
  pieces_ = cut_surface(mesh, parts_.cut_length);
  double largest = 0;
  for (const SurfacePiece& piece : pieces_.pieces) {
    const std::array<Vec3, 3> face = face_corners(mesh.triangle(piece.face), mesh.positions());
    corners_.push_back(
        {pieces_.corner(piece, 0, face), pieces_.corner(piece, 1, face), pieces_.corner(piece, 2, face)});
    for (const Vec3& p : face) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  }
  slack_ = 16 * std::numeric_limits<double>::epsilon() * largest;
  parts_.order.resize(piece_count());
  std::iota(parts_.order.begin(), parts_.order.end(), 0U);
  parts_.spheres.assign(nodes, absent_sphere());
  parts_.ranges.assign(nodes, {});
  parts_.ranges[0] = {0, static_cast<std::uint32_t>(piece_count())};
  std::vector<Vec3> all;
  for (const auto& c : corners_) all.insert(all.end(), c.begin(), c.end());
  parts_.spheres[0] = enclosing_ball(all);
  parts_.spheres[0].radius += slack_;
}

std::vector<std::uint32_t> TreePlan::level(std::uint32_t depth) const {
  std::uint32_t first = 0, count = 1;
  for (std::uint32_t i = 0; i < depth; ++i) {
    first = first * branching() + 1;
    count *= branching();
  }
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = first; node < first + count; ++node)
    if (is_there(parts_.spheres[node])) nodes.push_back(node);
  return nodes;
}

Sphere TreePlan::around(const Vec3& centre, std::span<const std::uint32_t> pieces) const {
  double most = 0;
  for (const std::uint32_t piece : pieces)
    for (const Vec3& p : corners_[piece]) most = std::max(most, fixed_length(p - centre));
  return {centre, most * (1 + 4e-16) + slack_};
}

void TreePlan::divide(std::uint32_t node, std::span<const Vec3> centres, std::span<const std::uint32_t> child_of) {
  const std::span<std::uint32_t> own = pieces(node);
  const std::vector<std::uint32_t> old(own.begin(), own.end());
  const std::uint32_t first_child = node * branching() + 1;
  std::uint32_t next = 0, child = first_child;
  for (std::uint32_t c = 0; c < centres.size(); ++c) {
    const std::uint32_t start = next;
    for (std::size_t i = 0; i < old.size(); ++i)
      if (child_of[i] == c) own[next++] = old[i];
    if (next == start) continue;
    parts_.ranges[child] = {parts_.ranges[node].first + start, next - start};
    parts_.spheres[child] = around(centres[c], own.subspan(start, next - start));
    ++child;
  }
}

void TreePlan::tell(std::size_t done, std::size_t of, double begin, double end) {
  if (!settings_.progress) return;
  const std::lock_guard lock(mutex_);
  settings_.progress(begin +
                     (end - begin) * static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(of, 1)));
}

void TreePlan::make_layered() {
  for (auto node = static_cast<std::uint32_t>(parts_.spheres.size()); node-- > 1;) {
    const Sphere& inner = parts_.spheres[node];
    if (!is_there(inner)) continue;
    Sphere& outer = parts_.spheres[(node - 1) / branching()];
    const double reach = fixed_length(inner.centre - outer.centre) + inner.radius;
    outer.radius = std::max(outer.radius, reach * (1 + 1e-15));
  }
}

SphereTreePtr TreePlan::finish() {
  if (settings_.layered) make_layered();
  return std::make_shared<const SphereTree>(mesh_, std::move(parts_));
}

std::vector<std::uint32_t> order_by(std::size_t count, const std::function<double(std::uint32_t)>& key) {
  std::vector<std::pair<double, std::uint32_t>> keys(count);
  for (std::uint32_t i = 0; i < count; ++i) keys[i] = {key(i), i};
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order;
  order.reserve(count);
  for (const auto& k : keys) order.push_back(k.second);
  return order;
}

SphereTreePtr build_sphere_tree(const TriangleMesh& mesh, const SphereTreeSettings& settings) {
  if (mesh.face_count() > 0 && !has_distances(largest_coordinate(mesh)))
    return one_sphere(mesh, settings.shape.branching);
  TreePlan plan(mesh, settings);
  switch (settings.builder) {
    case SphereTreeBuilder::medial:
      divide_by_medial_axis(plan);
      break;
    case SphereTreeBuilder::octree:
      divide_by_octants(plan);
      break;
    case SphereTreeBuilder::boxes:
      divide_by_boxes(plan);
      break;
  }
  if (settings.progress) settings.progress(1);
  return plan.finish();
}

const char* to_string(SphereTreeBuilder builder) {
  switch (builder) {
    case SphereTreeBuilder::medial:
      return "medial";
    case SphereTreeBuilder::octree:
      return "octree";
    case SphereTreeBuilder::boxes:
      return "boxes";
  }
  return "";
}

const char* to_string(SphereReduction reduction) {
  switch (reduction) {
    case SphereReduction::combined:
      return "combined";
    case SphereReduction::merge:
      return "merge";
    case SphereReduction::burst:
      return "burst";
    case SphereReduction::expand:
      return "expand";
  }
  return "";
}

}  // namespace pliant
