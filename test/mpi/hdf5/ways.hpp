// What the HDF5 tests have in common: the ways to write and read a file.
#pragma once

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace hdf5_tests {

using namespace spread;

struct way {
  const char* pattern;
  const char* transfer;
};
inline const std::vector<way> ways = {
    {"shared_collective", "headrace"}, {"shared_independent", "headrace"}, {"serial", "headrace"},
    {"shared_collective", "library"},  {"shared_independent", "library"},  {"serial", "library"}};

inline std::string text_of(const way& one) {
  return std::string(one.pattern) + " by " + one.transfer;
}

inline hr_parallel_options options(const char* pattern, const char* transfer, const char* dataset) {
  hr_parallel_options chosen{};
  chosen.pattern = pattern;
  chosen.transfer = transfer;
  chosen.dataset = dataset;
  return chosen;
}

}  // namespace hdf5_tests
