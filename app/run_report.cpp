#include "app/run_report.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/terminal.h"

namespace pliant::app {
namespace {

void print_stages(const RunTotals& totals) {
  const std::pair<const char*, double> stages[] = {{"predict", totals.seconds.predict},
                                                   {"detect", totals.seconds.detect},
                                                   {"respond", totals.seconds.respond},
                                                   {"commit", totals.seconds.commit},
                                                   {"record", totals.record_seconds}};
  double sum = 0;
  for (const auto& [name, seconds] : stages) sum += seconds;
  Table table({"where the time goes", "seconds", "share"});
  for (const auto& [name, seconds] : stages)
    table.add_row({name, fmt::format("{:.3f}", seconds), fmt::format("{:.1f} %", sum > 0 ? 100 * seconds / sum : 0.0)});
  fmt::print("\n");
  table.print(stdout);
}

void print_bodies(const RunInfo& info) {
  const bool has_dense =
      std::any_of(info.bodies.begin(), info.bodies.end(), [](const RunBody& body) { return body.dense.has_value(); });
  std::vector<std::string> head = {"body", "kind", "vertices", "triangles"};
  if (has_dense) head.emplace_back("dense triangles");
  Table table(head);
  for (const RunBody& body : info.bodies) {
    std::vector<std::string> row = {body.name, body.kind, grouped(body.vertices), grouped(body.triangles)};
    if (has_dense) row.push_back(body.dense ? grouped(body.dense->triangles) : "");
    table.add_row(row);
  }
  table.print(stdout);
}

// What was met on the way was answered before it could become a collision: not to be taken for what `check` counts.
void print_answers(const RunInfo& info) {
  fmt::print("{} by pushing back (method {}); {}, {}{}\n",
             counted(info.totals.contacts, "touch was answered", "touches were answered"),
             info.method_in_use == "auto" ? "auto: too short to choose" : info.method_in_use,
             counted(info.totals.zones, "zone moved rigidly", "zones moved rigidly"),
             counted(info.totals.halvings, "step was halved", "steps were halved"),
             info.budget_seconds ? fmt::format(", {} steps out of budget", info.totals.late) : "");
}

void print_unproved(const RunInfo& info) {
  if (info.unproved.empty()) return;
  const std::string& response = info.unproved[0].response;
  const bool is_one = std::all_of(info.unproved.begin(), info.unproved.end(),
                                  [&](const RunInfo::UnprovedPair& pair) { return pair.response == response; });
  fmt::print("{} answered by {}: {}\n", counted(info.unproved.size(), "pair of bodies is", "pairs of bodies are"),
             is_one ? response : "other means than proof", penetration_in_words(info));
}

void print_warnings(const RunInfo& info) {
  for (const RunWarning& warning : info.warnings())
    fmt::print("warning: {}{} (frame {:.6g}); {}\n", warning.body.empty() ? "" : warning.body + ": ", warning.what,
               warning.frame, warning.remedy);
}

}  // namespace

void print_run(const RunEnding& ending, const std::string& folder) {
  const RunInfo& info = ending.info;
  print_bodies(info);
  print_stages(info.totals);
  const double fps = ending.seconds > 0 ? ending.frames / ending.seconds : 0;
  fmt::print("\n{}: {:.6g} of {} frames in {}, {:.3g} frames/s; hash {:016x}{}\n", info.scene, info.checkpoint.frame,
             info.frames, counted(info.totals.pieces, "linear piece", "linear pieces"), fps, info.checkpoint.hash,
             info.budget_seconds ? " (of this run alone: a budget of time was set)" : "");
  if (!info.replayed) print_answers(info);
  print_unproved(info);
  print_warnings(info);
  fmt::print("recorded in {}; {}  pliant check {}\n", folder,
             info.replayed           ? "what runs into what?"
             : info.unproved.empty() ? "is it free of collisions?"
                                     : "is what is proved free of collisions?",
             folder);
}

std::vector<std::string> asset_folders() {
  std::vector<std::string> folders;
  if (const char* given = std::getenv("PLIANT_ASSETS")) folders.emplace_back(given);
  folders.emplace_back("assets");
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  if (!none)
    for (const char* beside : {"../assets", "../share/pliant/assets"})
      folders.push_back((program.parent_path() / beside).lexically_normal().string());
  return folders;
}

}  // namespace pliant::app
