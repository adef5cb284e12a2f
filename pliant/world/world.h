// The step loop: detect what comes near, predict, respond, prove, commit. Bodies of any kind, kept apart for certain.
//
// Every committed piece of motion is linear, and was proved free of contacts by continuous detection on exactly the
// committed positions: what an observer records can be checked again by anyone, with the same result.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pliant/bodies/body.h"
#include "pliant/core/budget.h"
#include "pliant/core/threads.h"
#include "pliant/detect/detector.h"
#include "pliant/detect/settings_by_name.h"
#include "pliant/detect/sink.h"
#include "pliant/motion/dense_surface.h"
#include "pliant/response/impact.h"
#include "pliant/response/response.h"
#include "pliant/response/surface.h"
#include "pliant/world/sleep_settings.h"
#include "pliant/world/world_state.h"

namespace pliant {

struct WorldSettings {
  double frame_seconds = 1.0 / 60;
  int substeps = 1;  // searches for contacts in a frame
  // s, at most: short steps of what touches, between two searches. Bodies know what they need
  // (BodyModel::contact_seconds); give less if they are much stiffer or finer than usual.
  double contact_seconds = std::numeric_limits<double>::infinity();
  std::string method = "auto";  // a continuous method, or "auto": the faster of swept-bvh and kinetic, by measurement
  Mode mode = Mode::safe;       // paper: methods and responses as published, which prove nothing; not with a proof
  MethodSettingsByName method_settings;  // what methods are made with, whether chosen for all bodies or for a pair
  double separation = 0;      // m, kept between surfaces; 0: a twentieth of the shortest mean edge of all bodies
  ResponseSettings response;  // of all pairs that are not given one of their own
  // s, of each search for contacts alone. Where a proof is needed, one that takes longer ends the call, as a spent
  // budget does; elsewhere what it leaves is answered as it is, by regions. Results depend on the machine with it.
  std::optional<double> search_seconds;
  SleepSettings sleep;
  int halvings = 8;  // how often a step that cannot be kept free is halved before the world gives up
  Threads threads;
};

struct WorldBodySettings {
  std::string name;
  Surface surface;
  bool self_collision = true;
  // What responses without a proof look at and push the body by, in place of its own surface; not with itself. The
  // proof is about the body's own. None: all are.
  DenseSurface dense;
};

enum class StepOutcome {
  done,
  out_of_budget,  // the frame's time is not over: the next call goes on where this one stopped
  diverged,       // a body could not be predicted
  pinched,        // bodies that follow keyframes leave one no room, whatever the step
};

struct StageSeconds {
  double predict = 0;
  double detect = 0;
  double respond = 0;
  double commit = 0;
  double total() const { return predict + detect + respond + commit; }
};

struct FrameReport {
  StepOutcome outcome = StepOutcome::done;
  std::string message;         // unless done: what happened, to which bodies, and what to do
  std::vector<BodyId> bodies;  // those named in it
  std::size_t frame = 0;       // the frame that was worked on, counted from 1
  std::size_t pieces = 0;      // committed
  std::size_t impacts = 0;
  std::size_t searches = 0;
  std::size_t zones = 0;
  std::size_t halvings = 0;
  // Two bodies, or one twice, that the first zone, or the first halving, was needed for.
  std::optional<std::pair<BodyId, BodyId>> zoned, halved;
  std::size_t inverted_elements = 0;  // at the end of the frame
  std::size_t asleep = 0;             // bodies
  StageSeconds seconds;
  // Of searches of pairs that are answered without a proof: what their reports counted, added up (sizes: the largest),
  // and how many there were.
  Counters unproved_counters;
  std::size_t unproved_searches = 0;

  bool ok() const { return outcome == StepOutcome::done; }
};

class World;

// Told what happens, from the thread that called step(). Times are in frames: frame 0 is the start.
class WorldObserver {
 public:
  virtual ~WorldObserver() = default;
  // All bodies were committed at `frame`; their positions are the end of a linear piece that began at the last call.
  virtual void piece(const World& world, double frame) = 0;
  // Before the piece in which it lies. `force` is the impulse over the length of the piece, N, on impact.contact.a.
  struct WorldContact {
    double frame = 0;
    const Impact& impact;
    Vec3 force;
  };
  virtual void contact(const World&, const WorldContact&) {}
};

// What overlaps before the first step.
struct StartOverlap {
  BodyId a, b;            // equal: the body intersects itself
  std::size_t pairs = 0;  // of triangles
};

// Not safe for use from several threads at once; uses threads itself. Deterministic: the same bits for any number of
// threads and on every run, as long as no wall-clock budget cuts a step short.
class World {
 public:
  explicit World(const WorldSettings& settings = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  // Every function throws Error for a body that is not there. Bodies are added before the first step; throws Error for
  // no model, settings out of range, or afterwards.
  BodyId add(std::unique_ptr<BodyModel> model, const WorldBodySettings& settings = {});
  // Leaves a pair out of collisions (a == b: its self-collision), or finds its contacts by a method of its own.
  void ignore(BodyId a, BodyId b);
  void set_method(BodyId a, BodyId b, const std::string& method);
  // Answers the contacts of a pair in a way of its own (of `proof` only the kind counts). Without a method: the world's
  // if it fits, otherwise swept-bvh for a proof and bvh for what looks at instants.
  void set_response(BodyId a, BodyId b, const ResponseSettings& response, const std::string& method = {});

  std::size_t body_count() const;
  const BodyModel& body(BodyId body) const;
  BodyModel& body(BodyId body);  // to change inputs like the wind between frames
  const std::string& name(BodyId body) const;
  const DenseSurface& dense(BodyId body) const;
  bool asleep(BodyId body) const;
  const WorldSettings& settings() const;
  // Ties pins of a body (vertices of infinite mass) to the surface of an obstacle, each beside the face that is nearest
  // now: they go where it goes. What lies within two edges of them is left out of the contacts with that obstacle.
  // Before the first step. Throws Error for a vertex that is no pin, and a leader that is no obstacle or has no face.
  void follow(BodyId body, std::vector<VertexId> pins, BodyId leader);
  struct FollowedBy {
    BodyId body, leader;
    std::vector<VertexId> pins;
  };
  std::vector<FollowedBy> following() const;

  // Pairs that no proof keeps apart: they may overlap, and recordings name them. (Of obstacles among themselves, and
  // pairs that are ignored, nothing is said.)
  struct UnprovedPair {
    BodyId a, b;
    ResponseKind response;
  };
  std::vector<UnprovedPair> unproved_pairs() const;
  double separation() const;          // the one in use, m
  std::string method_in_use() const;  // "auto" until it has chosen

  // Exact, at the present positions: pairs that should be apart and are not. A pair that overlaps is left alone (no
  // contacts, no response) until it is found apart, which is looked at after every frame.
  std::vector<StartOverlap> overlaps() const;
  // Moves bodies without pins apart, as a whole, the lighter ones along the shortest way that is found. What remains
  // (bodies that intersect themselves, pinned ones) is returned.
  std::vector<StartOverlap> resolve_overlaps();

  // Features and bodies that the filter declines are not kept apart, nor told as overlaps; in addition to ignore().
  // Before the first step. It is asked from several threads at once.
  void set_filter(std::shared_ptr<const ContactFilter> filter);

  // One frame, or what is left of one. The state is valid after every call, whatever the outcome. A deadline, or the
  // cancel flag, is looked at between the predictions of bodies and within searches: a call outlasts it by the time
  // that one body takes to predict. If a deadline leaves no time for the whole step, the next call tries a part of it.
  FrameReport step(const Budget& budget = {}, WorldObserver* observer = nullptr);

  double frame() const;  // how far the world is; a whole number unless a budget cut a frame short
  double seconds() const { return frame() * settings().frame_seconds; }

  // Bit-exact continuation, in another World with the same bodies and settings too. restore() throws Error if the
  // state does not fit.
  WorldState snapshot() const;
  void restore(const WorldState& state);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace pliant
