// An animation checked: frame by frame with a still method, all the time between frames with a moving one.
#pragma once

#include <map>
#include <set>

#include "pliant/check/check_tally.h"
#include "pliant/check/first_overlaps.h"
#include "pliant/check/timeline.h"

namespace pliant {

// Runs through the animation once, several frames at a time, and gives the tally every contact in time order.
class MotionCheck {
 public:
  // All outlive it. `times` are those of the frames, ascending.
  MotionCheck(std::span<const CheckBody> bodies, const CheckSettings& settings, std::vector<double> times,
              const Budget& budget, CheckTally& tally, bool continuous);

  // Guarantee, bound and counters of the whole.
  Report run();

 private:
  std::unique_ptr<Detector> make_detector(const std::string& method, Threads threads) const;
  std::vector<Interval> intervals() const;
  double frame_of(double time, std::size_t frame) const;
  Flow add_interval(const SearchedInterval& searched);
  Flow add_times_between(const SearchedInterval& searched, std::size_t frame);
  void begin_with(const std::vector<Contact>& contacts);
  Flow add_frame(const SearchedInterval& searched, std::size_t frame);
  // What the contacts of an interval are to the start.
  struct Past {
    std::vector<bool> from_start;  // by contact
    bool known = true;             // otherwise the budget was spent before that was decided
    bool none_left = false;        // nothing of the start was left before the interval: all are new
  };
  static bool is_near(const Contact& contact);
  Past sort_out(const std::vector<Contact>& contacts, const std::vector<Contact>& at_end);
  Flow count(const SearchedInterval& searched, std::size_t frame, const Past& past);
  bool continues(const Contact& contact, std::size_t frame) const;
  Flow check_start();
  std::vector<Contact> check_frame(std::size_t frame, const std::set<BodyKey>& met);
  void measure_curves(const std::vector<Contact>& contacts, std::size_t frame);
  void add_up(const Report& report);
  void stop(StopReason reason);
  void report_rest_as_possible(std::size_t frame, const Detector& detector);
  bool is_wanted(BodyId a, BodyId b) const;

  std::span<const CheckBody> bodies_;
  const CheckSettings& settings_;
  std::vector<double> times_;
  Budget budget_;  // reports no progress: only the whole does
  const Budget& whole_budget_;
  CheckTally& tally_;
  bool continuous_;
  std::size_t done_ = 0;                               // intervals
  std::size_t curves_left_out_ = 0;                    // frames whose curves were not measured
  std::map<BodyKey, std::size_t> longest_at_;          // frames of the longest curves
  std::set<BodyKey> crossing_;                         // pairs of bodies that intersect at the frame looked at last
  FirstOverlaps first_overlaps_;                       // what is left of those of the start
  FirstOverlaps first_near_;                           // the same with what was only near: it excuses nearness alone
  std::vector<std::pair<Feature, Feature>> last_met_;  // in the interval before; ascending
  std::unique_ptr<Detector> still_;                    // made when it is needed
  bool over_ = false;                                  // nothing more is searched
  Report total_;
};

}  // namespace pliant
