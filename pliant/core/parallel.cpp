#include "pliant/core/parallel.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#if defined(PLIANT_PARALLEL_TBB)
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
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

#if defined(PLIANT_PARALLEL_TBB) || defined(PLIANT_PARALLEL_THREADS)

// The first exception of several threads.
class FirstFailure {
 public:
  bool any() const { return any_.load(std::memory_order_relaxed); }
  void keep(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    any_.store(true, std::memory_order_relaxed);
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
};

#endif

#if defined(PLIANT_PARALLEL_TBB)

// A new arena costs some tenths of a millisecond until workers have come to it: the calling thread's own is used where
// it is as large as wanted, and otherwise the one that was made last.
void run_in_arena(int threads, FunctionRef<void()> run) {
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

// What a body throws never passes through oneTBB; so what comes out of it is its own: it says with a runtime_error that
// it could not start a thread.
void run_on(int threads, std::size_t chunks, FunctionRef<void(std::size_t)> body) {
  FirstFailure failure;
  const auto work = [&](std::size_t chunk) {
    if (failure.any()) return;
    try {
      body(chunk);
    } catch (...) {
      failure.keep(std::current_exception());
    }
  };
  try {
    run_in_arena(threads, [&] { tbb::parallel_for(std::size_t{0}, chunks, work, tbb::simple_partitioner()); });
  } catch (const std::runtime_error&) {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                            "threads cannot be started");
  }
  failure.rethrow();
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
        failure_.keep(std::current_exception());
        next_.store(chunks_);
      }
    }
  }
  void rethrow() const { failure_.rethrow(); }

 private:
  std::size_t chunks_;
  FunctionRef<void(std::size_t)> body_;
  std::atomic<std::size_t> next_{0};
  FirstFailure failure_;
};

void run_on(int threads, std::size_t chunks, FunctionRef<void(std::size_t)> body) {
  Team team(chunks, body);
  std::vector<std::thread> helpers;
  const std::size_t wanted = std::min<std::size_t>(static_cast<std::size_t>(threads), chunks);
  helpers.reserve(wanted);
  try {
    for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back([&team] { team.work(); });
  } catch (const std::system_error&) {
    // No room for more threads: the work is done by those there are.
  }
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
