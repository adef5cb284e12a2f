// The contract that every method answers to: bodies with motions in, contacts and a guarantee out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/core/budget.h"
#include "pliant/core/threads.h"
#include "pliant/detect/detail.h"
#include "pliant/detect/method_settings.h"
#include "pliant/detect/report.h"
#include "pliant/detect/sink.h"
#include "pliant/mesh/triangle_mesh.h"
#include "pliant/motion/motion.h"
#include "pliant/motion/position_buffer.h"

namespace pliant {

namespace detail {
class Overlay;
}

// Paper: a method as its authors printed it, to reproduce its figures and show its misses. Safe: corrected.
enum class Mode : std::uint8_t { safe, paper };

struct DetectorSettings {
  Mode mode = Mode::safe;
  bool self = true;  // self-collision of every body (a filter can still leave single bodies out)
  bool weld = true;  // vertices with bit-equal rest positions are one vertex
  // Moving queries only: report just the first contact (in the order of reports) instead of all.
  bool earliest = false;
  // Stop short of elementary tests, to measure what comes before them. Reports then tell how many pairs of features (of
  // still meshes: of triangles) are left to test (counter pair_tests), have no contacts and guarantee nothing.
  bool candidates_only = false;
  // Moving queries only: features meet when they come this near (length unit of the positions). If it is not 0, reports
  // are conservative instead of exact: what comes within rounding of it may be reported as `possible`. What is as near
  // at the start is reported at its impact, if it touches later, and otherwise as `initial` (contact.h). Finite, not
  // negative.
  double min_separation = 0;
  // With a separation: what is as near at the start is `initial`, and nobody asks whether it touches later. Cheaper,
  // for those who only want to know what is near. Methods may ask nevertheless.
  bool initial_suffices = false;
  Threads threads;
  // What the method lets one choose (MethodInfo::settings); answers do not depend on it, but for those of paper modes.
  MethodSettings method;
};

// One body as a detector sees it.
struct Body {
  MeshPtr mesh;
  Motion motion;
  std::uint64_t motion_version = 0;  // changes with every new motion
};

// How new vertices and faces correspond to old ones when a body's mesh is replaced; empty: unknown.
struct MeshMaps {
  std::vector<VertexId> old_vertex;  // by new vertex; invalid for one that was added
  std::vector<FaceId> old_face;      // by new face; invalid for one that was added
};

// A part of a body that a detector reports as a whole.
struct Region {
  Vec3 centre = Vec3::Zero();
  double radius = 0;  // the sphere holds the region's triangles; of those that a sphere tree cuts its parts of them
  std::vector<FaceId> faces;
};

// How a method divides the surface of a body, and where its particles are; empty for methods that do neither.
struct Division {
  std::vector<std::uint32_t> region_of_face;
  std::vector<VertexId> particles;  // one per region
};

// What a method answers and what it lets one choose. `name` is how it is made and printed.
struct MethodInfo {
  std::string_view name;
  std::string_view answers;    // one line
  std::string_view guarantee;  // of a complete run
  std::string_view paper;      // source of the method
  bool still = false;          // intersections at one instant
  bool moving = false;         // contacts over an interval
  bool has_paper_mode = false;
  std::span<const SettingInfo> settings;  // of its own; in the order in which they are listed
};

// Not safe for use from several threads at once; it uses threads itself (settings().threads). Results are the same, bit
// for bit, for any number of threads, on every run, as long as the run completes or has only an operation limit.
//
// An id of a body that is not there, a null mesh, a motion that does not fit its mesh: every function throws Error, and
// changes nothing. So does, when it is called from inside a sink, whatever needs the detection to be over: detect(),
// collides(), reset(), add_body(), remove_body() and replace_mesh(). A sink may give bodies new positions and set the
// filter. The kinetic methods heed that at once (kinetic/stream_detector.h), others from the next detect() on.
class Detector {
 public:
  virtual ~Detector() = default;
  Detector(const Detector&) = delete;
  Detector& operator=(const Detector&) = delete;

  virtual const MethodInfo& info() const = 0;
  const DetectorSettings& settings() const { return settings_; }

  // The mesh is shared and never changed. The motion has as many vertices as the mesh.
  BodyId add_body(MeshPtr mesh, Motion motion);
  BodyId add_body(MeshPtr mesh);  // at rest
  void remove_body(BodyId body);  // its id is not used again
  // Faces and vertices may come and go. Methods with state keep what they can with the help of `maps`; answers do not
  // depend on them.
  void replace_mesh(BodyId body, MeshPtr mesh, Motion motion, const MeshMaps& maps = {});

  // ---- where a body is ----
  // Shares what the motion is made of. Frames are recognised by their stamps (motion/frame.h): what a method did for
  // one that it meets again is not done again.
  void set_motion(BodyId body, Motion motion);
  // The same from positions that the caller keeps: copied and checked in one pass, into memory that the detector uses
  // again, so that after a few frames nothing is allocated. Motions taken from body() stay as they are all the same.
  void set_positions(BodyId body, std::span<const Vec3> positions);  // it stands there from now on
  void set_step(BodyId body, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Interval when = {0, 1});
  // One step on from where the motion ended, at the time when it ended, in as much time as its last step took (1 after
  // standing still, whose end is time 0): after set_step(..., {0, 1}) it covers {1, 2}, then {2, 3}. Returns that
  // interval: what to ask detect() for. The start is the very frame that the last step ended with, which saves methods
  // half of their work on boxes.
  Interval advance(BodyId body, std::span<const Vec3> x_t1);

  bool has_body(BodyId body) const { return body.index() < bodies_.size() && bodies_[body.index()].has_value(); }
  const Body& body(BodyId body) const;   // until bodies are added or removed
  std::vector<BodyId> body_ids() const;  // ascending

  // Whether what meets exactly at the end of an interval, and not before, is left to the interval that begins there (in
  // moving queries), so that a time line cut into intervals gives each contact once. At first it is not.
  void set_open_end(bool open) { open_end_ = open; }
  bool open_end() const { return open_end_; }

  // Null: everything is wanted.
  void set_filter(std::shared_ptr<const ContactFilter> filter);

  // How finely methods look that end with regions, or can (anytime, sphere-tree); others ignore it. Throws Error for
  // what is no detail (detect/detail.h).
  void set_detail(const Detail& detail);
  const Detail& detail() const { return detail_; }

  // Contacts during the interval. An instant (t0 == t1) asks for intersections of the still meshes at that time.
  // With a sink, contacts go there instead of into the report. Throws Error if the method cannot answer the interval
  // (a still method asked for motion) or if t0 > t1. Where a motion refuses a frame (motion/motion.h), it throws that.
  Report detect(const Interval& interval, const Budget& budget = {}, ContactSink* sink = nullptr);

  // Whether anything meets at all; stops at the first contact found. Empty if the budget ran out before that was known.
  std::optional<bool> collides(const Interval& interval, const Budget& budget = {});

  // Forget what was learned from earlier intervals and start again at time t. Methods without such state ignore it.
  void reset(double t);

  // Memory that the method holds for its bodies between calls; 0 if it keeps none or does not know.
  virtual std::size_t bytes() const { return 0; }

  // As of the last detect(). For pictures; body is one of body_ids().
  virtual Division division(BodyId) const { return {}; }
  // Boxes, spheres and pairs that the method worked with, and that `report`, its last one, does not name (overlay.h).
  virtual void draw(const Report&, detail::Overlay&) const {}

  // Whether what is found depends on what was asked before, since the last reset(): for heuristic methods only.
  virtual bool depends_on_past() const { return false; }

  // A region named in a contact of the last detect(). Throws Error for one that the body does not have.
  Region region(BodyId body, std::uint32_t id) const;

 protected:
  // Throws Error for settings that no method has an answer to.
  explicit Detector(const DetectorSettings& settings);

  // While it lives a detection is under way. Throws Error if there is one already.
  class Running {
   public:
    explicit Running(Detector& detector);
    ~Running() { detector_.running_ = false; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    Detector& detector_;
  };

  virtual Report find_contacts(const Interval& interval, const Budget& budget, ContactSink* sink) = 0;
  virtual std::optional<bool> find_any(const Interval& interval, const Budget& budget);

  virtual void forget_time(double) {}  // reset()
  // None if the body, which is there, has no such region.
  virtual std::optional<Region> find_region(BodyId body, std::uint32_t id) const;

  // Told after the change (before it for a removal).
  virtual void body_added(BodyId) {}
  virtual void body_removed(BodyId) {}
  virtual void motion_changed(BodyId) {}
  virtual void mesh_replaced(BodyId body, const MeshMaps&);
  // Nothing of the old filter may be asked any more.
  virtual void filter_changed() {}

  bool wants_bodies(BodyId a, BodyId b) const {
    return (a != b || settings_.self) && (!filter_ || filter_->bodies(a, b));
  }
  // Null if every feature pair is wanted.
  const ContactFilter* feature_filter() const {
    return filter_ && filter_->filters_features() ? filter_.get() : nullptr;
  }

 private:
  struct Slot {
    Body body;
    PositionBuffer positions;  // memory of set_positions, set_step, advance
  };
  Slot& slot(BodyId body);
  void require_not_running(const char* what) const;
  void change_motion(BodyId id, Body& body, Motion motion);

  DetectorSettings settings_;
  std::vector<std::optional<Slot>> bodies_;
  std::shared_ptr<const ContactFilter> filter_;
  Detail detail_;
  bool open_end_ = false;
  bool running_ = false;
};

}  // namespace pliant
