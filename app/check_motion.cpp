#include "app/check_motion.h"

#include <algorithm>

#include "pliant/detect/registry.h"

namespace pliant::app {
namespace {

using BodyKey = CheckTally::BodyKey;

// Of the pairs that a user wants, some.
class SomePairs : public ContactFilter {
 public:
  SomePairs(std::set<BodyKey> pairs, std::shared_ptr<const ContactFilter> wanted)
      : pairs_(std::move(pairs)), wanted_(std::move(wanted)) {}
  bool bodies(BodyId a, BodyId b) const override {
    return pairs_.contains(std::minmax(a.value, b.value)) && (!wanted_ || wanted_->bodies(a, b));
  }
  bool looks_at_features() const override { return false; }

 private:
  std::set<BodyKey> pairs_;
  std::shared_ptr<const ContactFilter> wanted_;
};

BodyKey bodies_of(const Contact& contact) { return {contact.a.body.value, contact.b.body.value}; }

// Vertex-face contacts name the vertex's body first, whichever it is.
BodyKey ordered(BodyKey key) { return std::minmax(key.first, key.second); }

std::vector<MeshPtr> meshes_of(const CheckRun& run) {
  std::vector<MeshPtr> meshes;
  for (const CheckBody& body : run.bodies) meshes.push_back(body.mesh);
  return meshes;
}

}  // namespace

MotionCheck::MotionCheck(const CheckRun& run, const MotionCheckSettings& settings, CheckTally& tally, ProgressBar& bar)
    : run_(run), settings_(settings), tally_(tally), bar_(bar), first_overlaps_(meshes_of(run)) {
  continuous_ = pliant::make_detector(run.method)->info().moving && !settings.at_frames;
  total_.complete = true;
  total_.guarantee = Guarantee::exact;
}

std::unique_ptr<Detector> MotionCheck::make_detector(const std::string& method, Threads threads) const {
  DetectorSettings settings = settings_.detector;
  settings.threads = threads;
  // The first contact of all may be one that does not count.
  settings.earliest = settings.earliest && !run_.allow_initial;
  auto detector = pliant::make_detector(method, settings);
  for (const CheckBody& body : run_.bodies) detector->add_body(body.mesh, body.motion);
  if (settings_.filter) detector->set_filter(settings_.filter);
  return detector;
}

std::vector<Interval> MotionCheck::pieces() const {
  std::vector<Interval> pieces;
  const auto time = [](std::size_t frame) { return static_cast<double>(frame); };
  if (!continuous())
    for (std::size_t k = 0; k < run_.frames; ++k) pieces.push_back(Interval::instant(time(k)));
  else
    for (std::size_t k = 0; k + 1 < run_.frames; ++k) pieces.push_back({time(k), time(k + 1)});
  return pieces;
}

Report MotionCheck::run() {
  if (continuous()) look_at_start();
  if (!total_.complete || is_settled()) return std::move(total_);
  const std::vector<Interval> all = pieces();
  TimelineSettings timeline;
  timeline.make_detector = [&](Threads threads) { return make_detector(run_.method, threads); };
  timeline.threads = settings_.detector.threads;
  timeline.budget = settings_.budget;
  run_timeline(all, timeline, [&](const TimelinePiece& piece) {
    ++done_;
    bar_.show(static_cast<double>(done_) / static_cast<double>(all.size()), done_);
    return take(piece);
  });
  return std::move(total_);
}

Flow MotionCheck::take(const TimelinePiece& piece) {
  add_up(piece.report);
  if (continuous()) take_times_between(piece);
  else take_frame(piece);
  const std::size_t pieces = continuous() ? run_.frames - 1 : run_.frames;
  const double next = piece.interval.t0 + 1;
  if (!total_.complete && done_ < pieces) leave_rest_open(next, *piece.detector);
  return is_settled() ? Flow::stop : Flow::go_on;
}

void MotionCheck::take_times_between(const TimelinePiece& piece) {
  const auto frame = static_cast<std::size_t>(piece.interval.t0);
  const std::vector<Contact>& contacts = piece.report.contacts;
  std::set<BodyKey> met;
  std::vector<Contact> from_start;
  for (const Contact& contact : contacts) {
    if (contact.relation == Relation::possible) continue;
    met.insert(ordered(bodies_of(contact)));
    if (frame > 0 || !contact.initial) continue;
    tally_.met_at_start(ordered(bodies_of(contact)));
    from_start.push_back(contact);
  }
  for (const BodyKey& key : met) tally_.affects(key, frame);
  first_overlaps_.begin(from_start);
  const std::vector<Contact> at_end = look_at_frame(frame + 1, met);
  // Within a separation features can be near without crossing.
  count(piece, first_overlaps_.advance(contacts, at_end, settings_.detector.min_separation > 0).between);
}

void MotionCheck::take_frame(const TimelinePiece& piece) {
  const auto frame = static_cast<std::size_t>(piece.interval.t0);
  const std::vector<Contact>& contacts = piece.report.contacts;
  for (const Contact& contact : contacts) {
    if (contact.relation == Relation::possible) continue;
    const BodyKey key = ordered(bodies_of(contact));
    tally_.affects(key, frame);
    if (frame == 0) tally_.met_at_start(key);
  }
  if (frame == 0) first_overlaps_.begin(contacts);
  count(piece, first_overlaps_.advance({}, contacts).at_end);
  look_at_curves(contacts, frame);
}

// Whether the same features met in the time right before.
bool MotionCheck::continues(const Contact& contact, std::size_t frame) const {
  const bool goes_on = frame > 0 && (contact.initial || !continuous());
  return goes_on && std::binary_search(last_met_.begin(), last_met_.end(), std::pair(contact.a, contact.b));
}

void MotionCheck::count(const TimelinePiece& piece, const std::vector<bool>& from_start) {
  const auto frame = static_cast<std::size_t>(piece.interval.t0);
  std::vector<std::pair<Feature, Feature>> met;
  for (std::size_t i = 0; i < from_start.size(); ++i) {
    Contact contact = piece.report.contacts[i];
    const ContactPast past{from_start[i], continues(contact, frame)};
    if (contact.relation != Relation::possible) met.emplace_back(contact.a, contact.b);
    contact.initial = frame == 0 && (contact.initial || !continuous());
    tally_.contact(contact, *piece.detector, past);
    if (settings_.detector.earliest && is_settled()) break;
  }
  std::sort(met.begin(), met.end());
  last_met_ = std::move(met);
}

// Triangles that cross in the first frame. A moving method alone would not see them: no feature meets another.
void MotionCheck::look_at_start() {
  still_ = make_detector("bvh", settings_.detector.threads);
  const Report start = still_->detect(Interval::instant(0), settings_.budget);
  for (const Contact& contact : start.contacts) {
    if (contact.relation == Relation::possible) continue;
    crossing_.insert(bodies_of(contact));
    tally_.met_at_start(bodies_of(contact));
  }
  first_overlaps_.begin(start.contacts);
  for (Contact contact : start.contacts) {
    contact.initial = true;
    tally_.contact(contact, *still_, {.from_start = true});
    if (settings_.detector.earliest && is_settled()) break;
  }
  for (const BodyKey& key : crossing_) tally_.affects(key, 0);
  look_at_curves(start.contacts, 0);
  if (start.complete) return;
  add_up(start);
  leave_rest_open(0, *still_);
}

// Triangles that cross at a frame, of the pairs of bodies of which some may.
std::vector<Contact> MotionCheck::look_at_frame(std::size_t frame, const std::set<BodyKey>& met) {
  std::set<BodyKey> doubtful = crossing_;
  doubtful.insert(met.begin(), met.end());
  crossing_.clear();
  if (doubtful.empty()) return {};
  still_->set_filter(std::make_shared<SomePairs>(doubtful, settings_.filter));
  Report report = still_->detect(Interval::instant(static_cast<double>(frame)), settings_.budget);
  if (!report.complete) add_up(report);
  for (const Contact& contact : report.contacts)
    if (contact.relation != Relation::possible) crossing_.insert(bodies_of(contact));
  for (const BodyKey& key : crossing_) tally_.affects(key, frame);
  look_at_curves(report.contacts, frame);
  return std::move(report.contacts);
}

// Contacts are ordered by a, then b; pairs of bodies are not together.
void MotionCheck::look_at_curves(const std::vector<Contact>& contacts, std::size_t frame) {
  std::map<BodyKey, std::vector<Contact>> by_pair;
  for (const Contact& contact : contacts) by_pair[bodies_of(contact)].push_back(contact);
  const auto time = static_cast<double>(frame);
  for (const auto& [key, list] : by_pair) {
    const CheckBody& a = run_.bodies[key.first];
    const CheckBody& b = run_.bodies[key.second];
    const Frame x_a = a.motion.positions_at(time);
    const Frame x_b = b.motion.positions_at(time);
    const auto curves = intersection_curves(list, {a.mesh.get(), x_a.positions()}, {b.mesh.get(), x_b.positions()});
    if (!curves.empty()) tally_.crosses(key, curves.front().length, time);
  }
}

void MotionCheck::add_up(const Report& report) {
  total_.guarantee = std::min(total_.guarantee, report.guarantee);
  total_.complete = total_.complete && report.complete;
  total_.stopped_by = report.stopped_by;
  total_.bound = std::max(total_.bound, report.bound);
  total_.counters.merge(report.counters);
}

// What was not looked at may hold anything: every pair of whole bodies, from there on.
void MotionCheck::leave_rest_open(double from, const Detector& detector) {
  total_.bound = std::numeric_limits<double>::infinity();
  const auto count = static_cast<std::uint32_t>(run_.bodies.size());
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t j = i; j < count; ++j) {
      const BodyId a(i);
      const BodyId b(j);
      if ((i == j && !settings_.detector.self) || (settings_.filter && !settings_.filter->bodies(a, b))) continue;
      Contact open;
      open.time = from;
      open.a = region_feature(a, 0);
      open.b = region_feature(b, 0);
      open.relation = Relation::possible;
      tally_.contact(open, detector);
    }
}

// The earliest contact that counts has been found, and no other is wanted.
bool MotionCheck::is_settled() const {
  const std::uint64_t excused = run_.allow_initial ? tally_.excusable() : 0;
  return settings_.detector.earliest && tally_.contacts() > excused;
}

}  // namespace pliant::app
