// A budget looked at now and then by work that counts no operations: what follows a search.
#pragma once

#include "pliant/core/budget.h"

namespace pliant {

// Deadline and cancel flag only. Once spent it stays spent. One thread. The budget must outlive it.
class BudgetPoll {
 public:
  // The clock is read at the first call, and then at every `every`-th.
  explicit BudgetPoll(const Budget& budget, unsigned every = 256) : budget_(budget), every_(every) {}

  bool spent() {
    if (!spent_ && --until_poll_ == 0) {
      until_poll_ = every_;
      spent_ = budget_.cancelled() || budget_.past_deadline();
    }
    return spent_;
  }
  // The same, looked at in any case.
  bool spent_now() {
    until_poll_ = 1;
    return spent();
  }

 private:
  const Budget& budget_;
  unsigned every_;
  unsigned until_poll_ = 1;
  bool spent_ = false;
};

}  // namespace pliant
