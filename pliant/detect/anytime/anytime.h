// An answer at any time: what was found until then, and proof of how far off the rest can be.
#pragma once

#include <optional>
#include <vector>

#include "pliant/detect/anytime/anytime_body.h"
#include "pliant/detect/anytime/anytime_search.h"

namespace pliant {

// Ranges and effects: AnytimeDetector::kInfo.
struct AnytimeSettings {
  std::uint32_t leaf_size = 8;
  double self_share = 0.25;
  double build_share = 0.5;
  std::uint32_t most_pairs = 1u << 18;
  bool regions = true;
};

// The contract of C. Mendoza and C. O'Sullivan, "An interruptible algorithm for collision detection between deformable
// objects", on a tree of eight boxes a node instead of spheres, and kept: at any moment the report holds every pair of
// triangles that was found to intersect, and pairs of regions (the cut) outside of which nothing intersects. Report::
// bound says how far from touching what is reported can be; with time enough it is 0 and the answer exact.
//
// Pairs are looked at by certified size, the largest first, so that the bound falls as fast as it can. Everything
// counts: building trees, bringing boxes up to date, making contacts, the report itself. The first call with a new body
// ends in time too; what is not built yet is covered by a region that is the whole body, and the next calls go on with
// it. Bodies with themselves wait in a queue of their own. Runs on one thread.
//
// Not in the budget: set_positions() and the like, which copy; motions asked for between their frames, which
// interpolate; and the welding of a new mesh (TriangleMesh::welded), done in add_body if self-collision is on.
class AnytimeDetector : public Detector {
 public:
  using Settings = AnytimeSettings;
  explicit AnytimeDetector(const DetectorSettings& settings, const AnytimeSettings& anytime = {});
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

  std::size_t bytes() const override;
  void draw(const Report& report, detail::Overlay& overlay) const override;

 private:
  // A pair of bodies one of which is not ready: their outlines.
  struct Unready {
    BodyPair pair;
    Aabb box_a;
    Aabb box_b;
  };

  Report find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) override;
  std::optional<bool> find_any(const Interval& interval, const Budget& budget) override;
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;
  void body_added(BodyId body) override;
  void body_removed(BodyId body) override;
  void motion_changed(BodyId body) override;

  // Finds what it can; true if there was nothing left to do.
  bool search(double time, Pace& pace, bool first_only);
  bool search_bodies(Pace& pace);
  void prepare(const std::vector<BodyPair>& pairs, Pace& pace, double build_share);
  bool build(AnytimeBody& body, Pace& pace, double share);
  AnytimeBody& body_at(std::uint32_t number) const { return *bodies_[ids_[number].index()]; }
  std::vector<BodyPair> pairs_at_hand() const;
  std::vector<UnresolvedPair> open_bodies() const;
  bool has_time_to_list(bool finished, const Pace& pace) const;
  std::vector<UnresolvedPair> cut(bool regions) const;
  void count_work(Report& report) const;
  Report report(double time, bool finished, Pace& pace, ContactSink* sink);
  // Of one report, ns: contacts sorted, the cut listed, both given to the caller.
  struct ReportTimes {
    std::int64_t all;
    std::int64_t sorting;
    std::int64_t listing;
    std::int64_t giving;
  };
  void learn(const ReportTimes& took, const Report& report);

  AnytimeSettings own_;
  std::vector<std::unique_ptr<AnytimeBody>> bodies_;  // by body id; null: removed
  std::vector<BodyId> ids_;                           // of the last detect()
  std::vector<Unready> unready_;
  AnytimeSearch search_;
  double last_time_ = 0;
  // Measured: what it takes to report nothing, a pair of regions (or to look at its size, if they are not listed), and
  // a contact. The first reports take longest.
  double ns_at_least_ = 9000;
  double ns_per_pair_ = 250;
  double ns_per_contact_ = 300;
};

}  // namespace pliant
