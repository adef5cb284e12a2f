// Collision detection by attracted particles on a quantised surface.
#pragma once

#include <memory>
#include <vector>

#include "pliant/detect/particles/body_regions.h"
#include "pliant/detect/particles/free_particles.h"
#include "pliant/detect/particles/region_search.h"

namespace pliant {

// After "Adaptive particle-based collision detection for deformable surfaces, by LBG quantisation" (the improvement of
// Senin, Kojekine, Savchenko and Hagiwara, "Particle-based collision detection", 2003). The surface of every body is
// cut into regions (mesh/partition.h), one particle walks over the vertices of each, drawn by the particles of
// other bodies, and particles that come close to each other nominate their regions for an exact test.
//
// Paper mode is that: it looks at different bodies only, can miss contacts (statistical), and what it finds depends on
// the frames before, from which particles start. reset() puts them back to the start.
// - A particle cannot leave a local maximum, nor be in two places. `restarts` gives every pair of regions whose boxes
//   overlap more chances.
// - free_particles is the predecessor: particles at random vertices that walk anywhere and repel those of their own
// body.
//
// Safe mode is exact. Boxes of the regions are certificates: where they are apart nothing is missed, wherever they
// overlap the faces are tested, self-collision included. The regions are a hierarchy of one level, and particles say
// where to look first if a budget may end the search: only then do they walk, drawn by those particles alone from
// whose regions theirs is not proved apart.
class ParticleDetector : public StillDetector {
 public:
  using Settings = ParticleSettings;
  explicit ParticleDetector(const DetectorSettings& settings, const ParticleSettings& particles = {})
      : StillDetector(settings), own_(particles) {}
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

  std::size_t bytes() const override;
  void draw(const Report& report, detail::Overlay& overlay) const override;
  Division division(BodyId body) const override;
  bool depends_on_past() const override { return is_paper(); }

 private:
  StillFindings search(const StillQuery& query, BudgetState& state, Goal goal) override;
  void body_added(BodyId) override { counts_known_ = false; }
  void body_removed(BodyId body) override;
  void forget_time(double) override;
  // Region 0 is the whole body, region i + 1 the i-th of its regions.
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;

  bool is_paper() const { return settings().mode == Mode::paper; }
  bool is_free() const { return is_paper() && own_.free_particles; }
  // Regions of bodies that are new, as far as time allows; false if some have none yet.
  bool make_missing(const StillQuery& query, BudgetState& state);
  void count_regions(const StillQuery& query);
  void follow(const StillQuery& query, Counters& counters);
  StillFindings leave_whole_bodies(const StillQuery& query) const;
  std::vector<std::uint32_t> region_counts(const StillQuery& query) const;

  // ---- safe mode ----
  StillFindings search_safely(const StillQuery& query, BudgetState& state, Goal goal);
  void order_by_witnesses(const StillQuery& query, std::vector<RegionPair>& pairs, BudgetMeter& meter,
                          Counters& counters);

  // ---- paper mode ----
  StillFindings search_as_printed(const StillQuery& query, BudgetState& state, Goal goal);
  std::vector<FreeBody*> free_bodies(const StillQuery& query);  // none if there are no free particles

  void test_regions(const StillQuery& query, std::span<const RegionPair> pairs, BudgetState& state, Goal goal,
                    StillFindings& findings);
  UnresolvedPair unresolved(const StillQuery& query, const RegionPair& pair) const;
  BodyRegions& regions_of(const StillBody& body) const { return *bodies_[body.id.index()]; }
  // What is tested: the tables of the regions, or of the areas around free particles.
  std::vector<RegionTable*> tables(const StillQuery& query);
  const RegionTable& table_of(BodyId body) const {
    return is_free() ? free_[body.index()].table : bodies_[body.index()]->table();
  }

  ParticleSettings own_;
  std::vector<std::unique_ptr<BodyRegions>> bodies_;  // by body id
  bool counts_known_ = false;                         // since bodies were added or removed
  std::vector<BodyId> unmade_;                        // bodies whose regions are not all made
  std::vector<FreeBody> free_;                        // by body id; of the predecessor only
};

}  // namespace pliant
