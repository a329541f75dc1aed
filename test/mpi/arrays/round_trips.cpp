// npy files through our exchange and through MPI-IO: every kind, array ranks 1 to 7, sections,
// uneven blocks, pieces of a few elements, groups of MPI ranks that count as nodes.
#include <cstdlib>
#include <string>

#include "hdf5/spread_arrays.hpp"

namespace {

using hdf5_tests::checks;
using hdf5_tests::extents;
using hdf5_tests::memory;
using hdf5_tests::spread_array;

struct way {
  const char* pattern;
  const char* transfer;
  const char* hints;
};

constexpr way ways[] = {
    {"shared_collective", "headrace", "cb_buffer_size=4096"},
    {"shared_collective", "headrace", "cb_buffer_size=4096,cb_nodes=1"},
    {"shared_collective", "headrace", ""},
    {"shared_independent", "headrace", ""},
    {"serial", "headrace", "cb_buffer_size=4096"},
    {"shared_collective", "library", ""},
    {"shared_independent", "library", ""},
};

void goes_round(checks& check, const way& by, const char* kind_name, const extents& global, int cut,
                memory form) {
  const auto& kind = hdf5_tests::kind_named(kind_name);
  std::string what = std::string(by.pattern) + " by " + by.transfer + " " + by.hints + ", " +
                     kind_name + ", array rank " + std::to_string(global.size()) + ", cut " +
                     std::to_string(cut);
  hr_parallel_options options{};
  options.pattern = by.pattern;
  options.transfer = by.transfer;
  options.hints = by.hints;
  hr_error error{};
  spread_array written(MPI_COMM_WORLD, kind, global, cut, form);
  written.fill(1);
  int code =
      hr_write_parallel("round.npy", written.array(), written.layout(), &options, nullptr, &error);
  if (!check.ok(code, error, what + ", writing")) return;
  for (const int other : {cut, cut + 1}) {
    spread_array read(MPI_COMM_WORLD, kind, global, other, form,
                      other == cut ? 0 : (check.size() + 1) / 2);
    read.clear();
    code = hr_read_parallel("round.npy", read.array(), read.layout(), &options, nullptr, &error);
    if (check.ok(code, error, what + ", reading"))
      check.that(read.wrong(1) == 0, what + ": other values came back");
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int result = 1;
  {
    checks check(MPI_COMM_WORLD);
    const extents shapes[] = {
        {1501},          {61, 37},           {17, 9, 23},          {5, 4, 7, 6},
        {3, 4, 5, 2, 7}, {2, 3, 4, 3, 2, 5}, {2, 3, 2, 3, 2, 3, 2}};
    for (const way& by : ways) {
      for (const extents& shape : shapes)
        for (const memory form : {memory::contiguous, memory::halo})
          goes_round(check, by, "real64", shape, 1, form);
      for (const memory form : {memory::every_second, memory::backwards})
        goes_round(check, by, "int32", {17, 9, 23}, 0, form);
      for (const auto& kind : hdf5_tests::kinds)
        goes_round(check, by, kind.name, {61, 37}, 2, memory::halo);
    }
    result = check.finish("round trips of npy files");
  }
  MPI_Finalize();
  return result;
}
