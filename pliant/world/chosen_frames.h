// Some frames of a motion as a motion of its own: the whole frames of a recording, which has rows between them too.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "pliant/motion/motion.h"

namespace pliant {

class ChosenFrames : public FrameSource {
 public:
  ChosenFrames(std::shared_ptr<FrameSource> all, std::vector<std::size_t> chosen)
      : all_(std::move(all)), chosen_(std::move(chosen)) {}
  std::size_t vertex_count() const override { return all_->vertex_count(); }
  std::size_t frame_count() const override { return chosen_.size(); }
  Frame frame(std::size_t index) override { return all_->frame(chosen_[index]); }

 private:
  std::shared_ptr<FrameSource> all_;
  std::vector<std::size_t> chosen_;
};

// The rows that are at whole frames.
inline std::vector<std::size_t> whole_frames(const std::vector<double>& times) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < times.size(); ++row)
    if (times[row] == std::floor(times[row])) rows.push_back(row);
  return rows;
}

}  // namespace pliant
