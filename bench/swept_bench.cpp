// Moving cloths with self-collision, step by step: what finding candidates, the first contact and all contacts costs.
#include <benchmark/benchmark.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "pliant/bounds/face_tree.h"
#include "pliant/bounds/traverse.h"
#include "pliant/detect/body_pairs.h"
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
  settings.candidates_only = ask == Ask::candidates;
  std::uint64_t candidates = 0, contacts = 0;
  double bytes = 0;
  for (auto _ : state) {
    candidates = contacts = 0;
    std::chrono::duration<double> spent{0};
    Method detector(settings);
    for (const MovingBody& body : scene.bodies) detector.add_body(body.mesh, body.motion);
    const auto step = [&](std::size_t k) {
      const Interval interval{static_cast<double>(k), static_cast<double>(k + 1)};
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

// The trees of swept-classical: refitted to one step, and gone through down to pairs of triangles.
std::uint64_t count_leaf_pairs(const MovingScene& scene, std::vector<FaceTree>& trees, std::size_t k) {
  std::vector<Aabb> boxes;
  trees.resize(scene.bodies.size());
  for (std::size_t b = 0; b < trees.size(); ++b) {
    const MovingBody& body = scene.bodies[b];
    const auto t0 = static_cast<double>(k);
    const Frame x_t0 = body.motion.positions_at(t0), x_t1 = body.motion.positions_at(t0 + 1);
    if (trees[b].tree().empty())
      trees[b] = FaceTree(*body.mesh, x_t0.positions(), {.build = TreeBuild::median, .leaf_size = 1});
    trees[b].refit_swept({1}, *body.mesh, {x_t0.positions(), x_t1.positions()}, 0);
    boxes.push_back(trees[b].tree().bounds());
  }
  std::uint64_t count = 0;
  BudgetState state{Budget{}};
  BudgetMeter meter(state);
  for (const BodyPair pair : overlapping_body_pairs(boxes, [](std::uint32_t, std::uint32_t) { return true; })) {
    const AabbTree& a = trees[pair.a].tree();
    const TreeTraversal traversal = pair.a == pair.b ? TreeTraversal(a) : TreeTraversal(a, trees[pair.b].tree());
    traversal.run({0, 0}, meter, [&](const AabbNode&, const AabbNode&) {
      ++count;
      return true;
    });
  }
  return count;
}

// What the classical method does with boxes alone: no features are listed for the pairs of triangles.
void run_leaf_pairs(benchmark::State& state, const std::string& name) {
  const MovingScene& scene = scene_of(name, state.range(0));
  std::uint64_t pairs = 0;
  for (auto _ : state) {
    std::vector<FaceTree> trees;
    count_leaf_pairs(scene, trees, kSteps[0] - 1);
    pairs = 0;
    const auto start = std::chrono::steady_clock::now();
    for (const std::size_t k : kSteps) pairs += count_leaf_pairs(scene, trees, k);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    state.SetIterationTime(spent.count() / kStepCount);
  }
  state.counters["triangles"] = static_cast<double>(scene.triangle_count());
  state.counters["leaf_pairs"] = static_cast<double>(pairs) / kStepCount;
}

void register_leaf_pairs(std::initializer_list<std::int64_t> sizes) {
  for (const std::string scene : {"tablecloth", "swirl"}) {
    auto* row = benchmark::RegisterBenchmark(("swept-classical/" + scene + "/leaf_pairs").c_str(),
                                             [scene](benchmark::State& state) { run_leaf_pairs(state, scene); });
    row->ArgNames({"triangles"})->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(3);
    for (const std::int64_t size : sizes) row->Args({size});
  }
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
  bench::register_leaf_pairs({4'000, 16'000});
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
