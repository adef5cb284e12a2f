// The queries of a segment of time: the whole, and one for each change of plan.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pliant/detect/kinetic/pending_hits.h"

namespace pliant::kinetic {

// Queries stay where they are as long as somebody needs them.
class StreamQueries {
 public:
  bool empty() const { return queries_.empty(); }
  void clear() { queries_.clear(); }
  // Has every body as it was planned last.
  const StreamQuery& latest() const { return *queries_.back(); }
  const StreamQuery& add(StreamQuery query);
  // Keeps the latest, those in `needed`, and for each of the bodies the last one that it was new in.
  void drop_unused(std::vector<const StreamQuery*> needed, std::span<const BodyId> bodies);

 private:
  std::vector<std::unique_ptr<StreamQuery>> queries_;
  std::uint64_t made_ = 0;  // ever
};

}  // namespace pliant::kinetic
