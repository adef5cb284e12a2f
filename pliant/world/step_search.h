// The detectors of a world: finds what meets on a step, each pair of bodies by its method.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pliant/detect/detector.h"
#include "pliant/detect/settings_by_name.h"
#include "pliant/response/step.h"
#include "pliant/world/pair_table.h"

namespace pliant {

struct StepSearchSettings {
  double reach = 0;                             // m, of find_near; above zero
  std::shared_ptr<const ContactFilter> filter;  // asked about features; may be null
  Threads threads;
  std::optional<double> search_seconds;  // of each search alone
  // By their number in the table; pairs of those without a name are not looked at. "auto" (the first only): swept-bvh
  // and kinetic take turns until the faster is known. They find the same contacts to the last bit, so that the choice
  // changes nothing else.
  std::vector<std::string> methods{"auto"};
  MethodSettingsByName method_settings;  // what methods are made with
};

class StepSearch : public StepFinder {
 public:
  // Throws Error for a method that does not exist or does not answer moving queries.
  StepSearch(const StepSearchSettings& settings, std::span<const MeshPtr> meshes);
  ~StepSearch() override;

  void set_pairs(const PairTable& pairs);
  // Everything that comes within reach on the step. Nothing is missed in a complete report.
  Report find_near(const Step& step, const Budget& budget);
  Report find_meeting(const Step& step, const Budget& budget) override;

  // The first; "auto" while it is not known; empty if there is none.
  std::string method() const;

 private:
  class MethodSearch;
  enum class Goal : std::uint8_t { near, meeting };
  Report find(Goal goal, const Step& step, const Budget& budget);

  double reach_;
  std::vector<std::unique_ptr<MethodSearch>> searches_;  // of the methods with a name
};

// What "auto" chooses from.
inline constexpr std::array<const char*, 2> kAutoMethods{"swept-bvh", "kinetic"};

// Throws Error, naming the nearest, unless `name` is a continuous method or "auto".
void require_continuous_method(const std::string& name);

}  // namespace pliant
