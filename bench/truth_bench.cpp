// How near bodies come to what is known of them: hanging cotton on finer and finer meshes against the equilibrium of
// the same mesh, and strips, bars, blocks, pendulums and plucked sheets against closed forms, at shorter and shorter
// steps. Tests have short forms of the same (tests/bodies/truth_test.cpp).
//
// usage: pliant-bench-bodies-truth RESULT.json
// [corners|corners-finest|patches|edge|edge-finest|strip|curtain|pluck|pendulum|bar|block]...
//        (COMMIT, FLAGS, COMPILER, PROCESSOR: what ran; parts that are not asked for stay as the file has them)
#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/bench_context.h"
#include "tests/bodies/hanging_cloth.h"
#include "tests/bodies/truth_cases.h"

namespace pliant::bench {
namespace {

using Json = nlohmann::ordered_json;

double cpu_now() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

const Json& said(const Json& row) {
  fmt::print("{}\n", row.dump());
  std::fflush(stdout);
  return row;
}

// Sag is measured from where the highest vertex hangs, the energy of weight from there, too.
Json figures(const ClothElements& elements, std::span<const double> masses, std::span<const Vec3> x, double top,
             int across) {
  double weight = 0;
  for (std::size_t v = 0; v < x.size(); ++v)
    if (std::isfinite(masses[v])) weight += 9.81 * masses[v] * (x[v].z() - top);
  const double elastic = elements.energy(x);
  return {{"stretch_percent", 100 * elements.stretch(x)},
          {"sag_mm", 1e3 * (top - lowest(x))},
          {"outline_m", outline(x, across)},
          {"elastic_mJ", 1e3 * elastic},
          {"energy_mJ", 1e3 * (elastic + weight)}};
}

Json hanging_row(Hanging by, int across, int newton_steps = 60) {
  const HangingCloth cloth = hanging_cloth(by, across);
  const ClothElements elements(*cloth.mesh, cloth.settings.material, cloth.settings.along);
  ClothBody body(cloth.mesh, cloth.settings);
  const double top = by == Hanging::by_an_edge ? 0.5 : 0;
  constexpr double kSeconds = 5;
  double start = cpu_now();
  settle(body, kSeconds);
  const double ms = 1e3 * (cpu_now() - start) / (60 * kSeconds);
  const Json stepped = figures(elements, body.masses(), body.positions(), top, across);
  if (newton_steps == 0) return said({{"vertices", across * across}, {"ms_per_frame", ms}, {"stepped", stepped}});
  start = cpu_now();
  const StaticCloth truth = static_cloth(elements, {body.masses()}, body.positions(), 1e-6, newton_steps);
  return said({{"vertices", across * across},
               {"ms_per_frame", ms},
               {"stepped", stepped},
               {"balanced", figures(elements, body.masses(), truth.x, top, across)},
               {"newton_steps", truth.steps},
               {"newton_residual_N", truth.residual},
               {"newton_seconds", cpu_now() - start}});
}

template <Hanging kBy>
Json hanging_rows() {
  Json rows = Json::array();
  for (const int across : {46, 91}) rows.push_back(hanging_row(kBy, across));
  return rows;
}
// One mesh beside the other: what they come to rest in, without Newton's method.
Json patches_rows() {
  Json rows = Json::array();
  for (const int across : {46, 91, 181}) rows.push_back(hanging_row(Hanging::by_patches, across, 0));
  return rows;
}
template <Hanging kBy>
Json finest_rows() {
  return Json::array({hanging_row(kBy, 182, 12)});
}

Json row(const std::string& what, const Truth& truth) {
  return said({{"what", what}, {"got", truth.got}, {"wanted", truth.wanted}, {"error_percent", 100 * truth.error()}});
}

std::string part_of_second(double seconds) { return fmt::format("1/{:.0f} s", 1 / seconds); }

Json strip_rows() {
  Json rows = Json::array();
  for (const int columns : {10, 15, 20}) {
    for (const double substep : {1.0 / 480, 1.0 / 960, 1.0 / 1920}) {
      const StripDrop drop = clamped_strip({.columns = columns, .rows = std::max(2, columns / 5), .substep = substep});
      Json one{{"columns", columns},
               {"substep", part_of_second(substep)},
               {"stepped_mm", 1e3 * drop.stepped},
               {"balanced_mm", 1e3 * drop.balanced},
               {"elastica_mm", 1e3 * drop.elastica},
               {"error_percent", 100 * (drop.stepped / drop.balanced - 1)},
               {"mesh_error_percent", 100 * (drop.balanced / drop.elastica - 1)}};
      rows.push_back(said(one));
    }
  }
  return rows;
}

Json curtain_rows() {
  Json rows = Json::array();
  for (const int cells : {32, 64})
    for (const double substep : {1.0 / 480, 1.0 / 960, 1.0 / 1920})
      rows.push_back(row(fmt::format("{} rows, {}", cells, part_of_second(substep)), swinging_curtain(substep, cells)));
  return rows;
}

Json pluck_rows() {
  Json rows = Json::array();
  for (const double strain : {0.001, 0.01, 0.05})
    for (const int columns : {40, 80})
      for (const double substep : {1.0 / 480, 1.0 / 960, 1.0 / 1920})
        rows.push_back(row(fmt::format("strain {}, {} columns, {}", strain, columns, part_of_second(substep)),
                           plucked_sheet({strain, columns, substep})));
  return rows;
}

constexpr std::pair<const char*, FemIntegrator> kSolvers[] = {
    {"vertex descent", FemIntegrator::vertex_descent}, {"conjugate gradients", FemIntegrator::conjugate_gradients}};

Json pendulum_rows() {
  Json rows = Json::array();
  for (const int cells : {8, 16})
    rows.push_back(row(fmt::format("{} cells", cells), solid_pendulum(FemIntegrator::conjugate_gradients, cells)));
  return rows;
}

Json bar_rows() {
  Json rows = Json::array();
  for (const int cells : {5, 10, 20})
    for (const auto& [name, solver] : kSolvers)
      rows.push_back(row(fmt::format("{} cells, {}", cells, name), heavy_bar(solver, cells)));
  return rows;
}

Json block_rows() {
  Json rows = Json::array();
  for (const double load : {5e3, 1e4, 3e4}) {
    for (const int cells : {2, 4}) {
      for (const auto& [name, solver] : kSolvers) {
        const BlockStrains strains = loaded_block(solver, load, cells);
        rows.push_back(row(fmt::format("{:.0f} kPa, {} cells, {}, along", load / 1e3, cells, name), strains.along));
        rows.push_back(row(fmt::format("{:.0f} kPa, {} cells, {}, across", load / 1e3, cells, name), strains.across));
      }
    }
  }
  return rows;
}

Json context() {
  Json about;
  for (const auto& [name, value] : bench_context()) about[name] = value;
  return about;
}

int run(int argc, char** argv) {
  const std::pair<const char*, Json (*)()> parts[] = {{"corners", hanging_rows<Hanging::by_corners>},
                                                      {"corners-finest", finest_rows<Hanging::by_corners>},
                                                      {"patches", patches_rows},
                                                      {"edge", hanging_rows<Hanging::by_an_edge>},
                                                      {"edge-finest", finest_rows<Hanging::by_an_edge>},
                                                      {"strip", strip_rows},
                                                      {"curtain", curtain_rows},
                                                      {"pluck", pluck_rows},
                                                      {"pendulum", pendulum_rows},
                                                      {"bar", bar_rows},
                                                      {"block", block_rows}};
  Json result{{"schema", "pliant.bench.truth/1"}};
  if (std::ifstream before(argv[1]); argc > 2 && before) result = Json::parse(before);
  result["context"] = context();
  const auto asked = [&](const std::string& part) {
    return argc == 2 || std::any_of(argv + 2, argv + argc, [&](const char* word) { return part == word; });
  };
  for (const auto& part : parts)
    if (asked(part.first)) result[part.first] = part.second();
  std::ofstream out(argv[1]);
  out << result.dump(1) << "\n";
  return out.good() ? 0 : 1;
}

}  // namespace
}  // namespace pliant::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: pliant-bench-bodies-truth RESULT.json [PART...]\n");
    return 2;
  }
  return pliant::bench::run(argc, argv);
}
