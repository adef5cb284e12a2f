// Which bodies have another plan since the last query was made.
#pragma once

#include <algorithm>
#include <vector>

#include "pliant/core/ids.h"

namespace pliant::kinetic {

class PlanChanges {
 public:
  void add_motion(BodyId body) { bodies_.push_back(body); }
  // Another mesh or filter: it does not go on even in the same motion.
  void add_body(BodyId body) {
    bodies_.push_back(body);
    replaced_.push_back(body);
  }
  void clear() {
    bodies_.clear();
    replaced_.clear();
  }

  bool empty() const { return bodies_.empty(); }
  const std::vector<BodyId>& bodies() const { return bodies_; }
  bool was_replaced(BodyId body) const {
    return std::find(replaced_.begin(), replaced_.end(), body) != replaced_.end();
  }

 private:
  std::vector<BodyId> bodies_;
  std::vector<BodyId> replaced_;  // of them
};

}  // namespace pliant::kinetic
