// Kinetic trees and separation lists on one event queue: what happens to boxes between two keyframes, in order.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "pliant/detect/kinetic/separation_list.h"
#include "pliant/detect/kinetic/stream_detector.h"
#include "pliant/detect/moving/candidate_solver.h"

namespace pliant::kinetic {

struct EventCounts {
  KineticTree::Counts trees;
  SeparationList::Counts lists;
  std::uint64_t feature_tests = 0;
  std::uint64_t leaf_pairs = 0;  // given to the solver

  std::uint64_t events() const {
    return trees.leaf_events + trees.tree_events + lists.overlap_events + lists.fathers_events + lists.leaves_events;
  }
};

// Lists are kept from segment to segment; trees keep their shape and select their winners anew. Not for use by several
// threads.
class EventMachine {
 public:
  using BodyIds = std::pair<BodyId, BodyId>;

  // `padding`: how far boxes are grown, of the largest coordinate; ListTolerances::kPad or more.
  explicit EventMachine(double padding = ListTolerances::kPad) : padding_(padding) {}

  // Takes up the plans of the bodies that are new in the query: of all in a query that is not `replanned`. The query
  // must outlive the segment. False if the budget ran out; the machine then starts from nothing at the next call.
  bool begin(const StreamQuery& query, BudgetMeter& meter);
  // Handles all events up to time t of the motion, or up to one that found something.
  bool advance(double t, BudgetMeter& meter);
  // Everything up to here was handled.
  double horizon() const { return horizon_; }
  // When the next event is due, of the segment [0, 1]; infinity if there is none. May name one that does not count.
  double next_event() const;

  // What was found since the last call.
  std::vector<HitBlock> release_hits();
  std::size_t hit_count() const;
  void forget(BodyId body);

  // ---- for inspection ----
  EventCounts counts() const;
  std::size_t list_size() const;
  const EventQueue& queue() const { return queue_; }
  std::size_t bytes() const;
  const KineticTree* tree(BodyId body) const;
  const SeparationList* list(BodyId a, BodyId b) const;
  ListTolerances tolerances() const { return tolerances_; }
  double now() const { return now_; }      // of the segment [0, 1]
  double scale() const { return scale_; }  // of all places that trees tell

 private:
  // The search between two bodies: a list, and how its open leaves are decided.
  struct PairSearch {
    BodyIds ids;
    std::unique_ptr<SeparationList> list;
    const StreamQuery* query = nullptr;
    BodyPair pair{};  // indices in its bodies
    SweptTaskHits found;
    std::set<std::pair<Feature, Feature>> known;  // hits of the query

    void enter(const StreamQuery& new_query, BodyPair new_pair);
  };

  double fraction_of(double t) const { return (t - base_.t0) / base_.length(); }
  void start_anew();
  bool grow_tolerances(const SweptQuery& query);
  void fly(const StreamQuery& query);
  void choose_pairs(const StreamQuery& query);
  bool revise(const StreamQuery& query, bool all, BudgetMeter& meter);
  bool handle(const Event& event, BudgetMeter& meter);
  bool update_lists(std::uint32_t body, BudgetMeter& meter);
  bool test_open_leaves(BudgetMeter& meter);
  void retire(PairSearch& search);
  SeparationList::Clock clock(BudgetMeter& meter) { return {now_, end_, tolerances_, queue_, meter}; }

  EventQueue queue_;
  std::map<BodyId, std::unique_ptr<KineticTree>> trees_;
  std::map<BodyIds, std::uint32_t> search_of_;
  std::vector<std::unique_ptr<PairSearch>> searches_;  // by owner number of their events; null if given up
  EarliestTime earliest_;                              // of no use here, asked for by the solver
  std::vector<HitBlock> hits_;
  double padding_;
  ListTolerances tolerances_;
  double largest_ = 0;
  double scale_ = 1;  // of all positions (FlightPlan)
  Interval base_;     // the segment that times 0 to 1 mean
  double now_ = 0;
  double end_ = 1;
  double horizon_ = 0;
  bool broken_ = true;
  EventCounts past_;  // of trees and lists that are gone
};

}  // namespace pliant::kinetic
