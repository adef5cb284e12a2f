// Particles on a surface partitioned by LBG quantisation, after S. Senin's particles: figure 10 and what the text
// claims.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/reproduce/study.h"
#include "app/terminal.h"
#include "pliant/core/random.h"
#include "pliant/core/stopwatch.h"
#include "pliant/detect/registry.h"
#include "pliant/mesh/shapes.h"
#include "pliant/scene/pot_and_ball.h"

namespace pliant::app {
namespace {

DetectorSettings settings_of(Mode mode, MethodSettings own = {}) {
  DetectorSettings settings;
  settings.mode = mode;
  settings.self = false;
  settings.threads = {1};
  settings.method = std::move(own);
  return settings;
}

// One method over all frames of the pot and the ball.
struct Watched {
  std::vector<std::size_t> contacts;  // by frame
  double seconds = 0;
};

Watched watch(const PotAndBall& scene, Detector& detector, int step) {
  detector.add_body(scene.pot());
  detector.add_body(scene.ball());
  detector.detect(Interval::instant(0));  // regions are made
  detector.reset(0);
  Watched watched;
  for (int frame = 0; frame < PotAndBall::kFrames; frame += step) {
    detector.set_positions(BodyId(0), scene.pot_at(frame));
    detector.set_positions(BodyId(1), scene.ball_at(frame));
    const Stopwatch stopwatch;
    const Report report = detector.detect(Interval::instant(0));
    watched.seconds += stopwatch.seconds();
    watched.contacts.push_back(report.contacts.size());
  }
  return watched;
}

// Of the frames in which the bodies meet, those in which that is noticed.
double recall(const Watched& found, const Watched& truth) {
  double meeting = 0, noticed = 0;
  for (std::size_t i = 0; i < truth.contacts.size(); ++i) {
    meeting += truth.contacts[i] > 0;
    noticed += truth.contacts[i] > 0 && found.contacts[i] > 0;
  }
  return meeting == 0 ? 1 : noticed / meeting;
}

void add_scene(Study& study, const StudySettings& settings) {
  settings.note("pot and ball: making it");
  const PotAndBall scene(9);
  const int step = settings.quick ? 8 : 1;
  settings.note("pot and ball");
  const auto truth = make_detector("bvh", settings_of(Mode::safe)),
             paper = make_detector("particles", settings_of(Mode::paper)),
             safe = make_detector("particles", settings_of(Mode::safe));
  const Watched exact = watch(scene, *truth, step), printed = watch(scene, *paper, step),
                certain = watch(scene, *safe, step);
  const auto frames = static_cast<double>(exact.contacts.size());
  const std::string conditions = fmt::format(
      "teapot of {} and ball of {} triangles, {} frames: approach, glide in touch, through, away; one thread",
      grouped(scene.pot()->face_count()), grouped(scene.ball()->face_count()), exact.contacts.size());
  const double found = recall(printed, exact);
  study.claims.push_back(
      {"particles/recall", "Collisions are detected with an accuracy of more than 90 % (figure 10)", "0.90",
       fmt::format("{:.3f} of the frames in which the two meet, as published; {:.3f} in safe mode", found,
                   recall(certain, exact)),
       conditions, found > 0.9 ? Judgement::holds : Judgement::does_not_hold,
       "what accuracy means is not told: here frames in which a collision is noticed, of those in which there is one"});
  study.claims.push_back(
      {"particles/fps", "29 frames per second on average", "29",
       fmt::format("{:.0f} as published, {:.0f} in safe mode", frames / printed.seconds, frames / certain.seconds),
       conditions + "; detection alone", frames / printed.seconds > 29 ? Judgement::holds : Judgement::does_not_hold,
       "the paper's machine is of 2003, and draws"});
  Figure figure{"particles-figure-10",
                "Teapot and ball: contacts found",
                "frame",
                "pairs of triangles",
                false,
                false,
                {{"there are", {}}, {"found as published", {}}}};
  for (std::size_t i = 0; i < exact.contacts.size(); ++i) {
    const double frame = static_cast<double>(i) * step;
    figure.series[0].points.push_back({frame, static_cast<double>(exact.contacts[i])});
    figure.series[1].points.push_back({frame, static_cast<double>(printed.contacts[i])});
  }
  study.figures.push_back(std::move(figure));
}

Vec3 random_direction(Random& random) {
  while (true) {
    const Vec3 p(random.within(-1, 1), random.within(-1, 1), random.within(-1, 1));
    if (p.norm() > 0.1 && p.norm() < 1) return p.normalized();
  }
}

// Directions at least sixty degrees apart.
std::vector<Vec3> sides(Random& random, std::size_t count) {
  std::vector<Vec3> ways;
  while (ways.size() < count) {
    const Vec3 way = random_direction(random);
    if (std::all_of(ways.begin(), ways.end(), [&](const Vec3& w) { return w.dot(way) < 0.5; })) ways.push_back(way);
  }
  return ways;
}

// Small balls touch a large one: one of them first, for a while, then all at once. How many of them are noticed then?
std::size_t noticed(Detector& detector, const std::vector<Vec3>& ways) {
  const MeshPtr middle = make_icosphere({.radius = 1, .frequency = 12}),
                small = make_icosphere({.radius = 0.35, .frequency = 6});
  detector.add_body(middle);
  for (std::size_t k = 0; k < ways.size(); ++k) detector.add_body(small);
  const auto place = [&](bool all_near) {
    for (std::size_t k = 0; k < ways.size(); ++k) {
      std::vector<Vec3> x(small->positions().begin(), small->positions().end());
      for (Vec3& p : x) p += (k == 0 || all_near ? 1.33 : 4) * ways[k];
      detector.set_positions(BodyId(1 + k), x);
    }
  };
  for (int frame = 0; frame < 30; ++frame) {
    place(false);
    detector.detect(Interval::instant(0));
  }
  place(true);
  std::set<BodyId> met;
  for (const Contact& contact : detector.detect(Interval::instant(0)).contacts) met.insert(contact.b.body);
  return met.size();
}

void add_sides(Study& study, const StudySettings& settings) {
  constexpr std::size_t kOthers = 6;
  const int scenes = settings.quick ? 6 : 60;
  settings.note("several bodies around one");
  int complete = 0, complete_before = 0;
  Random random(7);
  for (int s = 0; s < scenes; ++s) {
    const std::vector<Vec3> ways = sides(random, kOthers);
    const auto paper = make_detector("particles", settings_of(Mode::paper));
    const auto before = make_detector("particles", settings_of(Mode::paper, {{"free_particles", true}}));
    complete += noticed(*paper, ways) == kOthers;
    complete_before += noticed(*before, ways) == kOthers;
  }
  study.claims.push_back(
      {"particles/several-bodies",
       "Collisions with several bodies at once are detected, where the previous method might fail",
       "detected; might fail",
       fmt::format("all six bodies noticed in {} of {} scenes; by the previous method in {}", complete, scenes,
                   complete_before),
       "six balls touch one on different sides, after one of them alone did for 30 frames",
       complete == scenes ? Judgement::holds : Judgement::does_not_hold,
       "whether the previous method fails depends on the reach of its particles: docs/particles.md"});
}

}  // namespace

Study study_particles(const StudySettings& settings) {
  Study study{"particles", "Particle-based collision detection on surfaces partitioned by LBG quantisation", {}, {}};
  add_scene(study, settings);
  add_sides(study, settings);
  return study;
}

}  // namespace pliant::app
