#include "pliant/detect/kinetic/kinetic_events.h"

#include "pliant/detect/kinetic/event_machine.h"
#include "pliant/detect/overlay.h"
#include "pliant/detect/setting_table.h"

namespace pliant {

using kinetic::EventCounts;
using kinetic::StreamFindings;
using kinetic::StreamQuery;

namespace {

constexpr SettingInfo kKineticEventsSettings[]{
    setting<&KineticEventsSettings::padding>(
        {.name = "padding",
         .unit = "of the largest coordinate",
         .effect = "how far boxes are grown: more makes fewer events, and more pairs of triangles to look at",
         .least = kinetic::ListTolerances::kPad,
         .most = 0.01}),
};

}  // namespace

const MethodInfo KineticEventsDetector::kInfo{
    .name = "kinetic-events",
    .answers = "all first contacts of moving meshes, by events of kinetic trees and separation lists",
    .guarantee = "exact",
    .paper =
        "Weller, Zachmann: Kinetic Separation Lists for Continuous Collision Detection of Deformable Objects, 2006",
    .still = false,
    .moving = true,
    .settings = kKineticEventsSettings};

// Counts that earlier reports have told already.
struct KineticEventsDetector::Totals {
  EventCounts counts;
};

KineticEventsDetector::KineticEventsDetector(const DetectorSettings& settings, const KineticEventsSettings& events)
    : StreamDetector(settings),
      machine_(std::make_unique<kinetic::EventMachine>(events.padding)),
      reported_(std::make_unique<Totals>()) {}

KineticEventsDetector::~KineticEventsDetector() = default;

namespace {

void add_new(Counters& counters, const EventCounts& now, const EventCounts& told) {
  counters.add("leaf_events", now.trees.leaf_events - told.trees.leaf_events);
  counters.add("tree_events", now.trees.tree_events - told.trees.tree_events);
  counters.add("box_changes", now.lists.box_changes - told.lists.box_changes);
  counters.add("overlap_events", now.lists.overlap_events - told.lists.overlap_events);
  counters.add("fathers_apart_events", now.lists.fathers_events - told.lists.fathers_events);
  counters.add("leaves_apart_events", now.lists.leaves_events - told.lists.leaves_events);
  counters.add("reschedulings", now.lists.reschedulings - told.lists.reschedulings);
  counters.add("box_tests", now.lists.pair_tests - told.lists.pair_tests);
  counters.add("leaf_pairs", now.leaf_pairs - told.leaf_pairs);
  counters.add("pair_tests", now.feature_tests - told.feature_tests);
}

}  // namespace

StreamFindings KineticEventsDetector::findings(bool finished) {
  StreamFindings findings;
  findings.blocks = machine_->release_hits();
  const EventCounts counts = machine_->counts();
  add_new(findings.counters, counts, reported_->counts);
  reported_->counts = counts;
  if (finished) return findings;
  const std::vector<SweptBody>& bodies = query_->swept.bodies;
  for (std::uint32_t a = 0; a < bodies.size(); ++a) {
    for (std::uint32_t b = a; b < bodies.size(); ++b) {
      if (!query_->swept.wants({a, b}) || bodies[a].mesh->face_count() * bodies[b].mesh->face_count() == 0) continue;
      findings.unresolved.push_back(whole_bodies(bodies[a], bodies[b]));
    }
  }
  return findings;
}

namespace {

// On one thread, against the budget; the hits count as memory that is held. False if the budget ran out.
template <class Work>
bool run_within_budget(SearchTasks& tasks, const kinetic::EventMachine& machine, const Work& work) {
  bool finished = false;
  tasks.run(1, false, [&](std::size_t, BudgetMeter& meter) {
    finished = work(meter);
    return SweptTaskHits{};
  });
  tasks.hold(machine.hit_count() * sizeof(SweptHit));
  return finished && !tasks.state().stopped();
}

}  // namespace

StreamFindings KineticEventsDetector::begin(const StreamQuery& query, SearchTasks& tasks) {
  query_ = &query;
  StreamFindings found =
      findings(run_within_budget(tasks, *machine_, [&](BudgetMeter& meter) { return machine_->begin(query, meter); }));
  found.counters.raise("list_size", machine_->list_size());
  found.counters.raise("queue_size", machine_->queue().size());
  found.counters.raise("bytes", machine_->bytes());
  return found;
}

StreamFindings KineticEventsDetector::advance(double t, SearchTasks& tasks) {
  return findings(run_within_budget(tasks, *machine_, [&](BudgetMeter& meter) { return machine_->advance(t, meter); }));
}

double KineticEventsDetector::horizon() const { return machine_->horizon(); }

void KineticEventsDetector::forget_body(BodyId body) { machine_->forget(body); }

std::optional<Region> KineticEventsDetector::find_region(BodyId id, std::uint32_t region) const {
  if (region != 0) return std::nullopt;
  if (!query_) return Region{};
  std::vector<FaceId> faces(body(id).mesh->face_count());
  for (std::size_t f = 0; f < faces.size(); ++f) faces[f] = FaceId(f);
  Aabb box;
  for (const SweptBody& swept : query_->swept.bodies)
    if (swept.id == id)
      for (const Frame* frame : {&swept.x_t0, &swept.x_t1}) box.add(Aabb::of_points(frame->positions()));
  return region_of(std::move(faces), box);
}

// Boxes as they are at the last event, and the pairs of triangles whose boxes overlap then, those of different bodies
// first.
void KineticEventsDetector::draw(const Report&, detail::Overlay& overlay) const {
  const auto box_of = [&](const kinetic::KineticTree& tree, std::uint32_t node) {
    Aabb box;
    for (std::uint32_t side = 0; side < kinetic::kSides; ++side) {
      const double at = tree.bound(node, side, machine_->now()).position / machine_->scale();
      if (side < 3) box.lo[side] = round_down(-at);
      else box.hi[side - 3] = round_up(at);
    }
    return box;
  };
  for (const BodyId id : body_ids()) {
    const kinetic::KineticTree* tree = machine_->tree(id);
    if (!tree || tree->node_count() == 0) continue;
    const auto children = [&](std::uint32_t node) -> std::vector<std::uint32_t> {
      if (tree->is_leaf(node)) return {};
      return {tree->left(node), tree->left(node) + 1};
    };
    overlay.add_level(id, 0, children, [&](std::uint32_t node) { return box_of(*tree, node); });
  }
  for (const bool self : {false, true})
    for (const BodyId a : body_ids())
      for (const BodyId b : body_ids()) {
        const kinetic::SeparationList* list = b < a || (a == b) != self ? nullptr : machine_->list(a, b);
        if (!list) continue;
        for (const kinetic::SeparationList::Pair& pair : list->pairs())
          if (!pair.vacant && pair.open && list->is_leaf_pair(pair) && !(self && pair.nodes.a == pair.nodes.b))
            overlay.join_boxes({a, box_of(*machine_->tree(a), pair.nodes.a)},
                               {b, box_of(*machine_->tree(b), pair.nodes.b)});
      }
}

std::size_t KineticEventsDetector::bytes() const { return machine_->bytes(); }

}  // namespace pliant
