// The formats of parallel arrays in the tests that all of them must pass, and what differs.
//
//     PROGRAM FORMAT [DIRECTORY]
#pragma once

#include <string>
#include <vector>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace format_tests {

using namespace spread;

// To write and to read; null: as headrace chooses.
struct way {
  const char* pattern = nullptr;
  const char* transfer = nullptr;
  const char* hints = nullptr;
};
extern const std::vector<way> hdf5_ways;
std::string text_of(const way& one);
hr_parallel_options options_of(const way& how, const char* dataset = nullptr);

// What attributes and dimensions a format has, and words of what it refuses.
struct format_facts {
  std::string name;
  const char* ending;
  std::vector<way> ways;
  std::size_t readers;  // only the first so many ways read differently
  bool has_groups;
  bool has_complex_attributes;
  bool has_lists_of_texts;
  const char* state_hints;  // for states; null: none
  const char* no_elements;  // arrays without elements; null: they are written
  int other_extent;         // a second extent of a dimension, 0: allowed
  int longer_text;          // reading an attribute whose text is longer
};

struct format_in_test : format_facts {
  std::string directory;

  bool is_netcdf() const { return name == "netcdf4" || name == "pnetcdf"; }
  std::string file(const std::string& stem) const { return directory + "/" + stem + ending; }
  hr_parallel_options options(const way& how, const char* dataset = nullptr) const;
};

// Runs a test program; 77, with the reason, if the format is not built in, or a file that the
// test needs is not there.
int run(int count, char** arguments, void (*test)(checks&, const format_in_test&),
        const std::string& needed = "");

}  // namespace format_tests
