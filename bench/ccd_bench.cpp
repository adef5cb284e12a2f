// Certified continuous collision detection on a data folder: query sets one query at a time, scene and sequence steps
// as batches of all pairs whose swept boxes touch. Prints wrong answers, times and errors of the times of impact.
//
//   ccd_bench DATA [--repeat N] [--portable] [--no-exact] [--no-steps]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "pliant/ccd/batch.h"
#include "pliant/core/cpu.h"
#include "pliant/io/ccd_queries.h"
#include "tests/ccd/scene_data.h"

namespace {

namespace fs = std::filesystem;
using namespace pliant;

struct Arguments {
  fs::path data;
  int repeat = 5;
  bool portable = false, exact = true, steps = true;
};

double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Of this process alone, for passes long enough that the machine does other things in between.
double processor_ns() { return static_cast<double>(std::clock()) * (1e9 / CLOCKS_PER_SEC); }

double quantile(std::vector<double> sorted, double fraction) {
  if (sorted.empty()) return 0;
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<std::size_t>(fraction * static_cast<double>(sorted.size() - 1))];
}

// What a clock call costs, to be taken off single timings.
double clock_cost() {
  std::vector<double> costs;
  for (int i = 0; i < 10000; ++i) {
    const double start = now_ns();
    costs.push_back(now_ns() - start);
  }
  return quantile(costs, 0.5);
}

struct Tally {
  std::size_t queries = 0, false_negatives = 0, false_positives = 0, late = 0;
  std::vector<double> ns, t_error;
  double pass_ns = 0;  // of the whole set, fastest pass

  void judge(const CcdResult& r, const CcdTruth& truth) {
    ++queries;
    if (truth.collides && r.status == CcdStatus::none) ++false_negatives;
    if (!truth.collides && r.status != CcdStatus::none) ++false_positives;
    if (!truth.collides || r.status == CcdStatus::none || std::isnan(truth.time)) return;
    if (r.t_lo > truth.time || r.t_hi < truth.time) ++late;
    t_error.push_back(truth.time - r.t_lo);
  }
};

void print_header(const char* title) {
  std::printf("\n%s\n%-32s %9s %4s %4s %4s %8s %8s %8s %9s %10s %10s\n", title, "set", "queries", "FN", "FP", "late",
              "mean ns", "median", "p99", "max", "t err med", "t err max");
}

void print(const std::string& name, const Tally& t) {
  std::printf("%-32s %9zu %4zu %4zu %4zu %8.1f %8.0f %8.0f %9.0f %10.1e %10.1e\n", name.c_str(), t.queries,
              t.false_negatives, t.false_positives, t.late, t.pass_ns / static_cast<double>(t.queries),
              quantile(t.ns, 0.5), quantile(t.ns, 0.99), quantile(t.ns, 1), quantile(t.t_error, 0.5),
              quantile(t.t_error, 1));
}

Tally run_queries(const CcdQueryFile& file, const CcdOptions& options, int repeat, double clock_ns) {
  Tally tally;
  std::vector<CcdResult> results(file.queries.size());
  tally.ns.assign(file.queries.size(), 1e300);
  tally.pass_ns = 1e300;
  for (int pass = 0; pass < repeat; ++pass) {
    const double start = processor_ns();
    for (std::size_t i = 0; i < results.size(); ++i) results[i] = pair_ccd(file.kind, file.queries[i], options);
    tally.pass_ns = std::min(tally.pass_ns, processor_ns() - start);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const double begin = now_ns();
      results[i] = pair_ccd(file.kind, file.queries[i], options);
      tally.ns[i] = std::min(tally.ns[i], std::max(0.0, now_ns() - begin - clock_ns));
    }
  }
  for (std::size_t i = 0; i < results.size(); ++i) tally.judge(results[i], file.truth[i]);
  return tally;
}

void bench_query_sets(const Arguments& arguments, const CcdOptions& options) {
  std::vector<fs::path> files;
  if (fs::is_directory(arguments.data / "ccd-queries")) {
    for (const auto& entry : fs::directory_iterator(arguments.data / "ccd-queries")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  print_header("query sets, one query at a time");
  Tally total;
  const double clock_ns = clock_cost();
  for (const fs::path& path : files) {
    const Tally t = run_queries(read_ccdq(path), options, arguments.repeat, clock_ns);
    print(path.stem().string(), t);
    total.queries += t.queries;
    total.false_negatives += t.false_negatives;
    total.false_positives += t.false_positives;
    total.late += t.late;
    total.pass_ns += t.pass_ns;
    total.ns.insert(total.ns.end(), t.ns.begin(), t.ns.end());
    total.t_error.insert(total.t_error.end(), t.t_error.begin(), t.t_error.end());
  }
  print("total", total);
}

void bench_step(const CcdStep& step, CcdKind kind, const CcdOptions& options, int repeat) {
  const std::vector<CcdPair> pairs = swept_box_pairs(step, kind);
  if (pairs.empty()) return;
  const CcdVertices vertices(step.x_t0, step.x_t1);
  const CcdBatch batch{.kind = kind, .first = &vertices, .second = &vertices, .pairs = pairs};
  CcdBatchSolver solver(options);
  Tally tally;
  tally.pass_ns = 1e300;
  std::span<const CcdHit> hits;
  for (int pass = 0; pass < repeat; ++pass) {
    const double start = processor_ns();
    hits = solver.solve(batch);
    tally.pass_ns = std::min(tally.pass_ns, processor_ns() - start);
  }
  const StepVerdict verdict = judge(step, kind, pairs, hits);
  tally.queries = pairs.size();
  tally.false_negatives = verdict.false_negatives;
  tally.false_positives = verdict.false_positives;
  tally.late = verdict.late;
  tally.t_error = verdict.t_error;
  print(step.name + (kind == CcdKind::vertex_face ? " vf" : " ee"), tally);
}

Arguments parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--portable") == 0) {
      a.portable = true;
    } else if (std::strcmp(argv[i], "--no-exact") == 0) {
      a.exact = false;
    } else if (std::strcmp(argv[i], "--no-steps") == 0) {
      a.steps = false;
    } else if (std::strcmp(argv[i], "--repeat") == 0 && i + 1 < argc) {
      a.repeat = std::max(1, std::atoi(argv[++i]));
    } else {
      a.data = argv[i];
    }
  }
  return a;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  if (arguments.data.empty()) {
    std::fprintf(stderr, "usage: ccd_bench DATA [--repeat N] [--portable] [--no-exact] [--no-steps]\n");
    return 2;
  }
  if (arguments.portable) set_avx2_allowed(false);
  CcdOptions options;
  options.exact = arguments.exact;
  std::printf("kernels: %s, exact stage %s\n", use_avx2() ? "AVX2" : "portable", options.exact ? "on" : "off");
  bench_query_sets(arguments, options);
  if (!arguments.steps) return 0;
  print_header("steps, all pairs with touching swept boxes, in batches (mean ns per pair)");
  for (const CcdStep& step : load_ccd_steps(arguments.data)) {
    for (const CcdKind kind : {CcdKind::vertex_face, CcdKind::edge_edge}) {
      bench_step(step, kind, options, arguments.repeat);
    }
  }
  return 0;
}
