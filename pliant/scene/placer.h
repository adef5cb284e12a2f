// Puts what belongs to a body where its scene says. Internal to scene/.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pliant/core/rigid.h"
#include "pliant/motion/motion.h"
#include "pliant/scene/scene_file.h"

namespace pliant {

// The same for all that belongs to a body: its mesh, its fine surface, the frames of its motion file.
class Placer {
 public:
  Placer() = default;  // leaves everything where it is
  // `fit` measures `body_positions`, those of the mesh before it is placed.
  Placer(std::span<const Vec3> body_positions, const Placement& placement);

  Vec3 operator()(const Vec3& position) const { return place_ * Vec3(scale_ * (position - origin_)); }
  std::vector<Vec3> operator()(std::span<const Vec3> positions) const;
  MeshPtr operator()(const MeshPtr& mesh) const;  // null for null
  double scale() const { return scale_; }

 private:
  RigidTransform place_;
  double scale_ = 1;
  Vec3 origin_ = Vec3::Zero();
};

// Every frame of another source, placed.
class PlacedFrames : public FrameSource {
 public:
  PlacedFrames(std::shared_ptr<FrameSource> frames, const Placer& place) : frames_(std::move(frames)), place_(place) {}
  std::size_t vertex_count() const override { return frames_->vertex_count(); }
  std::size_t frame_count() const override { return frames_->frame_count(); }
  Frame frame(std::size_t index) override { return Frame::own(place_(frames_->frame(index).positions())); }

 private:
  std::shared_ptr<FrameSource> frames_;
  Placer place_;
};

}  // namespace pliant
