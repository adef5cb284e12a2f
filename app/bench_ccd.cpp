// `pliant bench ccd`: the certified solver on queries whose answers are known.
#include <cmath>
#include <filesystem>

#include "app/arguments.h"
#include "app/bench.h"
#include "app/outputs.h"
#include "app/spread.h"
#include "app/terminal.h"
#include "pliant/ccd/batch.h"
#include "pliant/core/cpu.h"
#include "pliant/core/error.h"
#include "pliant/core/stopwatch.h"
#include "pliant/io/ccd_query_set.h"

namespace pliant::app {
namespace {

struct CcdBenchOptions {
  std::vector<std::string> paths;
  std::string kind;
  double min_separation = 0;
  bool no_exact = false;
  bool portable = false;
  int repeat = 3;
  std::string json;
  bool quiet = false;
};

struct CcdScore {
  std::size_t queries = 0;
  std::size_t hits = 0;  // that really are
  std::size_t false_negatives = 0;
  std::size_t false_positives = 0;
  std::size_t late = 0;         // t_lo after the true first contact
  std::vector<double> ns;       // one query at a time, the fastest of all passes
  std::vector<double> t_error;  // true time - t_lo
  double batch_ns = 0;          // of all queries together, in batches

  void add(const CcdScore& other) {
    queries += other.queries;
    hits += other.hits;
    false_negatives += other.false_negatives;
    false_positives += other.false_positives;
    late += other.late;
    ns.insert(ns.end(), other.ns.begin(), other.ns.end());
    t_error.insert(t_error.end(), other.t_error.begin(), other.t_error.end());
    batch_ns += other.batch_ns;
  }
};

// Nanoseconds since it was asked last.
double lap_ns(Stopwatch& watch) { return 1e9 * watch.lap(); }

// What asking for the time costs, to be taken off single timings.
double clock_cost() {
  Stopwatch watch;
  std::vector<double> costs;
  for (int i = 0; i < 10000; ++i) {
    lap_ns(watch);
    costs.push_back(lap_ns(watch));
  }
  return spread_of(std::move(costs)).median;
}

void judge(CcdScore& score, const CcdResult& result, const CcdTruth& truth) {
  const bool found = result.status != CcdStatus::none;
  ++score.queries;
  score.hits += truth.collides ? 1 : 0;
  score.false_negatives += truth.collides && !found ? 1 : 0;
  score.false_positives += !truth.collides && found ? 1 : 0;
  if (!truth.collides || !found || std::isnan(truth.time)) return;
  score.late += result.t_lo > truth.time ? 1 : 0;
  score.t_error.push_back(truth.time - result.t_lo);
}

// All queries as pairs of one soup.
double fastest_batch_ns(const CcdQueryFile& file, const CcdOptions& options, int repeat) {
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
  std::vector<CcdPair> pairs;
  for (const CcdQuery& query : file.queries) {
    const auto first = static_cast<std::uint32_t>(x_t0.size());
    pairs.push_back({first, first + 1, first + 2, first + 3});
    x_t0.insert(x_t0.end(), query.x_t0.begin(), query.x_t0.end());
    x_t1.insert(x_t1.end(), query.x_t1.begin(), query.x_t1.end());
  }
  const CcdVertices vertices(x_t0, x_t1);
  CcdBatchSolver solver(options);
  Stopwatch watch;
  double fastest = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < repeat; ++pass) {
    lap_ns(watch);
    constexpr std::size_t kBlock = 2048;
    for (std::size_t i = 0; i < pairs.size(); i += kBlock)
      solver.solve({.kind = file.kind,
                    .first = &vertices,
                    .second = &vertices,
                    .pairs = std::span(pairs).subspan(i, std::min(kBlock, pairs.size() - i))});
    fastest = std::min(fastest, lap_ns(watch));
  }
  return fastest;
}

CcdScore score_of(const CcdQueryFile& file, const CcdOptions& options, int repeat, double clock_ns) {
  CcdScore score;
  if (file.queries.empty()) return score;
  Stopwatch watch;
  std::vector<CcdResult> results(file.queries.size());
  score.ns.assign(file.queries.size(), std::numeric_limits<double>::infinity());
  for (int pass = 0; pass < repeat; ++pass)
    for (std::size_t i = 0; i < results.size(); ++i) {
      lap_ns(watch);
      results[i] = pair_ccd(file.kind, file.queries[i], options);
      score.ns[i] = std::min(score.ns[i], std::max(0.0, lap_ns(watch) - clock_ns));
    }
  for (std::size_t i = 0; i < results.size(); ++i) judge(score, results[i], file.truth[i]);
  score.batch_ns = fastest_batch_ns(file, options, repeat);
  return score;
}

void write_score(JsonWriter& json, const CcdScore& score) {
  json.field("queries", score.queries).field("hits", score.hits).field("false_negatives", score.false_negatives);
  json.field("false_positives", score.false_positives).field("late", score.late);
  if (score.queries == 0) {
    json.key("ns_per_query").null().key("ns_per_query_in_batches").null();
  } else {
    write_json(json, "ns_per_query", spread_of(score.ns));
    json.field("ns_per_query_in_batches", score.batch_ns / static_cast<double>(score.queries));
  }
  write_json(json, "t_error", spread_of(score.t_error));
}

void add_row(Table& table, const std::string& name, const CcdScore& score) {
  std::vector<std::string> cells{name,
                                 grouped(score.queries),
                                 grouped(score.hits),
                                 grouped(score.false_negatives),
                                 grouped(score.false_positives),
                                 grouped(score.late)};
  const Spread ns = spread_of(score.ns);
  for (const double time : {ns.mean, ns.median, ns.p99, ns.max})
    cells.push_back(score.queries > 0 ? fmt::format("{:.0f}", time) : "-");
  cells.push_back(score.queries > 0 ? fmt::format("{:.1f}", score.batch_ns / static_cast<double>(score.queries)) : "-");
  cells.push_back(score.t_error.empty() ? "-" : fmt::format("{:.1e}", spread_of(score.t_error).max));
  table.add_row(std::move(cells));
}

std::vector<CcdQuerySet> read_sets(const CcdBenchOptions& options) {
  std::optional<CcdKind> kind;
  if (!options.kind.empty()) kind = options.kind == "vf" ? CcdKind::vertex_face : CcdKind::edge_edge;
  std::vector<CcdQuerySet> sets;
  std::size_t queries = 0;
  for (const std::string& path : options.paths) {
    std::error_code problem;
    if (!std::filesystem::exists(path, problem))
      throw Error(ErrorPlace{.file = path}, "no such file or folder", "check the path");
    for (CcdQuerySet& set : read_ccd_query_sets(path, kind)) {
      queries += set.content.queries.size();
      sets.push_back(std::move(set));
    }
  }
  if (queries == 0) throw Error("there is no query in what --queries names", "give other files or folders");
  return sets;
}

// Folders with all that is in them.
std::vector<std::string> files_below(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> files = paths;
  std::error_code error;
  for (const std::string& path : paths)
    for (fs::recursive_directory_iterator at(path, error), end; !error && at != end; at.increment(error))
      files.push_back(at->path().string());
  return files;
}

int run_ccd_bench(const CcdBenchOptions& options) {
  if (!options.json.empty()) require_outputs_apart({options.json}, files_below(options.paths));
  const std::vector<CcdQuerySet> sets = read_sets(options);
  if (options.portable) set_avx2_allowed(false);
  CcdOptions solver;
  solver.exact = !options.no_exact;
  solver.min_separation = options.min_separation;

  ReportFile report(options.json);
  JsonWriter json(report.output());
  json.begin_object().field("schema", "pliant.bench.ccd/1");
  write_machine(json);
  json.field("kernels", use_avx2() ? "AVX2" : "portable").field("exact", solver.exact);
  json.field("min_separation", solver.min_separation);
  json.new_line().key("sets").begin_array();
  Table table({"set", "queries", "hits", "missed", "extra", "late", "mean ns", "median", "p99", "max", "in batches",
               "largest t error"});
  CcdScore total;
  {
    ProgressBar bar("measuring", options.quiet);
    const double clock_ns = clock_cost();
    for (std::size_t i = 0; i < sets.size(); ++i) {
      bar.show(static_cast<double>(i) / static_cast<double>(sets.size()));
      const CcdScore score = score_of(sets[i].content, solver, options.repeat, clock_ns);
      json.new_line().begin_object().field("name", sets[i].name);
      json.field("kind", sets[i].content.kind == CcdKind::vertex_face ? "vertex-face" : "edge-edge");
      write_score(json, score);
      json.end_object();
      add_row(table, sets[i].name, score);
      total.add(score);
    }
  }
  json.end_array().new_line().key("total").begin_object();
  write_score(json, total);
  json.end_object().end_object().new_line();
  json.flush();
  report.commit();
  add_row(table, "total", total);
  if (!report.is_standard_output() && !options.quiet) table.print(stdout);
  return total.false_negatives + total.late == 0 ? kDone : kNotFinished;
}

}  // namespace

void add_bench_ccd(Command& bench, Status& status) {
  Command* command = bench.add_subcommand("ccd", "Measure continuous collision queries whose answers are known");
  const auto options = std::make_shared<CcdBenchOptions>();
  command
      ->add_option("--queries", options->paths,
                   "Files of queries (.ccdq, .ccdp beside its meshes, .csv of rationals) or folders of them")
      ->required()
      ->type_name("PATH");
  command->add_option("--kind", options->kind, "Kind of pairs in .csv files whose path does not tell: vf or ee")
      ->one_of({"vf", "ee"});
  command->add_option("--min-separation", options->min_separation, "Contact means a distance of at most this")
      ->check(at_least_zero());
  command->add_flag("--no-exact", options->no_exact, "Without the exact stage: doubtful pairs count as contacts");
  command->add_flag("--portable", options->portable, "Without AVX2");
  command->add_option("--repeat", options->repeat, "Passes, of which the fastest counts")
      ->check(above_zero())
      ->capture_default_str();
  command->add_option("--json", options->json, "Write the report as JSON to FILE, or to the standard output for -")
      ->type_name("FILE|-");
  command->add_flag("--quiet,-q", options->quiet, "Print no table or progress");
  command->footer(
      "missed: a contact not found (there must be none); extra: no contact, but found; late: the time is after the\n"
      "true one (there must be none). Times are of single queries, without what reading the clock costs.\n\n"
      "Example:\n"
      "  pliant bench ccd --queries queries/ --json ccd.json\n\n"
      "Exit status: 0 nothing missed or late, 2 bad usage or input, 3 a wrong answer.");
  command->callback([options, &status] { status = run_ccd_bench(*options); });
}

}  // namespace pliant::app
