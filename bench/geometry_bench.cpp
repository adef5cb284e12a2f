// Nanoseconds per predicate and per triangle pair, by kind. Cycles through 4096 different inputs, so that branch
// predictors do not learn the answers.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "pliant/geometry/predicates.h"
#include "pliant/geometry/segment_triangle.h"
#include "pliant/geometry/triangle_triangle.h"

namespace {

using pliant::Relation;
using pliant::SharedVertices;
using pliant::Triangle3;
using pliant::Vec3;

constexpr std::size_t kInputs = 4096;

std::mt19937_64& engine() {
  static std::mt19937_64 random(1);
  return random;
}
double unit() { return static_cast<double>(engine()() >> 11) * 0x1p-53; }
Vec3 in_cube() { return {unit(), unit(), unit()}; }
Vec3 on_slanted_plane() { return std::floor(100 * unit()) * Vec3(1, 2, 3) + std::floor(100 * unit()) * Vec3(-2, 1, 5); }
Vec3 in_flat_square() { return {unit(), 0.25, unit()}; }
Vec3 in_rotated_square() { return unit() * Vec3(0.8, 0.6, 0.1) + unit() * Vec3(-0.3, 0.5, 0.7); }
Vec3 tiny() { return 1e-200 * on_slanted_plane(); }

using Points = std::array<Vec3, 6>;  // two triangles
using MakePoint = Vec3 (*)();

Points six(MakePoint make) { return {make(), make(), make(), make(), make(), make()}; }

std::vector<Points> inputs(const std::function<Points()>& make) {
  std::vector<Points> result(kInputs);
  for (Points& p : result) p = make();
  return result;
}

std::vector<Points> inputs_with(bool meet, MakePoint make) {
  return inputs([&] {
    for (;;) {
      const Points x = six(make);
      const Relation relation =
          pliant::triangle_triangle_relation(Triangle3(x[0], x[1], x[2]), Triangle3(x[3], x[4], x[5]));
      if ((relation != Relation::none) == meet) return x;
    }
  });
}

void orient3d(benchmark::State& state, MakePoint make) {
  const auto input = inputs([&] { return six(make); });
  std::size_t i = 0;
  for (auto _ : state) {
    const Points& x = input[i++ % kInputs];
    benchmark::DoNotOptimize(pliant::orient3d(x[0], x[1], x[2], x[3]));
  }
}
BENCHMARK_CAPTURE(orient3d, generic, in_cube);
BENCHMARK_CAPTURE(orient3d, axis_aligned_plane, in_flat_square);
BENCHMARK_CAPTURE(orient3d, integers_on_a_plane, on_slanted_plane);
BENCHMARK_CAPTURE(orient3d, rounded_on_a_plane, in_rotated_square);
BENCHMARK_CAPTURE(orient3d, extreme_exponents, tiny);

void orient2d(benchmark::State& state, MakePoint make, int axis) {
  const auto input = inputs([&] { return six(make); });
  std::size_t i = 0;
  for (auto _ : state) {
    const Points& x = input[i++ % kInputs];
    benchmark::DoNotOptimize(pliant::orient2d(x[0], x[1], x[2], axis));
  }
}
BENCHMARK_CAPTURE(orient2d, generic, in_cube, 2);
BENCHMARK_CAPTURE(orient2d, equal_coordinates, in_flat_square, 2);

void run_pairs(benchmark::State& state, const std::vector<Points>& input, const SharedVertices& shared) {
  std::size_t i = 0;
  for (auto _ : state) {
    const Points& x = input[i++ % kInputs];
    benchmark::DoNotOptimize(
        pliant::triangle_triangle_relation(Triangle3(x[0], x[1], x[2]), Triangle3(x[3], x[4], x[5]), shared));
  }
}

// Triangles far smaller than their distance from each other, as boxes that overlap by chance have them.
Points near_miss() {
  const Vec3 offset = 1.2 * (in_cube() - Vec3::Constant(0.5));
  Points x = six(in_cube);
  for (std::size_t i = 3; i < 6; ++i) x[i] += offset;
  return x;
}

void triangles_apart(benchmark::State& state) { run_pairs(state, inputs_with(false, in_cube), {}); }
BENCHMARK(triangles_apart);
void triangles_meeting(benchmark::State& state) { run_pairs(state, inputs_with(true, in_cube), {}); }
BENCHMARK(triangles_meeting);
void triangles_mixed(benchmark::State& state) { run_pairs(state, inputs(near_miss), {}); }
BENCHMARK(triangles_mixed);

// Triangles of a bent sheet: edges of length 0.01, heights that vary smoothly.
Vec3 on_sheet(double u, double v) { return {0.01 * u, 0.01 * v, 0.1 * std::sin(0.03 * u) * std::cos(0.05 * v)}; }

void sheet_apart(benchmark::State& state) {
  run_pairs(state, inputs([] {
              const double u = std::floor(100 * unit()), v = std::floor(100 * unit());
              return Points{on_sheet(u, v),     on_sheet(u + 1, v),     on_sheet(u, v + 1),
                            on_sheet(u + 2, v), on_sheet(u + 2, v + 1), on_sheet(u + 1, v + 2)};
            }),
            {});
}
BENCHMARK(sheet_apart);

void sheet_sharing_an_edge(benchmark::State& state) {
  run_pairs(state, inputs([] {
              const double u = std::floor(100 * unit()), v = std::floor(100 * unit());
              return Points{on_sheet(u, v),     on_sheet(u + 1, v), on_sheet(u, v + 1),
                            on_sheet(u + 1, v), on_sheet(u, v + 1), on_sheet(u + 1, v + 1)};
            }),
            {2, {{{1, 0}, {2, 1}}}});
}
BENCHMARK(sheet_sharing_an_edge);

void sheet_sharing_a_corner(benchmark::State& state) {
  run_pairs(state, inputs([] {
              const double u = std::floor(100 * unit()), v = std::floor(100 * unit());
              return Points{on_sheet(u, v), on_sheet(u + 1, v), on_sheet(u, v + 1),
                            on_sheet(u, v), on_sheet(u - 1, v), on_sheet(u, v - 1)};
            }),
            {1, {{{0, 0}}}});
}
BENCHMARK(sheet_sharing_a_corner);

void flat_sharing_an_edge(benchmark::State& state) {
  run_pairs(state, inputs([] {
              Points x = six(in_flat_square);
              x[3] = x[1];
              x[4] = x[2];
              return x;
            }),
            {2, {{{1, 0}, {2, 1}}}});
}
BENCHMARK(flat_sharing_an_edge);

void flat_sharing_a_corner(benchmark::State& state) {
  run_pairs(state, inputs([] {
              Points x = six(in_flat_square);
              x[3] = x[0];
              return x;
            }),
            {1, {{{0, 0}}}});
}
BENCHMARK(flat_sharing_a_corner);

void flat_apart(benchmark::State& state) { run_pairs(state, inputs_with(false, in_flat_square), {}); }
BENCHMARK(flat_apart);

void contact(benchmark::State& state, MakePoint make) {
  const auto input = inputs_with(true, make);
  std::size_t i = 0;
  for (auto _ : state) {
    const Points& x = input[i++ % kInputs];
    benchmark::DoNotOptimize(
        pliant::triangle_triangle_contact(Triangle3(x[0], x[1], x[2]), Triangle3(x[3], x[4], x[5])));
  }
}
BENCHMARK_CAPTURE(contact, crossing, in_cube);
BENCHMARK_CAPTURE(contact, coplanar, in_flat_square);

void segment_triangle(benchmark::State& state) {
  const auto input = inputs([] { return six(in_cube); });
  std::size_t i = 0;
  for (auto _ : state) {
    const Points& x = input[i++ % kInputs];
    benchmark::DoNotOptimize(
        pliant::segment_triangle_relation(pliant::Segment3(x[3], x[4]), Triangle3(x[0], x[1], x[2])));
  }
}
BENCHMARK(segment_triangle);

}  // namespace

BENCHMARK_MAIN();
