// What docs/anytime.md claims, measured on two meshes, each twisted by a cage: the certified size and recall against
// time, beside other methods too, how late answers are, and how late those of fresh detectors. Wall-clock time, one
// thread, nothing warm but what a game would have warm.
//
//   pliant-bench-anytime OUT.json BUNNY.ply ARMADILLO.ply [PART...]     parts: curve methods late fresh
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "bench/anytime_scenes.h"
#include "bench/bench_context.h"
#include "pliant/bounds/sphere_tree/build_sphere_tree.h"
#include "pliant/bounds/sphere_tree/tree_shelf.h"
#include "pliant/io/json_writer.h"

namespace pliant::bench {
namespace {

using Clock = std::chrono::steady_clock;
double us_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

std::size_t certain(const Report& report) {
  return static_cast<std::size_t>(std::count_if(report.contacts.begin(), report.contacts.end(),
                                                [](const Contact& c) { return c.relation != Relation::possible; }));
}

double middle(std::vector<double> values, double fraction = 0.5) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(fraction * static_cast<double>(values.size())))];
}

// ---- beside other methods

struct Peer {
  const char* name;
  const char* method;
  Mode mode = Mode::safe;
  Way way = Way::embedded;
};
constexpr Peer kPeers[]{{"anytime", "anytime"},
                        {"sphere-tree", "sphere-tree"},
                        {"sphere-tree, paper mode", "sphere-tree", Mode::paper},
                        {"bvh", "bvh", Mode::safe, Way::shared}};

void peer_row(JsonWriter& json, const Scene& scene, const Peer& peer, std::size_t all) {
  const double size = diagonal(scene, 0);
  const auto detector = detector_for(scene, peer.method, {}, peer.mode);
  const Interval now = Interval::instant(0);
  std::vector<double> exact;
  for (int k = 0; k < 8; ++k) {
    place(*detector, scene, k, peer.way);
    const auto start = Clock::now();
    (void)detector->detect(now);
    exact.push_back(us_since(start));
  }
  json.new_line().begin_object().field("scene", scene.name).field("method", peer.name);
  json.field("motion", name_of(peer.way)).field("whole_us", middle(exact)).key("budgets").begin_array();
  for (const double us :
       {10., 20., 30., 50., 100., 200., 300., 500., 1000., 2000., 3000., 5000., 10000., 20000., 40000.}) {
    std::vector<double> bounds, recalls, took;
    for (int k = 0; k < 15; ++k) {
      place(*detector, scene, 0, peer.way);
      const auto start = Clock::now();
      const Report report = detector->detect(now, Budget::within_seconds(us * 1e-6));
      took.push_back(us_since(start));
      bounds.push_back(report.guarantee == Guarantee::none ? std::numeric_limits<double>::infinity()
                                                           : report.bound / size);
      recalls.push_back(static_cast<double>(certain(report)) / static_cast<double>(std::max<std::size_t>(1, all)));
    }
    json.new_line().begin_object().field("us", us).field("bound", middle(bounds)).field("recall", middle(recalls));
    json.field("took_us", middle(took)).end_object();
    std::fprintf(stderr, "%s %s %g us: D %.4f recall %.3f took %.1f\n", scene.name.c_str(), peer.name, us,
                 middle(bounds), middle(recalls), middle(took));
  }
  json.end_array().end_object();
}

void methods(JsonWriter& json, const std::vector<Scene>& scenes) {
  for (const MeshPtr& mesh : {scenes[0].a.mesh, scenes[0].b.mesh})
    put_on_shelf(build_sphere_tree(*mesh, {.builder = SphereTreeBuilder::medial}));
  json.new_line().key("methods").begin_array();
  for (const Scene& scene : scenes) {
    const auto exact = detector_for(scene, "bvh");
    place(*exact, scene, 0, Way::copied);
    const std::size_t all = certain(exact->detect(Interval::instant(0)));
    for (const Peer& peer : kPeers) peer_row(json, scene, peer, all);
  }
  json.end_array();
}

void curve(JsonWriter& json, const std::vector<Scene>& scenes) {
  json.key("curve").begin_array();
  const Interval now = Interval::instant(0);
  for (const Scene& scene : scenes) {
    const double size = diagonal(scene, 0);
    for (const auto& [way, regions] : {std::pair(Way::embedded, true), std::pair(Way::embedded, false),
                                       std::pair(Way::copied, false), std::pair(Way::shared, false)}) {
      const auto detector = detector_for(scene, "anytime", {{"regions", regions}});
      std::vector<double> placing, exact;
      std::size_t all = 0;
      for (int k = 0; k < 24; ++k) {
        const auto start = Clock::now();
        place(*detector, scene, k, way);
        placing.push_back(us_since(start));
        const auto search = Clock::now();
        const Report report = detector->detect(now);
        exact.push_back(us_since(search));
        if (k % scene.frames() == 0) all = certain(report);
      }
      json.new_line().begin_object().field("scene", scene.name).field("motion", name_of(way)).field("regions", regions);
      json.field("contacts", all);
      json.field("diagonal", size).field("placing_us", middle(placing)).field("exact_us", middle(exact));
      json.field("exact_least_us", middle(exact, 0)).key("budgets").begin_array();
      for (const double us : {10., 20., 30., 50., 100., 200., 300., 500., 1000., 2000., 3000., 5000., 10000., 15000.}) {
        std::vector<double> bounds, recalls, took, pairs;
        for (int k = 0; k < 15; ++k) {
          place(*detector, scene, 0, way);
          const auto start = Clock::now();
          const Report report = detector->detect(now, Budget::within_seconds(us * 1e-6));
          took.push_back(us_since(start));
          bounds.push_back(report.bound / size);
          recalls.push_back(static_cast<double>(certain(report)) / static_cast<double>(std::max<std::size_t>(1, all)));
          pairs.push_back(static_cast<double>(report.counters["unresolved_regions"]));
        }
        json.new_line().begin_object().field("us", us).field("bound", middle(bounds)).field("recall", middle(recalls));
        json.field("took_us", middle(took)).field("pairs", middle(pairs)).end_object();
        std::fprintf(stderr, "%s %s%s %g us: D %.4f recall %.3f took %.1f pairs %g\n", scene.name.c_str(), name_of(way),
                     regions ? " listed" : "", us, middle(bounds), middle(recalls), middle(took), middle(pairs));
      }
      json.end_array().end_object();
      std::fprintf(stderr, "%s %s: %zu contacts, placing %.1f us, exact %.1f us (least %.1f)\n", scene.name.c_str(),
                   name_of(way), all, middle(placing), middle(exact), middle(exact, 0));
    }
  }
  json.end_array();
}

// This thread on one core for good: being moved would take its caches away.
void stay_on(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);
}

// The other core, at work on some megabytes.
class BusyCore {
 public:
  BusyCore() : thread_([this] { work(); }) { stay_on(0); }
  ~BusyCore() {
    stop_ = true;
    thread_.join();
  }

 private:
  void work() {
    stay_on(1);
    std::vector<std::uint32_t> memory(1u << 20);
    for (std::uint32_t at = 0; !stop_; at = (at * 1664525u + 1013904223u) % (1u << 20)) ++memory[at];
  }
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

// Between which the 99.9th percentile is with 95 % confidence: order statistics, whatever the distribution.
std::array<double, 2> range_of_p999(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  const double rank = 0.999 * n, off = 1.96 * std::sqrt(n * 0.999 * 0.001);
  const auto at = [&](double r) { return values[static_cast<std::size_t>(std::clamp(r, 0.0, n - 1))]; };
  return {at(rank - off), at(rank + off)};
}

void write_lateness(JsonWriter& json, const std::vector<double>& late) {
  json.field("count", late.size());
  json.field("p50", middle(late, 0.5)).field("p99", middle(late, 0.99)).field("p999", middle(late, 0.999));
  const auto [low, high] = range_of_p999(late);
  json.field("p999_low", low).field("p999_high", high);
  json.field("most", *std::max_element(late.begin(), late.end()));
  json.key("histogram").begin_array();  // of microseconds: below 0, then up to 1, 2, 4, ... and beyond 8192
  std::vector<std::uint64_t> counts(16, 0);
  for (const double us : late) {
    std::size_t bin = 0;
    if (us > 0) bin = us < 1 ? 1 : std::min<std::size_t>(15, 2 + static_cast<std::size_t>(std::log2(us)));
    ++counts[bin];
  }
  for (const std::uint64_t c : counts) json.value(c);
  json.end_array();
}

// Does nothing but look at the clock: what the machine itself does.
bool empty_loop(double us) {
  const Budget budget = Budget::within_seconds(us * 1e-6);
  while (!budget.past_deadline()) {
  }
  return true;
}

// Every so many queries the loop has its turn, so that both see the same noise: as often as its time allows.
int loop_every(double us) { return us > 5000 ? 8 : 1; }

// Of this thread: what the method used of its own accord, however often the processor was taken away.
double processor_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

// How often another program took the processor away from this thread.
long times_taken_away() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_nivcsw;
}

// How much later than its budget something returned, the same of those times when no other program ran in between, and
// how much more processor time it took.
struct Lateness {
  std::vector<double> wall;
  std::vector<double> alone;
  std::vector<double> processor;

  template <class Run>
  void measure(double us, Run&& run) {
    const long taken_away = times_taken_away();
    const double before = processor_us();
    const auto start = Clock::now();
    [[maybe_unused]] const auto result = run();
    wall.push_back(us_since(start) - us);
    processor.push_back(processor_us() - before - us);
    if (times_taken_away() == taken_away) alone.push_back(wall.back());
  }
  void measure(Detector& detector, double us) {
    measure(us, [&] { return detector.detect(Interval::instant(0), Budget::within_seconds(us * 1e-6)); });
  }
  void measure_loop(double us) {
    measure(us, [&] { return empty_loop(us); });
  }
};

// 99.9th percentiles: at most so much later than the loop.
bool in_time(double us, const std::vector<double>& own, const std::vector<double>& empty) {
  return middle(own, 0.999) <= middle(empty, 0.999) + std::max(0.02 * us, 5.0);
}

// Later than that, or in time, with the confidence of both ranges; otherwise it cannot be told.
const char* judged(double us, const std::vector<double>& own, const std::vector<double>& empty) {
  const auto [own_low, own_high] = range_of_p999(own);
  const auto [low, high] = range_of_p999(empty);
  const double limit = std::max(0.02 * us, 5.0);
  return own_low > high + limit ? "late" : own_high <= low + limit ? "in time" : "cannot be told";
}

void write_kind(JsonWriter& json, const char* kind, double us, const std::vector<double>& own,
                const std::vector<double>& empty) {
  json.key(kind)
      .begin_object()
      .field("kept", in_time(us, own, empty))
      .field("judged", judged(us, own, empty))
      .key("anytime")
      .begin_object();
  write_lateness(json, own);
  json.end_object().key("empty_loop").begin_object();
  write_lateness(json, empty);
  json.end_object().end_object();
  std::fprintf(stderr, "  %s (%zu): p50 %.2f p99 %.2f p99.9 %.2f; empty loop p50 %.2f p99 %.2f p99.9 %.2f: %s, %s\n",
               kind, own.size(), middle(own), middle(own, 0.99), middle(own, 0.999), middle(empty), middle(empty, 0.99),
               middle(empty, 0.999), in_time(us, own, empty) ? "kept" : "NOT KEPT", judged(us, own, empty));
}

void write_both(JsonWriter& json, double us, const Lateness& own, const Lateness& empty) {
  json.field("us", us);
  std::fprintf(stderr, "%g us\n", us);
  write_kind(json, "wall", us, own.wall, empty.wall);
  write_kind(json, "alone", us, own.alone, empty.alone);
  write_kind(json, "processor", us, own.processor, empty.processor);
}

void late(JsonWriter& json, const Scene& scene, int queries) {
  const BusyCore busy;
  json.new_line().key("late").begin_array();
  for (const Way way : {Way::embedded, Way::shared, Way::copied}) {
    for (const double us : {20., 100., 1000., 10000.}) {
      const auto detector = detector_for(scene, "anytime");
      detector->detect(Interval::instant(0));
      for (int k = 0; k < 8; ++k) place(*detector, scene, k, way), detector->detect(Interval::instant(0));
      Lateness own, empty;
      std::vector<double> placing;
      for (int k = 0; k < queries; ++k) {
        const auto before = Clock::now();
        place(*detector, scene, k, way);
        placing.push_back(us_since(before));
        own.measure(*detector, us);
        if (k % loop_every(us) == 0) empty.measure_loop(us);
      }
      json.new_line().begin_object().field("motion", name_of(way)).field("queries", queries);
      json.field("placing_us", middle(placing));
      std::fprintf(stderr, "late %s, placing %.1f us, ", name_of(way), middle(placing));
      write_both(json, us, own, empty);
      json.end_object();
    }
  }
  json.end_array();
}

// Detectors are fresh, the program is not: its own pages are in memory after the first few.
void fresh(JsonWriter& json, const Scene& scene, int detectors) {
  const BusyCore busy;
  for (int k = 0; k < 4; ++k) {
    const auto detector = detector_for(scene, "anytime");
    place(*detector, scene, k, k % 2 == 0 ? Way::copied : Way::embedded);
    detector->detect(Interval::instant(0));
  }
  json.new_line().key("fresh").begin_array();
  for (const double us : {20., 100., 1000., 10000.}) {
    Lateness own, empty;
    for (int k = 0; k < detectors; ++k) {
      const auto detector = detector_for(scene, "anytime");
      place(*detector, scene, k, k % 2 == 0 ? Way::copied : Way::embedded);
      own.measure(*detector, us);
      if (k % loop_every(us) == 0) empty.measure_loop(us);
    }
    json.new_line().begin_object().field("detectors", detectors);
    std::fprintf(stderr, "fresh, ");
    write_both(json, us, own, empty);
    json.end_object();
  }
  json.end_array();
}

int run(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "pliant-bench-anytime OUT.json BUNNY ARMADILLO [PART...]\n"), 2;
  const std::set<std::string> parts(argv + 4, argv + argc);
  const auto wanted = [&](const char* part) { return parts.empty() || parts.count(part) != 0; };
  const std::vector<Scene> scenes = anytime_scenes(argv[2], argv[3]);
  std::ofstream out(argv[1]);
  JsonWriter json([&](std::string_view text) { out << text; });
  json.begin_object().field("schema", "pliant.bench.anytime/1");
  for (const auto& [name, value] : bench_context()) json.field(name, value);
  if (wanted("curve")) curve(json, scenes);
  if (wanted("methods")) methods(json, anytime_scenes(argv[2], argv[3], true));
  if (wanted("late")) late(json, scenes[0], 10'000);
  if (wanted("fresh")) fresh(json, scenes[0], 1'000);
  json.end_object().new_line().flush();
  return 0;
}

}  // namespace
}  // namespace pliant::bench

int main(int argc, char** argv) { return pliant::bench::run(argc, argv); }
