#include "pliant/motion/linked_frames.h"

#include "pliant/core/error.h"

namespace pliant {

LinkedFrames::LinkedFrames(std::shared_ptr<const RigidLinks> links, std::shared_ptr<FrameSource> coarse)
    : links_(std::move(links)), coarse_(std::move(coarse)), follower_(*links_) {
  if (coarse_->vertex_count() != links_->coarse_count())
    throw Error("a motion of " + std::to_string(coarse_->vertex_count()) + " vertices",
                "the links hang on " + std::to_string(links_->coarse_count()));
}

Frame LinkedFrames::frame(std::size_t index) {
  if (index < next_) {
    follower_.restore(links_->rest_frames());
    next_ = 0;
  }
  for (; next_ < index; ++next_) follower_.follow(coarse_->frame(next_).positions());
  ++next_;
  const std::span<const Vec3> dense = follower_.follow(coarse_->frame(index).positions());
  return Frame::own({dense.begin(), dense.end()});
}

}  // namespace pliant
