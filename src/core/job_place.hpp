// Which MPI rank of which job this process is, without asking MPI: what launchers put into the
// environment. Used by temporaries.cpp.
#pragma once

#include <cstdint>

namespace headrace {

struct job_place {
  std::uint64_t job = 0;  // 0: not one of several MPI ranks, as far as the environment tells
  long rank = 0;

  bool known() const noexcept { return job != 0; }
};

// Looked up once: a process does not change its place.
const job_place& place_in_job();

// From the environment as it is now; for tests.
job_place find_place_in_job();

}  // namespace headrace
