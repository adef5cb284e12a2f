// The motion of a fine surface that hangs on a coarse one.
#pragma once

#include <memory>

#include "pliant/motion/embedding.h"
#include "pliant/motion/motion.h"

namespace pliant {

// Each frame of the coarse motion, followed by rigid links. Frames follow each other: what a triple of coarse vertices
// does that collapses depends on where it was before, so that a frame is followed through all before it; going back
// starts again from the first.
class LinkedFrames : public FrameSource {
 public:
  // Throws Error if the motion has another number of vertices than the links.
  LinkedFrames(std::shared_ptr<const RigidLinks> links, std::shared_ptr<FrameSource> coarse);

  std::size_t vertex_count() const override { return links_->dense_count(); }
  std::size_t frame_count() const override { return coarse_->frame_count(); }
  Frame frame(std::size_t index) override;

 private:
  std::shared_ptr<const RigidLinks> links_;
  std::shared_ptr<FrameSource> coarse_;
  LinkFollower follower_;
  std::size_t next_ = 0;  // the frame that the follower has not seen yet
};

}  // namespace pliant
