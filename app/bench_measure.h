// One method on one scene, measured frame by frame.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "app/spread.h"
#include "pliant/detect/detector.h"
#include "pliant/detect/registry.h"
#include "pliant/scene/scene.h"

namespace pliant::app {

// A feature pair that meets within one keyframe interval.
using Meeting = std::tuple<std::size_t, Feature, Feature>;

struct BenchRow {
  std::string scene;
  const MethodInfo* method = nullptr;
  Mode mode = Mode::safe;
  std::size_t triangles = 0;
  std::size_t frames = 0;  // measured
  std::size_t inbetweens = 1;
  int threads = 1;
  double setup_ms = 0;
  Spread ms;
  std::optional<Spread> box_ms;
  std::set<Meeting> meetings;
  std::optional<double> recall;
  std::optional<double> precision;
  Counters counters;
  std::size_t bytes = 0;
  Guarantee guarantee = Guarantee::exact;
};

struct BenchCase {
  const MovingScene* scene = nullptr;
  std::string method;
  std::size_t inbetweens = 1;
  std::size_t first = 0;
  DetectorSettings settings;
};

// Every frame, after a first search that builds the structures.
BenchRow measure(const BenchCase& bench);

// All that a method does before elementary tests. Still methods do not stop there: nothing.
std::optional<Spread> measure_boxes(BenchCase bench);

// What a method finds: within whole keyframe intervals, or at keyframes.
std::set<Meeting> find_meetings(const BenchCase& bench, bool at_keyframes);

// The fraction of one set that is in another; 1 for an empty one.
double fraction_found(const std::set<Meeting>& of, const std::set<Meeting>& in);

}  // namespace pliant::app
