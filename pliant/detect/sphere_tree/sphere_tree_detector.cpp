#include "pliant/detect/sphere_tree/sphere_tree_detector.h"

#include <algorithm>
#include <utility>

#include "pliant/bounds/sphere_tree/tree_shelf.h"
#include "pliant/detect/contact_delivery.h"
#include "pliant/detect/overlay.h"
#include "pliant/detect/regions.h"
#include "pliant/detect/sphere_tree/printed_search.h"
#include "pliant/mesh/mesh_hash.h"

namespace pliant {
namespace {

class SetWhile {
 public:
  explicit SetWhile(bool& flag) : flag_(flag) { flag_ = true; }
  ~SetWhile() { flag_ = false; }
  SetWhile(const SetWhile&) = delete;
  SetWhile& operator=(const SetWhile&) = delete;

 private:
  bool& flag_;
};

// Levels until a leaf has no more faces than this.
std::uint32_t depth_for(std::size_t faces, std::uint32_t branching, double faces_per_leaf) {
  std::uint32_t depth = 0;
  for (double leaves = 1; leaves * faces_per_leaf < static_cast<double>(faces); leaves *= branching) ++depth;
  return depth;
}

SphereTreePtr tree_for(const TriangleMesh& mesh, const SphereTreeMethodSettings& own, Threads threads) {
  if (own.builder == 0)
    if (SphereTreePtr stored = find_on_shelf(mesh_hash(mesh))) return stored;
  SphereTreeSettings build = own.build_settings(threads);
  if (build.builder == SphereTreeBuilder::medial && !has_medial_axis(mesh)) build.builder = SphereTreeBuilder::boxes;
  // Without a medial axis more levels are no use; with one, faces are cut into pieces, some of them small.
  const double faces_per_leaf = own.builder == 0 ? 8 : 0.25;
  build.shape.depth = std::min(build.shape.depth, depth_for(mesh.face_count(), build.shape.branching, faces_per_leaf));
  return build_sphere_tree(mesh, build);
}

}  // namespace

SphereTreeDetector::SphereTreeDetector(const DetectorSettings& settings, const SphereTreeMethodSettings& own)
    : Detector(settings), own_(own) {
  while (!SphereTree::fits({own_.branching, own_.depth})) --own_.depth;
}

void SphereTreeDetector::body_added(BodyId id) {
  if (body(id).mesh->face_count() > 0) follower_of(id).link(body(id).motion);
}

// From inside a sink: the search that is under way goes on with what it has.
void SphereTreeDetector::motion_changed(BodyId id) {
  if (!searching_) body_added(id);
}

void SphereTreeDetector::body_removed(BodyId body) {
  if (body.index() < followers_.size()) followers_[body.index()].reset();
  knows_bodies_ = false;
}

void SphereTreeDetector::mesh_replaced(BodyId body, const MeshMaps&) {
  body_removed(body);
  body_added(body);
}

SphereFollower& SphereTreeDetector::follower_of(BodyId id) {
  followers_.resize(std::max(followers_.size(), id.index() + 1));
  std::unique_ptr<SphereFollower>& follower = followers_[id.index()];
  if (!follower) {
    const MeshPtr& mesh = body(id).mesh;
    const FollowSettings follow{.printed = is_paper() && own_.printed_update,
                                .near_vertices = own_.near_vertices,
                                .fitted_pieces = own_.fitted_pieces};
    follower = std::make_unique<SphereFollower>(tree_for(*mesh, own_, settings().threads), mesh, follow);
  }
  return *follower;
}

// What stays while the bodies do.
void SphereTreeDetector::list_bodies() {
  std::vector<BodyId> ids;
  for (const BodyId id : body_ids())
    if (body(id).mesh->face_count() > 0) ids.push_back(id);
  const auto is_known = [&](const SphereBody& known, BodyId id) {
    return known.id == id && known.follower == followers_[id.index()].get();
  };
  if (std::exchange(knows_bodies_, true) &&
      std::equal(bodies_.begin(), bodies_.end(), ids.begin(), ids.end(), is_known))
    return;
  bodies_.clear();
  for (const BodyId id : ids) {
    const TriangleMesh* const mesh = body(id).mesh.get();
    const bool welds = settings().weld && !mesh->weld_copies().empty();
    bodies_.push_back({.id = id, .follower = &follower_of(id), .still = {id, mesh, {}, {}}, .welds = welds});
  }
}

void SphereTreeDetector::place_bodies(double time) {
  list_bodies();
  for (SphereBody& placed : bodies_) {
    placed.source = &body(placed.id);
    placed.time = time;
    const bool was_embedded = placed.follower->is_embedded();
    placed.follower->place(placed.source->motion, time);
    placed.still.frame = {};
    if (placed.follower->is_embedded() != was_embedded) placed.still.identity.clear();
    // Vertices that are welded at rest hang on the same coarse ones by the same weights: they stay together.
    if (placed.welds && placed.follower->is_embedded() && placed.still.identity.empty()) {
      const auto welded = placed.still.mesh->weld_representatives();
      placed.still.identity.assign(welded.begin(), welded.end());
    }
  }
}

std::vector<SphereBodyPair> SphereTreeDetector::pairs_at_hand() {
  std::vector<Aabb> boxes;
  for (const SphereBody& body : bodies_) {
    const Sphere root = body.follower->sphere(0);
    boxes.push_back(grown(Aabb::of(root.centre), root.radius));
    if (!is_paper()) boxes.back() = common(boxes.back(), body.follower->box(0));
  }
  std::vector<SphereBodyPair> pairs;
  for (const BodyPair pair : overlapping_body_pairs(boxes, [&](std::uint32_t a, std::uint32_t b) {
         return (a != b || !is_paper()) && wants_bodies(bodies_[a].id, bodies_[b].id);
       }))
    if (is_paper() || overlap(Sphere(bodies_[pair.a].follower->sphere(0)), bodies_[pair.b].follower->sphere(0)))
      pairs.push_back({pair.a, pair.b});
  return pairs;
}

std::size_t SphereTreeDetector::search_safely(Pace& pace, ContactSink* sink, double time, Report& report) {
  const std::vector<SphereBodyPair> pairs = pairs_at_hand();
  SphereSearch search(bodies_, pairs, own_, detail(), feature_filter());
  search.run(pace, finish_, false);
  BudgetState& state = pace.state();
  searched_ = pace.time_used();

  std::vector<FaceHit>& hits = search.hits();
  std::sort(hits.begin(), hits.end());
  const auto same = [](const FaceHit& x, const FaceHit& y) { return !(x < y) && !(y < x); };
  hits.erase(std::unique(hits.begin(), hits.end(), same), hits.end());
  report.cut.reserve(search.left_count());
  for (const SpherePair& pair : search.open()) report.cut.push_back(search.unresolved(pair, false));
  for (const SpherePair& pair : search.leaves()) report.cut.push_back(search.unresolved(pair, true));
  for (const SpherePair& pair : search.fine()) report.cut.push_back(search.unresolved(pair, true));
  std::sort(report.cut.begin(), report.cut.end(), earlier_regions);

  OrderedHits<FaceHit> ordered;
  ordered.add(std::move(hits));
  const std::size_t found = ordered.size();
  std::vector<Contact> others;
  std::vector<Contact>& possible = found == 0 && !sink ? report.contacts : others;
  possible.reserve(report.cut.size());
  for (const UnresolvedPair& pair : report.cut) possible.push_back(possible_contact(pair, time));
  ContactDelivery delivery(report, sink, state, {1});
  ordered.sort({1}, state, found);
  const auto positions = [&](const FaceHit& hit) {
    return StillPair(bodies_[hit.body_a].still, bodies_[hit.body_b].still, nullptr);
  };
  std::vector<UnresolvedPair> left_out;
  delivery.deliver(
      ordered, std::move(others),
      [&](const FaceHit& hit) { return positions(hit).contact(hit.face_a, hit.face_b, hit.relation, time); },
      [](const FaceHit&) {});
  // What there was no time to make contacts of: named as pairs of whole bodies.
  if (!delivery.stopped_by_sink() && !ordered.empty()) {
    std::vector<Contact> rest;
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].a < ordered.first().body_a) continue;
      left_out.push_back(search.unresolved({i, 0, 0, std::numeric_limits<float>::infinity()}, false));
      rest.push_back(possible_contact(left_out.back(), time));
    }
    report.cut.insert(report.cut.end(), left_out.begin(), left_out.end());
    delivery.finish(std::move(rest));
    report.counters.add("contacts_left_out", found - delivery.delivered());
  }
  report.guarantee = report.cut.empty() ? Guarantee::exact : Guarantee::conservative;
  // Detail is chosen, not cut short.
  report.complete = search.open().empty() && (search.leaves().empty() || !own_.exact) && left_out.empty() &&
                    !delivery.stopped_by_sink();
  if (!report.complete) report.stopped_by = delivery.stopped_by_sink() ? StopReason::sink : state.reason();
  const SphereCounts& counts = search.counts();
  report.counters.add("sphere_tests", counts.tested);
  report.counters.add("triangle_tests", counts.triangle_tests);
  report.counters.add("pairs_pushed", counts.pushed);
  report.counters.raise("most_open_pairs", counts.most_open);
  report.counters.raise("deepest_pair", counts.deepest);
  report.counters.add("contacts", delivery.delivered());
  return found;
}

void SphereTreeDetector::search_as_printed(Pace& pace, ContactSink* sink, double time, Report& report) {
  const std::vector<SphereBodyPair> pairs = pairs_at_hand();
  PrintedSearch search(bodies_, pairs, own_.depth_first);
  search.run(pace, finish_);
  searched_ = pace.time_used();
  const std::vector<PrintedPair> left = search.pair_list();
  report.cut.reserve(search.collision_list().size() + left.size());
  for (const PrintedPair& pair : search.collision_list()) report.cut.push_back(search.unresolved(pair, true));
  // A traditional search that is interrupted has not heard of what it did not come to.
  if (!own_.depth_first)
    for (const PrintedPair& pair : left) report.cut.push_back(search.unresolved(pair, false));
  std::sort(report.cut.begin(), report.cut.end(), earlier_regions);
  bool stopped = false;
  if (!sink) report.contacts.reserve(report.cut.size());
  for (const UnresolvedPair& pair : report.cut) {
    const Contact contact = possible_contact(pair, time);
    if (!sink) report.contacts.push_back(contact);
    else if (sink->contact(contact) == Flow::stop) {
      stopped = true;
      break;
    }
  }
  report.guarantee = Guarantee::statistical;
  report.complete = left.empty() && !stopped;
  if (!report.complete) report.stopped_by = stopped ? StopReason::sink : pace.state().reason();
  const PrintedSearch::Counts& counts = search.counts();
  report.counters.add("pair_list", left.size());
  report.counters.add("collision_list", search.collision_list().size());
  report.counters.add("pairs_pushed", counts.pushed);
  report.counters.add("sphere_tests", counts.tested);
  report.counters.add("pairs_retested", counts.retested);
  report.counters.raise("most_open_pairs", counts.longest_list);
}

Report SphereTreeDetector::find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) {
  BudgetState state(budget);
  Pace pace(state);
  const SetWhile searching(searching_);
  place_bodies(interval.t0);
  std::uint64_t updated = 0;
  for (const SphereBody& body : bodies_) updated += body.follower->updated();
  Report report;
  std::size_t hits = 0;
  if (is_paper()) search_as_printed(pace, sink, interval.t0, report);
  else hits = search_safely(pace, sink, interval.t0, report);
  for (const UnresolvedPair& pair : report.cut) report.bound = std::max(report.bound, pair.bound);
  if (!report.cut.empty()) report.counters.add("unresolved_regions", report.cut.size());
  std::uint64_t now = 0;
  for (const SphereBody& body : bodies_) now += body.follower->updated();
  report.counters.add("spheres_updated", now - updated);
  if (pace.has_deadline() && !sink)
    finish_.learn(report.cut.size(), hits, static_cast<double>(pace.time_used() - searched_));
  return report;
}

std::optional<bool> SphereTreeDetector::find_any(const Interval& interval, const Budget& budget) {
  if (is_paper()) return Detector::find_any(interval, budget);
  BudgetState state(budget);
  Pace pace(state);
  place_bodies(interval.t0);
  const std::vector<SphereBodyPair> pairs = pairs_at_hand();
  SphereSearch search(bodies_, pairs, own_, detail(), feature_filter());
  search.run(pace, finish_, true);
  if (!search.hits().empty()) return true;
  if (search.open().empty() && search.leaves().empty() && search.fine().empty()) return false;
  return std::nullopt;
}

std::optional<Region> SphereTreeDetector::find_region(BodyId id, std::uint32_t region) const {
  if (id.index() >= followers_.size() || !followers_[id.index()]) return std::nullopt;
  SphereFollower& follower = *followers_[id.index()];
  if (!follower.tree().has(region)) return std::nullopt;
  const Sphere& sphere = follower.sphere(region);
  return Region{sphere.centre, sphere.radius, follower.tree().faces(region)};
}

// A level of the trees where nothing is left of the search; otherwise the cut says it.
void SphereTreeDetector::draw(const Report& report, detail::Overlay& overlay) const {
  if (!report.cut.empty()) return;
  for (const BodyId id : body_ids()) {
    if (id.index() >= followers_.size() || !followers_[id.index()]) continue;
    SphereFollower& follower = *followers_[id.index()];
    const SphereTree& tree = follower.tree();
    const auto children = [&](std::uint32_t node) {
      std::vector<std::uint32_t> below;
      if (tree.is_leaf(node)) return below;
      for (std::uint32_t i = 0; i < tree.shape().branching; ++i)
        if (tree.has(tree.first_child(node) + i)) below.push_back(tree.first_child(node) + i);
      return below;
    };
    for (const std::uint32_t node : detail::Overlay::level(0, overlay.room_for_spheres(), children))
      overlay.add_sphere(id, follower.sphere(node), false);
  }
}

std::vector<VertexId> SphereTreeDetector::near_vertices(BodyId id, std::uint32_t region) const {
  std::vector<VertexId> result;
  if (id.index() >= followers_.size() || !followers_[id.index()]) return result;
  if (!followers_[id.index()]->tree().has(region)) return result;
  for (const VertexId v : followers_[id.index()]->near_vertices(region))
    if (v.valid()) result.push_back(v);
  return result;
}

std::size_t SphereTreeDetector::bytes() const {
  std::size_t sum = 0;
  for (const auto& follower : followers_)
    if (follower) sum += follower->bytes() + follower->tree().bytes();
  return sum;
}

}  // namespace pliant
