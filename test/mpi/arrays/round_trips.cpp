// npy files through our exchange and through MPI-IO: every kind, array ranks 1 to 7, sections,
// uneven blocks, pieces of a few elements, groups of MPI ranks that count as nodes.
#include <cstdlib>
#include <string>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

using spread::checks;
using spread::cut;
using spread::extents;
using spread::memory;
using spread::spread_array;

struct way {
  const char* pattern;
  const char* transfer;
  const char* hints;
};

constexpr way ways[] = {
    {"shared_collective", "headrace", "cb_buffer_size=4096,cb_nodes=64"},
    {"shared_collective", "headrace", "cb_buffer_size=4096,cb_nodes=1"},
    {"shared_collective", "headrace", ""},
    {"shared_independent", "headrace", ""},
    {"serial", "headrace", "cb_buffer_size=4096"},
    {"shared_collective", "library", ""},
    {"shared_independent", "library", ""},
};

void goes_round(checks& check, const way& by, const char* kind_name, const extents& global, cut how,
                memory form) {
  const auto& kind = spread::kind_named(kind_name);
  std::string what = std::string(by.pattern) + " by " + by.transfer + " " + by.hints + ", " +
                     kind_name + ", array rank " + std::to_string(global.size()) + ", " +
                     name_of(how);
  hr_parallel_options options{};
  options.pattern = by.pattern;
  options.transfer = by.transfer;
  options.hints = by.hints;
  hr_error error{};
  spread_array written(MPI_COMM_WORLD, kind, global, how, form);
  written.fill(1);
  int code =
      hr_write_parallel("round.npy", written.array(), written.layout(), &options, nullptr, &error);
  if (!check.ok(code, error, what + ", writing")) return;
  for (const cut other : {how, cut::few_holders}) {
    spread_array read(MPI_COMM_WORLD, kind, global, other, form);
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
    checks check;
    const extents shapes[] = {
        {1501},          {61, 37},           {17, 9, 23},          {5, 4, 7, 6},
        {3, 4, 5, 2, 7}, {2, 3, 4, 3, 2, 5}, {2, 3, 2, 3, 2, 3, 2}};
    for (const way& by : ways) {
      for (const extents& shape : shapes)
        for (const memory form : {memory::contiguous, memory::halo})
          goes_round(check, by, "real64", shape, cut::uneven, form);
      for (const memory form : {memory::every_second, memory::backwards})
        goes_round(check, by, "int32", {17, 9, 23}, cut::balanced, form);
      for (const auto& kind : spread::kinds)
        goes_round(check, by, kind.name, {61, 37}, cut::skewed, memory::halo);
    }
    result = check.finish("round trips of npy files");
  }
  MPI_Finalize();
  return result;
}
