#include "pliant/asset/repair.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "pliant/asset/fill_holes.h"
#include "pliant/asset/half_edges.h"
#include "pliant/asset/measure.h"
#include "pliant/asset/winding.h"
#include "pliant/core/disjoint_sets.h"
#include "pliant/core/error.h"
#include "pliant/geometry/predicates.h"

namespace pliant {
namespace {

// Squared volume over cubed area below which a closed part is a sheet: a plate 0.002 times as thick as wide. A ball has
// 0.009.
constexpr double kSheet = 1e-6;

bool repeats_index(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

class Repair {
 public:
  Repair(const TriangleMesh& mesh, const RepairSettings& settings)
      : settings_(settings), positions_(mesh.positions().begin(), mesh.positions().end()) {
    for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v) source_.push_back(v);
    weld(mesh);
  }

  void run() {
    drop_duplicates();
    orient();
    drop_dangling();
    cut();
    drop_small_parts();
    if (settings_.fill_holes) fill();
    turn_outward();
    for (const Triangle& t : triangles_) report_.zero_area_faces += collinear(at(t[0]), at(t[1]), at(t[2])) ? 1 : 0;
  }

  RepairedMesh finish(const TriangleMesh& mesh);

 private:
  const Vec3& at(VertexId v) const { return positions_[v.index()]; }

  void weld(const TriangleMesh& mesh);
  void drop_duplicates();
  void orient();
  void drop_dangling();
  void cut();
  void split_corners(const Partners& partners);
  std::size_t drop_overlapping();
  void drop_small_parts();
  void fill();
  void turn_outward();

  // Keeps the faces that are not marked; returns how many were.
  std::size_t drop_faces(const std::vector<bool>& marked) {
    const std::size_t before = triangles_.size();
    std::size_t kept = 0;
    for (std::size_t f = 0; f < before; ++f)
      if (!marked[f]) triangles_[kept++] = triangles_[f];
    triangles_.resize(kept);
    return before - kept;
  }

  RepairSettings settings_;
  RepairReport report_;
  std::vector<Vec3> positions_;
  std::vector<std::uint32_t> source_;  // vertex of the input, kNone for an added one
  std::vector<Triangle> triangles_;
};

void Repair::weld(const TriangleMesh& mesh) {
  std::vector<bool> used(mesh.vertex_count(), false);
  for (const Triangle& t : mesh.triangles()) {
    for (const VertexId v : t) used[v.index()] = true;
    const Triangle welded{mesh.welded(t[0]), mesh.welded(t[1]), mesh.welded(t[2])};
    if (repeats_index(welded)) ++report_.repeated_index_faces;
    else triangles_.push_back(welded);
  }
  report_.unreferenced_vertices = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
  for (const VertexId v : mesh.weld_copies()) report_.welded_vertices += used[v.index()] ? 1 : 0;
}

// Faces of the same three corners as a sum of oriented faces: two that face each other cancel, as the two sides of a
// fold that was pressed flat. But where most of a mesh is like that, it was modelled with two sides: then one is kept.
void Repair::drop_duplicates() {
  struct Keyed {
    Triangle corners;
    bool turned;
    std::uint32_t face;
    bool operator<(const Keyed& other) const {
      return std::tie(corners, turned, face) < std::tie(other.corners, other.turned, other.face);
    }
  };
  std::vector<Keyed> keyed;
  for (std::uint32_t f = 0; f < triangles_.size(); ++f) {
    Triangle t = triangles_[f];
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    const bool turned = t[2] < t[1];
    if (turned) std::swap(t[1], t[2]);
    keyed.push_back({t, turned, f});
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<bool> copy(triangles_.size(), false), cancelled(triangles_.size(), false);
  std::size_t cancelling = 0;
  for (std::size_t begin = 0, end = 0; begin < keyed.size(); begin = end) {
    std::size_t turned = 0;
    for (end = begin; end < keyed.size() && keyed[end].corners == keyed[begin].corners; ++end)
      turned += keyed[end].turned ? 1 : 0;
    const std::size_t straight = end - begin - turned;
    const std::size_t keep = turned > straight ? begin + straight : begin;  // the first of the more frequent kind
    for (std::size_t i = begin; i < end; ++i) copy[keyed[i].face] = i != keep;
    if (turned == straight) {
      cancelled[keyed[keep].face] = true;
      cancelling += end - begin;
    }
  }
  if (2 * cancelling < triangles_.size())
    for (std::size_t f = 0; f < copy.size(); ++f) copy[f] = copy[f] || cancelled[f];
  report_.duplicate_faces = drop_faces(copy);
}

// Gives the faces of each part that is connected over edges of two faces one orientation: that of most of them.
void Repair::orient() {
  const EdgeGroups edges(triangles_);
  std::vector<std::uint32_t> across(3 * triangles_.size(), kNoPartner);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (edges[e].size() != 2) continue;
    across[edges[e][0]] = edges[e][1];
    across[edges[e][1]] = edges[e][0];
  }
  enum : std::uint8_t { kUnseen, kKept, kTurned };
  std::vector<std::uint8_t> state(triangles_.size(), kUnseen);
  std::vector<std::uint32_t> part;
  for (std::uint32_t first = 0; first < triangles_.size(); ++first) {
    if (state[first] != kUnseen) continue;
    part.assign(1, first);
    state[first] = kKept;
    std::size_t turned = 0;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::uint32_t f = part[i];
      for (std::uint32_t h = 3 * f; h < 3 * f + 3; ++h) {
        const std::uint32_t other = across[h];
        if (other == kNoPartner || state[other / 3] != kUnseen) continue;
        const bool disagree = start_of(triangles_, h) == start_of(triangles_, other);
        state[other / 3] = (state[f] == kTurned) != disagree ? kTurned : kKept;
        turned += state[other / 3] == kTurned ? 1 : 0;
        part.push_back(other / 3);
      }
    }
    if (2 * turned > part.size())
      for (const std::uint32_t f : part) state[f] = state[f] == kTurned ? kKept : kTurned;
  }
  for (std::uint32_t f = 0; f < triangles_.size(); ++f) {
    if (state[f] != kTurned) continue;
    std::swap(triangles_[f][1], triangles_[f][2]);
    ++report_.turned_faces;
  }
}

// A face with a free edge that hangs on an edge of three faces or more: without it, that edge is an ordinary one.
void Repair::drop_dangling() {
  const EdgeGroups edges(triangles_);
  std::vector<std::uint32_t> edge_of(3 * triangles_.size()), faces_left(edges.size());
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    faces_left[e] = static_cast<std::uint32_t>(edges[e].size());
    for (const std::uint32_t h : edges[e]) edge_of[h] = e;
  }
  std::vector<bool> dropped(triangles_.size(), false);
  const auto dangles = [&](std::uint32_t f) {
    bool is_free = false, is_crowded = false;
    for (std::uint32_t h = 3 * f; h < 3 * f + 3; ++h) {
      is_free = is_free || faces_left[edge_of[h]] == 1;
      is_crowded = is_crowded || faces_left[edge_of[h]] > 2;
    }
    return is_free && is_crowded;
  };
  std::vector<std::uint32_t> queue;
  for (std::uint32_t f = 0; f < triangles_.size(); ++f) queue.push_back(f);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint32_t f = queue[i];
    if (dropped[f] || !dangles(f)) continue;
    dropped[f] = true;
    for (std::uint32_t h = 3 * f; h < 3 * f + 3; ++h) {
      --faces_left[edge_of[h]];
      for (const std::uint32_t beside : edges[edge_of[h]]) queue.push_back(beside / 3);
    }
  }
  report_.dangling_faces = drop_faces(dropped);
}

// Gives every fan of faces that are partners a vertex of its own. Cutting leaves nothing non-manifold but sheets that
// share both ends of an edge anyway; all but one of those lose the faces there, and the rest is cut again.
void Repair::cut() {
  std::vector<bool> used(positions_.size(), false);
  for (const Triangle& t : triangles_)
    for (const VertexId v : t) used[v.index()] = true;
  const auto vertices = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  for (bool first = true;; first = false) {
    const EdgeGroups edges(triangles_);
    const Partners partners = find_partners(positions_, triangles_, edges);
    for (std::size_t e = 0; first && e < edges.size(); ++e) {
      const bool disagree = edges[e].size() == 2 && partners[edges[e][0]] == kNoPartner;
      report_.cut_edges += edges[e].size() > 2 || disagree ? 1 : 0;
    }
    split_corners(partners);
    const std::size_t dropped = drop_overlapping();
    report_.overlapping_faces += dropped;
    if (dropped == 0) break;
  }
  report_.split_vertices = positions_.size() > vertices ? positions_.size() - vertices : 0;
}

void Repair::split_corners(const Partners& partners) {
  DisjointSets fans(3 * triangles_.size());
  for (std::uint32_t h = 0; h < partners.size(); ++h) {
    if (partners[h] == kNoPartner) continue;
    fans.unite(h, next_half_edge(partners[h]));  // corner numbers are those of the half-edges that start there
    fans.unite(next_half_edge(h), partners[h]);
  }
  std::vector<std::pair<VertexId, std::uint32_t>> order;  // by old vertex, so that vertices keep their order
  for (std::uint32_t corner = 0; corner < 3 * triangles_.size(); ++corner)
    if (fans.root(corner) == corner) order.emplace_back(start_of(triangles_, corner), corner);
  std::sort(order.begin(), order.end());
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> source, vertex_of_fan(3 * triangles_.size());
  for (const auto& [old, corner] : order) {
    vertex_of_fan[corner] = static_cast<std::uint32_t>(positions.size());
    positions.push_back(at(old));
    source.push_back(source_[old.index()]);
  }
  for (std::uint32_t corner = 0; corner < 3 * triangles_.size(); ++corner)
    triangles_[corner / 3][corner % 3] = VertexId(vertex_of_fan[fans.root(corner)]);
  positions_ = std::move(positions);
  source_ = std::move(source);
}

std::size_t Repair::drop_overlapping() {
  const EdgeGroups edges(triangles_);
  std::vector<bool> dropped(triangles_.size(), false);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto group = edges[e];
    if (group.size() < 2) continue;
    const bool ordinary = group.size() == 2 && start_of(triangles_, group[0]) != start_of(triangles_, group[1]);
    if (ordinary) continue;
    // The largest face stays, with the largest that runs the other way.
    std::vector<std::pair<double, std::uint32_t>> by_area;
    for (const std::uint32_t h : group) {
      const Triangle& t = triangles_[h / 3];
      by_area.emplace_back(-(at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).norm(), h);
    }
    std::sort(by_area.begin(), by_area.end());
    bool has_mate = false;
    for (std::size_t i = 1; i < by_area.size(); ++i) {
      const bool opposite = start_of(triangles_, by_area[i].second) != start_of(triangles_, by_area[0].second);
      if (opposite && !has_mate) has_mate = true;
      else dropped[by_area[i].second / 3] = true;
    }
  }
  return drop_faces(dropped);
}

void Repair::drop_small_parts() {
  if (!(settings_.drop_below > 0) || triangles_.empty()) return;
  const SurfaceParts parts = find_parts(find_partners(positions_, triangles_, EdgeGroups(triangles_)));
  std::vector<Eigen::AlignedBox3d> boxes(parts.count);
  Eigen::AlignedBox3d whole;
  for (std::size_t f = 0; f < triangles_.size(); ++f)
    for (const VertexId v : triangles_[f]) {
      boxes[parts.of_face[f]].extend(at(v));
      whole.extend(at(v));
    }
  std::vector<bool> small(parts.count), dropped(triangles_.size());
  for (std::size_t p = 0; p < parts.count; ++p) {
    small[p] = boxes[p].diagonal().norm() < settings_.drop_below * whole.diagonal().norm();
    report_.dropped_parts += small[p] ? 1 : 0;
  }
  for (std::size_t f = 0; f < triangles_.size(); ++f) dropped[f] = small[parts.of_face[f]];
  drop_faces(dropped);
}

void Repair::fill() {
  const Partners partners = find_partners(positions_, triangles_, EdgeGroups(triangles_));
  const SurfaceParts parts = find_parts(partners);
  const HolePatches patches = fill_holes(positions_, triangles_, partners);
  if (patches.holes == 0) return;
  std::vector<Vec3> positions = positions_;
  positions.insert(positions.end(), patches.new_positions.begin(), patches.new_positions.end());
  std::vector<SurfaceMeasure> measures(parts.count);
  for (std::size_t f = 0; f < triangles_.size(); ++f) measures[parts.of_face[f]].add(positions, triangles_[f]);
  for (std::size_t i = 0; i < patches.triangles.size(); ++i)
    measures[parts.of_face[patches.beside[i]]].add(positions, patches.triangles[i]);
  std::vector<bool> is_open(parts.count, false);
  std::uint32_t last_rim = kNoPartner;
  for (std::size_t i = 0; i < patches.triangles.size(); ++i) {
    const std::uint32_t part = parts.of_face[patches.beside[i]];
    const double volume = measures[part].volume(), area = measures[part].area;
    if (volume * volume < kSheet * area * area * area) {
      report_.open_sheets += is_open[part] ? 0 : 1;
      is_open[part] = true;
      continue;
    }
    report_.filled_holes += patches.beside[i] != last_rim ? 1 : 0;
    last_rim = patches.beside[i];
    triangles_.push_back(patches.triangles[i]);
    ++report_.faces_added;
  }
  positions_ = std::move(positions);
  source_.resize(positions_.size(), VertexId::kNone);  // those of holes that stay open are left out at the end
}

void Repair::turn_outward() {
  const Partners partners = find_partners(positions_, triangles_, EdgeGroups(triangles_));
  const SurfaceParts parts = find_parts(partners);
  std::vector<SurfaceMeasure> measures(parts.count);
  std::vector<bool> is_open(parts.count, false);
  std::vector<std::uint32_t> first_face(parts.count);
  for (std::size_t f = triangles_.size(); f-- > 0;) {
    measures[parts.of_face[f]].add(positions_, triangles_[f]);
    first_face[parts.of_face[f]] = static_cast<std::uint32_t>(f);
    for (std::size_t i = 0; i < 3; ++i)
      if (partners[3 * f + i] == kNoPartner) is_open[parts.of_face[f]] = true;
  }
  std::vector<bool> turned(parts.count, false);
  for (std::uint32_t p = 0; p < parts.count; ++p) {
    if (is_open[p] || !(measures[p].volume() < 0)) continue;
    turned[p] =
        winding_of_others(positions_, triangles_, parts, p, at(triangles_[first_face[p]][0])) < 0.5;  // else a cavity
  }
  for (std::size_t f = 0; f < triangles_.size(); ++f) {
    if (!turned[parts.of_face[f]]) continue;
    std::swap(triangles_[f][1], triangles_[f][2]);
    ++report_.turned_faces;
  }
}

// Leaves out the vertices that no face uses any more.
RepairedMesh Repair::finish(const TriangleMesh& mesh) {
  if (triangles_.empty())
    throw Error(ErrorPlace{.file = mesh.origin().name}, "no face is left after repair", "look at the mesh");
  std::vector<bool> used(positions_.size(), false);
  for (const Triangle& t : triangles_)
    for (const VertexId v : t) used[v.index()] = true;
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> in_file, new_index(positions_.size());
  for (std::size_t v = 0; v < positions_.size(); ++v) {
    if (!used[v]) continue;
    new_index[v] = static_cast<std::uint32_t>(positions.size());
    positions.push_back(positions_[v]);
    const bool added = source_[v] == VertexId::kNone;
    report_.vertices_added += added ? 1 : 0;
    in_file.push_back(added ? VertexId::kNone : mesh.vertex_in_file(VertexId(source_[v])));
  }
  for (Triangle& t : triangles_)
    for (VertexId& v : t) v = VertexId(new_index[v.index()]);
  MeshOrigin origin{.name = mesh.origin().name, .vertex_in_file = std::move(in_file)};
  return {std::make_shared<const TriangleMesh>(std::move(positions), std::move(triangles_), std::move(origin)),
          report_};
}

}  // namespace

bool RepairReport::any() const {
  return unreferenced_vertices + welded_vertices + repeated_index_faces + duplicate_faces + dangling_faces +
             overlapping_faces + turned_faces + cut_edges + split_vertices + dropped_parts + filled_holes >
         0;
}

RepairedMesh repair_mesh(const TriangleMesh& mesh, const RepairSettings& settings) {
  Repair repair(mesh, settings);
  repair.run();
  return repair.finish(mesh);
}

}  // namespace pliant
