// Pairs of bodies whose contacts are answered without a proof, each by its method and response. Internal to world/.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "pliant/core/budget.h"
#include "pliant/core/stopwatch.h"
#include "pliant/core/threads.h"
#include "pliant/detect/detector.h"
#include "pliant/detect/settings_by_name.h"
#include "pliant/detect/sink.h"
#include "pliant/motion/dense_surface.h"
#include "pliant/response/dense_step.h"
#include "pliant/response/flat_step.h"
#include "pliant/response/response.h"
#include "pliant/world/pair_rule.h"
#include "pliant/world/pair_table.h"

namespace pliant {

struct UnprovedSettings {
  Threads threads;
  std::shared_ptr<const ContactFilter> filter;  // asked about features; may be null
  Mode mode = Mode::safe;
  MethodSettingsByName method_settings;
  std::optional<double> search_seconds;  // of each search alone
  double separation = 0;                 // m, that contacts within steps keep
};

// What is looked at, by body.
struct UnprovedSurfaces {
  std::vector<MeshPtr> meshes;
  std::vector<DenseSurface> dense;  // that hang on them; none: the mesh itself

  std::vector<MeshPtr> seen() const;  // dense ones where there are any
};

class UnprovedPairs {
 public:
  // By their number in the table; those answered by proof are passed over.
  UnprovedPairs(std::span<const PairRule> rules, const UnprovedSettings& settings, const UnprovedSurfaces& surfaces);
  ~UnprovedPairs();

  bool empty() const { return searches_.empty(); }
  // Whether all of them want short steps that are as long as those of the world.
  bool once_per_step() const;
  bool adds_forces() const;  // some of them do
  // Whether contacts of all of them act within steps: then ends are looked at once per step.
  bool foresees() const;
  bool foresees_dense() const;  // and some of them are those of dense surfaces, which are looked at more than once
  // Contacts that the step, as it is guessed, is going to have (foreseen_contacts.h), found with so large a margin,
  // in m. Complete or not as a report. Those of bodies with dense surfaces are added to `carried` instead.
  Report foresee(const Step& step, double margin, const Budget& budget, std::vector<CarriedContact>& carried);
  void set_pairs(const PairTable& pairs);

  // Before the first short step of a step.
  void begin_step();
  // At the start of a short step, and at its end (pair_response.h). Forces are those of what the last search found,
  // where it is now. False: the budget ran out.
  bool add_forces(const Step& step, const FlatStep& flat, std::span<Vec3> forces, std::vector<Impact>& impacts,
                  const Budget& budget);
  bool move_ends(const Step& step, FlatStep& flat, std::vector<Impact>& impacts, const Budget& budget);
  // After the last short step: what forces did that are still at work.
  void end_step(std::vector<Impact>& impacts);
  // Contacts of dense surfaces that the last move_ends() found although they would have been deep.
  std::vector<CarriedContact> take_unforeseen() { return std::exchange(unforeseen_, {}); }
  // How far the last move_ends() moved a particle at once, at most, in edges of its body.
  double farthest_move() const { return farthest_move_; }

  // Of the separation: what is found deeper than this at the end of a step should have acted within it.
  static constexpr double kUnforeseen = 0.5;

  // What was done since the last time that it was asked.
  struct Work {
    std::size_t searches = 0;
    double seconds = 0;          // of searches
    double respond_seconds = 0;  // of forces made of what they found
    Counters counters;
  };
  Work take_work() { return std::exchange(work_, {}); }

 private:
  class Search;
  void note(const Report& found, const Stopwatch& watch);
  bool move_ends(Search& search, const Step& step, FlatStep& flat, std::vector<Impact>& impacts, const Budget& budget);
  bool move_dense_ends(Search& search, const Step& step, FlatStep& flat, std::vector<Impact>& impacts,
                       const Budget& budget);
  void note_unforeseen(const DenseStep& dense, const FlatStep& flat, std::span<const Impact> impacts);
  bool move_paths(Search& search, const Step& step, FlatStep& flat, std::vector<Impact>& impacts, const Budget& budget);

  std::vector<std::unique_ptr<Search>> searches_;
  double since_search_ = 0;  // s
  Work work_;
  double farthest_move_ = 0;
  double separation_;
  std::vector<CarriedContact> unforeseen_;
};

}  // namespace pliant
