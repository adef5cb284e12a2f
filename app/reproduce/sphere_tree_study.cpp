// C. Mendoza and C. O'Sullivan, "An interruptible algorithm for collision detection between deformable objects" (2005):
// table 1 and figure 9.
#include <fmt/format.h>

#include <cmath>

#include "app/reproduce/study.h"
#include "app/run_report.h"
#include "pliant/scene/interruptible_study.h"

namespace pliant::app {
namespace {

InterruptibleSettings settings_of(const StudySettings& settings) {
  InterruptibleSettings study;
  study.build = {.threads = {1}, .meshes = settings.meshes, .mesh_folders = asset_folders()};
  if (settings.quick) {
    study.frames = 12;
    study.budgets = {1e-4, 1e-2, 1};
  }
  return study;
}

std::string conditions_of(const StudySettings& settings) {
  return std::string(settings.quick ? "12" : "60") +
         " frames without weight, some 500 coarse triangles each, search, update and response as printed, one "
         "thread; " +
         (settings.meshes.empty() ? "generated shapes for bunny and dragon unless they are installed"
                                  : "meshes as given");
}

std::string cells(double pairs, double collisions, double rate) {
  return fmt::format("{:.0f} / {:.0f} / {:.0f}", pairs, collisions, rate);
}

const PublishedInteraction& published(const MeasuredInteraction& row) {
  for (const PublishedInteraction& one : published_table1())
    if (row.name == one.name && std::abs(row.budget - one.budget) < 1e-9) return one;
  return published_table1().front();
}

void add_cells(Study& study, const std::vector<MeasuredInteraction>& rows, const std::string& conditions) {
  for (const MeasuredInteraction& row : rows) {
    const PublishedInteraction& paper = published(row);
    study.claims.push_back(
        {fmt::format("sphere-tree/table1/{}/{:g}s", row.name, row.budget),
         fmt::format("{}, {:g} s for a search: pair list / collision list / frames per second", row.name, row.budget),
         cells(paper.pair_list, paper.collision_list, paper.frames_per_second),
         cells(row.pair_list, row.collision_list, row.frames_per_second), conditions, Judgement::not_comparable,
         "lists depend on meshes and trees, times on the machine; the trends are judged in sphere-tree/table1"});
  }
}

// The rows of one interaction, whose trends are judged together.
std::vector<std::vector<MeasuredInteraction>> by_interaction(const std::vector<MeasuredInteraction>& rows) {
  std::vector<std::vector<MeasuredInteraction>> groups;
  for (const MeasuredInteraction& row : rows) {
    if (groups.empty() || groups.back().front().name != row.name) groups.emplace_back();
    groups.back().push_back(row);
  }
  return groups;
}

void add_trends(Study& study, const std::vector<MeasuredInteraction>& rows, const std::string& conditions) {
  InterruptibleTrends all;
  for (const auto& group : by_interaction(rows)) {
    const InterruptibleTrends trends = judge(group);
    all.collisions_grow = all.collisions_grow && trends.collisions_grow;
    all.none_at_first = all.none_at_first && trends.none_at_first;
    all.frame_rate_falls = all.frame_rate_falls && trends.frame_rate_falls;
  }
  const auto said = [](bool is) { return is ? "yes" : "no"; };
  study.claims.push_back(
      {"sphere-tree/table1",
       "With more time for a search more colliding leaves are found, none at the shortest, and fewer frames per second "
       "are left",
       "yes / yes / yes",
       fmt::format("{} / {} / {}", said(all.collisions_grow), said(all.none_at_first), said(all.frame_rate_falls)),
       conditions, all.collisions_grow && all.frame_rate_falls ? Judgement::holds : Judgement::does_not_hold,
       "a search of these trees is complete within a millisecond, so that times beyond that change nothing; the "
       "published 22 to 25 frames per second "
       "cannot be with 1 s spent in each"});
}

void add_figure9(Study& study, const StudySettings& settings) {
  InterruptibleSettings own = settings_of(settings);
  Figure figure{"sphere-tree-figure-9",
                "Spheres that push two bunnies, over the time for a search",
                "seconds",
                "spheres, and their mean radius (mm)",
                true,
                true,
                {{"spheres", {}}, {"mean radius", {}}}};
  bool finer = true;
  double last = 1e300;
  for (const double budget :
       settings.quick ? std::vector<double>{1e-5, 1e-3} : std::vector<double>{1e-5, 1e-4, 1e-3, 1e-2}) {
    settings.note(fmt::format("figure 9, {:g} s", budget));
    const InterruptibleFigure found = measure_figure9(own, budget);
    double sum = 0;
    for (const UsedSphere& used : found.spheres) sum += used.sphere.radius;
    if (found.spheres.empty()) continue;
    const double mean = 1e3 * sum / static_cast<double>(found.spheres.size());
    figure.series[0].points.push_back({budget, static_cast<double>(found.spheres.size())});
    figure.series[1].points.push_back({budget, mean});
    finer = finer && mean <= last * 1.05;
    last = mean;
  }
  std::string measured;
  for (const auto& [budget, radius] : figure.series[1].points)
    measured += fmt::format("{}{:.3g} mm at {:g} s", measured.empty() ? "" : ", ", radius, budget);
  study.claims.push_back({"sphere-tree/figure9", "With more time, smaller spheres are used for the response",
                          "smaller from picture to picture", measured,
                          "mean radius of the spheres that overlap, bunnies",
                          finer ? Judgement::holds : Judgement::does_not_hold,
                          finer ? "" : "at some time the mean is larger than before"});
  study.figures.push_back(std::move(figure));
}

void add_rate_figure(Study& study, const std::vector<MeasuredInteraction>& rows) {
  Figure figure{"sphere-tree-table-1",
                "Frames per second over the time for a search",
                "seconds",
                "frames per second",
                true,
                false,
                {}};
  for (const auto& group : by_interaction(rows)) {
    Series measured{group.front().name, {}}, paper{group.front().name + ", published", {}, true};
    for (const MeasuredInteraction& row : group) {
      measured.points.push_back({row.budget, row.frames_per_second});
      paper.points.push_back({row.budget, static_cast<double>(published(row).frames_per_second)});
    }
    figure.series.push_back(std::move(measured));
    figure.series.push_back(std::move(paper));
  }
  study.figures.push_back(std::move(figure));
}

}  // namespace

Study study_sphere_tree(const StudySettings& settings) {
  Study study{
      "sphere-tree",
      "C. Mendoza, C. O'Sullivan: An interruptible algorithm for collision detection between deformable objects, 2005",
      {},
      {}};
  InterruptibleSettings own = settings_of(settings);
  own.note = settings.note;
  settings.note("table 1");
  const std::vector<MeasuredInteraction> rows = measure_table1(own);
  const std::string conditions = conditions_of(settings);
  add_trends(study, rows, conditions);
  add_cells(study, rows, conditions);
  add_figure9(study, settings);
  add_rate_figure(study, rows);
  return study;
}

}  // namespace pliant::app
