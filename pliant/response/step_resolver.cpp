#include "pliant/response/step_resolver.h"

#include <algorithm>

#include "pliant/core/error.h"
#include "pliant/core/stopwatch.h"
#include "pliant/response/contact_constraints.h"
#include "pliant/response/rigid_zones.h"

namespace pliant {
namespace {

// A zone takes in at least one more vertex a time; more than this never helped.
constexpr int kZonePasses = 64;

// One resolve().
class Resolving {
 public:
  Resolving(const ResolverSettings& settings, Step& step, StepFinder& finder, const Budget& budget)
      : settings_(settings), step_(step), finder_(finder), budget_(budget), flat_(step), constraints_(step, settings) {}

  Resolution run(std::vector<Contact> meeting) {
    found_ = std::move(meeting);
    pass_constraints();
    if (!result_.free && result_.complete) merge_zones();
    if (!result_.free) return std::move(result_);
    // What was pushed parts; how fast it approached is known only now that short steps are over.
    constraints_.note_approach(constraints_.all(), flat_);
    constraints_.solve_velocities(constraints_.all(), flat_, 4 * settings_.sweeps);
    result_.impacts = constraints_.impacts();
    keep_zone_velocities();
    flat_.write_to(step_);
    return std::move(result_);
  }

 private:
  // What meets; what touched at the start already is not of this step. False: the budget ran out.
  bool find_meeting() {
    const Stopwatch watch(budget_);
    Report report = finder_.find_meeting(step_, budget_);
    result_.detect_seconds += watch.seconds();
    ++result_.searches;
    found_ = std::move(report.contacts);
    std::erase_if(found_, [](const Contact& c) { return c.initial; });
    result_.complete = report.complete;
    result_.free = report.complete && found_.empty();
    return report.complete;
  }

  void pass_constraints() {
    for (int pass = 0; pass < settings_.passes && !result_.free; ++pass) {
      constraints_.add(found_, flat_);
      constraints_.solve_positions(constraints_.all(), flat_, settings_.sweeps * (1 + pass));
      flat_.write_to(step_);
      if (!find_meeting()) return;
    }
  }

  void merge_zones() {
    zones_.emplace(step_, flat_);
    result_.zoned = std::pair{found_.front().a.body, found_.front().b.body};
    for (int pass = 0; pass < kZonePasses; ++pass) {
      const std::pair worst{found_.front().a.body, found_.front().b.body};
      const bool grown = zones_->grow(found_);
      result_.stuck = zones_->move(flat_);
      if (!result_.stuck && !grown) result_.stuck = worst;
      if (result_.stuck) return;
      flat_.write_to(step_);
      if (!find_meeting() || result_.free) break;
    }
    result_.zones = zones_->count();
    if (result_.complete && !result_.free) result_.stuck = std::pair{found_.front().a.body, found_.front().b.body};
  }

  // Impulses of constraints act within zones too; but a zone's vertices go on as one.
  void keep_zone_velocities() {
    if (zones_) zones_->move(flat_);
  }

  ResolverSettings settings_;
  Step& step_;
  StepFinder& finder_;
  const Budget& budget_;
  FlatStep flat_;
  ContactConstraints constraints_;
  std::optional<RigidZones> zones_;
  std::vector<Contact> found_;
  Resolution result_;
};

}  // namespace

StepResolver::StepResolver(const ResolverSettings& settings) : settings_(settings) {
  if (!(settings.separation > 0)) throw Error("a separation that is not positive", "give a length in metres");
  if (settings.passes < 1 || settings.sweeps < 1) throw Error("response without a pass", "give at least one");
}

Resolution StepResolver::resolve(Step& step, StepFinder& finder, const Budget& budget) const {
  const Stopwatch watch(budget);
  Report report = finder.find_meeting(step, budget);
  const double seconds = watch.seconds();
  Resolution result;
  result.complete = report.complete;
  if (report.complete) result = resolve(step, std::move(report.contacts), finder, budget);
  ++result.searches;
  result.detect_seconds += seconds;
  return result;
}

Resolution StepResolver::resolve(Step& step, std::vector<Contact> meeting, StepFinder& finder,
                                 const Budget& budget) const {
  std::erase_if(meeting, [](const Contact& c) { return c.initial; });
  if (!meeting.empty()) return Resolving(settings_, step, finder, budget).run(std::move(meeting));
  Resolution free;
  free.free = true;
  return free;
}

}  // namespace pliant
