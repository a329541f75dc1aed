#include "threads.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

// Of the program's OpenMP run time, if it has one.
extern "C" int omp_in_parallel() __attribute__((weak));

namespace headrace {
namespace {

constexpr int most_threads = 1024;

int cores_of_process() noexcept {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

int thread_count(int requested) noexcept {
  if (requested > 0) return std::min(requested, most_threads);
  if (omp_in_parallel != nullptr && omp_in_parallel() != 0) return 1;
  if (const char* const text = std::getenv("OMP_NUM_THREADS")) {
    const long number = std::strtol(text, nullptr, 10);  // "4,2": the outermost level counts
    if (number > 0) return static_cast<int>(std::min<long>(number, most_threads));
  }
  return cores_of_process();
}

other_threads::other_threads(int threads, std::function<void(int)> body) : body_(std::move(body)) {
  const auto safe_body = [this](int number) {
    try {
      body_(number);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(guard_);
      if (!first_) first_ = std::current_exception();
    }
  };
  threads_.reserve(static_cast<std::size_t>(std::max(threads, 1)));
  try {
    for (int number = 1; number < threads; ++number) threads_.emplace_back(safe_body, number);
  } catch (const std::system_error&) {
    // No more threads on this machine: those that run share the work.
  }
}

void other_threads::wait() noexcept {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void other_threads::join() {
  wait();
  if (first_) std::rethrow_exception(first_);
}

void run_threads(int threads, const std::function<void(int)>& body) {
  other_threads others(threads, body);
  body(0);
  others.join();
}

}  // namespace headrace
