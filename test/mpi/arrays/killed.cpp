// killed write|kill|check FILE PATTERN first|last: writes a state, that MPI rank is killed while
// the next is written, finds the first.
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

constexpr std::int64_t old_values = 1;
constexpr std::int64_t new_values = 2;

int write_state(const char* file, const char* pattern, std::int64_t offset) {
  hr_error error{};
  spread::spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), {64, 100, 200},
                            spread::cut::uneven);
  data.fill(offset);
  hr_parallel_options options{};
  options.pattern = pattern;
  return hr_write_parallel(file, data.array(), data.layout(), &options, nullptr, &error);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 5) return 2;
  int code = 1;
  {
    spread::checks check;
    const std::string what = argv[1];
    hr_error error{};
    if (what == "write") {
      code = write_state(argv[2], argv[3], old_values);
    } else if (what == "kill") {
      // The disk of one MPI rank is a trap: the first write beyond some bytes kills it. MPI rank 0
      // may write definitions only.
      const bool is_first = std::strcmp(argv[4], "first") == 0;
      if (check.rank() == (is_first ? 0 : check.size() - 1)) {
        setenv("HEADRACE_TEST_DISK_BYTES", is_first ? "100" : "600000", 1);
        setenv("HEADRACE_TEST_DISK_KILLS", "1", 1);
      }
      write_state(argv[2], argv[3], new_values);
      code = 0;  // nobody gets here: the launcher ends all
    } else {
      spread::spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), {64, 100, 200},
                                spread::cut::skewed, spread::memory::halo);
      data.clear();
      const int found =
          hr_read_parallel(argv[2], data.array(), data.layout(), nullptr, nullptr, &error);
      check.ok(found, error, "reading the old state");
      check.that(data.wrong(old_values) == 0, "the old state has other values");
      code = check.finish("a killed write");
    }
  }
  MPI_Finalize();
  return code;
}
