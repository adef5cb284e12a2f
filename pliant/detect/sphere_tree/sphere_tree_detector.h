// Collision detection by sphere trees that follow a coarse mesh, and that can be interrupted at any moment.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pliant/detect/sphere_tree/sphere_search.h"

namespace pliant {

// After C. Mendoza and C. O'Sullivan, "An interruptible algorithm for collision detection between deformable objects",
// 2005. Every body has a tree of spheres (bounds/sphere_tree/): the stored one of its mesh (put_on_shelf), or one that
// is built when the body is first looked at. Spheres follow the body when they are visited (SphereFollower): of an
// embedded motion only coarse positions are read.
//
// Paper mode is the search and the update as printed: pairs of leaf spheres that overlap (COLLISIONLIST, in the cut
// with `leaves`) and pairs that were not tested (PAIRLIST). It looks at different bodies only and can miss
// (statistical), since the printed update loses what spheres cover.
//
// Safe mode misses nothing, at any budget: pairs are opened largest first (or in turn), what is left is in the cut with
// a bound, self-collision included, and with budget left after the leaves come the triangles under them, so that a
// complete run is exact. Runs on one thread.
//
// Trees, and what their spheres hang on, are made when bodies are added and when motions with other links are set, not
// in detect(): its budget holds from the first call on. That takes milliseconds for boxes, minutes for a medial tree
// that is not stored.
class SphereTreeDetector : public Detector {
 public:
  using Settings = SphereTreeMethodSettings;
  explicit SphereTreeDetector(const DetectorSettings& settings, const SphereTreeMethodSettings& own = {});
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

  std::size_t bytes() const override;
  void draw(const Report& report, detail::Overlay& overlay) const override;
  // The coarse vertices nearest to a region of the last detect(), nearest first (V_i). Of a body whose motion is not
  // embedded vertices of its mesh.
  std::vector<VertexId> near_vertices(BodyId body, std::uint32_t region) const;

 private:
  Report find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) override;
  std::optional<bool> find_any(const Interval& interval, const Budget& budget) override;
  // A region is a node of the body's tree.
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;
  void body_added(BodyId body) override;
  void motion_changed(BodyId body) override;
  void body_removed(BodyId body) override;
  void mesh_replaced(BodyId body, const MeshMaps& maps) override;

  bool is_paper() const { return settings().mode == Mode::paper; }
  SphereFollower& follower_of(BodyId id);
  void list_bodies();
  void place_bodies(double time);
  std::vector<SphereBodyPair> pairs_at_hand();
  // How many pairs of triangles it found.
  std::size_t search_safely(Pace& pace, ContactSink* sink, double time, Report& report);
  void search_as_printed(Pace& pace, ContactSink* sink, double time, Report& report);

  SphereTreeMethodSettings own_;
  std::vector<std::unique_ptr<SphereFollower>> followers_;  // by body id
  std::vector<SphereBody> bodies_;                          // of the last detect()
  bool knows_bodies_ = false;                               // they are those of the last detect() still
  FinishTimes finish_;
  std::int64_t searched_ = 0;  // when the last search was over, ns from its begin
  bool searching_ = false;
};

}  // namespace pliant
