#include "pliant/detect/detector.h"

#include <cmath>

#include "pliant/core/error.h"

namespace pliant {
namespace {

std::string named(BodyId body) { return body.valid() ? "body " + std::to_string(body.value) : "no body"; }

void require_mesh(const MeshPtr& mesh) {
  if (!mesh) throw Error("a body needs a mesh, and there is none", "give a mesh that was made or read");
}

void require_same_size(const TriangleMesh& mesh, const Motion& motion) {
  if (motion.empty()) throw Error("the motion is empty: it was moved from", "give a motion that was made");
  if (motion.vertex_count() != mesh.vertex_count())
    throw Error(ErrorPlace{.file = mesh.origin().name},
                "its motion has " + std::to_string(motion.vertex_count()) + " vertices, the mesh has " +
                    std::to_string(mesh.vertex_count()),
                "use the motion that was made for this mesh");
}

// Before anything is copied.
void require_same_size(BodyId body, const TriangleMesh& mesh, std::span<const Vec3> positions) {
  if (positions.size() != mesh.vertex_count())
    throw Error(ErrorPlace{.element = named(body)},
                "there are " + std::to_string(positions.size()) + " positions, its mesh has " +
                    std::to_string(mesh.vertex_count()) + " vertices",
                "give the positions of all its vertices");
}

// Stops at the first contact that is certain.
class FirstContact : public ContactSink {
 public:
  Flow contact(const Contact& contact) override {
    (contact.relation == Relation::possible ? undecided : found) = true;
    return found ? Flow::stop : Flow::go_on;
  }
  bool found = false;
  bool undecided = false;
};

}  // namespace

bool ContactFilter::bodies(BodyId, BodyId) const { return true; }
bool ContactFilter::features(const Feature&, const Feature&) const { return true; }

Detector::Detector(const DetectorSettings& settings) : settings_(settings) {
  if (!std::isfinite(settings.min_separation) || settings.min_separation < 0)
    throw Error("min_separation is " + std::to_string(settings.min_separation) + ", which is not a distance",
                "give a finite length, 0 or more");
}

Detector::Running::Running(Detector& detector) : detector_(detector) {
  detector.require_not_running("detect() and collides()");
  detector.running_ = true;
}

void Detector::require_not_running(const char* what) const {
  if (running_)
    throw Error(std::string(what) + " cannot be called from inside a sink: the detection is under way",
                "note what is to be done and do it when detect() has returned");
}

Detector::Slot& Detector::slot(BodyId body) {
  if (has_body(body)) return *bodies_[body.index()];
  const bool removed = body.index() < bodies_.size();
  throw Error(ErrorPlace{.element = named(body)}, removed ? "it was removed" : "the detector has no such body",
              "use an id that add_body() gave and that was not removed");
}

const Body& Detector::body(BodyId body) const { return const_cast<Detector*>(this)->slot(body).body; }

BodyId Detector::add_body(MeshPtr mesh, Motion motion) {
  require_not_running("add_body()");
  require_mesh(mesh);
  require_same_size(*mesh, motion);
  const BodyId id(bodies_.size());
  bodies_.emplace_back(Slot{Body{std::move(mesh), std::move(motion), 0}, {}});
  body_added(id);
  return id;
}

BodyId Detector::add_body(MeshPtr mesh) {
  require_mesh(mesh);
  Motion motion = Motion::at_rest(mesh);
  return add_body(std::move(mesh), std::move(motion));
}

void Detector::remove_body(BodyId body) {
  require_not_running("remove_body()");
  slot(body);
  body_removed(body);
  bodies_[body.index()].reset();
}

void Detector::change_motion(BodyId id, Body& body, Motion motion) {
  body.motion = std::move(motion);
  ++body.motion_version;
  motion_changed(id);
}

void Detector::set_motion(BodyId body, Motion motion) {
  Slot& changed = slot(body);
  require_same_size(*changed.body.mesh, motion);
  change_motion(body, changed.body, std::move(motion));
}

void Detector::set_positions(BodyId body, std::span<const Vec3> positions) {
  Slot& changed = slot(body);
  require_same_size(body, *changed.body.mesh, positions);
  change_motion(body, changed.body, changed.positions.at_rest(positions));
}

void Detector::set_step(BodyId body, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, Interval when) {
  Slot& changed = slot(body);
  require_same_size(body, *changed.body.mesh, x_t0);
  require_same_size(body, *changed.body.mesh, x_t1);
  change_motion(body, changed.body, changed.positions.step(x_t0, x_t1, when));
}

Interval Detector::advance(BodyId body, std::span<const Vec3> x_t1) {
  Slot& changed = slot(body);
  require_same_size(body, *changed.body.mesh, x_t1);
  const Motion& before = changed.body.motion;
  const std::size_t last = before.frame_count() - 1;
  const double start = before.time_of(last);
  const Interval when{start, start + (last > 0 ? start - before.time_of(last - 1) : 1)};
  change_motion(body, changed.body, changed.positions.step(before.frame(last), x_t1, when));
  return when;
}

void Detector::replace_mesh(BodyId body, MeshPtr mesh, Motion motion, const MeshMaps& maps) {
  require_not_running("replace_mesh()");
  Body& changed = slot(body).body;
  require_mesh(mesh);
  require_same_size(*mesh, motion);
  changed = Body{std::move(mesh), std::move(motion), changed.motion_version + 1};
  mesh_replaced(body, maps);
}

void Detector::set_filter(std::shared_ptr<const ContactFilter> filter) {
  filter_ = std::move(filter);
  filter_changed();
}

void Detector::set_detail(const Detail& detail) {
  check_detail(detail);
  detail_ = detail;
}

// A method that keeps nothing per mesh beyond what it keeps per body can treat it as another body.
void Detector::mesh_replaced(BodyId body, const MeshMaps&) {
  body_removed(body);
  body_added(body);
}

std::vector<BodyId> Detector::body_ids() const {
  std::vector<BodyId> ids;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (bodies_[i]) ids.emplace_back(i);
  return ids;
}

namespace {

void require_answerable(const MethodInfo& info, const Interval& interval) {
  if (!(interval.t0 <= interval.t1))
    throw Error("the interval ends before it begins, or its times are not numbers", "give t0 <= t1");
  const bool possible = interval.is_instant() ? info.still : info.moving;
  if (!possible)
    throw Error("method '" + std::string(info.name) + "' does not answer " +
                    (interval.is_instant() ? "still" : "moving") + " queries",
                "see `pliant methods` for what each method answers");
}

}  // namespace

Report Detector::detect(const Interval& interval, const Budget& budget, ContactSink* sink) {
  const Running running(*this);
  require_answerable(info(), interval);
  const auto held = filter_;  // a sink may set another while this one is in use
  Report report = find_contacts(interval, budget, sink);
  if (settings_.candidates_only) report.guarantee = Guarantee::none;
  return report;
}

std::optional<bool> Detector::collides(const Interval& interval, const Budget& budget) {
  const Running running(*this);
  require_answerable(info(), interval);
  if (settings_.candidates_only) return std::nullopt;
  return find_any(interval, budget);
}

std::optional<bool> Detector::find_any(const Interval& interval, const Budget& budget) {
  FirstContact first;
  const Report report = find_contacts(interval, budget, &first);
  if (first.found) return true;
  if (report.complete && !first.undecided) return false;
  return std::nullopt;
}

void Detector::reset(double t) {
  require_not_running("reset()");
  forget_time(t);
}

Region Detector::region(BodyId body, std::uint32_t id) const {
  this->body(body);
  if (std::optional<Region> found = find_region(body, id)) return *std::move(found);
  throw Error(ErrorPlace{.element = named(body)}, "it has no region " + std::to_string(id),
              "ask for regions that contacts of the last detect() name");
}

std::optional<Region> Detector::find_region(BodyId, std::uint32_t) const { return std::nullopt; }

}  // namespace pliant
