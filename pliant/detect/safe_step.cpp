#include "pliant/detect/safe_step.h"

#include <cmath>

#include "pliant/detect/bvh/bvh.h"
#include "pliant/detect/swept_bvh/swept_bvh.h"

namespace pliant {
namespace {

DetectorSettings detector_settings(const SafeStepSettings& settings) {
  DetectorSettings out;
  out.self = settings.self;
  out.weld = settings.weld;
  out.min_separation = settings.min_separation;
  out.threads = settings.threads;
  return out;
}

}  // namespace

struct SafeStepper::Detectors {
  explicit Detectors(const SafeStepSettings& settings)
      : list_intersecting(settings.list_intersecting),
        moving(detector_settings(settings)),
        still(detector_settings(settings)) {}

  bool list_intersecting;
  SweptBvhDetector moving;
  BvhDetector still;
  std::vector<PositionBuffer> positions;  // by body
};

SafeStepper::SafeStepper(const SafeStepSettings& settings) : detectors_(std::make_unique<Detectors>(settings)) {}
SafeStepper::~SafeStepper() = default;
SafeStepper::SafeStepper(SafeStepper&&) noexcept = default;
SafeStepper& SafeStepper::operator=(SafeStepper&&) noexcept = default;

BodyId SafeStepper::add_body(MeshPtr mesh) {
  detectors_->still.add_body(mesh);
  detectors_->positions.emplace_back();
  return detectors_->moving.add_body(std::move(mesh));
}

void SafeStepper::set_step(BodyId body, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  detectors_->moving.body(body);  // throws for a body that is not there
  const Motion motion = detectors_->positions[body.index()].step(x_t0, x_t1);
  detectors_->moving.set_motion(body, motion);
  detectors_->still.set_motion(body, motion);
}

void SafeStepper::set_filter(std::shared_ptr<const ContactFilter> filter) {
  detectors_->moving.set_filter(filter);
  detectors_->still.set_filter(std::move(filter));
}

SafeStep SafeStepper::find(const Budget& budget) {
  SafeStep step;
  for (const Contact& contact : detectors_->moving.first_new_contact({0, 1}, budget).contacts) {
    if (contact.kind() == ContactKind::region_region) step.complete = false;
    else if (contact.initial) step.initial.push_back(contact);
    else step.first = contact;
  }
  if (!step.complete) step.first.reset();
  // The contact lies at its time or later: just before it everything is free.
  if (step.first) step.fraction = step.first->time > 0 ? std::nextafter(step.first->time, 0.0) : 0.0;
  if (!step.complete) step.fraction = 0;
  if (!detectors_->list_intersecting) return step;
  Report still = detectors_->still.detect(Interval::instant(0), budget);
  step.complete = step.complete && still.complete;
  step.intersecting = std::move(still.contacts);
  return step;
}

SafeStep safe_step(const MeshPtr& mesh, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                   const SafeStepSettings& settings) {
  SafeStepper stepper(settings);
  stepper.set_step(stepper.add_body(mesh), x_t0, x_t1);
  return stepper.find();
}

}  // namespace pliant
