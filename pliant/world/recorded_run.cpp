#include "pliant/world/recorded_run.h"

#include <algorithm>
#include <set>

#include "pliant/core/error.h"
#include "pliant/io/mesh_file.h"
#include "pliant/io/motion_file.h"
#include "pliant/world/run_folder.h"

namespace pliant {
namespace {

class AllBut : public ContactFilter {
 public:
  explicit AllBut(std::set<std::pair<BodyId, BodyId>> pairs) : pairs_(std::move(pairs)) {}
  bool bodies(BodyId a, BodyId b) const override { return !pairs_.contains(std::minmax(a, b)); }
  bool looks_at_features() const override { return false; }

 private:
  std::set<std::pair<BodyId, BodyId>> pairs_;
};

class Both : public ContactFilter {
 public:
  Both(std::shared_ptr<const ContactFilter> a, std::shared_ptr<const ContactFilter> b)
      : a_(std::move(a)), b_(std::move(b)) {}
  bool bodies(BodyId a, BodyId b) const override { return a_->bodies(a, b) && b_->bodies(a, b); }
  bool looks_at_features() const override { return false; }

 private:
  std::shared_ptr<const ContactFilter> a_, b_;
};

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
  std::set<std::pair<BodyId, BodyId>> pairs;
  std::string words;
  void add(BodyId a, BodyId b) { pairs.insert(std::minmax(a, b)); }
  void say(const std::string& more) { words += (words.empty() ? "" : ", ") + more; }
};

LeftOut left_out_of(const RunInfo& info) {
  LeftOut left_out;
  // What follows keyframes goes where it goes: the simulation answers for the others only.
  std::vector<BodyId> obstacles;
  for (std::size_t b = 0; b < info.bodies.size(); ++b)
    if (info.bodies[b].obstacle) obstacles.emplace_back(b);
  for (const BodyId a : obstacles)
    for (const BodyId b : obstacles) left_out.add(a, b);
  if (!obstacles.empty()) left_out.say("obstacles among themselves");
  for (std::size_t b = 0; b < info.bodies.size(); ++b) {
    if (info.bodies[b].self_collision || info.bodies[b].obstacle) continue;
    left_out.add(BodyId(b), BodyId(b));
    left_out.say(info.bodies[b].name + " with itself");
  }
  for (const auto& [a, b] : info.ignored) {
    left_out.add(body_named(info, a), body_named(info, b));
    left_out.say(a + " with " + b);
  }
  return left_out;
}

}  // namespace

std::shared_ptr<const ContactFilter> both_filters(std::shared_ptr<const ContactFilter> a,
                                                  std::shared_ptr<const ContactFilter> b) {
  if (!a || !b) return a ? a : b;
  return std::make_shared<const Both>(std::move(a), std::move(b));
}

RecordedRun read_recorded_run(const std::string& folder) {
  const RunInfo info = read_run(folder);
  RecordedRun run;
  for (const RunBody& body : info.bodies) run.bodies.push_back(read_body(folder, info, body));
  LeftOut left_out = left_out_of(info);
  run.left_out = std::move(left_out.words);
  if (!left_out.pairs.empty()) run.filter = std::make_shared<const AllBut>(std::move(left_out.pairs));
  run.times = read_times(file_in(folder, "times.npy"));
  if (run.times.size() < info.checkpoint.rows)
    throw Error(ErrorPlace{.file = file_in(folder, "times.npy")}, "has fewer rows than run.json says",
                "it was changed: record anew");
  run.times.resize(info.checkpoint.rows);
  return run;
}

}  // namespace pliant
