// What was measured in a trial, and the answer that tells it as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "method.hpp"
#include "process_costs.hpp"
#include "recorder.hpp"

namespace headrace::bench {

// What this MPI rank measured. Times are of MPI rank 0's clock.
struct measurement {
  double begin = 0;
  double end = 0;
  double clock_offset = 0;
  recorder line;
  process_costs costs;
  trial_notes notes;
  std::string residency = "warm";
  std::int64_t bad_values = -1;  // -1: not compared
};

// Collective; the text is MPI rank 0's.
std::string success(const world& all, const request& asked, const measurement& taken,
                    std::int64_t file_bytes);
std::string refusal(std::int64_t id, const outcome& failed);

}  // namespace headrace::bench
