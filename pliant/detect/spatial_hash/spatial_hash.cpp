#include "pliant/detect/spatial_hash/spatial_hash.h"

#include <limits>
#include <map>
#include <set>

#include "pliant/bounds/face_tree.h"
#include "pliant/bounds/overlap.h"
#include "pliant/detect/overlay.h"
#include "pliant/detect/setting_table.h"
#include "pliant/detect/spatial_hash/grid.h"

namespace pliant {

namespace {

constexpr SettingInfo kSpatialHashSettings[]{
    setting<&SpatialHashSettings::cell_size>(
        {.name = "cell_size",
         .unit = "length",
         .effect = "edge of the cubic cells; 0: twice the mean extent of the faces",
         .least = 0,
         .most = std::numeric_limits<double>::max()}),
    setting<&SpatialHashSettings::buckets>(
        {.name = "buckets", .effect = "size of the hash table; 0: one per face", .least = 0, .most = 1 << 22}),
    setting<&SpatialHashSettings::most_cells>(
        {.name = "most_cells",
         .unit = "cells",
         .effect = "a face that would fill more of them is tested against all others instead",
         .least = 1,
         .most = 1 << 12}),
    setting<&SpatialHashSettings::cull>(
        {.name = "cull", .effect = "enter only faces that reach into the box of another body, as later methods do"}),
};

}  // namespace

const MethodInfo SpatialHashDetector::kInfo{
    .name = "spatial-hash",
    .answers = "all intersecting triangle pairs of still meshes, by a hashed grid",
    .guarantee = "exact",
    .paper = "Teschner, Heidelberger, Mueller, Pomeranets, Gross 2003",
    .still = true,
    .moving = false,
    .settings = kSpatialHashSettings};

namespace {

GridItem item_of(const StillBody& body, std::uint32_t number, std::size_t face) {
  const Aabb box = face_box(body.mesh->triangle(FaceId(face)), body.frame.positions());
  return {{box.lo, static_cast<std::uint32_t>(face), box.hi, number}};
}

std::vector<GridItem> collect_items(const StillQuery& query, Threads threads) {
  std::vector<GridItem> items;
  for (std::uint32_t b = 0; b < query.bodies.size(); ++b) {
    const StillBody& body = query.bodies[b];
    const std::size_t before = items.size();
    items.resize(before + body.mesh->face_count());
    parallel_for(threads, body.mesh->face_count(), 1 << 12, [&](std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f) items[before + f] = item_of(body, b, f);
    });
  }
  return items;
}

// Those that overlap the box of a body that theirs is looked at with (all of a body that is looked at with itself).
std::vector<GridItem> collect_culled_items(const StillQuery& query, std::span<const Aabb> boxes,
                                           std::span<const BodyPair> pairs) {
  std::vector<std::vector<Aabb>> partners(boxes.size());
  for (const BodyPair pair : pairs) {
    partners[pair.a].push_back(boxes[pair.b]);
    if (pair.a != pair.b) partners[pair.b].push_back(boxes[pair.a]);
  }
  std::vector<GridItem> items;
  for (std::uint32_t b = 0; b < boxes.size(); ++b) {
    if (partners[b].empty()) continue;
    for (std::size_t f = 0; f < query.bodies[b].mesh->face_count(); ++f) {
      const GridItem item = item_of(query.bodies[b], b, f);
      const Aabb box = item.box.box();
      if (std::any_of(partners[b].begin(), partners[b].end(), [&](const Aabb& other) { return other.overlaps(box); }))
        items.push_back(item);
    }
  }
  return items;
}

// Which pairs of bodies are looked at, as a square table.
class WantedBodies {
 public:
  WantedBodies(std::size_t bodies, std::span<const BodyPair> pairs) : bodies_(bodies), wanted_(bodies * bodies, false) {
    for (const BodyPair pair : pairs) wanted_[pair.a * bodies_ + pair.b] = wanted_[pair.b * bodies_ + pair.a] = true;
  }
  bool operator()(std::uint32_t a, std::uint32_t b) const { return wanted_[a * bodies_ + b]; }

 private:
  std::size_t bodies_;
  std::vector<bool> wanted_;
};

// Tests pairs of items that share a cell, each pair in one cell only.
class GridSearch {
 public:
  GridSearch(const StillQuery& query, std::span<const GridItem> items, const CellGrid& grid, const CellTable& table,
             const WantedBodies& wanted)
      : query_(query), items_(items), grid_(grid), table_(table), wanted_(wanted) {}

  // False if the budget ran out.
  bool search_bucket(std::size_t bucket, BudgetMeter& meter, TaskFindings& found) const {
    const auto entries = table_.bucket(bucket);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!meter.spend(entries.size() - i)) return false;
      for (std::size_t j = i + 1; j < entries.size(); ++j) {
        if (entries[i].cell != entries[j].cell) continue;
        const GridItem& a = items_[entries[i].item];
        const GridItem& b = items_[entries[j].item];
        if (boxes_meet(a, b, found) && grid_.meeting(a.box, b.box) == entries[i].cell && !test(a, b, meter, found))
          return false;
      }
    }
    return true;
  }

  // One oversize item against all others; pairs of two oversize ones at the earlier of them.
  bool search_oversize(std::size_t slot, BudgetMeter& meter, TaskFindings& found) const {
    const auto oversize = table_.oversize();
    const std::uint32_t own = oversize[slot];
    if (!meter.spend(items_.size())) return false;
    auto next_oversize = oversize.begin();
    for (std::uint32_t other = 0; other < items_.size(); ++other) {
      const bool other_oversize = next_oversize != oversize.end() && *next_oversize == other;
      if (other_oversize) ++next_oversize;
      if (other == own || (other_oversize && other < own)) continue;
      if (boxes_meet(items_[own], items_[other], found) && !test(items_[own], items_[other], meter, found))
        return false;
    }
    return true;
  }

 private:
  bool boxes_meet(const GridItem& a, const GridItem& b, TaskFindings& found) const {
    if (!wanted_(a.body(), b.body())) return false;
    ++found.box_tests;
    return boxes_overlap(a.box, b.box);
  }

  // False if it is too late for it; a cell can hold thousands, and they were paid for at once.
  bool test(const GridItem& x, const GridItem& y, BudgetMeter& meter, TaskFindings& found) const {
    constexpr std::uint64_t kAskEvery = 64;
    if (found.triangle_tests % kAskEvery == 0 && meter.state().is_late()) return false;
    const bool ordered = x.body() != y.body() ? x.body() < y.body() : x.face() < y.face();
    const GridItem& a = ordered ? x : y;
    const GridItem& b = ordered ? y : x;
    if (query_.candidates_only) {
      ++found.candidates;
      return true;
    }
    ++found.triangle_tests;
    const Relation relation = query_.pair(a.body(), b.body()).test(a.face(), b.face());
    if (relation != Relation::none) found.add({a.body(), b.body(), a.face(), b.face(), relation});
    return true;
  }

  const StillQuery& query_;
  std::span<const GridItem> items_;
  const CellGrid& grid_;
  const CellTable& table_;
  const WantedBodies& wanted_;
};

std::vector<Aabb> body_boxes(const StillQuery& query, std::span<const GridItem> items) {
  std::vector<Aabb> boxes(query.bodies.size());
  for (const GridItem& item : items) boxes[item.body()].add(item.box.box());
  return boxes;
}

// A little smaller than the cell, so that neighbours do not touch.
Aabb cell_box(const Cell& cell, double size) {
  constexpr double kInset = 0.02;
  Aabb box;
  for (std::size_t i = 0; i < 3; ++i) {
    box.lo[i] = static_cast<float>((cell[i] + kInset) * size);
    box.hi[i] = static_cast<float>((cell[i] + 1 - kInset) * size);
  }
  return box;
}

std::vector<Aabb> body_boxes(const StillQuery& query) {
  std::vector<Aabb> boxes;
  for (const StillBody& body : query.bodies) boxes.push_back(Aabb::of_points(body.frame.positions()));
  return boxes;
}

}  // namespace

StillFindings SpatialHashDetector::search(const StillQuery& query, BudgetState& state, Goal goal) {
  constexpr std::size_t kBucketsPerTask = 1 << 10;
  std::vector<GridItem> items;
  if (!hash_.cull) items = collect_items(query, settings().threads);
  const std::vector<Aabb> boxes = hash_.cull ? body_boxes(query) : body_boxes(query, items);
  const std::vector<BodyPair> pairs = overlapping_body_pairs(boxes, [&](std::uint32_t a, std::uint32_t b) {
    return wants(query, {a, b});
  });
  if (hash_.cull) items = collect_culled_items(query, boxes, pairs);

  StillFindings findings;
  const auto leave_all_unresolved = [&] {
    for (const BodyPair pair : pairs)
      findings.unresolved.push_back(whole_bodies(query.bodies[pair.a], query.bodies[pair.b]));
  };
  cell_size_ = usable_cell_size(items, hash_.cell_size);
  const CellGrid grid(cell_size_);
  if (!state.may_hold(CellTable::bytes_needed(items, grid, hash_.most_cells))) {
    leave_all_unresolved();
    return findings;
  }
  const CellTable table(items, grid, hash_.buckets > 0 ? hash_.buckets : std::max<std::size_t>(1, items.size()),
                        hash_.most_cells);
  const WantedBodies wanted(query.bodies.size(), pairs);
  const GridSearch search(query, items, grid, table, wanted);

  const std::size_t bucket_tasks = (table.bucket_count() + kBucketsPerTask - 1) / kBucketsPerTask;
  SearchTasks tasks(state, settings().threads);
  auto found =
      tasks.run(bucket_tasks + table.oversize().size(), goal == Goal::any, [&](std::size_t i, BudgetMeter& meter) {
        TaskFindings task;
        task.finished = true;
        if (i >= bucket_tasks) {
          task.finished = search.search_oversize(i - bucket_tasks, meter, task);
          return task;
        }
        const std::size_t end = std::min(table.bucket_count(), (i + 1) * kBucketsPerTask);
        for (std::size_t b = i * kBucketsPerTask; b < end && task.finished; ++b)
          task.finished = search.search_bucket(b, meter, task);
        return task;
      });

  bool all_finished = true;
  for (TaskFindings& task : found) {
    all_finished = all_finished && task.finished;
    findings.add(std::move(task));
  }
  findings.counters.add("cell_entries", table.entry_count());
  findings.counters.add("oversize_faces", table.oversize().size());
  if (!all_finished && !tasks.over()) leave_all_unresolved();
  return findings;
}

// The cells that faces of two bodies are in, as a box of each; all cells where there are none.
void SpatialHashDetector::draw(const Report&, detail::Overlay& overlay) const {
  if (cell_size_ <= 0) return;
  const CellGrid grid(cell_size_);
  std::map<Cell, std::set<BodyId>> cells;
  for (const BodyId id : body_ids()) {
    const Frame frame = body(id).motion.positions_at(last_time());
    for (const Aabb& box : face_boxes(*body(id).mesh, frame.positions(), settings().threads)) {
      const AabbNode node{box.lo, 0, box.hi, 0};
      if (grid.cells_covered(node) > hash_.most_cells) continue;
      const Cell lower = grid.lower(node), upper = grid.upper(node);
      for (std::int32_t x = lower[0]; x <= upper[0]; ++x)
        for (std::int32_t y = lower[1]; y <= upper[1]; ++y)
          for (std::int32_t z = lower[2]; z <= upper[2]; ++z) cells[{x, y, z}].insert(id);
    }
  }
  const bool any_shared =
      std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.second.size() > 1; });
  for (const auto& [cell, bodies] : cells)
    if (!any_shared || bodies.size() > 1)
      for (const BodyId id : bodies) overlay.add_box(id, cell_box(cell, cell_size_));
}

}  // namespace pliant
