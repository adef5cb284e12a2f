// Counts what a check finds and hands it on.
#pragma once

#include <map>
#include <utility>

#include "pliant/check/check.h"
#include "pliant/core/budget_poll.h"

namespace pliant {

// Two bodies, the smaller number first.
using BodyKey = std::pair<std::uint32_t, std::uint32_t>;
BodyKey bodies_of(const Contact& contact);

// What a contact is to those before it.
struct ContactPast {
  bool from_start = false;
  bool continued = false;
  bool known = true;  // false: the budget was spent before `from_start` was decided
};

// Everything is counted; the first few are kept; contacts go to the sink until the budget is spent.
class CheckTally {
 public:
  // All outlive it. `sink` may be null.
  CheckTally(std::span<const CheckBody> bodies, const CheckSettings& settings, const Budget& budget, CheckSink* sink,
             CheckReport& report);

  // `contact` with its time in the motions' own count, `frame` the same in frames.
  Flow add(const Contact& contact, double frame, const Detector& detector, const ContactPast& past = {});
  void affects(BodyKey pair, std::size_t frame);
  // True if it is the longest of the pair so far.
  bool crosses(BodyKey pair, double curve_length, std::size_t frame);
  void meets_at_start(BodyKey pair) { pair_of(pair).initial = true; }
  void near_at_start(BodyKey pair) { pair_of(pair).near_at_start = true; }
  // How deep closed bodies that meet are in each other at `time`; nothing if that is not asked for.
  void measure_depth(BodyKey pair, double time);
  std::vector<BodyKey> pairs_that_meet() const;
  bool meets(BodyKey pair) const;  // something certain was found
  // Which bodies lie wholly inside others at `time`, of the wanted pairs without any contact so far.
  void note_contained(double time, const Budget& budget);
  void at_frame(std::size_t frame, std::span<const Contact> meeting, const Detector& detector);
  void note(const std::string& text);

  // The first contact that counts has been found, and no other is wanted.
  bool is_settled() const;

  // Fills the report; once, at the end. `found` is that of the whole search.
  void finish(const Report& found);

 private:
  void count(const CheckedContact& checked, const ContactPast& past);
  void keep(const CheckedContact& checked, const ContactPast& past, const Detector& detector);
  Flow hand_on(const CheckedContact& checked, const Detector& detector);
  NamedContact named(const CheckedContact& checked, const Detector& detector) const;
  PairTally& pair_of(BodyKey key);
  std::uint64_t& contacts_from(std::size_t frame);

  std::span<const CheckBody> bodies_;
  const CheckSettings& settings_;
  const Budget& budget_;
  CheckSink* sink_;
  CheckReport& report_;
  FeatureNames names_;
  BudgetPoll poll_;
  std::map<BodyKey, PairTally> pairs_;
  std::map<std::size_t, std::uint64_t> per_frame_;
  // Most contacts are of the same pair and frame as the one before.
  std::pair<BodyKey, PairTally*> last_pair_;
  std::pair<std::size_t, std::uint64_t*> last_frame_;
  std::vector<NamedContact> first_excused_;  // shown after the others
  bool sink_has_enough_ = false;
  bool depths_left_out_ = false;
  std::uint64_t offered_ = 0;   // to the sink
  std::uint64_t unsorted_ = 0;  // contacts of which it is not known whether they belong to the start
};

}  // namespace pliant
