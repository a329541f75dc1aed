// A disk that is full for one MPI rank: the same error on all of them, and the old file stays. Runs
// with test/interpose/full_disk.c preloaded, which looks at the environment of each MPI rank.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "formats/formats.hpp"

namespace {

using namespace format_tests;

class full_disk {
 public:
  full_disk(checks& check, const format_in_test& format) : check_(check), format_(format) {}

  void try_pattern(const char* pattern, int victim) {
    const std::string file = format_.file(std::string("full_disk_") + pattern);
    const hr_parallel_options chosen = format_.options({pattern});
    hr_error error{};
    spread_array old(MPI_COMM_WORLD, kind_named("int32"), {6, 5}, cut::uneven);
    old.fill(0);
    check_.ok(hr_write_parallel(file.c_str(), old.array(), old.layout(), &chosen, nullptr, &error),
              error, "an old file");
    spread_array large(MPI_COMM_WORLD, kind_named("real64"), {100, 90, 80}, cut::uneven);
    large.fill(0);
    if (check_.rank() == victim) {
      // The whole path: Open MPI keeps files of similar names elsewhere.
      char* const here = realpath(format_.directory.c_str(), nullptr);
      setenv("HEADRACE_TEST_DISK_PATH", (std::string(here) + "/full_disk_").c_str(), 1);
      std::free(here);
      setenv("HEADRACE_TEST_DISK_BYTES", "400000", 1);
    }
    const int code =
        hr_write_parallel(file.c_str(), large.array(), large.layout(), &chosen, nullptr, &error);
    unsetenv("HEADRACE_TEST_DISK_PATH");
    check_.that(code != 0, std::string(pattern) + ": a full disk is an error");
    check_.fails(code, error, code, "", pattern);
    check_.that(std::string(error.message).find("full_disk_") != std::string::npos &&
                    std::strlen(error.message) > 40,
                std::string(pattern) + ": " + error.message);
    if (check_.rank() == 0) std::printf("%s: %s\n", pattern, error.message);
    old.clear();
    check_.ok(hr_read_parallel(file.c_str(), old.array(), old.layout(), &chosen, nullptr, &error),
              error, "the old file after the failure");
    check_.that(old.wrong(0) == 0, std::string(pattern) + ": the old file is whole");
  }

 private:
  checks& check_;
  const format_in_test& format_;
};

void test(checks& check, const format_in_test& format) {
  full_disk disk(check, format);
  // ADIOS2 waits for ever when one of several writers of a file fails: doc/parallel_adios2.md.
  if (!format.is_netcdf()) disk.try_pattern("file_per_process", check.size() - 1);
  if (format.is_netcdf()) disk.try_pattern("shared_collective", 0);
  if (format.is_netcdf()) disk.try_pattern("shared_independent", check.size() - 1);
  disk.try_pattern("serial", 0);  // full from the beginning, for NetCDF
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
