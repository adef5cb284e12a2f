#include "pliant/detect/subdivided_boxes/subdivided_boxes.h"

#include <algorithm>

#include "pliant/detect/overlay.h"
#include "pliant/detect/still/clear_fans.h"
#include "pliant/detect/subdivided_boxes/box_division.h"
#include "pliant/detect/subdivided_boxes/printed_boxes.h"

namespace pliant {

void SubdividedBoxDetector::body_removed(BodyId body) {
  if (body.index() < bodies_.size()) bodies_[body.index()] = {};
}

// Boxes are not interrupted; what is done for one body is kept. False: it is too late for the rest.
bool SubdividedBoxDetector::fit_boxes(const StillQuery& query, BudgetState& state) {
  for (const StillBody& body : query.bodies) {
    if (state.is_late()) return false;
    bodies_.resize(std::max(bodies_.size(), body.id.index() + 1));
    BodyBoxes& kept = boxes_of(body);
    if (!kept.divided) kept.table = RegionTable(*body.mesh, divide(*body.mesh, own_));
    if (kept.divided && kept.fitted == body.frame.stamp()) continue;
    kept.table.refit(settings().threads, body.frame.positions());
    kept.clear.clear();
    kept.divided = true;
    kept.fitted = body.frame.stamp();
  }
  return true;
}

// Those that reach into the box of a body that theirs is looked at with are to be hashed: `first` is the body, `count`
// the box's number.
void SubdividedBoxDetector::choose_boxes(const StillQuery& query, std::span<const BodyPair> pairs) {
  std::vector<std::vector<std::uint8_t>> reached(query.bodies.size());
  const auto reach = [&](std::uint32_t body, std::uint32_t other) {
    const RegionTable& table = boxes_of(query.bodies[body]).table;
    reached[body].resize(table.count(), 0);
    for_each_overlapping(table.boxes(), SplatBox(boxes_of(query.bodies[other]).table.bounds()), 0, table.count(),
                         [&](std::uint32_t box) { reached[body][box] = 1; });
  };
  for (const BodyPair pair : pairs) {
    reach(pair.a, pair.b);
    if (pair.a != pair.b) reach(pair.b, pair.a);
  }
  hashed_.clear();
  for (std::uint32_t b = 0; b < reached.size(); ++b)
    for (std::uint32_t i = 0; i < reached[b].size(); ++i) {
      if (reached[b][i] == 0) continue;
      const AabbNode& node = boxes_of(query.bodies[b]).table.node(i);
      if (node.count > 0) hashed_.push_back({node.lo, b, node.hi, i});
    }
}

StillFindings SubdividedBoxDetector::search(const StillQuery& query, BudgetState& state, Goal goal) {
  if (settings().mode == Mode::paper) {
    const auto wanted = [&](BodyPair pair) { return wants(query, pair); };
    return search_printed(query, own_, wanted, state);
  }
  if (!fit_boxes(query, state)) return nothing_found(query);
  std::vector<Aabb> bounds;
  for (const StillBody& body : query.bodies) bounds.push_back(boxes_of(body).table.bounds());
  const std::vector<BodyPair> near = overlapping_body_pairs(bounds, [&](std::uint32_t a, std::uint32_t b) {
    return wants(query, {a, b});
  });

  StillFindings findings;
  const auto leave_all_unresolved = [&] {
    for (const BodyPair pair : near)
      findings.unresolved.push_back(whole_bodies(query.bodies[pair.a], query.bodies[pair.b]));
    return std::move(findings);
  };
  choose_boxes(query, near);
  const std::span<const AabbNode> boxes = hashed_;
  std::vector<std::uint8_t> apart;
  for (std::uint32_t b = 0; b < query.bodies.size(); ++b) apart.push_back(wants(query, {b, b}) ? 0 : 1);
  BudgetMeter meter(state);
  const auto wanted = [&](std::uint32_t a, std::uint32_t b) { return wants(query, {boxes[a].first, boxes[b].first}); };
  const BoxTable::Found found = table_.find_pairs(boxes, own_, meter, wanted, apart);
  findings.counters.add("boxes", boxes.size());
  findings.counters.add("cells", found.cells);
  if (found.coarse > 0) findings.counters.add("coarse_boxes", found.coarse);
  if (!found.finished || !state.may_hold(table_.bytes())) return leave_all_unresolved();

  pairs_.clear();
  for (const AabbNode& box : boxes)
    if (apart[box.first] == 0) pairs_.push_back({{box.first, box.first}, box.count, box.count});
  for (const BoxTable::Pair pair : found.pairs)
    pairs_.push_back({{boxes[pair.a].first, boxes[pair.b].first}, boxes[pair.a].count, boxes[pair.b].count});
  findings.counters.add("box_pairs", pairs_.size());
  findings.counters.add("box_tests", found.tests);
  if (!fit_faces(query, pairs_, state)) return leave_all_unresolved();

  BudgetState rest(without_operations(state.budget(), meter.used()));
  SearchTasks tasks(rest, settings().threads);
  test_boxes(query, pairs_, tasks, goal, findings);
  if (rest.stopped()) state.stop(rest.reason());
  return findings;
}

// What the tests of these pairs need. False: it is too late for the rest.
bool SubdividedBoxDetector::fit_faces(const StillQuery& query, std::span<const RegionPair> pairs, BudgetState& state) {
  struct Part {
    std::uint32_t body, box;
  };
  constexpr std::size_t kAtOnce = 64;
  std::vector<std::vector<std::uint8_t>> listed(query.bodies.size());
  const auto list = [&](std::uint32_t body, std::uint32_t box) {
    if (listed[body].empty()) listed[body].resize(boxes_of(query.bodies[body]).table.count(), 0);
    listed[body][box] = 1;
  };
  for (const RegionPair& pair : pairs) {
    list(pair.bodies.a, pair.a);
    list(pair.bodies.b, pair.b);
    BodyBoxes& own = boxes_of(query.bodies[pair.bodies.a]);
    if (pair.bodies.a != pair.bodies.b || !own.clear.empty()) continue;
    if (state.is_late()) return false;
    own.clear = clear_fans(query.bodies[pair.bodies.a], settings().threads);
  }
  std::vector<Part> parts;  // body by body: their positions come to the cache once
  for (std::uint32_t b = 0; b < query.bodies.size(); ++b) {
    RegionTable& table = boxes_of(query.bodies[b]).table;
    if (!listed[b].empty()) table.prepare_faces(query.bodies[b]);
    for (std::uint32_t box = 0; box < listed[b].size(); ++box)
      if (listed[b][box] != 0 && !table.is_fitted(box)) parts.push_back({b, box});
  }
  parallel_for(settings().threads, parts.size(), kAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      boxes_of(query.bodies[parts[i].body]).table.fit_faces(parts[i].box, query.bodies[parts[i].body]);
  });
  return true;
}

void SubdividedBoxDetector::test_boxes(const StillQuery& query, std::span<const RegionPair> pairs, SearchTasks& tasks,
                                       Goal goal, StillFindings& findings) {
  constexpr std::size_t kPairsPerTask = 64;
  std::vector<RegionTable*> tables;
  std::vector<std::span<const std::uint8_t>> clear;
  for (const StillBody& body : query.bodies) {
    tables.push_back(&boxes_of(body).table);
    clear.push_back(boxes_of(body).clear);
  }
  const RegionTests tests(query, tables, clear);
  const std::size_t count = (pairs.size() + kPairsPerTask - 1) / kPairsPerTask;
  const auto pairs_of = [&](std::size_t task) {
    return pairs.subspan(task * kPairsPerTask, std::min(kPairsPerTask, pairs.size() - task * kPairsPerTask));
  };
  std::vector<std::size_t> tested(count, 0);
  auto found = tasks.run(count, goal == Goal::any, [&](std::size_t i, BudgetMeter& meter) {
    return tests.run(pairs_of(i), meter, tested[i], nullptr);
  });
  for (std::size_t i = 0; i < count; ++i) {
    findings.add(std::move(found[i]));
    if (tasks.over()) continue;
    for (const RegionPair& pair : pairs_of(i).subspan(tested[i]))
      findings.unresolved.push_back(unresolved(query, pair));
  }
}

UnresolvedPair SubdividedBoxDetector::unresolved(const StillQuery& query, const RegionPair& pair) const {
  const StillBody& a = query.bodies[pair.bodies.a];
  const StillBody& b = query.bodies[pair.bodies.b];
  const Aabb both = united(boxes_of(a).table.node(pair.a).box(), boxes_of(b).table.node(pair.b).box());
  return {region_feature(a.id, pair.a + 1), region_feature(b.id, pair.b + 1), both.diagonal()};
}

std::optional<Region> SubdividedBoxDetector::find_region(BodyId id, std::uint32_t region) const {
  if (region == 0) return StillDetector::find_region(id, region);
  if (id.index() >= bodies_.size() || region > bodies_[id.index()].table.count()) return std::nullopt;
  const RegionTable& table = bodies_[id.index()].table;
  std::vector<FaceId> faces;
  for (const std::uint32_t face : table.faces_of(region - 1)) faces.emplace_back(face);
  std::sort(faces.begin(), faces.end());
  return region_of(std::move(faces), table.node(region - 1).box());
}

Division SubdividedBoxDetector::division(BodyId id) const {
  Division division;
  if (id.index() >= bodies_.size() || !bodies_[id.index()].divided) return division;
  const RegionTable& table = bodies_[id.index()].table;
  division.region_of_face.resize(body(id).mesh->face_count());
  for (std::uint32_t r = 0; r < table.count(); ++r)
    for (const std::uint32_t face : table.faces_of(r)) division.region_of_face[face] = r;
  return division;
}

void SubdividedBoxDetector::draw(const Report&, detail::Overlay& overlay) const {
  for (const BodyId id : body_ids()) {
    if (id.index() >= bodies_.size()) continue;
    const RegionTable& table = bodies_[id.index()].table;
    for (std::uint32_t r = 0; r < table.count(); ++r) overlay.add_box(id, table.node(r).box());
  }
  overlay.join_open_boxes();
}

std::size_t SubdividedBoxDetector::bytes() const {
  std::size_t sum = table_.bytes() + hashed_.capacity() * sizeof(AabbNode) + pairs_.capacity() * sizeof(RegionPair);
  for (const BodyBoxes& body : bodies_) sum += body.table.bytes() + body.clear.size();
  return sum;
}

}  // namespace pliant
