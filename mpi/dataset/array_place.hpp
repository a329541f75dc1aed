// Where an array of a dataset goes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headrace {

// An array to write: where it goes and what its dimensions are called, in Fortran's order.
struct array_place {
  std::string name;
  std::vector<std::string> dimensions;  // as many as the array has
  std::optional<std::int64_t> step;
};

}  // namespace headrace
