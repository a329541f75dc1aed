// Every pattern with every format: a round trip through another decomposition where the matrix has
// a cross, a refusal with a name where it has none. Prints the matrix that
// doc/reference/parallel.md shows.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "checks.hpp"
#include "dataset/statements.hpp"
#include "spread_arrays.hpp"

namespace {

using spread::checks;
using spread::cut;
using spread::spread_array;

struct row {
  const char* format;
  const char* ending;
  const char* transfer;
  bool can[5];  // in the order of patterns
};
constexpr const char* patterns[] = {"serial", "file_per_process", "file_per_node",
                                    "shared_independent", "shared_collective"};
constexpr row matrix[] = {
    {"npy", ".npy", "headrace", {true, false, false, true, true}},
    {"npy", ".npy", "library", {false, false, false, true, true}},
    {"hdf5", ".h5", "headrace", {true, false, false, true, true}},
    {"hdf5", ".h5", "library", {true, false, false, true, true}},
    {"netcdf4", ".nc", "headrace", {true, false, false, true, true}},
    {"netcdf4", ".nc", "library", {true, false, false, true, true}},
    {"pnetcdf", ".pnc", "headrace", {true, false, false, true, true}},
    {"pnetcdf", ".pnc", "library", {true, false, false, true, true}},
    {"adios2", ".bp", "library", {true, true, true, false, false}},
    {"zarr", ".zarr", "headrace", {true, true, true, true, true}},
    {"statements", ".streams", "headrace", {false, true, false, false, false}},
};

hr_parallel_options options_of(const row& line, const char* pattern) {
  hr_parallel_options options{};
  options.format = line.format;
  options.transfer = line.transfer;
  options.pattern = pattern;
  return options;
}

bool goes_round(checks& check, const row& line, const char* pattern, const char* kind_name) {
  const auto& kind = spread::kind_named(kind_name);
  const spread::extents global = {13, 7, 6};
  const std::string file = std::string("matrix_") + line.transfer + "_" + pattern + line.ending;
  const std::string what =
      std::string(line.format) + ", " + line.transfer + ", " + pattern + ", " + kind_name;
  const hr_parallel_options options = options_of(line, pattern);
  hr_error error{};
  spread_array written(MPI_COMM_WORLD, kind, global, cut::uneven, spread::memory::halo);
  written.fill(3);
  int code =
      hr_write_parallel(file.c_str(), written.array(), written.layout(), &options, nullptr, &error);
  if (!check.ok(code, error, what + ", writing")) return false;
  spread_array read(MPI_COMM_WORLD, kind, global, cut::skewed, spread::memory::every_second);
  read.clear();
  hr_parallel_options plain{};
  plain.format = line.format;
  code = hr_read_parallel(file.c_str(), read.array(), read.layout(), &plain, nullptr, &error);
  return check.ok(code, error, what + ", reading") &&
         check.that(read.wrong(3) == 0, what + ": other values came back");
}

bool is_refused(checks& check, const row& line, const char* pattern, int status) {
  const auto& kind = spread::kind_named("real64");
  const hr_parallel_options options = options_of(line, pattern);
  hr_error error{};
  spread_array written(MPI_COMM_WORLD, kind, {4, 4}, cut::balanced);
  const int code = hr_write_parallel((std::string("refused") + line.ending).c_str(),
                                     written.array(), written.layout(), &options, nullptr, &error);
  return check.fails(code, error, status, line.format,
                     std::string(line.format) + ", " + pattern + " is refused");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  hr_mpi_register_statements();  // as a Fortran program does
  int result = 1;
  {
    checks check;
    if (check.rank() == 0)
      std::printf("%-22s %7s %12s %9s %12s %11s\n", "", "serial", "per process", "per node",
                  "independent", "collective");
    for (const row& line : matrix) {
      const char* const why = hr_parallel_unavailable(line.format);
      std::string text;
      constexpr int widths[] = {7, 12, 9, 12, 11};
      for (int p = 0; p < 5; ++p) {
        const char* cell = "-";
        if (why != nullptr) {
          is_refused(check, line, patterns[p], HR_BACKEND_UNAVAILABLE);
          cell = "absent";
        } else if (!line.can[p]) {
          is_refused(check, line, patterns[p], HR_OPTION_UNKNOWN);
        } else {
          bool good = true;
          for (const char* kind : {"real64", "int16", "logical4"})
            good = goes_round(check, line, patterns[p], kind) && good;
          cell = good ? "yes" : "WRONG";
        }
        char field[32];
        std::snprintf(field, sizeof field, " %*s", widths[p], cell);
        text += field;
      }
      if (check.rank() == 0)
        std::printf("%-10s %-11s%s\n", line.format, line.transfer, text.c_str());
    }
    result = check.finish("feature matrix");
  }
  MPI_Finalize();
  return result;
}
