#include "app/bench_measure.h"

#include <algorithm>

#include "pliant/core/stopwatch.h"

namespace pliant::app {
namespace {

std::unique_ptr<Detector> make_bench_detector(const BenchCase& bench) {
  auto detector = make_detector(bench.method, bench.settings);
  for (const MovingBody& body : bench.scene->bodies) detector->add_body(body.mesh, body.motion);
  return detector;
}

// Frame i of the interval from keyframe k: an instant for still methods.
Interval frame_interval(const BenchCase& bench, bool still, std::size_t k, std::size_t i) {
  const auto time = [&](std::size_t inbetween) {
    return static_cast<double>(k) + static_cast<double>(inbetween) / static_cast<double>(bench.inbetweens);
  };
  return still ? Interval::instant(time(i)) : Interval{time(i), time(i + 1)};
}

// Runs through all frames, telling `take` the keyframe interval, the time and the report of each.
template <class Receive>
void run_frames(const BenchCase& bench, Detector& detector, Receive&& receive) {
  const std::size_t keyframes = bench.scene->frame_count() - 1;
  const bool still = !detector.info().moving;
  Stopwatch watch;
  for (std::size_t k = bench.first; k < keyframes; ++k)
    for (std::size_t i = 0; i < bench.inbetweens; ++i) {
      detector.set_open_end(k + 1 < keyframes || i + 1 < bench.inbetweens);
      const Interval interval = frame_interval(bench, still, k, i);
      watch.lap();
      const Report report = detector.detect(interval);
      receive(k, watch.lap() * 1e3, report);
    }
}

// The structures are built by a first search that does not count as a frame.
double warm_up(const BenchCase& bench, Detector& detector) {
  Stopwatch watch;
  detector.detect(frame_interval(bench, !detector.info().moving, bench.first, 0));
  const double ms = watch.lap() * 1e3;
  detector.reset(static_cast<double>(bench.first));
  return ms;
}

}  // namespace

std::optional<Spread> measure_boxes(BenchCase bench) {
  bench.settings.candidates_only = true;
  const auto detector = make_bench_detector(bench);
  if (!detector->info().moving) return std::nullopt;
  warm_up(bench, *detector);
  std::vector<double> times;
  run_frames(bench, *detector, [&](std::size_t, double ms, const Report&) { times.push_back(ms); });
  return spread_of(std::move(times));
}

BenchRow measure(const BenchCase& bench) {
  const auto detector = make_bench_detector(bench);
  BenchRow row;
  row.scene = bench.scene->name;
  row.method = &detector->info();
  row.mode = detector->settings().mode;
  row.triangles = bench.scene->triangle_count();
  row.inbetweens = bench.inbetweens;
  row.threads = bench.settings.threads.resolved();
  row.setup_ms = warm_up(bench, *detector);
  std::vector<double> times;
  run_frames(bench, *detector, [&](std::size_t k, double ms, const Report& report) {
    times.push_back(ms);
    for (const Contact& contact : report.contacts) row.meetings.insert({k, contact.a, contact.b});
    row.counters.merge(report.counters);
    row.guarantee = std::min(row.guarantee, report.guarantee);
  });
  row.frames = times.size();
  row.ms = spread_of(std::move(times));
  row.bytes = detector->bytes();
  return row;
}

double fraction_found(const std::set<Meeting>& of, const std::set<Meeting>& in) {
  if (of.empty()) return 1;
  const auto found = std::count_if(of.begin(), of.end(), [&](const Meeting& m) { return in.contains(m); });
  return static_cast<double>(found) / static_cast<double>(of.size());
}

std::set<Meeting> find_meetings(const BenchCase& bench, bool at_keyframes) {
  if (!at_keyframes) return measure(bench).meetings;
  std::set<Meeting> meetings;
  const auto detector = make_bench_detector(bench);
  for (std::size_t k = bench.first; k + 1 < bench.scene->frame_count(); ++k)
    for (const Contact& c : detector->detect(Interval::instant(static_cast<double>(k))).contacts)
      meetings.insert({k, c.a, c.b});
  return meetings;
}

}  // namespace pliant::app
