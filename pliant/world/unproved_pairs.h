// Pairs of bodies whose contacts are answered without a proof, each by its method and response. Internal to world/.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pliant/core/budget.h"
#include "pliant/core/threads.h"
#include "pliant/detect/settings_by_name.h"
#include "pliant/detect/sink.h"
#include "pliant/response/flat_step.h"
#include "pliant/response/response.h"
#include "pliant/world/pair_rule.h"
#include "pliant/world/pair_table.h"

namespace pliant {

struct UnprovedSettings {
  Threads threads;
  std::shared_ptr<const ContactFilter> filter;  // asked about features; may be null
  MethodSettingsByName method_settings;
  std::optional<double> search_seconds;  // of each search alone
};

class UnprovedPairs {
 public:
  // By their number in the table; those answered by proof are passed over.
  UnprovedPairs(std::span<const PairRule> rules, const UnprovedSettings& settings, std::span<const MeshPtr> meshes);
  ~UnprovedPairs();

  bool empty() const { return searches_.empty(); }
  // Whether all of them want short steps that are as long as those of the world.
  bool once_per_step() const;
  void set_pairs(const PairTable& pairs);

  // At the start of a short step, and at its end (response.h). False: the budget ran out.
  bool add_forces(const Step& step, const FlatStep& flat, std::span<Vec3> forces, std::vector<Impact>& impacts,
                  const Budget& budget);
  bool move_ends(const Step& step, FlatStep& flat, std::vector<Impact>& impacts, const Budget& budget);
  // How far the last move_ends() moved a particle at once, at most, in edges of its body.
  double farthest_move() const { return farthest_move_; }

 private:
  class Search;
  std::vector<std::unique_ptr<Search>> searches_;
  double farthest_move_ = 0;
};

}  // namespace pliant
