// Threads that run one function together, cut into stages.
//
// Entry point: WorkerPool::run. A stage is a number of chunks that the workers
// claim one by one; the next stage begins when all chunks are complete. Nobody
// waits for a worker that holds no chunk, so a thread that the system has taken
// off its core delays the others by at most the chunk it was running. Waiting
// spins for a few microseconds, then sleeps on a futex.
//
// What must hold: the results of chunks do not depend on who runs them. All
// workers compute in one floating-point mode (the default MXCSR).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace sgl {

class WorkerPool;

/// One thread's part in a run; all workers call the same stages in one order.
class Worker {
public:
  /// Calls chunk(i) once for each i below `chunks`, somewhere, and returns when
  /// all have been completed by the workers together.
  template <typename Chunk>
  void stage(uint32_t chunks, Chunk &&chunk) {
    if (alone || chunks == 0) {
      for (uint32_t i = 0; i < chunks; ++i)
        chunk(i);
      return;
    }
    uint32_t i = 0;
    while (claim(chunks, i)) {
      chunk(i);
      complete(chunks);
    }
    waitForNext();
  }

  uint32_t index() const { return number; }

private:
  friend class WorkerPool;
  Worker(WorkerPool &pool, uint32_t number, uint32_t stageNumber, bool alone)
      : pool(pool), number(number), stageNumber(stageNumber), alone(alone) {}
  bool claim(uint32_t chunks, uint32_t &chunk);
  void complete(uint32_t chunks);
  bool stageIsOpen() const;
  void waitForNext();

  WorkerPool &pool;
  uint32_t number;
  uint32_t stageNumber;
  bool alone;
};

class WorkerPool {
public:
  using Body = std::function<void(Worker &)>;

  /// `threads` workers, the caller of run among them; 0: one for each core.
  explicit WorkerPool(uint32_t threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool &operator=(const WorkerPool &) = delete;

  uint32_t threads() const { return count; }

  /// Runs `body` on the caller as worker 0 and on those others that arrive
  /// before it is over. One run at a time.
  void run(const Body &body);

private:
  friend class Worker;
  void serve(uint32_t number);
  void serveOne(uint32_t number, uint32_t runNumber);

  uint32_t count;
  std::vector<std::thread> helpers;

  const Body *body = nullptr; ///< valid while the gate is open
  uint32_t firstStage = 0;    ///< of this run
  std::atomic<bool> stopping{false};
  alignas(64) std::atomic<uint32_t> runs{0}; ///< futex: number of runs begun
  std::atomic<uint32_t> idle{0};             ///< helpers asleep on `runs`
  /// Helpers inside the run, and the top bit while no more may enter.
  alignas(64) std::atomic<uint32_t> gate{closed};
  /// Stage number in the high half, next chunk in the low half.
  alignas(64) std::atomic<uint64_t> ticket{0};
  alignas(64) std::atomic<uint32_t> completed{0};
  alignas(64) std::atomic<uint32_t> moved{0}; ///< futex: stages ended so far
  std::atomic<uint32_t> sleepers{0};          ///< asleep on `moved`

  static constexpr uint32_t closed = 1u << 31;
};

} // namespace sgl
