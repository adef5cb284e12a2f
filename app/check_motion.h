// `pliant check` on an animation: frame by frame with a still method, all the time between frames with a moving one.
#pragma once

#include <set>

#include "app/check_report.h"
#include "app/terminal.h"
#include "pliant/detect/first_overlaps.h"
#include "pliant/detect/still/intersection_curves.h"
#include "pliant/detect/timeline.h"

namespace pliant::app {

struct MotionCheckSettings {
  DetectorSettings detector;
  std::shared_ptr<const ContactFilter> filter;  // null: all pairs
  bool at_frames = false;                       // only at the frames, even if the method knows what is between
  Budget budget;
};

// Runs through the animation once, several frames at a time, and tells the tally every contact in time order.
//
// With a moving method, contacts between frames are feature pairs; that triangles cross at the start is found by a
// still check of the first frame. Whether a pair of bodies crosses at a later frame, and how far, is asked (again by an
// exact still check) only where it may: after a contact, and until they have come apart.
class MotionCheck {
 public:
  MotionCheck(const CheckRun& run, const MotionCheckSettings& settings, CheckTally& tally, ProgressBar& bar);

  // Guarantee, bound and counters of the whole. The detector of one of the pieces says what the method is.
  Report run();

 private:
  using BodyKey = CheckTally::BodyKey;

  bool continuous() const { return continuous_; }
  std::unique_ptr<Detector> make_detector(const std::string& method, Threads threads) const;
  std::vector<Interval> pieces() const;
  Flow take(const TimelinePiece& piece);
  void take_times_between(const TimelinePiece& piece);
  void take_frame(const TimelinePiece& piece);
  void count(const TimelinePiece& piece, const std::vector<bool>& from_start);
  bool continues(const Contact& contact, std::size_t frame) const;
  void look_at_start();
  std::vector<Contact> look_at_frame(std::size_t frame, const std::set<BodyKey>& met);
  void look_at_curves(const std::vector<Contact>& contacts, std::size_t frame);
  void add_up(const Report& report);
  void leave_rest_open(double from, const Detector& detector);
  bool is_settled() const;

  const CheckRun& run_;
  const MotionCheckSettings& settings_;
  CheckTally& tally_;
  ProgressBar& bar_;
  bool continuous_;
  std::size_t done_ = 0;                               // pieces
  std::set<BodyKey> crossing_;                         // pairs of bodies that intersect at the frame looked at last
  FirstOverlaps first_overlaps_;                       // what is left of them
  std::vector<std::pair<Feature, Feature>> last_met_;  // in the piece before; ascending
  std::unique_ptr<Detector> still_;                    // made when it is needed
  Report total_;
};

}  // namespace pliant::app
