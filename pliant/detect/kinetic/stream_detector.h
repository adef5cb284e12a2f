// The base of methods that go through time once: contacts are taken from what was computed for a whole linear segment,
// however finely the caller cuts it.
#pragma once

#include <vector>

#include "pliant/detect/kinetic/pending_hits.h"
#include "pliant/detect/kinetic/plan_changes.h"
#include "pliant/detect/kinetic/repeated_contacts.h"
#include "pliant/detect/kinetic/stream_queries.h"
#include "pliant/detect/kinetic/stream_run.h"

namespace pliant::kinetic {

struct StreamFindings {
  std::vector<HitBlock> blocks;  // any order, each pair of features once per query
  std::vector<UnresolvedPair> unresolved;
  Counters counters;
};

// Contacts of moving bodies over intervals that follow each other:
//
// What a contact is, and where segments begin and end, is said in moving_run.h; but segments are those of the motions
// alone. An interval that ends within a segment does not cut it: the work is done once for the whole segment, and an
// interval that starts where the last one ended goes on with it. Hence a pair has one contact per segment, not one per
// interval, and a pair that stays in contact is reported in the first of them only. Any other interval starts afresh at
// its t0. Contacts belong to the interval that their reported time lies in (never later than the true time, and by no
// more than the solver's tolerance earlier); an interval that ends with its segment is closed there, unless
// set_open_end() says otherwise.
//
// A body whose motion changes (in a sink, or between two intervals) starts a new segment at that instant in all its
// pairs; pairs of other bodies go on as they were. A motion that is the same as before for the rest of the segment
// changes nothing. Pairs that were reported at the very instant of a change (within kInstant of the segment's length)
// and touch then are not reported again: a response that leaves them in touch would be asked for ever. When motions of
// two bodies have been changed 100 times within an instant because of contacts between them (squeezed between others,
// or by a response that does not separate them), they are handed over as resting: one `touching` contact of the two
// whole bodies (regions 0), after which nothing more is reported between them in the segment; the guarantee of that
// report is `conservative`.
//
// A change of the filter starts a new segment at that instant for all bodies: a pair that meets then is reported again
// (unless it was at the very instant), as by a method that is asked for the rest of the segment alone.
class StreamDetector : public Detector {
 protected:
  static constexpr double kInstant = 1e-9;  // of a segment's length; far wider than the solver's brackets

  using Detector::Detector;

  // Searches the pairs of bodies that are new in the query; others go on. The query lives until the next one that is
  // not `replanned`, or until each of its new bodies is new in a later one. May leave a part of the work to advance().
  virtual StreamFindings begin(const StreamQuery& query, SearchTasks& tasks) = 0;
  // Goes on until all contacts up to time t are found, or some: whoever changes motions because of them does not want
  // to have looked far ahead.
  virtual StreamFindings advance(double t, SearchTasks& tasks) = 0;
  // Up to which time all contacts are found.
  virtual double horizon() const = 0;
  // A body is gone.
  virtual void forget_body(BodyId body) = 0;
  // A body has another mesh.
  virtual void change_mesh(BodyId body, const MeshMaps&) { forget_body(body); }

  static bool involves(const SweptHit& hit, BodyId body) { return hit.a.body == body || hit.b.body == body; }

 private:
  enum class Outcome : std::uint8_t { arrived, stopped, changed, interrupted };
  using Run = StreamRun;

  Report find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) override;
  std::optional<bool> find_any(const Interval& interval, const Budget& budget) override;
  void forget_time(double t) override;
  void body_added(BodyId body) override { changes_.add_motion(body); }
  void body_removed(BodyId body) override;
  void mesh_replaced(BodyId body, const MeshMaps& maps) override;
  void motion_changed(BodyId body) override { changes_.add_motion(body); }
  void filter_changed() override;

  void start_afresh();
  bool prepare(Run& run, double now);
  bool begin_segment(Run& run, double now);
  bool replan(Run& run, double now);
  StreamQuery query_of(Interval segment) const;
  double segment_end(double now, double otherwise) const;
  bool goes_on_as_before(BodyId body, double now) const;
  void drop_pending_of(const std::vector<BodyId>& bodies);
  void start_again(BodyId body);
  bool begin_query(Run& run, StreamQuery query);
  void drop_unused_queries();
  std::vector<UnresolvedPair> all_pairs() const;

  Report find_contacts(Run& run);
  Outcome flow_to(Run& run, double target);
  bool absorb(Run& run, StreamFindings findings);
  bool is_closed_at_end(const Run& run) const;
  Outcome deliver(Run& run, const StreamHit& found);
  void finish_interrupted(Run& run);
  std::vector<Contact> known_contacts(Run& run);
  double instant() const;

  bool active_ = false;
  double reached_ = 0;  // everything up to here was delivered
  Interval segment_;
  StreamQueries queries_;  // of the segment
  PendingHits pending_;
  std::vector<StreamHit> at_end_;  // meet at the very end of the segment only
  PlanChanges changes_;            // since the last query
  RepeatedContacts repeated_;
};

}  // namespace pliant::kinetic
