#include "pliant/detect/detector.h"

#include <cassert>

#include "pliant/core/error.h"

namespace pliant {
namespace {

void require_same_size(const TriangleMesh& mesh, const Motion& motion) {
  if (motion.vertex_count() != mesh.vertex_count())
    throw Error(ErrorPlace{.file = mesh.origin().name},
                "its motion has " + std::to_string(motion.vertex_count()) + " vertices, the mesh has " +
                    std::to_string(mesh.vertex_count()),
                "use the motion that was made for this mesh");
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

BodyId Detector::add_body(MeshPtr mesh, Motion motion) {
  require_same_size(*mesh, motion);
  const BodyId id(bodies_.size());
  bodies_.emplace_back(Body{std::move(mesh), std::move(motion), 0});
  body_added(id);
  return id;
}

BodyId Detector::add_body(MeshPtr mesh) {
  Motion motion = Motion::at_rest(mesh);
  return add_body(std::move(mesh), std::move(motion));
}

void Detector::remove_body(BodyId body) {
  assert(has_body(body));
  body_removed(body);
  bodies_[body.index()].reset();
}

void Detector::set_motion(BodyId body, Motion motion) {
  assert(has_body(body));
  Body& changed = *bodies_[body.index()];
  require_same_size(*changed.mesh, motion);
  changed.motion = std::move(motion);
  ++changed.motion_version;
  motion_changed(body);
}

void Detector::replace_mesh(BodyId body, MeshPtr mesh, Motion motion, const MeshMaps& maps) {
  assert(has_body(body));
  require_same_size(*mesh, motion);
  Body& changed = *bodies_[body.index()];
  changed = Body{std::move(mesh), std::move(motion), changed.motion_version + 1};
  mesh_replaced(body, maps);
}

void Detector::set_filter(std::shared_ptr<const ContactFilter> filter) {
  filter_ = std::move(filter);
  filter_changed();
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
  if (!(interval.t0 <= interval.t1)) throw Error("the interval ends before it begins, or its times are not numbers");
  const bool possible = interval.is_instant() ? info.still : info.moving;
  if (!possible)
    throw Error("method '" + std::string(info.name) + "' does not answer " +
                    (interval.is_instant() ? "still" : "moving") + " queries",
                "see `pliant methods` for what each method answers");
}

}  // namespace

Report Detector::detect(const Interval& interval, const Budget& budget, ContactSink* sink) {
  require_answerable(info(), interval);
  const auto held = filter_;  // a sink may set another while this one is in use
  Report report = find_contacts(interval, budget, sink);
  if (settings_.candidates_only && !interval.is_instant()) report.guarantee = Guarantee::none;
  return report;
}

std::optional<bool> Detector::collides(const Interval& interval, const Budget& budget) {
  require_answerable(info(), interval);
  if (settings_.candidates_only && !interval.is_instant()) return std::nullopt;
  return find_any(interval, budget);
}

std::optional<bool> Detector::find_any(const Interval& interval, const Budget& budget) {
  FirstContact first;
  const Report report = find_contacts(interval, budget, &first);
  if (first.found) return true;
  if (report.complete && !first.undecided) return false;
  return std::nullopt;
}

void Detector::reset(double) {}

Region Detector::region(BodyId, std::uint32_t) const { throw Error("this method reports no regions"); }

}  // namespace pliant
