// Moving cloths with self-collision, step by step: what finding candidates, the first contact and all contacts costs.
#include <benchmark/benchmark.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "pliant/detect/swept_bvh/swept_bvh.h"
#include "pliant/detect/swept_classical/swept_classical.h"
#include "pliant/scene/scene.h"

namespace pliant::bench {
namespace {

constexpr std::size_t kFrames = 60;
// Before frame 8 the cloths are flat.
constexpr std::size_t kSteps[] = {8, 13, 18, 23, 28, 33, 38, 43, 48, 53, 58};

const MovingScene& scene_of(const std::string& name, std::int64_t triangles) {
  static std::map<std::pair<std::string, std::int64_t>, MovingScene> made;
  const auto [at, added] = made.try_emplace({name, triangles});
  if (added)
    at->second =
        with_stored_frames(make_scene(name, {.triangles = static_cast<std::size_t>(triangles), .frames = kFrames}));
  return at->second;
}

constexpr double kStepCount = std::size(kSteps);

// Vertices, edges and faces.
std::size_t primitives(const MovingScene& scene) {
  std::size_t count = 0;
  for (const MovingBody& body : scene.bodies)
    count += body.mesh->vertex_count() + body.mesh->topology().edges().size() + body.mesh->face_count();
  return count;
}

enum class Ask { candidates, earliest, safe_step, all };

// Steps one after the other, as a simulation takes them: trees are kept and refitted. The build is not timed.
template <class Method>
void run_steps(benchmark::State& state, const std::string& name, Ask ask) {
  const MovingScene& scene = scene_of(name, state.range(0));
  DetectorSettings settings;
  settings.threads = {static_cast<int>(state.range(1))};
  settings.earliest = ask == Ask::earliest;
  std::uint64_t candidates = 0, contacts = 0;
  double bytes = 0;
  for (auto _ : state) {
    candidates = contacts = 0;
    std::chrono::duration<double> spent{0};
    Method detector(settings);
    for (const MovingBody& body : scene.bodies) detector.add_body(body.mesh, body.motion);
    const auto step = [&](std::size_t k) {
      const Interval interval{static_cast<double>(k), static_cast<double>(k + 1)};
      if (ask == Ask::candidates) {
        candidates += detector.count_candidates(interval);
        return;
      }
      const Report report = ask == Ask::safe_step ? detector.first_new_contact(interval) : detector.detect(interval);
      candidates += report.counters["pair_tests"];
      contacts += report.contacts.size();
    };
    step(kSteps[0] - 1);
    candidates = contacts = 0;
    for (const std::size_t k : kSteps) {
      const auto start = std::chrono::steady_clock::now();
      step(k);
      spent += std::chrono::steady_clock::now() - start;
    }
    state.SetIterationTime(spent.count() / kStepCount);
    if constexpr (std::is_same_v<Method, SweptBvhDetector>) bytes = static_cast<double>(detector.bytes());
  }
  state.counters["triangles"] = static_cast<double>(scene.triangle_count());
  state.counters["candidates"] = static_cast<double>(candidates) / kStepCount;
  state.counters["contacts"] = static_cast<double>(contacts) / kStepCount;
  if (bytes > 0) state.counters["bytes_per_primitive"] = bytes / static_cast<double>(primitives(scene));
}

template <class Method>
void register_rows(const std::string& method, std::initializer_list<std::int64_t> sizes, int passes) {
  const std::pair<const char*, Ask> asks[] = {
      {"candidates", Ask::candidates}, {"earliest", Ask::earliest}, {"safe_step", Ask::safe_step}, {"all", Ask::all}};
  for (const std::string scene : {"tablecloth", "swirl"})
    for (const auto& [what, ask] : asks) {
      auto* row = benchmark::RegisterBenchmark(
          (method + "/" + scene + "/" + what).c_str(),
          [scene, ask = ask](benchmark::State& state) { run_steps<Method>(state, scene, ask); });
      row->ArgNames({"triangles", "threads"})->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(passes);
      for (const std::int64_t size : sizes)
        for (const std::int64_t threads : {1, 2}) row->Args({size, threads});
    }
}

}  // namespace
}  // namespace pliant::bench

int main(int argc, char** argv) {
  using namespace pliant;
  bench::register_rows<SweptBvhDetector>("swept-bvh", {16'000, 65'000, 250'000}, 1);
  bench::register_rows<SweptClassicalDetector>("swept-classical", {4'000, 16'000}, 1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
