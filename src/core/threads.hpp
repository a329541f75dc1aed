// How many threads a call may use, and running them.
#pragma once

#include <functional>

namespace headrace {

// requested > 0: that many. Otherwise OpenMP's rules: OMP_NUM_THREADS where it is set, one inside a
// parallel region, else every core that this process may use.
int thread_count(int requested) noexcept;

// Runs body(0) ... body(threads - 1) at the same time; body(0) in the caller. Returns when all have
// ended. The first exception of a body is thrown again. Where a thread cannot be started the others
// must still do all the work: bodies take their work from a shared counter.
void run_threads(int threads, const std::function<void(int)>& body);

}  // namespace headrace
