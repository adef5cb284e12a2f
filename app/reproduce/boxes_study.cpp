// J. Mesit and R. K. Guha, "Line-triangle test for collision detection and response in soft bodies": figures 4 to 8 and
// the frame rates of its text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reproduce/study.h"
#include "app/terminal.h"
#include "pliant/core/stopwatch.h"
#include "pliant/detect/registry.h"
#include "pliant/scene/scene_builder.h"
#include "pliant/scene/scene_library.h"
#include "pliant/world/world.h"

namespace pliant::app {
namespace {

// A scene of the paper, stepped with its response.
struct Stepped {
  std::size_t vertices = 0, faces = 0;
  int frames = 0;
  double seconds = 0;
  double lowest = 1e300;  // m, of any particle at the end of a frame
  double rate() const { return frames / seconds; }
};

bool gives_way(const BodyModel& body) { return !std::isinf(body.masses()[0]); }

World build(const std::string& name) { return std::move(build_world(library_scene(name), {.threads = {1}}).world); }

Stepped step_scene(const std::string& name, int frames) {
  World world = build(name);
  Stepped stepped;
  for (std::uint32_t b = 0; b < world.body_count(); ++b)
    if (const BodyModel& body = world.body(BodyId(b)); gives_way(body))
      stepped.vertices += body.mesh()->vertex_count(), stepped.faces += body.mesh()->face_count();
  for (; stepped.frames < frames; ++stepped.frames) {
    const Stopwatch watch;
    if (!world.step().ok()) break;
    stepped.seconds += watch.seconds();
    for (std::uint32_t b = 0; b < world.body_count(); ++b)
      if (const BodyModel& body = world.body(BodyId(b)); gives_way(body))
        for (const Vec3& x : body.positions()) stepped.lowest = std::min(stepped.lowest, x.z());
  }
  return stepped;
}

struct RateClaim {
  const char* id;
  const char* scene;
  const char* claim;
  double published;  // frames per second
  int frames, quick_frames;
  bool has_ground;
};

void add_rate(Study& study, const RateClaim& claim, const StudySettings& settings) {
  settings.note(claim.scene);
  const Stepped stepped = step_scene(claim.scene, settings.quick ? claim.quick_frames : claim.frames);
  const bool above = !claim.has_ground || stepped.lowest >= 0;
  std::string measured = fmt::format("{:.0f} frames per second", stepped.rate());
  if (claim.has_ground) measured += fmt::format(", lowest particle at {:.3g} m", stepped.lowest);
  study.claims.push_back(
      {claim.id, claim.claim, fmt::format("{:g} frames per second", claim.published), measured,
       fmt::format(
           "{}: {} vertices, {} faces, {} frames, simulation, detection and response, one thread, nothing drawn",
           claim.scene, grouped(stepped.vertices), grouped(stepped.faces), stepped.frames),
       stepped.rate() >= claim.published && above ? Judgement::holds : Judgement::does_not_hold,
       "the paper's machine is of 2006 and draws, too: only that the rate is reached says something"});
}

// Detection alone, frame by frame, by both methods on the same positions.
struct FrameTimes {
  std::vector<std::array<double, 2>> hash, boxes;  // frame, ms
  bool same = true;                                // collisions, in every frame
};

double timed_ms(Detector& detector, const World& world, std::size_t& contacts) {
  for (std::uint32_t b = 0; b < world.body_count(); ++b)
    detector.set_positions(BodyId(b), world.body(BodyId(b)).positions());
  const Stopwatch watch;
  contacts = detector.detect(Interval::instant(0)).contacts.size();
  return 1e3 * watch.seconds();
}

FrameTimes time_frames(int frames, const StudySettings& settings) {
  World world = build("soft_2000_frames");
  DetectorSettings own{.self = false};
  own.threads = {1};
  const auto hash = make_detector("spatial-hash", own), boxes = make_detector("subdivided-boxes", own);
  for (Detector* d : {hash.get(), boxes.get()})
    for (std::uint32_t b = 0; b < world.body_count(); ++b) d->add_body(world.body(BodyId(b)).mesh());
  FrameTimes times;
  for (int frame = 1; frame <= frames; ++frame) {
    if (frame % 50 == 1) settings.note(fmt::format("soft_2000_frames, frame {} of {}", frame, frames));
    if (!world.step().ok()) break;
    std::size_t found[2];
    times.hash.push_back({static_cast<double>(frame), timed_ms(*hash, world, found[0])});
    times.boxes.push_back({static_cast<double>(frame), timed_ms(*boxes, world, found[1])});
    times.same = times.same && found[0] == found[1];
  }
  return times;
}

double mean_of(const std::vector<std::array<double, 2>>& points) {
  double sum = 0;
  for (const auto& point : points) sum += point[1];
  return sum / static_cast<double>(points.size());
}

// Of a straight line through the points, in ms per 1,000 frames.
double slope_of(const std::vector<std::array<double, 2>>& points) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [x, y] : points) n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  return 1e3 * (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

// As many points as one can see: means of runs of frames.
std::vector<std::array<double, 2>> thinned(const std::vector<std::array<double, 2>>& points) {
  const std::size_t run = std::max<std::size_t>(1, points.size() / 200);
  std::vector<std::array<double, 2>> means;
  for (std::size_t i = 0; i + run <= points.size(); i += run) {
    double sum = 0;
    for (std::size_t k = i; k < i + run; ++k) sum += points[k][1];
    means.push_back({points[i][0], sum / static_cast<double>(run)});
  }
  return means;
}

void add_comparison(Study& study, const StudySettings& settings) {
  const FrameTimes times = time_frames(settings.quick ? 20 : 2'000, settings);
  const double ratio = mean_of(times.hash) / mean_of(times.boxes);
  const std::string conditions =
      fmt::format("soft_2000_frames, frames 1 to {}, {}, detection alone, one thread", times.hash.size(),
                  times.same ? "equal collision counts in every frame" : "collision counts differ");
  study.claims.push_back(
      {"subdivided-boxes/vs-spatial-hash",
       "10k faces over 2,000 frames: subdivided boxes are more efficient than spatial hashing (figures 7 and 8)",
       "more efficient",
       fmt::format("{:.3g} ms by spatial hashing, {:.3g} ms by subdivided boxes: {:.2g} times as fast",
                   mean_of(times.hash), mean_of(times.boxes), ratio),
       conditions, ratio > 1 && times.same ? Judgement::holds : Judgement::does_not_hold,
       times.same ? "" : "the two do not find the same"});
  const double hash = slope_of(times.hash), boxes = slope_of(times.boxes);
  study.claims.push_back(
      {"subdivided-boxes/flatter", "Its time rises less over the frames (figures 7 and 8)", "flatter",
       fmt::format("{:+.3g} ms per 1,000 frames by spatial hashing, {:+.3g} by subdivided boxes", hash, boxes),
       conditions, std::abs(boxes) <= std::abs(hash) ? Judgement::holds : Judgement::not_comparable,
       "bodies come to rest here, and contacts become fewer: neither method gets slower"});
  study.figures.push_back({"subdivided-boxes-figure-7-8",
                           "Ten thousand faces in a bowl: ms per detection",
                           "frame",
                           "ms",
                           false,
                           true,
                           {{"spatial-hash", thinned(times.hash)}, {"subdivided-boxes", thinned(times.boxes)}}});
}

// What the printed test misses, of what the exact one finds.
void add_misses(Study& study, const StudySettings& settings) {
  settings.note("soft_two_bodies, paper mode");
  World world = build("soft_two_bodies");
  DetectorSettings own{.self = false};
  own.threads = {1};
  const auto exact = make_detector("subdivided-boxes", own);
  own.mode = Mode::paper;
  const auto printed = make_detector("subdivided-boxes", own);
  for (Detector* d : {exact.get(), printed.get()})
    for (std::uint32_t b = 0; b < world.body_count(); ++b) d->add_body(world.body(BodyId(b)).mesh());
  // Pushed into each other along x, so that there is something to find.
  std::size_t there = 0, found = 0;
  for (int k = 0; k < (settings.quick ? 4 : 40); ++k)
    for (std::size_t d = 0; d < 2; ++d) {
      Detector& detector = d == 0 ? *exact : *printed;
      for (std::uint32_t b = 0; b < world.body_count(); ++b) {
        const auto x = world.body(BodyId(b)).positions();
        std::vector<Vec3> moved(x.begin(), x.end());
        Vec3 middle = Vec3::Zero();
        for (const Vec3& p : moved) middle += p / static_cast<double>(moved.size());
        for (Vec3& p : moved) p -= middle * (0.5 + 0.01 * k);
        detector.set_positions(BodyId(b), moved);
      }
      (d == 0 ? there : found) += detector.detect(Interval::instant(0)).contacts.size();
    }
  const double missed = there == 0 ? 0 : 1 - static_cast<double>(found) / static_cast<double>(there);
  study.claims.push_back(
      {"subdivided-boxes/finds-all",
       "Colliding surfaces are found by hashing corners of boxes and testing lines one way (figure 4)", "captured",
       fmt::format("{} of {} pairs of triangles: {:.1f} % missed as printed, none in safe mode", grouped(found),
                   grouped(there), 100 * missed),
       "two bodies of 2,480 faces in all, pressed into each other",
       missed == 0 ? Judgement::holds : Judgement::does_not_hold,
       "edges of one triangle alone do not pierce another that pierces it; boxes share cells in which they have no "
       "corner"});
}

}  // namespace

Study study_boxes(const StudySettings& settings) {
  Study study{"subdivided-boxes",
              "J. Mesit, R. K. Guha: Line-triangle test for collision detection and response in soft bodies",
              {},
              {}};
  const RateClaim claims[]{
      {"subdivided-boxes/10k-vertices-30fps", "soft_10k_vertices",
       "Up to 10,000 vertices at more than 30 frames per second", 30, 240, 10, true},
      {"subdivided-boxes/2480-faces-120fps", "soft_two_bodies",
       "2,480 faces of soft bodies at 120 frames per second (figure 4)", 120, 300, 30, false},
      {"subdivided-boxes/ground-80fps", "soft_on_ground",
       "A body on the ground at 80 frames per second, with no particle below it (figure 5)", 80, 2'000, 60, true},
      {"subdivided-boxes/on-sphere-45fps", "soft_on_sphere",
       "Bodies that fall onto a sphere at 45 frames per second (figure 6)", 45, 240, 20, true}};
  for (const RateClaim& claim : claims) add_rate(study, claim, settings);
  add_misses(study, settings);
  add_comparison(study, settings);
  return study;
}

}  // namespace pliant::app
