// Kinetic separation lists as published: an event for everything that happens to boxes.
#pragma once

#include "pliant/detect/kinetic/stream_detector.h"

namespace pliant {

namespace kinetic {
class EventMachine;
}

// Ranges and effects: KineticEventsDetector::kInfo.
struct KineticEventsSettings {
  double padding = 0x1p-24;
};

// After Weller and Zachmann, "Kinetic Separation Lists for Continuous Collision Detection of Deformable Objects":
// kinetic trees whose boxes are right at every instant (kinetic/kinetic_tree.h), and a list of the pairs of boxes that
// are just apart, kept right by events (kinetic/separation_list.h). The reference for `kinetic`, and what the paper's
// claims about events are measured on: the number of events depends on the keyframes alone. Runs on one thread.
//
// Counters: leaf_events, tree_events, box_changes (BV-change, by pair concerned), overlap_events (BV-overlap),
// fathers_apart_events, leaves_apart_events, contacts (polygons-collide), reschedulings, box_tests, leaf_pairs,
// pair_tests (of features), list_size, queue_size, bytes.
//
// What it does with time and with changes of motion is said in stream_detector.h.
class KineticEventsDetector : public kinetic::StreamDetector {
 public:
  using Settings = KineticEventsSettings;
  explicit KineticEventsDetector(const DetectorSettings& settings, const KineticEventsSettings& events = {});
  ~KineticEventsDetector() override;
  const MethodInfo& info() const override { return kInfo; }
  static const MethodInfo kInfo;

  std::size_t bytes() const override;
  void draw(const Report& report, detail::Overlay& overlay) const override;

  // Trees and lists, for inspection.
  const kinetic::EventMachine& machine() const { return *machine_; }

 private:
  kinetic::StreamFindings begin(const kinetic::StreamQuery& query, SearchTasks& tasks) override;
  kinetic::StreamFindings advance(double t, SearchTasks& tasks) override;
  double horizon() const override;
  void forget_body(BodyId body) override;
  // Region 0 is the whole body.
  std::optional<Region> find_region(BodyId body, std::uint32_t id) const override;
  kinetic::StreamFindings findings(bool finished);

  struct Totals;
  std::unique_ptr<kinetic::EventMachine> machine_;
  std::unique_ptr<Totals> reported_;
  const kinetic::StreamQuery* query_ = nullptr;  // the latest
};

}  // namespace pliant
