#include "pliant/motion/part_motion.h"

namespace pliant {
namespace {

class PartFrames : public FrameSource {
 public:
  PartFrames(Motion whole, std::vector<VertexId> vertices) : whole_(std::move(whole)), vertices_(std::move(vertices)) {}
  std::size_t vertex_count() const override { return vertices_.size(); }
  std::size_t frame_count() const override { return whole_.frame_count(); }
  Frame frame(std::size_t index) override {
    const Frame all = whole_.frame(index);
    std::vector<Vec3> own;
    own.reserve(vertices_.size());
    for (const VertexId v : vertices_) own.push_back(all.positions()[v.index()]);
    return Frame::own(std::move(own));
  }

 private:
  Motion whole_;
  std::vector<VertexId> vertices_;
};

bool counts_frames(const Motion& motion) {
  for (std::size_t k = 0; k < motion.frame_count(); ++k)
    if (motion.time_of(k) != static_cast<double>(k)) return false;
  return true;
}

}  // namespace

Motion part_of(const Motion& whole, std::vector<VertexId> vertices) {
  const auto source = std::make_shared<PartFrames>(whole, std::move(vertices));
  if (!whole.moves()) return Motion::at_rest(source->frame(0));
  if (counts_frames(whole)) return Motion::from_source(source);
  // A source has a frame at each whole number; other times need frames that are stored.
  std::vector<Frame> frames;
  std::vector<double> times;
  for (std::size_t k = 0; k < whole.frame_count(); ++k) {
    frames.push_back(source->frame(k));
    times.push_back(whole.time_of(k));
  }
  return Motion::keyframes(std::move(frames), std::move(times));
}

}  // namespace pliant
