// What the Zarr tests have in common: one array, written to and read from a store of its own.
#pragma once

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace zarr_tests {

using namespace spread;

// Decompositions that are chunk grids, and others.
inline const std::vector<cut> cuts = {cut::equal, cut::balanced, cut::last,
                                      cut::first, cut::bisected, cut::one_holder};

inline hr_parallel_options options(const char* pattern, const char* checksum = nullptr,
                                   const char* compression = nullptr, const char* hints = nullptr) {
  hr_parallel_options chosen{};
  chosen.format = "zarr";
  chosen.pattern = pattern;
  chosen.checksum = checksum;
  chosen.compression = compression;
  chosen.hints = hints;
  return chosen;
}

inline void write_store(checks& check, const std::string& file, const spread_array& from,
                        const hr_parallel_options& how, const std::string& what,
                        hr_parallel_report* report = nullptr) {
  hr_error error{};
  const int code =
      hr_write_parallel(file.c_str(), from.array(), from.layout(), &how, report, &error);
  check.ok(code, error, "write " + what);
}

inline void read_store(checks& check, const std::string& file, spread_array& to,
                       const std::string& what) {
  hr_error error{};
  const hr_parallel_options how = options(nullptr);
  to.clear();
  const int code = hr_read_parallel(file.c_str(), to.array(), to.layout(), &how, nullptr, &error);
  check.ok(code, error, "read " + what);
  const std::int64_t wrong = to.wrong();
  check.that(wrong == 0, std::to_string(wrong) + " wrong bytes: " + what);
}

}  // namespace zarr_tests
