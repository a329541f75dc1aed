// No MPI rank holds more than its array and 64 MiB, whatever the format, for a section with a halo.
#include <cstdio>
#include <string>
#include <vector>

#include "checks.hpp"
#include "peak_memory.hpp"

namespace {

constexpr long long limit = 64LL << 20;

struct section {
  std::vector<double> values;
  hr_array array{};
  hr_layout layout = 0;
};

// 96 MiB for each MPI rank, of a larger array, cut across the lines of the file.
void make(section& part, int rank, int ranks) {
  const long long lines = 3072;
  const long long own = 4096;
  const long long with_halo = own + 2;
  part.values.assign(static_cast<std::size_t>(with_halo * lines), 1.5 + rank);
  part.array.base = part.values.data() + 1;
  part.array.elem_len = sizeof(double);
  part.array.type = HR_TYPE_REAL;
  part.array.array_rank = 2;
  part.array.extent[0] = own;
  part.array.extent[1] = lines;
  part.array.stride[0] = sizeof(double);
  part.array.stride[1] = with_halo * static_cast<long long>(sizeof(double));
  const long long global[] = {own * ranks, lines};
  const long long start[] = {own * rank + 1, 1};
  const long long count[] = {own, lines};
  hr_make_layout(&part.layout, MPI_COMM_WORLD, 2, global, start, count, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (!spread::reset_peak()) {
    std::printf("/proc tells no peak of memory\n");
    MPI_Finalize();
    return 77;
  }
  int result = 1;
  {
    spread::checks check;
    section part;
    make(part, check.rank(), check.size());
    const struct {
      const char* file;
      const char* pattern;
      const char* transfer;
    } ways[] = {{"m.npy", "shared_collective", "headrace"},
                {"m.npy", "shared_collective", "library"},
                {"m.npy", "serial", "headrace"},
                {"m.h5", "shared_collective", "headrace"},
                {"m.h5", "shared_collective", "library"},
                {"m.nc", "shared_collective", ""},
                {"m.pnc", "shared_collective", ""},
                {"m.zarr", "file_per_process", ""},
                {"m.zarr", "file_per_node", ""},
                {"m.zarr", "shared_collective", ""},
                {"m.bp", "file_per_process", ""}};
    for (const auto& way : ways) {
      hr_parallel_options options{};
      options.pattern = way.pattern;
      options.transfer = way.transfer;
      for (const bool writes : {true, false}) {
        hr_error error{};
        int code = 0;
        const auto pass = writes ? hr_write_parallel : hr_read_parallel;
        const long long beside = spread::growth(
            [&] { code = pass(way.file, &part.array, part.layout, &options, nullptr, &error); });
        if (code == HR_BACKEND_UNAVAILABLE) continue;
        const std::string what = std::string(writes ? "writing " : "reading ") + way.file + ", " +
                                 way.pattern + " " + way.transfer;
        check.ok(code, error, what);
        check.that(beside <= limit,
                   what + " takes " + std::to_string(beside >> 20) + " MiB beside the array");
        if (check.rank() == 0) std::printf("%-48s %4lld MiB\n", what.c_str(), beside >> 20);
      }
    }
    hr_free_layout(&part.layout, nullptr);
    result = check.finish("memory beside the array");
  }
  MPI_Finalize();
  return result;
}
