#include "pliant/core/parallel.h"

#include <thread>

#if defined(PLIANT_PARALLEL_TBB)
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#elif defined(PLIANT_PARALLEL_THREADS)
#include <atomic>
#include <exception>
#include <mutex>
#endif

namespace pliant {

int Threads::resolved() const {
#if defined(PLIANT_PARALLEL_TBB) || defined(PLIANT_PARALLEL_THREADS)
  if (count > 0) return count;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
#else
  return 1;
#endif
}

namespace {

void run_serially(std::size_t chunks, FunctionRef<void(std::size_t)> body) {
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) body(chunk);
}

#if defined(PLIANT_PARALLEL_TBB)

// A new arena costs some tenths of a millisecond until workers have come to it: the calling thread's own is used where
// it is as large as wanted, and otherwise the one that was made last.
void run_on(int threads, std::size_t chunks, FunctionRef<void(std::size_t)> body) {
  const auto run = [&] {
    tbb::parallel_for(
        std::size_t{0}, chunks, [&](std::size_t chunk) { body(chunk); }, tbb::simple_partitioner());
  };
  if (threads >= tbb::this_task_arena::max_concurrency()) {
    run();
    return;
  }
  thread_local tbb::task_arena arena(threads);
  if (arena.max_concurrency() != threads) {
    arena.terminate();
    arena.initialize(threads);
  }
  arena.execute(run);
}

#elif defined(PLIANT_PARALLEL_THREADS)

// The plain backend: a team of threads that take chunks from a counter.
class Team {
 public:
  Team(std::size_t chunks, FunctionRef<void(std::size_t)> body) : chunks_(chunks), body_(body) {}

  void work() {
    for (;;) {
      const std::size_t chunk = next_.fetch_add(1);
      if (chunk >= chunks_) return;
      try {
        body_(chunk);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_.store(chunks_);
      }
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::size_t chunks_;
  FunctionRef<void(std::size_t)> body_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

void run_on(int threads, std::size_t chunks, FunctionRef<void(std::size_t)> body) {
  Team team(chunks, body);
  std::vector<std::thread> helpers;
  const std::size_t wanted = std::min<std::size_t>(static_cast<std::size_t>(threads), chunks);
  for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back([&team] { team.work(); });
  team.work();
  for (std::thread& helper : helpers) helper.join();
  team.rethrow();
}

#else

void run_on(int, std::size_t chunks, FunctionRef<void(std::size_t)> body) { run_serially(chunks, body); }

#endif

}  // namespace

void run_chunks(Threads threads, std::size_t chunks, FunctionRef<void(std::size_t)> body) {
  const int count = threads.resolved();
  if (count == 1 || chunks < 2) run_serially(chunks, body);
  else run_on(count, chunks, body);
}

}  // namespace pliant
