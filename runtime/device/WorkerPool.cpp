// Claiming, completing and waiting; see the header for what must hold.
#include "runtime/device/WorkerPool.h"

#include <algorithm>
#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sgl {

namespace {

/// About 3 us on the processors we know.
constexpr int spins = 160;

void relax() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

/// Sets the default rounding, masks and denormal handling, and restores what
/// the caller had.
class FloatMode {
public:
#if defined(__x86_64__)
  FloatMode() : saved(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  ~FloatMode() { _mm_setcsr(saved); }
#endif
  FloatMode(const FloatMode &) = delete;

private:
  unsigned saved = 0;
};

void futexWait(std::atomic<uint32_t> &word, uint32_t expected) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

void futexWakeAll(std::atomic<uint32_t> &word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

/// Returns when `word` is no longer `old`. `asleep` counts those in the futex,
/// so that nobody makes a system call to wake no one.
void waitWhile(std::atomic<uint32_t> &word, uint32_t old,
               std::atomic<uint32_t> &asleep) {
  for (int i = 0; i < spins; ++i) {
    if (word.load(std::memory_order_acquire) != old)
      return;
    relax();
  }
  asleep.fetch_add(1);
  while (word.load() == old)
    futexWait(word, old);
  asleep.fetch_sub(1);
}

} // namespace

bool Worker::claim(uint32_t chunks, uint32_t &chunk) {
  uint64_t seen = pool.ticket.load(std::memory_order_acquire);
  for (;;) {
    if (static_cast<uint32_t>(seen >> 32) != stageNumber)
      return false; // all others have gone on without us
    if (static_cast<uint32_t>(seen) >= chunks)
      return false;
    if (pool.ticket.compare_exchange_weak(seen, seen + 1,
                                          std::memory_order_acq_rel))
      break;
  }
  chunk = static_cast<uint32_t>(seen);
  return true;
}

void Worker::complete(uint32_t chunks) {
  if (pool.completed.fetch_add(1, std::memory_order_acq_rel) + 1 != chunks)
    return;
  pool.completed.store(0, std::memory_order_relaxed);
  pool.ticket.store(static_cast<uint64_t>(stageNumber + 1) << 32);
  pool.moved.fetch_add(1);
  if (pool.sleepers.load() != 0)
    futexWakeAll(pool.moved);
}

bool Worker::stageIsOpen() const {
  return static_cast<uint32_t>(pool.ticket.load() >> 32) == stageNumber;
}

void Worker::waitForNext() {
  for (int i = 0; i < spins && stageIsOpen(); ++i)
    relax();
  if (stageIsOpen()) {
    pool.sleepers.fetch_add(1);
    // The ticket moves before `moved` does: whoever reads the old ticket after
    // `moved` either sleeps on a value about to change or does not sleep.
    for (;;) {
      uint32_t before = pool.moved.load();
      if (!stageIsOpen())
        break;
      futexWait(pool.moved, before);
    }
    pool.sleepers.fetch_sub(1);
  }
  // A late worker may find the ticket several stages ahead; it steps through
  // them one by one, claiming nothing.
  ++stageNumber;
}

WorkerPool::WorkerPool(uint32_t threads)
    : count(threads ? threads
                    : std::max(1u, std::thread::hardware_concurrency())) {
  for (uint32_t i = 1; i < count; ++i)
    helpers.emplace_back([this, i] { serve(i); });
}

WorkerPool::~WorkerPool() {
  stopping.store(true);
  runs.fetch_add(1);
  futexWakeAll(runs);
  for (std::thread &helper : helpers)
    helper.join();
}

void WorkerPool::run(const Body &work) {
  FloatMode mode;
  firstStage = static_cast<uint32_t>(ticket.load() >> 32);
  Worker self(*this, 0, firstStage, helpers.empty());
  if (helpers.empty()) {
    work(self);
    return;
  }
  body = &work;
  gate.store(0, std::memory_order_release);
  runs.fetch_add(1);
  if (idle.load() != 0)
    futexWakeAll(runs);
  work(self);
  gate.fetch_or(closed, std::memory_order_acq_rel);
  // Those inside have only empty stages left.
  for (int i = 0; gate.load(std::memory_order_acquire) != closed; ++i) {
    if (i < spins)
      relax();
    else
      std::this_thread::yield();
  }
}

void WorkerPool::serve(uint32_t number) {
  FloatMode mode;
  uint32_t seen = 0;
  for (;;) {
    waitWhile(runs, seen, idle);
    seen = runs.load(std::memory_order_acquire);
    if (stopping.load())
      return;
    serveOne(number, seen);
  }
}

void WorkerPool::serveOne(uint32_t number, uint32_t runNumber) {
  uint32_t inside = gate.load(std::memory_order_acquire);
  do {
    if (inside & closed)
      return;
  } while (!gate.compare_exchange_weak(inside, inside + 1,
                                       std::memory_order_acq_rel));
  // The gate we entered may belong to a run that began after `runNumber`; its
  // body and first stage are those that were published before it opened.
  Worker self(*this, number, firstStage, false);
  (*body)(self);
  gate.fetch_sub(1, std::memory_order_release);
}

} // namespace sgl
