#include "pliant/detect/anytime/anytime.h"

#include <algorithm>
#include <limits>

#include "pliant/detect/overlay.h"
#include "pliant/detect/regions.h"
#include "pliant/detect/setting_table.h"

namespace pliant {
namespace {

constexpr SettingInfo kAnytimeSettings[]{
    setting<&AnytimeSettings::leaf_size>(
        {.name = "leaf_size", .unit = "faces", .effect = "most faces in a leaf", .least = 1, .most = 8}),
    setting<&AnytimeSettings::self_share>(
        {.name = "self_share",
         .effect = "of the operations for bodies with themselves, while different bodies have open pairs too",
         .least = 0,
         .most = 1}),
    setting<&AnytimeSettings::build_share>(
        {.name = "build_share",
         .effect = "of the budget for the trees of new bodies, while others can be searched",
         .least = 0.01,
         .most = 1}),
    setting<&AnytimeSettings::most_pairs>(
        {.name = "most_pairs",
         .unit = "pairs",
         .effect = "open at once; beyond them the smallest are resolved depth first, and none is dropped",
         .least = 64,
         .most = 1u << 26}),
    setting<&AnytimeSettings::regions>(
        {.name = "regions",
         .effect = "list every open pair of regions; without them each pair of bodies that has any is listed once"}),
};

}  // namespace

const MethodInfo AnytimeDetector::kInfo{
    .name = "anytime",
    .answers = "intersecting triangle pairs of still meshes, in any time: what is left is bounded",
    .guarantee = "exact; conservative with a bound when interrupted",
    .paper = "contract of Mendoza & O'Sullivan on 8-wide box trees",
    .still = true,
    .moving = false,
    .settings = kAnytimeSettings};

AnytimeDetector::AnytimeDetector(const DetectorSettings& settings, const AnytimeSettings& anytime)
    : Detector(settings), own_(anytime) {
  constexpr double kOnlyLookedAt = 60;
  if (!own_.regions) ns_per_pair_ = kOnlyLookedAt;
}

void AnytimeDetector::body_added(BodyId id) {
  bodies_.resize(std::max(bodies_.size(), id.index() + 1));
  bodies_[id.index()] = std::make_unique<AnytimeBody>(
      body(id).mesh,
      AnytimeBodySettings{.leaf_size = own_.leaf_size, .self = settings().self, .weld = settings().weld});
}

void AnytimeDetector::body_removed(BodyId id) { bodies_[id.index()].reset(); }
void AnytimeDetector::motion_changed(BodyId id) { bodies_[id.index()]->let_go(); }

// By number in ids_.
std::vector<BodyPair> AnytimeDetector::pairs_at_hand() const {
  std::vector<Aabb> boxes;
  boxes.reserve(ids_.size());
  for (const BodyId id : ids_) boxes.push_back(bodies_[id.index()]->outline());
  return overlapping_body_pairs(boxes,
                                [&](std::uint32_t a, std::uint32_t b) { return wants_bodies(ids_[a], ids_[b]); });
}

bool AnytimeDetector::build(AnytimeBody& body, Pace& pace, double share) {
  const auto keep = static_cast<std::uint64_t>((1 - share) * static_cast<double>(pace.operations_left()));
  const auto most_time = static_cast<std::int64_t>(share * static_cast<double>(pace.time_given()));
  while (!body.built()) {
    if (share < 1 && pace.counts() && pace.operations_left() <= keep) return false;
    if (share < 1 && pace.has_deadline() && pace.time_used() > most_time) return false;
    if (!pace.spend()) return false;
    body.build_step();
    constexpr std::uint32_t kStepTime = 900;  // ns
    if (!pace.worked(kStepTime)) return body.built();
  }
  return true;
}

// Bodies that are built come first: their boxes are needed at once.
void AnytimeDetector::prepare(const std::vector<BodyPair>& pairs, Pace& pace, double build_share) {
  std::vector<std::uint8_t> wanted(ids_.size(), 0);
  for (const BodyPair pair : pairs) wanted[pair.a] = wanted[pair.b] = 1;
  const auto each = [&](bool built, auto&& act) {
    for (std::size_t i = 0; i < ids_.size() && !pace.stopped(); ++i) {
      AnytimeBody& body = body_at(static_cast<std::uint32_t>(i));
      if (wanted[i] != 0 && body.built() == built && !act(body)) return;
    }
  };
  each(true, [&](AnytimeBody& body) { return body.fit(pace); });
  const bool some_ready = std::any_of(pairs.begin(), pairs.end(), [&](const BodyPair& pair) {
    return body_at(pair.a).ready() && body_at(pair.b).ready();
  });
  each(false, [&](AnytimeBody& body) { return build(body, pace, some_ready ? build_share : 1) && body.fit(pace); });
}

// Goes through what can be searched, then goes on building, until nothing is left or the budget is spent.
bool AnytimeDetector::search_bodies(Pace& pace) {
  std::vector<BodyPair> waiting = pairs_at_hand();
  for (double share = own_.build_share;; share = 1) {
    prepare(waiting, pace, share);
    std::vector<BodyPair> unready;
    for (const BodyPair pair : waiting) {
      AnytimeBody &a = body_at(pair.a), &b = body_at(pair.b);
      if (!a.ready() || !b.ready()) unready.push_back(pair);
      else if (pair.a == pair.b || a.outline().overlaps(b.outline())) search_.add({&a, &b, ids_[pair.a], ids_[pair.b]});
    }
    waiting = std::move(unready);
    const bool finished = search_.run();
    if (finished && !waiting.empty() && !pace.stopped()) continue;
    for (const BodyPair pair : waiting)
      if (pair.a == pair.b || body_at(pair.a).outline().overlaps(body_at(pair.b).outline()))
        unready_.push_back({pair, body_at(pair.a).outline(), body_at(pair.b).outline()});
    return finished && unready_.empty();
  }
}

bool AnytimeDetector::search(double time, Pace& pace, bool first_only) {
  last_time_ = time;
  ids_ = body_ids();
  unready_.clear();
  AnytimeSearchSettings wanted{.self_share = own_.self_share,
                               .most_pairs = own_.most_pairs,
                               .largest_only = !own_.regions,
                               .detail = detail(),
                               .first_only = first_only,
                               .filter = feature_filter(),
                               .time = time};
  if (const auto limit = pace.state().budget().memory_limit()) {
    constexpr std::uint64_t kBytesPerPair = sizeof(OpenPair) + 8 + sizeof(UnresolvedPair) + sizeof(Contact);
    wanted.most_bytes = *limit;
    wanted.most_pairs =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(*limit / (2 * kBytesPerPair), 64, wanted.most_pairs));
  }
  pace.reserve(static_cast<std::uint64_t>(ns_at_least_));
  search_.start(wanted, pace);
  for (const BodyId id : ids_) bodies_[id.index()]->place(body(id).motion, time);
  constexpr double kMore = 1.15;  // than it took before
  search_.set_finish_times(ns_at_least_, kMore * ns_per_pair_, kMore * ns_per_contact_);
  return search_bodies(pace);
}

Report AnytimeDetector::find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) {
  BudgetState state(budget);
  Pace pace(state);
  const bool finished = search(interval.t0, pace, false);
  return report(interval.t0, finished, pace, sink);
}

std::optional<bool> AnytimeDetector::find_any(const Interval& interval, const Budget& budget) {
  BudgetState state(budget);
  Pace pace(state);
  const bool finished = search(interval.t0, pace, true);
  if (!search_.contacts().empty()) return true;
  if (finished && search_.settled().empty()) return false;
  return std::nullopt;
}

std::optional<Region> AnytimeDetector::find_region(BodyId id, std::uint32_t region) const {
  const AnytimeBody& found = *bodies_[id.index()];
  if (found.ready() && found.tree().has({region}))
    return region_of(found.tree().faces_below({region}), found.box({region}));
  if (region != 0) return std::nullopt;
  std::vector<FaceId> faces;
  for (std::size_t f = 0; f < body(id).mesh->face_count(); ++f) faces.emplace_back(f);
  return region_of(std::move(faces), Aabb::of_points(body(id).motion.positions_at(last_time_).positions()));
}

// The boxes of the cut; a level of the trees where nothing is left.
void AnytimeDetector::draw(const Report& report, detail::Overlay& overlay) const {
  for (const UnresolvedPair& pair : report.cut)
    for (const Feature& side : {pair.a, pair.b}) {
      const AnytimeBody& found = *bodies_[side.body.index()];
      if (found.ready() && found.tree().has({side.id})) overlay.add_box(side.body, found.box({side.id}));
    }
  if (!report.cut.empty()) return;
  for (const BodyId id : body_ids()) {
    AnytimeBody& found = *bodies_[id.index()];
    if (!found.ready()) continue;
    const auto children = [&](std::uint32_t ref) {
      std::vector<std::uint32_t> below;
      const WideChild child = found.tree().child({ref});
      if (child.nothing() || child.is_leaf()) return below;
      const WideNode& node = found.node(child.index());
      for (std::uint32_t lane = 0; lane < WideBoxes::kLanes; ++lane)
        if (!node.child[lane].nothing()) below.push_back(WideRef::of(child.index(), lane).bits);
      return below;
    };
    overlay.add_level(id, 0, children, [&](std::uint32_t ref) { return found.box({ref}); });
  }
}

std::size_t AnytimeDetector::bytes() const {
  std::size_t sum = search_.bytes();
  for (const auto& body : bodies_) sum += body ? body->bytes() : 0;
  return sum;
}

}  // namespace pliant
