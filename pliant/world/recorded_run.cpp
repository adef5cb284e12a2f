#include "pliant/world/recorded_run.h"

#include <algorithm>

#include "pliant/core/error.h"
#include "pliant/detect/filters.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/world/following.h"
#include "pliant/world/run_folder.h"

namespace pliant {
namespace {

BodyId body_named(const RunInfo& info, const std::string& name) {
  const auto found =
      std::find_if(info.bodies.begin(), info.bodies.end(), [&](const auto& b) { return b.name == name; });
  return BodyId(static_cast<std::size_t>(found - info.bodies.begin()));
}

CheckBody read_body(const std::string& folder, const RunInfo& info, const RunBody& recorded) {
  const MeshPtr mesh = read_mesh(file_in(folder, recorded.name + ".ply"));
  CheckBody body = still_body(recorded.name, mesh);
  const std::string motion = file_in(folder, recorded.name + ".npy");
  MotionReadOptions options;
  options.mesh = mesh;
  options.last = info.checkpoint.rows - 1;
  const auto source = open_motion(motion, options);
  if (source->frame_count() != info.checkpoint.rows)
    throw Error(ErrorPlace{.file = motion}, "has fewer rows than run.json says", "it was changed: record anew");
  body.motion = Motion::from_source(source);
  return body;
}

struct LeftOut {
  PairSet pairs;
  std::string words;
  void say(const std::string& more) { words += (words.empty() ? "" : ", ") + more; }
};

LeftOut left_out_of(const RunInfo& info, bool with_unproved) {
  LeftOut left_out;
  // What follows keyframes goes where it goes: the simulation answers for the others only.
  std::vector<BodyId> obstacles;
  for (std::size_t b = 0; b < info.bodies.size(); ++b)
    if (info.bodies[b].obstacle) obstacles.emplace_back(b);
  for (const BodyId a : obstacles)
    for (const BodyId b : obstacles) left_out.pairs.add(a, b);
  if (!obstacles.empty()) left_out.say("obstacles among themselves");
  for (std::size_t b = 0; b < info.bodies.size(); ++b) {
    if (info.bodies[b].self_collision || info.bodies[b].obstacle) continue;
    left_out.pairs.add(BodyId(b), BodyId(b));
    left_out.say(info.bodies[b].name + " with itself");
  }
  for (const auto& [a, b] : info.ignored) {
    left_out.pairs.add(body_named(info, a), body_named(info, b));
    left_out.say(a + " with " + b);
  }
  for (const RunInfo::UnprovedPair& pair : info.unproved) {
    if (with_unproved) break;
    left_out.pairs.add(body_named(info, pair.a), body_named(info, pair.b));
    left_out.say(pair.a + " with " + (pair.a == pair.b ? "itself" : pair.b) + " (answered by " + pair.response + ")");
  }
  if (!info.unproved.empty()) left_out.words += ": " + penetration_in_words(info);
  return left_out;
}

// What pins tie to an obstacle; said in `words`.
FilterPtr seams_of(const RunInfo& info, const std::vector<CheckBody>& bodies, std::string& words) {
  FilterPtr seams;
  for (const RunInfo::FollowingBody& one : info.following) {
    Following following{body_named(info, one.body), body_named(info, one.leader), {}};
    const MeshPtr& mesh = bodies.at(following.body.index()).mesh;
    for (const std::uint32_t pin : one.pins) {
      if (pin >= mesh->vertex_count()) throw Error("run.json names a pin that is no vertex", "record anew");
      following.pins.emplace_back(pin);
    }
    seams = seams & all_but_the_seam(following, *mesh);
    words += (words.empty() ? "" : ", ") + one.body + " with " + one.leader + " around the " +
             std::to_string(one.pins.size()) + " pins that follow it";
  }
  return seams;
}

}  // namespace

FilterPtr wanted_pairs(const RunInfo& info) {
  LeftOut left_out = left_out_of(info, true);
  return left_out.pairs.empty() ? nullptr : all_but(std::move(left_out.pairs));
}

RecordedRun read_recorded_run(const std::string& folder, bool with_unproved) {
  const RunInfo info = read_run(folder);
  RecordedRun run;
  for (const RunBody& body : info.bodies) run.bodies.push_back(read_body(folder, info, body));
  LeftOut left_out = left_out_of(info, with_unproved);
  run.left_out = std::move(left_out.words);
  if (!left_out.pairs.empty()) run.filter = all_but(std::move(left_out.pairs));
  run.filter = run.filter & seams_of(info, run.bodies, run.left_out);
  run.times = read_times(file_in(folder, "times.npy"));
  if (run.times.size() < info.checkpoint.rows)
    throw Error(ErrorPlace{.file = file_in(folder, "times.npy")}, "has fewer rows than run.json says",
                "it was changed: record anew");
  run.times.resize(info.checkpoint.rows);
  return run;
}

}  // namespace pliant
