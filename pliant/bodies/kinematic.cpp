#include "pliant/bodies/kinematic.h"

#include <cmath>
#include <limits>

#include "pliant/core/error.h"

namespace pliant {
namespace {

std::vector<double> infinite_masses(std::size_t count) {
  return std::vector<double>(count, std::numeric_limits<double>::infinity());
}

std::vector<Vec3> first_positions(const MeshPtr& mesh, const Motion& motion, const KeyframeSettings& settings) {
  if (motion.vertex_count() != mesh->vertex_count())
    throw Error("the motion has " + std::to_string(motion.vertex_count()) + " vertices, the mesh " +
                    std::to_string(mesh->vertex_count()),
                "give a motion of this mesh");
  if (!(settings.frames_per_second > 0) || !std::isfinite(settings.frames_per_second) ||
      !std::isfinite(settings.first_frame))
    throw Error("a frame rate that is not positive, or a first frame that is not a number", "for example 24 and 0");
  const Frame frame = motion.positions_at(settings.first_frame);
  return {frame.positions().begin(), frame.positions().end()};
}

}  // namespace

FixedBody::FixedBody(const MeshPtr& mesh)
    : BodyModel(mesh, {mesh->positions().begin(), mesh->positions().end()}, infinite_masses(mesh->vertex_count())) {}

StepStatus FixedBody::advance(double, ParticleState& next) {
  next.v.assign(next.v.size(), Vec3::Zero());
  return {};
}

KeyframedBody::KeyframedBody(const MeshPtr& mesh, Motion motion, const KeyframeSettings& settings)
    : BodyModel(mesh, first_positions(mesh, motion, settings), infinite_masses(mesh->vertex_count())),
      motion_(std::move(motion)),
      settings_(settings) {}

std::optional<Frame> KeyframedBody::frame_at(double time) const {
  try {
    return motion_.positions_at(settings_.first_frame + settings_.frames_per_second * time);
  } catch (const Error&) {
    return std::nullopt;
  }
}

StepStatus KeyframedBody::advance(double step, ParticleState& next) {
  const std::optional<Frame> end = frame_at(seconds() + step);
  if (!end) return {.trouble = Trouble::motion_unreadable};
  for (std::size_t i = 0; i < next.x.size(); ++i) {
    next.v[i] = (end->positions()[i] - next.x[i]) / step;
    next.x[i] = end->positions()[i];
  }
  return {.substeps = 1, .shortest_substep = step};
}

}  // namespace pliant
