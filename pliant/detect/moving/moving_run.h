// The frame of every moving method: cut into linear segments, search each, order, report.
#pragma once

#include <vector>

#include "pliant/detect/moving/task_hits.h"
#include "pliant/detect/ordered_hits.h"
#include "pliant/detect/regions.h"
#include "pliant/detect/search_tasks.h"

namespace pliant {

struct SweptFindings {
  OrderedHits<SweptHit> hits;    // each pair once
  std::vector<BodyPair> pairs;   // of their bodies; some several times
  std::optional<SweptHit> best;  // of a search for the earliest
  bool certain = false;          // one of them is
  std::vector<UnresolvedPair> unresolved;
  Counters counters;

  void add(SweptTaskHits&& found);
};

// Two whole bodies (regions 0), over the segment.
UnresolvedPair whole_bodies(const SweptBody& a, const SweptBody& b);

// Contacts of moving bodies over an interval:
//
// The keyframes of all bodies cut the interval into segments in which every vertex moves linearly. (A body whose own
// keyframes lie elsewhere is taken at its rounded positions at the ends of the segment.) Contacts are pairs of a vertex
// and a face, or of two edges, of different bodies or of one body if they are not incident; each pair has one contact a
// segment, its first. Segments are half-open, the last one closed: what meets exactly at a keyframe is reported once,
// at the start of the later segment.
//
// With a minimum separation a pair meets when it comes that near. One that is as near from the start on has its impact
// as its contact, if it is apart at the start and touches later; otherwise that it is near, which is `initial`.
//
// `initial` says that the pair meets at the start of the contact's own segment. In a segment after the first it either
// met in the segment before as well (the two contacts belong to one run), or meets exactly at this keyframe.
//
// A search that is interrupted names the regions it left out; the segments behind are then one pair of whole bodies
// (regions 0) from the next segment's start on, and the bound is then the size of the two together at that time. If the
// budget ends while contacts are made, those that are left out are such pairs too, from the time of the first of them
// on.
class MovingRun {
 public:
  struct Input {
    const Detector& detector;
    std::function<bool(BodyId, BodyId)> wants;
    const ContactFilter* filter;
    SweptGoal goal;
  };
  using Search = FunctionRef<SweptFindings(const SweptQuery&, SearchTasks&)>;

  MovingRun(const Input& input, const Budget& budget)
      : input_(input), settings_(input.detector.settings()), state_(budget), tasks_(state_, settings_.threads) {}

  Report run(const Interval& interval, ContactSink* sink, Search search);

 private:
  SweptQuery query_before(double start) const;
  void move_on(SweptQuery& query, Interval segment) const;
  Flow deliver(const SweptQuery& query, SweptFindings findings, ContactSink* sink);
  void note(const SweptQuery& query, const SweptHit& hit);
  std::vector<Contact> unresolved_contacts(const std::vector<UnresolvedPair>& pairs, double from);
  std::vector<UnresolvedPair> whole_bodies_after(const SweptQuery& query) const;

  Input input_;
  const DetectorSettings& settings_;
  std::vector<Motion> motions_;  // in the order of bodies; a sink may give the detector others
  BudgetState state_;
  SearchTasks tasks_;
  Report report_;
};

}  // namespace pliant
