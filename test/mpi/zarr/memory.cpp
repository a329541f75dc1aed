// No MPI rank holds more than its array and 64 MiB, whatever the pattern and the codecs.
#include "peak_memory.hpp"
#include "stores.hpp"

namespace {

using namespace zarr_tests;

constexpr long long bound = 64LL << 20;

struct way {
  const char* pattern;
  const char* checksum;
  const char* compression;
  cut how;
};
const way ways[] = {{"file_per_process", nullptr, nullptr, cut::last},
                    {"file_per_process", nullptr, nullptr, cut::bisected},
                    {"file_per_process", "crc32c", "zstd", cut::last},
                    {"file_per_node", nullptr, "zstd", cut::last},
                    {"serial", "crc32c", nullptr, cut::first},
                    {"shared_independent", nullptr, nullptr, cut::last},
                    {"shared_collective", "crc32c", nullptr, cut::bisected}};

}  // namespace

int main(int count, char** arguments) {
  return run(count, arguments, "memory beside Zarr arrays", [](checks& check) {
    const std::string file = "memory.zarr";
    const kind& of = kind_named("real64");
    // 96 MiB for each MPI rank: a copy of it would not fit the bound.
    const std::vector<long long> global = {256, 256, 192LL * check.size()};
    int number = 0;
    for (const way& how : ways) {
      if (++number % 2 == 0 && !spread::long_tests())
        continue;  // four of the seven: each pattern but one
      const std::string what = std::string(how.pattern) + ", " + name_of(how.how);
      spread_array from(MPI_COMM_WORLD, of, global, how.how);
      from.fill();
      const long long written = growth([&] {
        write_store(check, file, from, options(how.pattern, how.checksum, how.compression), what);
      });
      check.that(written >= 0 && written < bound,
                 std::to_string(written) + " bytes more to write " + what);
      const long long read = growth([&] {
        hr_parallel_options plain{};
        plain.format = "zarr";
        hr_error error{};
        check.ok(
            hr_read_parallel(file.c_str(), from.array(), from.layout(), &plain, nullptr, &error),
            error, what);
      });
      check.that(read >= 0 && read < bound, std::to_string(read) + " bytes more to read " + what);
      check.that(from.wrong() == 0, what);
    }
  });
}
