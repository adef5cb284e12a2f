#include "pliant/scene/interruptible_study.h"

#include <algorithm>
#include <cstdio>

#include "pliant/core/error.h"
#include "pliant/core/rigid.h"
#include "pliant/core/stopwatch.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/deform.h"
#include "pliant/world/penetration_left.h"

namespace pliant {
namespace {

constexpr PublishedInteraction kPublished[] = {
    {"dragon-dragon", 1e-4, 3, 0, 60},  {"dragon-dragon", 1e-3, 17, 0, 60}, {"dragon-dragon", 1e-2, 30, 0, 42},
    {"dragon-dragon", 1e-1, 41, 6, 35}, {"dragon-dragon", 1, 1345, 30, 25}, {"bunny-bunny", 1e-4, 3, 0, 52},
    {"bunny-bunny", 1e-3, 25, 0, 48},   {"bunny-bunny", 1e-2, 44, 0, 37},   {"bunny-bunny", 1e-1, 61, 11, 30},
    {"bunny-bunny", 1, 1405, 36, 22},   {"bunny-dragon", 1e-4, 3, 0, 56},   {"bunny-dragon", 1e-3, 21, 0, 51},
    {"bunny-dragon", 1e-2, 33, 0, 42},  {"bunny-dragon", 1e-1, 52, 12, 33}, {"bunny-dragon", 1, 1387, 28, 23},
};

struct Interaction {
  const char* name;
  const char* first;
  const char* second;
};
constexpr Interaction kInteractions[] = {
    {"dragon-dragon", "dragon", "dragon"}, {"bunny-bunny", "bunny", "bunny"}, {"bunny-dragon", "bunny", "dragon"}};

std::string body_text(const std::string& name, const std::string& mesh, const std::string& place) {
  const char* stand_in =
      mesh == "bunny" ? R"({ type = "rabbit", cell = 0.03 })" : R"({ type = "serpent", cell = 0.03 })";
  return "[[body]]\nname = \"" + name + "\"\nkind = \"fem\"\nmesh = \"" + mesh + "\"\nshape = " + stand_in +
         "\ncoarse = 500\nfit = \"40 cm\"\n" + place +
         "material = { young = \"80 kPa\", poisson = 0.35, density = \"900 kg/m^3\", damping = \"2 ms\" }\n";
}

// No ground and no weight: the two are all there is, as in the paper.
SceneDescription scene_of(const Interaction& interaction, double budget, int frames) {
  char world[256];
  std::snprintf(world, sizeof world,
                "[world]\nfps = 60\nframes = %d\ngravity = [0, 0, 0]\nsleep = false\nmethod = \"sphere-tree\"\n"
                "mode = \"paper\"\nresponse = \"penalty\"\nsearch_budget = \"%.9g ms\"\n",
                frames, 1e3 * budget);
  return parse_scene(
      "title = \"" + std::string(interaction.name) + "\"\n" + world +
          body_text("first", interaction.first, "position = [0, 0, 0]\n") +
          body_text("second", interaction.second, "position = [0.05, 0.45, 0.03]\nvelocity = [0, -1, 0]\n"),
      "");
}

void tell(const InterruptibleSettings& settings, const std::string& text) {
  if (settings.note) settings.note(text);
}

MeasuredInteraction measure(const Interaction& interaction, double budget, const InterruptibleSettings& settings) {
  BuiltScene built = build_world(scene_of(interaction, budget, settings.frames), settings.build);
  for (const std::string& note : built.notes) tell(settings, note);
  MeasuredInteraction row{.name = interaction.name, .budget = budget};
  double seconds = 0, searches = 0, search_seconds = 0;
  for (int k = 0; k < settings.frames; ++k) {
    const Stopwatch watch;
    const FrameReport report = built.world.step();
    if (!report.ok()) throw Error(std::string(interaction.name) + ": " + report.message);
    // The first one builds trees and links.
    if (k == 0) continue;
    seconds += watch.seconds();
    row.penetration = std::max(row.penetration, deepest_penetration(built.world).depth);
    if (report.unproved_counters["pairs_pushed"] == 0) continue;
    searches += static_cast<double>(report.unproved_searches);
    search_seconds += report.seconds.detect;
    row.pair_list += static_cast<double>(report.unproved_counters["pair_list"]);
    row.collision_list += static_cast<double>(report.unproved_counters["collision_list"]);
    row.pairs_pushed += static_cast<double>(report.unproved_counters["pairs_pushed"]);
    row.longest_list = std::max(row.longest_list, report.unproved_counters["most_open_pairs"]);
  }
  row.frames_per_second = (settings.frames - 1) / seconds;
  if (searches == 0) return row;
  for (double* sum : {&row.pair_list, &row.collision_list, &row.pairs_pushed}) *sum /= searches;
  row.search_seconds = search_seconds / searches;
  return row;
}

}  // namespace

std::span<const PublishedInteraction> published_table1() { return kPublished; }

std::vector<MeasuredInteraction> measure_table1(const InterruptibleSettings& settings) {
  std::vector<MeasuredInteraction> rows;
  for (const Interaction& interaction : kInteractions)
    for (const double budget : settings.budgets) rows.push_back(measure(interaction, budget, settings));
  return rows;
}

InterruptibleTrends judge(std::span<const MeasuredInteraction> rows) {
  InterruptibleTrends trends;
  constexpr double kNoise = 0.1, kPlacing = 50e-6;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].search_seconds > rows[i].budget * (1 + kNoise) + kPlacing) trends.budgets_are_kept = false;
    if (i == 0) {
      trends.none_at_first = rows[i].collision_list == 0;
      continue;
    }
    if (rows[i].collision_list < rows[i - 1].collision_list) trends.collisions_grow = false;
    if (rows[i].frames_per_second > rows[i - 1].frames_per_second * (1 + kNoise)) trends.frame_rate_falls = false;
  }
  return trends;
}

InterruptibleFigure measure_figure9(const InterruptibleSettings& settings, double budget) {
  constexpr int kInContact = 8;  // frames until the two are well in touch
  BuiltScene built = build_world(scene_of(kInteractions[1], budget, settings.frames), settings.build);
  for (int k = 0; k < kInContact; ++k) built.world.step();
  InterruptibleFigure figure{.budget = budget};
  DetectorSettings own{.mode = Mode::paper, .self = false};
  own.threads = {1};
  const auto detector = make_detector("sphere-tree", own);
  for (std::size_t b = 0; b < built.world.body_count(); ++b) {
    const BodyId body(b);
    const std::span<const Vec3> x = built.world.body(body).positions();
    Motion motion = Motion::at_rest(Frame::own({x.begin(), x.end()}));
    const DenseSurface& dense = built.world.dense(body);
    const MeshPtr mesh = dense ? dense.mesh : built.world.body(body).mesh();
    if (dense) motion = Motion::embedded(motion, dense.links);
    detector->add_body(mesh, motion);
    const Frame frame = motion.frame(0);
    figure.meshes.push_back(with_positions(*mesh, {frame.positions().begin(), frame.positions().end()}));
  }
  detector->detect(Interval::instant(0), Budget::operations(1));  // trees and links are ready
  const Report report = detector->detect(Interval::instant(0), Budget::within_seconds(budget));
  for (const UnresolvedPair& pair : report.cut) {
    if (!(fixed_length(pair.sphere_a.centre - pair.sphere_b.centre) < pair.sphere_a.radius + pair.sphere_b.radius))
      continue;
    figure.spheres.push_back({pair.a.body, pair.sphere_a, pair.leaves});
    figure.spheres.push_back({pair.b.body, pair.sphere_b, pair.leaves});
  }
  return figure;
}

}  // namespace pliant
