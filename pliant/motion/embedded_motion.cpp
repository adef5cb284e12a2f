
#include "pliant/core/error.h"
#include "pliant/motion/embedding.h"
#include "pliant/motion/linked_frames.h"
#include "pliant/motion/motion_frames.h"

namespace pliant {
namespace {

class MotionSource : public FrameSource {
 public:
  explicit MotionSource(Motion motion) : motion_(std::move(motion)) {}
  std::size_t vertex_count() const override { return motion_.vertex_count(); }
  std::size_t frame_count() const override { return motion_.frame_count(); }
  Frame frame(std::size_t index) override { return motion_.frame(index); }

 private:
  Motion motion_;
};

class InterpolatedFrames : public FrameSource {
 public:
  InterpolatedFrames(std::shared_ptr<const BarycentricEmbedding> embedding, Motion coarse)
      : embedding_(std::move(embedding)), coarse_(std::move(coarse)) {}
  std::size_t vertex_count() const override { return embedding_->dense_count(); }
  std::size_t frame_count() const override { return coarse_.frame_count(); }
  Frame frame(std::size_t index) override {
    return Frame::own(embedding_->positions(coarse_.frame(index).positions()));
  }

 private:
  std::shared_ptr<const BarycentricEmbedding> embedding_;
  Motion coarse_;
};

void require_fitting(bool is_there, std::size_t coarse, std::size_t wanted) {
  if (!is_there) throw Error("an embedded motion without links", "give rigid links or a barycentric embedding");
  if (coarse != wanted)
    throw Error("a coarse motion of " + std::to_string(coarse) + " vertices",
                "the dense surface hangs on " + std::to_string(wanted));
}

}  // namespace

// The frames of a source of dense positions, at the times of the coarse motion.
class Motion::EmbeddedFrames : public Frames {
 public:
  EmbeddedFrames(EmbeddedIn in, std::shared_ptr<FrameSource> dense)
      : in_(std::move(in)), dense_(Motion::from_source(std::move(dense))) {}
  std::size_t vertex_count() const override { return dense_.vertex_count(); }
  std::size_t frame_count() const override { return dense_.frame_count(); }
  double time_of(std::size_t frame) const override { return in_.coarse.time_of(frame); }
  Frame frame(std::size_t index) const override { return dense_.frame(index); }
  const EmbeddedIn* embedded_in() const override { return &in_; }

 private:
  EmbeddedIn in_;
  Motion dense_;
};

Motion Motion::embedded(Motion coarse, std::shared_ptr<const RigidLinks> links) {
  require_fitting(links != nullptr, coarse.vertex_count(), links ? links->coarse_count() : 0);
  auto dense = std::make_shared<LinkedFrames>(links, std::make_shared<MotionSource>(coarse));
  return Motion(
      std::make_shared<const EmbeddedFrames>(EmbeddedIn{std::move(coarse), std::move(links), nullptr}, dense));
}

Motion Motion::embedded(Motion coarse, std::shared_ptr<const BarycentricEmbedding> embedding) {
  require_fitting(embedding != nullptr, coarse.vertex_count(), embedding ? embedding->coarse_count() : 0);
  auto dense = std::make_shared<InterpolatedFrames>(embedding, coarse);
  return Motion(
      std::make_shared<const EmbeddedFrames>(EmbeddedIn{std::move(coarse), nullptr, std::move(embedding)}, dense));
}

}  // namespace pliant
