// What a second write of the same array must agree with, whatever the format.
#pragma once

#include <optional>
#include <string>

#include "../../src/core/status.hpp"
#include "../move/boxes.hpp"

namespace headrace {

// An array that is in the dataset, and what is written now.
struct next_step {
  std::string array;
  bool had_steps = false;
  std::optional<std::int64_t> step;
  bool step_is_there = false;
  bool same_kind = true;
  box before, now;
};

// argument_invalid where the array or its step has been written, kind_mismatch, shape_mismatch.
status check_next_step(const next_step& asked);

}  // namespace headrace
