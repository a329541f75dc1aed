// What the tests of NetCDF-4, PnetCDF and ADIOS2 have in common: they are the same programs with
// the format as first argument.
//
//     PROGRAM FORMAT DIRECTORY
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace library_tests {

using namespace spread;

struct format_in_test {
  std::string name;
  std::string directory;
  std::vector<const char*> patterns;
  bool is_netcdf() const { return name != "adios2"; }
  std::string file(const std::string& stem) const {
    const char* const ending = name == "adios2" ? ".bp" : name == "pnetcdf" ? ".pnc" : ".nc";
    return directory + "/" + stem + ending;
  }
  hr_parallel_options options(const char* pattern) const {
    hr_parallel_options chosen{};
    chosen.format = name.c_str();
    chosen.pattern = pattern;
    return chosen;
  }
};

// Runs a test program; 77, with the reason, where the format is not built in, or a file that the
// test needs is not there.
inline int run(int count, char** arguments, void (*test)(checks&, const format_in_test&),
               const std::string& needed = "") {
  MPI_Init(&count, &arguments);
  format_in_test format{count > 1 ? arguments[1] : "netcdf4", count > 2 ? arguments[2] : ".", {}};
  format.patterns =
      format.is_netcdf()
          ? std::vector<const char*>{"shared_collective", "shared_independent", "serial"}
          : std::vector<const char*>{"file_per_process", "file_per_node", "serial"};
  int code = 77;
  {
    checks check;
    const char* const absent = hr_parallel_unavailable(format.name.c_str());
    std::string why = absent == nullptr ? "" : absent;
    if (!needed.empty() && access((format.directory + "/" + needed).c_str(), R_OK) != 0)
      why = "there is no " + needed + " (its writer was skipped)";
    if (why.empty()) {
      test(check, format);
      code = check.finish(format.name.c_str());
    } else if (check.rank() == 0) {
      std::printf("skipped: %s\n", why.c_str());
    }
  }
  MPI_Finalize();
  return code;
}

}  // namespace library_tests
