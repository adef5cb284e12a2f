// Threads behind one file: oneTBB, std::thread (for the thread sanitizer) or none, chosen by PLIANT_PARALLEL.
//
// Work is cut into chunks by size alone, never by thread count, so that results gathered by chunk are the
// same for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "pliant/core/function_ref.h"
#include "pliant/core/threads.h"

namespace pliant {

// Runs body(0) ... body(chunks - 1), each once, in any order and on up to `threads` threads. Returns when all
// are done. The first exception thrown by a body is rethrown here; the remaining chunks may then be left out. Throws
// std::system_error if threads cannot be started, for lack of memory or by a limit on their number.
void run_chunks(Threads threads, std::size_t chunks, FunctionRef<void(std::size_t)> body);

// Calls body(begin, end) over [0, count) in pieces of `grain` elements.
template <class Body>
void parallel_for(Threads threads, std::size_t count, std::size_t grain, Body&& body) {
  grain = std::max<std::size_t>(1, grain);
  const std::size_t chunks = (count + grain - 1) / grain;
  run_chunks(threads, chunks, [&](std::size_t chunk) {
    const std::size_t begin = chunk * grain;
    body(begin, std::min(count, begin + grain));
  });
}

// Sorts by a strict total order; with ties the result would depend on the chunks (not on the threads).
template <class Iterator, class Less>
void parallel_sort(Threads threads, Iterator first, Iterator last, Less less) {
  constexpr std::size_t kGrain = 1 << 15;
  const auto count = static_cast<std::size_t>(std::distance(first, last));
  if (threads.resolved() == 1 || count <= kGrain) {
    std::sort(first, last, less);
    return;
  }
  parallel_for(threads, count, kGrain, [&](std::size_t begin, std::size_t end) {
    std::sort(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end), less);
  });
  for (std::size_t width = kGrain; width < count; width *= 2) {
    parallel_for(threads, count, 2 * width, [&](std::size_t begin, std::size_t end) {
      const std::size_t middle = std::min(end, begin + width);
      std::inplace_merge(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(middle),
                         first + static_cast<std::ptrdiff_t>(end), less);
    });
  }
}

}  // namespace pliant
