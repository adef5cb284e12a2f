// Edges of obstacles that sheets need not look out for.
#pragma once

#include <vector>

#include "pliant/detect/sink.h"
#include "pliant/response/step.h"

namespace pliant {

// Leaves out edges of sheets beside edges of obstacles that are hardly bent: corners that keep their distance from the
// faces on both sides keep the edge between them from coming much nearer. Pairs that are nearer than half the
// separation at the start of a step count nevertheless. For a search for what comes near; the proof looks at
// everything.
class SmoothEdges : public ContactFilter {
 public:
  struct Settings {
    std::vector<bool> sheets, obstacles;  // by body
    double separation = 0;                // m
    double longest = 0;                   // m, of edges of the sheets
  };
  explicit SmoothEdges(Settings settings) : settings_(std::move(settings)), planes_(settings_.sheets.size()) {}

  // Looks at the start of the step, which stays as it is while the filter is used.
  void begin(const Step& step);

  bool features(const Feature& a, const Feature& b) const override;

 private:
  // Of an edge that is hardly bent: the mean normal of its faces, and the direction across it; not of length 1. No
  // normal: any other edge.
  struct Plane {
    Vec3 normal = Vec3::Zero(), across = Vec3::Zero();
    double offset = 0, across_offset = 0;  // m
  };
  struct Planes {
    std::uint64_t stamp = 0;  // of the positions
    std::vector<Plane> of_edge;
  };
  void find_planes(const StepBody& body, Planes& planes) const;
  bool is_needed(const Feature& of_obstacle, const Feature& of_sheet) const;

  Settings settings_;
  std::vector<Planes> planes_;  // by body
  const Step* step_ = nullptr;
};

}  // namespace pliant
