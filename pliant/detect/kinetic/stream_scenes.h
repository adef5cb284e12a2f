// The scenes of a segment of time: the whole, and one for each change of plan.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pliant/detect/kinetic/pending_hits.h"

namespace pliant::kinetic {

// Scenes stay where they are as long as somebody needs them.
class StreamScenes {
 public:
  bool empty() const { return scenes_.empty(); }
  void clear() { scenes_.clear(); }
  // Has every body as it was planned last.
  const StreamScene& latest() const { return *scenes_.back(); }
  const StreamScene& add(StreamScene scene);
  // Keeps the latest, those in `needed`, and for each of the bodies the last one that it was new in.
  void drop_unused(std::vector<const StreamScene*> needed, std::span<const BodyId> bodies);

 private:
  std::vector<std::unique_ptr<StreamScene>> scenes_;
  std::uint64_t made_ = 0;  // ever
};

}  // namespace pliant::kinetic
