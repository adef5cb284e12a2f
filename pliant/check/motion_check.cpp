#include "pliant/check/motion_check.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "pliant/detect/filters.h"
#include "pliant/detect/registry.h"
#include "pliant/detect/still/intersection_curves.h"

namespace pliant {
namespace {

FilterPtr only_these(const std::set<BodyKey>& keys) {
  PairSet pairs;
  for (const auto& [a, b] : keys) pairs.add(BodyId(a), BodyId(b));
  return only(std::move(pairs));
}

// Pairs of bodies with a contact that is certain.
std::set<BodyKey> pairs_in(std::span<const Contact> contacts) {
  std::set<BodyKey> pairs;
  std::optional<BodyKey> last;  // most are the same as the one before
  for (const Contact& contact : contacts) {
    if (contact.relation == Relation::possible || bodies_of(contact) == last) continue;
    last = bodies_of(contact);
    pairs.insert(*last);
  }
  return pairs;
}

// Contacts from an instant on, whether they began there or go on there.
std::vector<Contact> contacts_at(double time, std::span<const Contact> contacts) {
  std::vector<Contact> found;
  for (const Contact& contact : contacts)
    if (contact.time == time && contact.relation != Relation::possible) found.push_back(contact);
  return found;
}

}  // namespace

MotionCheck::MotionCheck(std::span<const CheckBody> bodies, const CheckSettings& settings, std::vector<double> times,
                         const Budget& budget, CheckTally& tally, bool continuous)
    : bodies_(bodies),
      settings_(settings),
      times_(std::move(times)),
      budget_(budget.without_progress()),
      whole_budget_(budget),
      tally_(tally),
      continuous_(continuous),
      first_overlaps_(meshes_of(bodies)),
      first_near_(meshes_of(bodies)) {
  total_.complete = true;
  total_.guarantee = Guarantee::exact;
}

std::unique_ptr<Detector> MotionCheck::make_detector(const std::string& method, Threads threads) const {
  DetectorSettings settings = settings_.detector;
  settings.threads = threads;
  // The first contact of all may be one that does not count.
  settings.earliest = settings.earliest && !settings_.allow_initial;
  if (method != settings_.method) {  // what was chosen for one method means nothing to another
    settings.method = {};
    settings.mode = Mode::safe;
  }
  auto detector = pliant::make_detector(method, settings);
  for (const CheckBody& body : bodies_) detector->add_body(body.mesh, body.motion);
  if (settings_.filter) detector->set_filter(settings_.filter);
  return detector;
}

std::vector<Interval> MotionCheck::intervals() const {
  std::vector<Interval> intervals;
  if (!continuous_)
    for (const double time : times_) intervals.push_back(Interval::instant(time));
  else
    for (std::size_t k = 0; k + 1 < times_.size(); ++k) intervals.push_back({times_[k], times_[k + 1]});
  return intervals;
}

// A time from frame `frame` until the next, counted in frames.
double MotionCheck::frame_of(double time, std::size_t frame) const {
  const auto number = static_cast<double>(frame);
  if (frame + 1 >= times_.size()) return number;
  return number + (time - times_[frame]) / (times_[frame + 1] - times_[frame]);
}

Report MotionCheck::run() {
  if (continuous_ && check_start() == Flow::stop) return std::move(total_);
  const std::vector<Interval> all = intervals();
  TimelineSettings timeline;
  timeline.make_detector = [&](Threads threads) { return make_detector(settings_.method, threads); };
  timeline.threads = settings_.detector.threads;
  timeline.budget = budget_;
  timeline.search_seconds = settings_.search_seconds;
  run_timeline(all, timeline, [&](const SearchedInterval& searched) {
    ++done_;
    whole_budget_.report_progress(static_cast<double>(done_) / static_cast<double>(all.size()));
    return add_interval(searched);
  });
  if (curves_left_out_ > 0)
    tally_.note("frames at which curves were not measured: " + std::to_string(curves_left_out_) +
                ", the budget was spent");
  for (const auto& [key, frame] : longest_at_) tally_.measure_depth(key, times_[frame]);
  return std::move(total_);
}

Flow MotionCheck::add_interval(const SearchedInterval& searched) {
  add_up(searched.report);
  const std::size_t frame = done_ - 1;
  const Flow flow = continuous_ ? add_times_between(searched, frame) : add_frame(searched, frame);
  const std::size_t intervals = continuous_ ? times_.size() - 1 : times_.size();
  over_ = over_ || searched.is_last;
  if (over_ && done_ < intervals) report_rest_as_possible(frame + 1, *searched.detector);
  return flow == Flow::stop || over_ ? Flow::stop : Flow::go_on;
}

Flow MotionCheck::add_times_between(const SearchedInterval& searched, std::size_t frame) {
  const std::vector<Contact>& contacts = searched.report.contacts;
  const std::set<BodyKey> met = pairs_in(contacts);
  for (const BodyKey& key : met) tally_.affects(key, frame);
  if (frame == 0) begin_with(contacts);
  const std::vector<Contact> at_end = check_frame(frame + 1, met);
  const Flow flow = count(searched, frame, sort_out(contacts, at_end));
  if (flow == Flow::go_on) tally_.at_frame(frame + 1, at_end, *still_);
  return flow;
}

// Features within the separation that have no point in common.
bool MotionCheck::is_near(const Contact& contact) { return contact.relation == Relation::near; }

// What meets, or is near, at the start and is no crossing that a still check sees.
void MotionCheck::begin_with(const std::vector<Contact>& contacts) {
  std::vector<Contact> met;
  std::vector<Contact> near;
  for (const Contact& contact : contacts) {
    if (!contact.initial || contact.relation == Relation::possible) continue;
    if (is_near(contact)) tally_.near_at_start(bodies_of(contact));
    else tally_.meets_at_start(bodies_of(contact));
    (is_near(contact) ? near : met).push_back(contact);
  }
  first_overlaps_.begin(met, budget_);
  if (settings_.detector.min_separation == 0) return;
  first_near_.begin(met, budget_);
  first_near_.begin(near, budget_);
}

// Nearness at the start excuses nearness, never a touch.
MotionCheck::Past MotionCheck::sort_out(const std::vector<Contact>& contacts, const std::vector<Contact>& at_end) {
  Past past;
  past.none_left = first_overlaps_.empty();
  std::vector<Contact> touches;
  for (const Contact& contact : contacts)
    if (!is_near(contact)) touches.push_back(contact);
  const auto of_touches = first_overlaps_.advance(touches, at_end, {.budget = budget_});
  past.known = of_touches.known;
  past.from_start = of_touches.between;
  if (settings_.detector.min_separation == 0) return past;
  // Near features are in no still check: while they are near they are still there.
  const auto of_all = first_near_.advance(contacts, at_end, {.keep = true, .budget = budget_});
  past.known = past.known && of_all.known;
  past.none_left = false;  // an interrupted search may have missed some that are near at the start
  past.from_start = of_all.between;
  std::size_t touch = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (!is_near(contacts[i])) past.from_start[i] = of_touches.between[touch++];
  return past;
}

Flow MotionCheck::add_frame(const SearchedInterval& searched, std::size_t frame) {
  const std::vector<Contact>& contacts = searched.report.contacts;
  for (const BodyKey& key : pairs_in(contacts)) {
    tally_.affects(key, frame);
    if (frame == 0) tally_.meets_at_start(key);
  }
  if (frame == 0) first_overlaps_.begin(contacts, budget_);
  const bool none_left = first_overlaps_.empty();
  const auto belongs = first_overlaps_.advance({}, contacts, {.budget = budget_});
  const Flow flow = count(searched, frame, {belongs.at_end, belongs.known, none_left});
  measure_curves(contacts, frame);
  if (frame == 0 && searched.report.complete) tally_.note_contained(times_.front(), budget_);
  tally_.at_frame(frame, contacts_at(searched.interval.t0, contacts), *searched.detector);
  return flow;
}

// Whether the same features met in the time right before.
bool MotionCheck::continues(const Contact& contact, std::size_t frame) const {
  const bool goes_on = frame > 0 && (contact.initial || !continuous_);
  return goes_on && std::binary_search(last_met_.begin(), last_met_.end(), std::pair(contact.a, contact.b));
}

Flow MotionCheck::count(const SearchedInterval& searched, std::size_t frame, const Past& past) {
  if (!past.known) stop(budget_.cancelled() ? StopReason::cancelled : StopReason::deadline);
  // Where contacts are missing, a chain that leads to the start may be broken.
  const bool is_all_seen = total_.complete || past.none_left;
  std::vector<std::pair<Feature, Feature>> met;
  for (std::size_t i = 0; i < searched.report.contacts.size(); ++i) {
    Contact contact = searched.report.contacts[i];
    const bool continued = continues(contact, frame);
    if (contact.relation != Relation::possible) met.emplace_back(contact.a, contact.b);
    contact.initial = frame == 0 && (contact.initial || !continuous_);
    const double time = continuous_ ? frame_of(contact.time, frame) : static_cast<double>(frame);
    const bool known = past.known && (past.from_start[i] || is_all_seen);
    if (tally_.add(contact, time, *searched.detector, {past.from_start[i], continued, known}) == Flow::stop) {
      stop(StopReason::sink);
      return Flow::stop;
    }
    if (tally_.is_settled()) return Flow::stop;
  }
  if (!total_.complete || BudgetPoll(budget_).spent()) return Flow::go_on;  // nothing follows
  std::sort(met.begin(), met.end());
  last_met_ = std::move(met);
  return Flow::go_on;
}

// Triangles that cross in the first frame. A moving method alone would not see them: no feature meets another.
Flow MotionCheck::check_start() {
  still_ = make_detector("bvh", settings_.detector.threads);
  const Report start = still_->detect(Interval::instant(times_.front()), search_budget(settings_, budget_));
  crossing_ = pairs_in(start.contacts);
  for (const BodyKey& key : crossing_) {
    tally_.meets_at_start(key);
    tally_.affects(key, 0);
  }
  first_overlaps_.begin(start.contacts, budget_);
  if (settings_.detector.min_separation > 0) first_near_.begin(start.contacts, budget_);
  for (Contact contact : start.contacts) {
    contact.initial = true;
    const bool is_certain = contact.relation != Relation::possible;
    if (tally_.add(contact, 0, *still_, {.from_start = is_certain}) == Flow::stop) {
      stop(StopReason::sink);
      return Flow::stop;
    }
    if (tally_.is_settled()) return Flow::stop;
  }
  measure_curves(start.contacts, 0);
  if (start.complete) tally_.note_contained(times_.front(), budget_);
  tally_.at_frame(0, contacts_at(times_.front(), start.contacts), *still_);
  if (start.complete && total_.complete) return Flow::go_on;
  add_up(start);
  over_ = over_ || !settings_.search_seconds || budget_.cancelled() || budget_.past_deadline();
  if (!over_) return Flow::go_on;
  report_rest_as_possible(0, *still_);
  return Flow::stop;
}

// Triangles that cross at a frame, of the pairs of bodies of which some may.
std::vector<Contact> MotionCheck::check_frame(std::size_t frame, const std::set<BodyKey>& met) {
  std::set<BodyKey> doubtful = crossing_;
  doubtful.insert(met.begin(), met.end());
  crossing_.clear();
  if (doubtful.empty()) return {};
  still_->set_filter(only_these(doubtful) & settings_.filter);
  Report report = still_->detect(Interval::instant(times_[frame]), search_budget(settings_, budget_));
  if (!report.complete) add_up(report);
  std::erase_if(report.contacts, [](const Contact& contact) { return contact.relation == Relation::possible; });
  crossing_ = pairs_in(report.contacts);
  for (const BodyKey& key : crossing_) tally_.affects(key, frame);
  measure_curves(report.contacts, frame);
  return std::move(report.contacts);
}

// Contacts are ordered by a, then b; pairs of bodies are not together.
void MotionCheck::measure_curves(const std::vector<Contact>& contacts, std::size_t frame) {
  std::map<BodyKey, std::vector<Contact>> by_pair;
  for (const Contact& contact : contacts) by_pair[bodies_of(contact)].push_back(contact);
  for (const auto& [key, list] : by_pair) {
    const CheckBody& a = bodies_[key.first];
    const CheckBody& b = bodies_[key.second];
    const Frame x_a = a.motion.positions_at(times_[frame]);
    const Frame x_b = b.motion.positions_at(times_[frame]);
    const auto curves =
        intersection_curves(list, {a.mesh.get(), x_a.positions()}, {b.mesh.get(), x_b.positions()}, budget_);
    if (!curves) {
      ++curves_left_out_;
      return;
    }
    if (!curves->empty() && tally_.crosses(key, curves->front().length, frame)) longest_at_[key] = frame;
  }
}

void MotionCheck::add_up(const Report& report) {
  total_.guarantee = std::min(total_.guarantee, report.guarantee);
  total_.complete = total_.complete && report.complete;
  if (!report.complete && settings_.search_seconds) total_.counters.add("searches_cut_short", 1);
  if (total_.stopped_by == StopReason::none) total_.stopped_by = report.stopped_by;
  total_.bound = std::max(total_.bound, report.bound);
  total_.counters.merge(report.counters);
}

void MotionCheck::stop(StopReason reason) {
  total_.complete = false;
  over_ = true;
  if (total_.stopped_by == StopReason::none) total_.stopped_by = reason;
}

bool MotionCheck::is_wanted(BodyId a, BodyId b) const {
  return (a != b || settings_.detector.self) && (!settings_.filter || settings_.filter->bodies(a, b));
}

// What was not looked at may hold anything: every pair of whole bodies, from there on.
void MotionCheck::report_rest_as_possible(std::size_t frame, const Detector& detector) {
  total_.bound = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    for (std::size_t j = i; j < bodies_.size(); ++j) {
      if (!is_wanted(BodyId(i), BodyId(j))) continue;
      Contact open;
      open.time = times_[frame];
      open.a = region_feature(BodyId(i), 0);
      open.b = region_feature(BodyId(j), 0);
      open.relation = Relation::possible;
      tally_.add(open, static_cast<double>(frame), detector);
    }
}

}  // namespace pliant
