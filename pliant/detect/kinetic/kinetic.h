// Kinetic separation lists over interpolated boxes: the default method for animations.
#pragma once

#include <map>

#include "pliant/detect/kinetic/separation_front.h"
#include "pliant/detect/kinetic/stream_detector.h"
#include "pliant/detect/moving/star_shape.h"

namespace pliant {

// Ranges and effects: KineticDetector::kInfo.
struct KineticSettings {
  std::uint32_t leaf_size = 16;
  double rebuild_growth = 2;
  double list_growth = 1.3;
  std::uint32_t renewal = 16;
};

// After Weller and Zachmann, "Kinetic Separation Lists for Continuous Collision Detection of Deformable Objects": a
// list of the pairs of boxes that are just apart is kept from keyframe to keyframe, and the work between two keyframes
// does not depend on how often it is sampled. Where the paper follows every change of a box by an event, here a box
// goes straight from where it is at one keyframe to where it is at the next, which holds its vertices all the way
// (overlap_span.h): no events but contacts are left, and the list is gone through once a segment. `kinetic-events` is
// the method as published. See docs/kinetic.md.
//
// What it does with time and with changes of motion is said in stream_detector.h.
class KineticDetector : public kinetic::StreamDetector {
 public:
  using Settings = KineticSettings;
  explicit KineticDetector(const DetectorSettings& settings, const KineticSettings& kinetic = {})
      : StreamDetector(settings), kinetic_(kinetic) {}
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

  // Memory of trees and lists.
  std::size_t bytes() const override;
  void draw(const Report& report, detail::Overlay& overlay) const override;
  // Pairs in all lists, and of them pairs of leaves that overlap in the last segment.
  std::size_t list_size() const;

 private:
  using Front = kinetic::SeparationFront;
  struct Task {
    BodyPair pair;
    kinetic::FrontTrees trees;
    kinetic::FrontSlice* slice;
    bool anew;
  };

  kinetic::StreamFindings begin(const kinetic::StreamQuery& query, SearchTasks& tasks) override;
  kinetic::StreamFindings advance(double, SearchTasks&) override { return {}; }
  double horizon() const override { return std::numeric_limits<double>::infinity(); }
  void forget_body(BodyId body) override;
  // A region is a node of the body's tree, with its box over the segment that was searched last.
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;
  void change_mesh(BodyId body, const MeshMaps& maps) override;

  void fit_trees(const SweptQuery& query);
  std::vector<Task> cut_into_tasks(const kinetic::StreamQuery& query);
  SweptTaskHits run_task(const SweptQuery& query, const Task& task, BudgetMeter& meter) const;
  void count_work(const std::vector<Task>& tasks, Counters& counters) const;
  void forget_fronts_of(BodyId body);

  kinetic::TwoEndTree new_tree() const { return kinetic::TwoEndTree({kinetic_.leaf_size, kinetic_.rebuild_growth}); }

  KineticSettings kinetic_;
  std::vector<kinetic::TwoEndTree> trees_;  // by body id
  StarShapes stars_;
  std::map<std::pair<BodyId, BodyId>, Front> fronts_;  // of bodies whose boxes overlapped in the last segment
};

}  // namespace pliant
