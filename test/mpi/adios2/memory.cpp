// No MPI rank holds more than its array and 64 MiB, whatever the decompositions: ADIOS2 buffers
// what lies between the first and the last element that it is asked for.
#include <malloc.h>

#include <cstdio>
#include <string>

#include "checks.hpp"
#include "peak_memory.hpp"
#include "spread_arrays.hpp"

namespace {

using spread::checks;
using spread::cut;
using spread::memory;
using spread::spread_array;

constexpr long long limit_mib = 64;

struct form {
  cut how;
  memory in_memory;
};

std::string text_of(const form& one) {
  return std::string(name_of(one.how)) + (one.in_memory == memory::halo ? " with a halo" : "");
}

class growth_of_memory {
 public:
  explicit growth_of_memory(checks& check) : check_(check) {
    // 96 MiB for each MPI rank: a copy of it would not fit.
    global_ = {256, 256, 192LL * check.size()};
  }

  void write(const char* pattern, const form& how, const char* hints = "") {
    spread_array from(MPI_COMM_WORLD, spread::kind_named("real64"), global_, how.how,
                      how.in_memory);
    from.fill();
    hr_parallel_options options{};
    options.pattern = pattern;
    options.hints = hints;
    const std::string what = std::string("writing ") + text_of(how) + ", " + pattern;
    measure(what + (*hints == '\0' ? "" : ", ") + hints, [&](hr_error& error) {
      return hr_write_parallel(file, from.array(), from.layout(), &options, nullptr, &error);
    });
  }

  void read(const char* pattern, const form& how) {
    spread_array to(MPI_COMM_WORLD, spread::kind_named("real64"), global_, how.how, how.in_memory);
    to.clear();
    hr_parallel_options options{};
    options.pattern = pattern;
    const std::string what = "  reading " + text_of(how) + ", " + pattern;
    measure(what, [&](hr_error& error) {
      return hr_read_parallel(file, to.array(), to.layout(), &options, nullptr, &error);
    });
    check_.that(to.wrong() == 0, what + ": other values");
  }

 private:
  static constexpr const char* file = "memory.bp";

  template <class Act>
  void measure(const std::string& what, Act act) {
    malloc_trim(0);  // what was freed would hide what is taken
    hr_error error{};
    const long long bytes = spread::growth([&] { check_.ok(act(error), error, what); });
    const long long mib = bytes >> 20;
    check_.that(bytes >= 0 && mib <= limit_mib,
                what + " takes " + std::to_string(mib) + " MiB beside the array");
    long long most = 0;
    MPI_Reduce(&mib, &most, 1, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (check_.rank() == 0) std::printf("%-52s %4lld MiB\n", what.c_str(), most);
  }

  checks& check_;
  spread::extents global_;
};

}  // namespace

int main(int argc, char** argv) {
  return spread::run(argc, argv, "memory beside ADIOS2's arrays", [](checks& check) {
    growth_of_memory memories(check);
    if (!spread::long_tests()) {  // some of each
      memories.write("file_per_process", {cut::first, memory::halo});
      memories.read("file_per_process", {cut::last, memory::contiguous});
      memories.read("serial", {cut::last, memory::contiguous});
      memories.write("file_per_node", {cut::bisected, memory::contiguous});
      memories.write("serial", {cut::bisected, memory::contiguous});
      memories.read("file_per_process", {cut::bisected, memory::halo});
      return;
    }
    memories.write("file_per_process", {cut::first, memory::halo});
    memories.read("file_per_process", {cut::first, memory::halo});
    memories.read("file_per_process", {cut::first, memory::contiguous});
    memories.read("file_per_process", {cut::last, memory::contiguous});
    memories.read("file_per_process", {cut::bisected, memory::contiguous});
    memories.read("serial", {cut::last, memory::contiguous});
    memories.write("file_per_process", {cut::last, memory::contiguous});
    memories.read("file_per_process", {cut::last, memory::contiguous});
    memories.read("file_per_process", {cut::first, memory::contiguous});
    memories.read("file_per_process", {cut::bisected, memory::halo});
    memories.write("file_per_node", {cut::bisected, memory::contiguous});
    memories.read("file_per_process", {cut::first, memory::contiguous});
    memories.write("serial", {cut::bisected, memory::contiguous});
    memories.write("file_per_process", {cut::first, memory::halo}, "engine=BP4");
    memories.read("file_per_process", {cut::last, memory::contiguous});
    memories.write("file_per_process", {cut::last, memory::contiguous}, "engine=BP4");
    memories.read("file_per_process", {cut::first, memory::contiguous});
    memories.write("file_per_node", {cut::bisected, memory::contiguous}, "engine=BP4");
    memories.write("serial", {cut::bisected, memory::contiguous}, "engine=BP4");
  });
}
