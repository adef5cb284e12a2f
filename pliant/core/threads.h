// How many threads a call may use.
#pragma once

namespace pliant {

// 0: all that the machine has.
struct Threads {
  int count = 0;
  int resolved() const;  // at least 1
};

}  // namespace pliant
