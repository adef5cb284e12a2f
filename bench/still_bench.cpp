// Trees and still queries: build, refit, self and pair queries from 10k to 1M triangles, one thread and two.
#include <benchmark/benchmark.h>

#include <cstring>

#include "bench/bench_meshes.h"
#include "pliant/bounds/face_tree.h"
#include "pliant/detect/registry.h"

namespace pliant::bench {
namespace {

constexpr std::int64_t kSizes[] = {10'000, 100'000, 1'000'000};

void sizes_and_threads(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"triangles", "threads"})->Unit(benchmark::kMillisecond)->UseRealTime();
  for (const std::int64_t size : kSizes)
    for (const std::int64_t threads : {1, 2}) bench->Args({size, threads});
}

void build(benchmark::State& state, TreeBuild how) {
  const MeshPtr mesh = lumpy_ball(static_cast<std::size_t>(state.range(0)));
  std::size_t bytes = 0;
  for (auto _ : state) {
    FaceTree tree(*mesh, mesh->positions(), {.build = how, .threads = {static_cast<int>(state.range(1))}});
    benchmark::DoNotOptimize(tree);
    state.PauseTiming();
    tree.refit({1}, *mesh, mesh->positions());  // from then on it holds all that it ever will
    bytes = tree.bytes();
    state.ResumeTiming();
  }
  state.counters["bytes_per_triangle"] = static_cast<double>(bytes) / static_cast<double>(mesh->face_count());
}
void BM_BuildSah(benchmark::State& state) { build(state, TreeBuild::sah); }
void BM_BuildMorton(benchmark::State& state) { build(state, TreeBuild::morton); }
BENCHMARK(BM_BuildSah)->Apply(sizes_and_threads);
BENCHMARK(BM_BuildMorton)->Apply(sizes_and_threads);

// The bytes that a refit cannot avoid: every position read, every node written.
std::size_t refit_bytes(const TriangleMesh& mesh, const FaceTree& tree) {
  return mesh.vertex_count() * sizeof(Vec3) + tree.tree().nodes().size() * sizeof(AabbNode);
}

void BM_Refit(benchmark::State& state) {
  const MeshPtr mesh = lumpy_ball(static_cast<std::size_t>(state.range(0)));
  const Threads threads{static_cast<int>(state.range(1))};
  FaceTree tree(*mesh, mesh->positions(), {.threads = threads});
  for (auto _ : state) tree.refit(threads, *mesh, mesh->positions());
  const std::size_t bytes = refit_bytes(*mesh, tree);
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK(BM_Refit)->Apply(sizes_and_threads);

// The yardstick of the refit: a plain copy of as many bytes.
void BM_CopyOfAsManyBytes(benchmark::State& state) {
  const MeshPtr mesh = lumpy_ball(static_cast<std::size_t>(state.range(0)));
  const FaceTree tree(*mesh, mesh->positions(), {});
  const std::size_t bytes = refit_bytes(*mesh, tree);
  std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes, 2);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}
BENCHMARK(BM_CopyOfAsManyBytes)
    ->ArgName("triangles")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Whole queries: refit is part of it (the body moves every time), the build is not.
void query(benchmark::State& state, const char* method, bool self) {
  const MeshPtr mesh = lumpy_ball(static_cast<std::size_t>(state.range(0)));
  DetectorSettings settings;
  settings.self = self;
  settings.threads = {static_cast<int>(state.range(1))};
  const auto detector = make_detector(method, settings);
  const Frame frames[2] = {Frame::of_mesh(mesh), Frame::own({mesh->positions().begin(), mesh->positions().end()})};
  const BodyId body = detector->add_body(mesh);
  if (!self) detector->add_body(shifted(*mesh, {1.1, 0.4, 0.3}));
  std::size_t contacts = detector->detect(Interval::instant(0)).contacts.size();
  int turn = 0;
  for (auto _ : state) {
    detector->set_motion(body, Motion::at_rest(frames[++turn % 2]));
    contacts = detector->detect(Interval::instant(0)).contacts.size();
  }
  state.counters["contacts"] = static_cast<double>(contacts);
}
void BM_SelfBvh(benchmark::State& state) { query(state, "bvh", true); }
void BM_SelfSpatialHash(benchmark::State& state) { query(state, "spatial-hash", true); }
void BM_PairBvh(benchmark::State& state) { query(state, "bvh", false); }
void BM_PairSpatialHash(benchmark::State& state) { query(state, "spatial-hash", false); }
BENCHMARK(BM_SelfBvh)->Apply(sizes_and_threads);
BENCHMARK(BM_SelfSpatialHash)->Apply(sizes_and_threads);
BENCHMARK(BM_PairBvh)->Apply(sizes_and_threads);
BENCHMARK(BM_PairSpatialHash)->Apply(sizes_and_threads);

}  // namespace
}  // namespace pliant::bench
