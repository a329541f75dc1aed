// How many threads a call may use, and running them.
#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace headrace {

// requested > 0: that many. Otherwise OpenMP's rules: OMP_NUM_THREADS if it is set, one inside a
// parallel region, else every core that this process may use.
int thread_count(int requested) noexcept;

// Runs body(1) ... body(threads - 1) beside the caller. If a thread cannot be started, the others
// must still do all the work: bodies take their work from a shared counter.
class other_threads {
 public:
  other_threads(int threads, std::function<void(int)> body);
  ~other_threads() { wait(); }
  other_threads(const other_threads&) = delete;
  other_threads& operator=(const other_threads&) = delete;
  // Returns when all have ended. The first exception of a body is thrown again.
  void join();

 private:
  void wait() noexcept;

  std::function<void(int)> body_;
  std::vector<std::thread> threads_;
  std::mutex guard_;
  std::exception_ptr first_;
};

// The same with body(0) in the caller.
void run_threads(int threads, const std::function<void(int)>& body);

}  // namespace headrace
