#include "pliant/detect/subdivided_boxes/printed_boxes.h"

#include <algorithm>

#include "pliant/bounds/face_tree.h"
#include "pliant/bounds/leaf_boxes.h"
#include "pliant/core/budget_meter.h"
#include "pliant/detect/still/region_tests.h"
#include "pliant/detect/subdivided_boxes/box_division.h"
#include "pliant/detect/subdivided_boxes/box_table.h"
#include "pliant/geometry/line_passes.h"

namespace pliant {
namespace {

// A part of a body that has faces.
struct Part {
  std::uint32_t body = 0;
  AabbNode box{};  // as hashed
  std::vector<std::uint32_t> faces;
  std::vector<Triangle> corners;
  LeafBoxes boxes;  // of the faces
};

// The equal parts of a box.
class Parts {
 public:
  Parts(std::span<const Vec3> positions, std::array<int, 3> halvings) {
    lo_ = hi_ = positions[0];
    for (const Vec3& p : positions) {
      lo_ = lo_.cwiseMin(p);
      hi_ = hi_.cwiseMax(p);
    }
    for (std::size_t k = 0; k < 3; ++k)
      count_[k] = lo_[static_cast<int>(k)] < hi_[static_cast<int>(k)] ? 1u << halvings[k] : 1;
  }

  std::uint32_t count() const { return count_[0] * count_[1] * count_[2]; }
  std::uint32_t part_of(const Vec3& p) const {
    std::uint32_t part = 0;
    for (std::size_t k = 0; k < 3; ++k) part = part * count_[k] + slice(k, p[static_cast<int>(k)]);
    return part;
  }
  Aabb box_of(std::uint32_t part) const {
    Vec3 lo, hi;
    for (std::size_t k = 3; k-- > 0; part /= count_[k]) {
      lo[static_cast<int>(k)] = cut(k, part % count_[k]);
      hi[static_cast<int>(k)] = cut(k, part % count_[k] + 1);
    }
    return united(Aabb::of(lo), Aabb::of(hi));
  }

 private:
  double cut(std::size_t k, std::uint32_t slice) const {
    const double share = static_cast<double>(slice) / count_[k];
    return (1 - share) * lo_[static_cast<int>(k)] + share * hi_[static_cast<int>(k)];
  }
  std::uint32_t slice(std::size_t k, double x) const {
    const double width = hi_[static_cast<int>(k)] - lo_[static_cast<int>(k)];
    const double at = width > 0 ? (x - lo_[static_cast<int>(k)]) / width * count_[k] : 0;
    return std::min(count_[k] - 1, static_cast<std::uint32_t>(std::clamp(at, 0.0, 1e9)));
  }

  Vec3 lo_, hi_;
  std::array<std::uint32_t, 3> count_{};
};

void add_face(Part& part, std::uint32_t face) {
  if (!part.faces.empty() && part.faces.back() == face) return;
  part.faces.push_back(face);
}

void finish(Part& part, const StillBody& body) {
  part.boxes.resize(part.faces.size());
  for (std::size_t i = 0; i < part.faces.size(); ++i) {
    part.corners.push_back(body.corners(FaceId(part.faces[i])));
    part.boxes.set(i, face_box(part.corners[i], body.frame.positions()));
  }
}

// By the vertices in them, as printed.
std::vector<Part> printed_parts(const StillBody& body, std::uint32_t number, std::array<int, 3> halvings) {
  const std::span<const Vec3> positions = body.frame.positions();
  const Parts cut(positions, halvings);
  std::vector<Part> parts(cut.count());
  for (std::uint32_t f = 0; f < body.mesh->face_count(); ++f)
    for (const VertexId v : body.mesh->triangle(FaceId(f))) add_face(parts[cut.part_of(positions[v.index()])], f);
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    const Aabb box = cut.box_of(p);
    parts[p].box = {box.lo, 0, box.hi, 0};
    parts[p].body = number;
  }
  return parts;
}

// By the centres of faces, fitted: nothing is lost.
std::vector<Part> fitted_parts(const StillBody& body, std::uint32_t number, const SubdivisionSettings& settings) {
  const RegionLists lists = divide(*body.mesh, settings);
  std::vector<Part> parts(lists.count());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Aabb box;
    for (std::uint32_t i = lists.first[p]; i < lists.first[p + 1]; ++i) {
      parts[p].faces.push_back(lists.faces[i]);
      box.add(face_box(body.mesh->triangle(FaceId(lists.faces[i])), body.frame.positions()));
    }
    parts[p].box = {box.lo, 0, box.hi, 0};
    parts[p].body = number;
  }
  return parts;
}

std::vector<Part> all_parts(const StillQuery& query, const SubdivisionSettings& settings) {
  std::vector<Part> all;
  for (std::uint32_t b = 0; b < query.bodies.size(); ++b) {
    const StillBody& body = query.bodies[b];
    if (body.mesh->face_count() == 0) continue;
    std::vector<Part> parts = settings.vertices_only
                                  ? printed_parts(body, b, halvings(settings.levels, settings.octree))
                                  : fitted_parts(body, b, settings);
    for (Part& part : parts) {
      if (part.faces.empty()) continue;
      finish(part, body);
      all.push_back(std::move(part));
    }
  }
  return all;
}

struct IndexedPart {
  std::size_t index;  // of the hash function
  std::uint32_t part;
  friend auto operator<=>(const IndexedPart&, const IndexedPart&) = default;
};

// The hash indices of every part, each once.
std::vector<IndexedPart> hash_parts(std::span<const Part> parts, const SubdivisionSettings& settings) {
  std::vector<AabbNode> boxes;
  for (const Part& part : parts) boxes.push_back(part.box);
  const BoxGrid grid(usable_cell_size(boxes, settings.cell_size));
  const BoxHash hash(settings, settings.buckets > 0 ? settings.buckets : std::max<std::size_t>(1, 4 * parts.size()));
  std::vector<IndexedPart> indexed;
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    const BoxCell low = grid.at(parts[p].box.lo), high = grid.at(parts[p].box.hi);
    const auto add = [&](std::int32_t x, std::int32_t y, std::int32_t z) { indexed.push_back({hash({x, y, z}), p}); };
    if (settings.corners_only) {
      for (unsigned c = 0; c < 8; ++c)
        add((c & 1u) != 0 ? high[0] : low[0], (c & 2u) != 0 ? high[1] : low[1], (c & 4u) != 0 ? high[2] : low[2]);
    } else if (grid.cells_of(parts[p].box).count() <= static_cast<double>(1 << 20)) {
      for (std::int32_t x = low[0]; x <= high[0]; ++x)
        for (std::int32_t y = low[1]; y <= high[1]; ++y)
          for (std::int32_t z = low[2]; z <= high[2]; ++z) add(x, y, z);
    }
  }
  std::sort(indexed.begin(), indexed.end());
  indexed.erase(std::unique(indexed.begin(), indexed.end()), indexed.end());
  return indexed;
}

struct PartPair {
  std::uint32_t a, b;
  friend auto operator<=>(const PartPair&, const PartPair&) = default;
};

// The parts that share an index, each pair once; a part with itself for self-collision.
std::vector<PartPair> co_hashed(std::span<const Part> parts, std::span<const IndexedPart> indexed,
                                FunctionRef<bool(BodyPair)> wanted) {
  std::vector<PartPair> pairs;
  for (std::size_t i = 0; i < indexed.size(); ++i)
    for (std::size_t j = i; j < indexed.size() && indexed[j].index == indexed[i].index; ++j)
      if (wanted({parts[indexed[i].part].body, parts[indexed[j].part].body}))
        pairs.push_back({indexed[i].part, indexed[j].part});
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

class PrintedTests {
 public:
  PrintedTests(const StillQuery& query, const SubdivisionSettings& settings, BudgetMeter& meter)
      : query_(query),
        passes_{.both_ways = !settings.one_way, .third_needs_hit = settings.third_needs_hit},
        meter_(meter) {}

  // False if the budget ran out.
  bool run(const Part& a, const Part& b, TaskFindings& found) {
    const StillPair pair = query_.pair(a.body, b.body);
    printed_tests += std::uint64_t{a.faces.size()} * b.faces.size();
    bool allowed = true;
    for (std::uint32_t i = 0; i < a.faces.size() && allowed; ++i) {
      allowed = meter_.spend(1 + b.faces.size() / LeafBoxes::kLanes);
      if (allowed)
        for_each_overlapping(b.boxes, SplatBox(a.boxes[i]), 0, static_cast<std::uint32_t>(b.faces.size()),
                             [&](std::uint32_t j) { test(pair, a, i, b, j, found); });
    }
    return allowed;
  }

  std::uint64_t printed_tests = 0;

 private:
  void test(const StillPair& pair, const Part& a, std::uint32_t i, const Part& b, std::uint32_t j,
            TaskFindings& found) const {
    FaceId face_a(a.faces[i]), face_b(b.faces[j]);
    if (pair.is_self() && (face_a == face_b || corner_equalities(a.corners[i], b.corners[j]) != 0)) return;
    if (pair.candidates_only()) {
      ++found.candidates;
      return;
    }
    ++found.triangle_tests;
    if (edge_hits(pair.a().triangle(a.corners[i]), pair.b().triangle(b.corners[j]), passes_).empty()) return;
    if (pair.is_self() && face_b < face_a) std::swap(face_a, face_b);
    const Relation relation = pair.test(face_a, face_b);
    if (relation != Relation::none) found.add({a.body, b.body, face_a, face_b, relation});
  }

  const StillQuery& query_;
  LinePasses passes_;
  BudgetMeter& meter_;
};

}  // namespace

StillFindings search_printed(const StillQuery& query, const SubdivisionSettings& chosen,
                             FunctionRef<bool(BodyPair)> wanted, BudgetState& state) {
  SubdivisionSettings settings = chosen;
  if (settings.levels < 0) settings.levels = settings.octree ? 1 : 3;
  settings.levels = std::min(settings.levels, settings.octree ? 7 : 21);
  const std::vector<Part> parts = all_parts(query, settings);
  const std::vector<IndexedPart> indexed = hash_parts(parts, settings);
  const std::vector<PartPair> pairs = co_hashed(parts, indexed, wanted);
  BudgetMeter meter(state);
  PrintedTests tests(query, settings, meter);
  TaskFindings task;
  StillFindings findings;
  findings.statistical = true;
  for (const PartPair pair : pairs) {
    if (tests.run(parts[pair.a], parts[pair.b], task)) continue;
    findings.interrupted = true;
    break;
  }
  // A face is in the parts of all its vertices, and is met there again.
  std::sort(task.hits.begin(), task.hits.end());
  const auto same = [](const FaceHit& x, const FaceHit& y) { return !(x < y) && !(y < x); };
  task.hits.erase(std::unique(task.hits.begin(), task.hits.end(), same), task.hits.end());
  findings.add(std::move(task));
  findings.counters.add("boxes", parts.size());
  findings.counters.add("cells", indexed.size());
  findings.counters.add("box_pairs", pairs.size());
  findings.counters.add("printed_tests", tests.printed_tests);
  return findings;
}

}  // namespace pliant
