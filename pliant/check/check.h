// "Does this collide, where, and when first?" as one call: still meshes, or a whole animation.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "pliant/check/check_report.h"
#include "pliant/check/frame_clock.h"

namespace pliant {

// A body with the name that reports give it.
struct CheckBody {
  std::string name;
  MeshPtr mesh;
  Motion motion;
};
struct CheckSettings;
// What is left of a budget for one detection, from now on.
Budget search_budget(const CheckSettings& settings, const Budget& whole);
CheckBody still_body(std::string name, MeshPtr mesh);
std::vector<MeshPtr> meshes_of(std::span<const CheckBody> bodies);

struct CheckSettings {
  std::string method;                           // empty: bvh for still meshes and at frames, otherwise kinetic
  DetectorSettings detector;                    // `earliest`: the check ends with the first contact that counts
  std::shared_ptr<const ContactFilter> filter;  // null: all pairs
  bool at_frames = false;                       // of an animation: only at the frames (still methods always do so)
  bool allow_initial = false;  // what meets at the start does not count, at that place, until it has come apart
  bool penetration = false;    // measure how deep closed bodies are in each other (detect/penetration.h): takes time
  FrameClock clock;            // how times are shown
  // Of each detection alone, in seconds: of the instant, of each frame, or of the time from one to the next. What one
  // leaves open is reported as possible, and the check goes on.
  std::optional<double> search_seconds;
  std::size_t keep = 10;  // contacts in CheckReport::first_few
};

// Takes what a check finds, in time order, from the thread that called it.
class CheckSink {
 public:
  virtual ~CheckSink() = default;
  // Before anything else: `asked` has the members known from the beginning. Both outlive the check.
  virtual void begin(const CheckReport& asked, std::span<const CheckBody> bodies);
  // `detector` knows the contact's regions, until the call returns.
  virtual Flow contact(const CheckedContact& contact, const Detector& detector);
  // What meets at a frame (counted from 0), after all contacts before it. Called for the frames of an animation up to
  // the last one looked at.
  virtual void at_frame(std::size_t frame, std::span<const Contact> meeting, const Detector& detector);
  // As they come; CheckReport::notes has all of them.
  virtual void note(const std::string& text);
};

// All intersections of the meshes, at their motions' first frames. `allow_initial` has no meaning.
//
// Both throw Error for bodies without a mesh or of another size than their motion, and for settings that do not go
// together; what a method throws, and what motions throw for frames that cannot be read, goes through.
//
// The budget holds for everything: when it is spent (or cancelled), the search ends with what is known, contacts beyond
// the first few hundred are counted but no longer given to the sink, and notes say what was left out. Progress is told
// through it. The answer does not depend on the number of threads, unless a wall-clock budget cut it short.
CheckReport check_meshes(std::span<const CheckBody> bodies, const CheckSettings& settings = {},
                         const Budget& budget = {}, CheckSink* sink = nullptr);

// Every contact over the whole animation, between frames too with a method that knows motion. All bodies that move have
// the same frames, at the same times.
//
// A moving method finds where features begin to meet. That triangles cross from the start on, and how far, only a still
// check sees: so the first frame is looked at with `bvh`, and each frame that follows a contact until the bodies have
// come apart.
CheckReport check_animation(std::span<const CheckBody> bodies, const CheckSettings& settings = {},
                            const Budget& budget = {}, CheckSink* sink = nullptr);

}  // namespace pliant
