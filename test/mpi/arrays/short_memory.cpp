// One MPI rank gets no memory for buffers: the others hear of it instead of waiting, and what is on
// disk stays. The memory is short only for headrace's own code, not for the libraries beneath.
#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>
#include <vector>

#include "faults_files.hpp"
#include "refused_buffers.hpp"

namespace {

bool memory_is_short = false;
std::size_t most_when_short = 64 << 10;
constexpr int attribute_length = 8500;  // of 8 bytes: more than that

}  // namespace

// Large allocations of C++ and of buffers; see CMakeLists.txt for the second.
bool memory_is_refused(std::size_t bytes) {
  return memory_is_short && bytes > most_when_short;
}

namespace {

using faults::way;
using spread::checks;
using spread::cut;
using spread::memory;
using spread::spread_array;

class short_memory_test {
 public:
  short_memory_test(checks& check, const way& by, const char* checksum = "none",
                    const char* compression = "none")
      : check_(check), options_(by.options()) {
    options_.checksum = checksum;
    options_.compression = compression;
    file_ = std::string("short.") + by.ending;
    what_ = by.text() + ", " + checksum + ", " + compression;
  }

  void run() {
    hr_error error{};
    spread_array old(MPI_COMM_WORLD, spread::kind_named("int32"), global, cut::uneven,
                     memory::halo);
    old.fill(100);
    const int code =
        hr_write_parallel(file_.c_str(), old.array(), old.layout(), &options_, nullptr, &error);
    if (!check_.ok(code, error, what_ + ", the old one")) return;
    for (const int victim : victims()) {
      writes_without_memory(victim);
      reads_without_memory(victim);
    }
    check_.that(refused_ >= static_cast<int>(victims().size()), what_ + ": nothing needed memory");
  }

  // Attributes, and the steps that an array left out.
  void run_states() {
    for (const int victim : victims()) {
      writes_state(victim, where::attribute);
      writes_state(victim, where::closing);
      writes_state(victim, where::nowhere);
      reads_attribute(victim);
    }
    check_.that(refused_ >= static_cast<int>(victims().size()),
                what_ + ": no attribute needed memory");
  }

  // A dataset has a communicator of its own, and a layout too.
  void run_dataset() {
    for (const int victim : victims()) {
      hr_dataset state = 0;
      hr_error error{};
      check_.ok(hr_open_dataset(&state, file_.c_str(), MPI_COMM_WORLD, "write", &options_, &error),
                error, what_ + ", opening");
      spread_array data(MPI_COMM_WORLD, spread::kind_named("int32"), global, cut::skewed,
                        memory::halo);
      data.fill(9);
      memory_is_short = check_.rank() == victim;
      int code = hr_write_dataset_array(state, "all", data.array(), data.layout(), nullptr, nullptr,
                                        &error);
      memory_is_short = false;
      const bool written = agreed(code, error, victim, ", writing to a dataset");
      code = hr_close_dataset(&state, &error);
      check_.that((code == 0) == written, what_ + ": closing says nothing of the array");
      if (written) reads_from_dataset(victim);
    }
    check_.that(refused_ >= 1, what_ + ": no array of a dataset needed memory");
  }

  // The numbers of an array's steps are more than what there is.
  void run_steps() {
    hr_error error{};
    hr_dataset state = 0;
    hr_parallel_options quickest = options_;
    quickest.pattern = "serial";
    check_.ok(hr_open_dataset(&state, file_.c_str(), MPI_COMM_WORLD, "write", &quickest, &error),
              error, what_ + ", opening");
    for (long long n = 1; n <= steps; ++n) write_step(state, "all", 2 * n, {4, 3, 2});
    check_.ok(hr_close_dataset(&state, &error), error, what_);
    for (const int victim : victims()) finds_steps(victim);
    check_.that(refused_ >= 1, what_ + ": no step needed memory");
  }

 private:
  enum class where { nowhere, attribute, closing };

  // The first MPI rank has other work than the others; in the short form one of them is enough.
  std::vector<int> victims() const {
    if (spread::long_tests()) return {0, check_.size() - 1};
    return {number_of_test_ % 2 == 0 ? 0 : check_.size() - 1};
  }

  // All MPI ranks succeed, or all have the same failure, which names the victim.
  bool agreed(int code, const hr_error& error, int victim, const std::string& doing) {
    if (code == 0) return check_.ok(code, error, what_ + doing);
    const std::string name = check_.size() > 1 ? "MPI rank " + std::to_string(victim) : "";
    check_.fails(code, error, ENOMEM, name, what_ + doing);
    ++refused_;
    return false;
  }

  void writes_without_memory(int victim) {
    hr_error error{};
    spread_array data(MPI_COMM_WORLD, spread::kind_named("int32"), global, cut::skewed,
                      memory::halo);
    data.fill(7);
    memory_is_short = check_.rank() == victim;
    const int code =
        hr_write_parallel(file_.c_str(), data.array(), data.layout(), &options_, nullptr, &error);
    memory_is_short = false;
    const bool written = agreed(code, error, victim, ", writing");
    expected_ = written ? 7 : expected_;
  }

  void reads_without_memory(int victim) {
    hr_error error{};
    spread_array data(MPI_COMM_WORLD, spread::kind_named("int32"), global, cut::balanced,
                      memory::halo);
    data.clear();
    memory_is_short = check_.rank() == victim;
    int code =
        hr_read_parallel(file_.c_str(), data.array(), data.layout(), &options_, nullptr, &error);
    memory_is_short = false;
    agreed(code, error, victim, ", reading");
    code = hr_read_parallel(file_.c_str(), data.array(), data.layout(), &options_, nullptr, &error);
    check_.ok(code, error, what_ + ", reading with memory");
    check_.that(data.wrong(expected_) == 0, what_ + ": other values are on disk");
  }

  void reads_from_dataset(int victim) {
    hr_dataset state = 0;
    hr_error error{};
    check_.ok(hr_open_dataset(&state, file_.c_str(), MPI_COMM_WORLD, "read", &options_, &error),
              error, what_ + ", opening to read");
    spread_array data(MPI_COMM_WORLD, spread::kind_named("int32"), global, cut::balanced,
                      memory::halo);
    data.clear();
    memory_is_short = check_.rank() == victim;
    int code = hr_read_dataset_array(state, "all", data.array(), data.layout(), nullptr, &error);
    memory_is_short = false;
    agreed(code, error, victim, ", reading from a dataset");
    code = hr_read_dataset_array(state, "all", data.array(), data.layout(), nullptr, &error);
    int worst = 0;
    MPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check_.that(code == worst, what_ + ": another outcome than elsewhere: " + std::to_string(code));
    // A library that failed may stay unusable.
    if (code == 0) check_.that(data.wrong(9) == 0, what_ + ": other values in the dataset");
    hr_close_dataset(&state, &error);
  }

  bool is_short(bool when, int victim) const { return when && check_.rank() == victim; }

  // The dataset of before stays if a call failed.
  void writes_state(int victim, where when) {
    hr_error error{};
    hr_dataset state = 0;
    std::int32_t number = when == where::nowhere ? 1 : 2;
    check_.ok(hr_open_dataset(&state, file_.c_str(), MPI_COMM_WORLD, "write", &options_, &error),
              error, what_ + ", opening");
    for (const long long step : {1LL, 2LL, 3LL}) {
      write_step(state, "all", step);
      if (step != 2) write_step(state, "gap", step);
    }
    const hr_array one = spread::scalar(number, HR_TYPE_INTEGER);
    check_.ok(hr_write_attribute(state, nullptr, "number", &one, &error), error, what_);
    static double many[attribute_length];
    std::fill(std::begin(many), std::end(many), 1.5);
    const hr_array large = spread::list(many, HR_TYPE_REAL);
    memory_is_short = is_short(when == where::attribute, victim);
    const bool written = agreed(hr_write_attribute(state, "all", "large", &large, &error), error,
                                victim, ", attribute");
    memory_is_short = is_short(when == where::closing, victim);
    const bool closed = agreed(hr_close_dataset(&state, &error), error, victim, ", closing");
    memory_is_short = false;
    check_.that(written || !closed, what_ + ": closing says nothing of the attribute");
    check_.that(closed || when != where::nowhere, what_ + ": there was memory");
    if (closed) number_ = number;
  }

  void write_step(hr_dataset state, const char* name, long long step,
                  const spread::extents& shape = {40, 30, 20}) {
    hr_error error{};
    spread_array data(MPI_COMM_WORLD, spread::kind_named("int32"), shape, cut::uneven);
    data.fill(step);
    check_.ok(
        hr_write_dataset_array(state, name, data.array(), data.layout(), nullptr, &step, &error),
        error, what_ + ", a step");
  }

  void finds_steps(int victim) {
    hr_error error{};
    hr_dataset state = 0;
    check_.ok(hr_open_dataset(&state, file_.c_str(), MPI_COMM_WORLD, "read", &options_, &error),
              error, what_ + ", opening to find steps");
    hr_array_info info{};
    long long there = 0;
    most_when_short = (steps - 1) * sizeof(std::int64_t);
    memory_is_short = is_short(true, victim);
    const int code = hr_describe_dataset_array(state, "all", &info, &there, &error);
    memory_is_short = false;
    most_when_short = 64 << 10;
    agreed(code, error, victim, ", finding steps");
    check_.ok(hr_describe_dataset_array(state, "all", &info, &there, &error), error, what_);
    check_.that(there == steps, what_ + ": " + std::to_string(there) + " steps");
    check_.that(info.array_rank == 3, what_ + ": array rank " + std::to_string(info.array_rank));
    long long last = 0;
    check_.ok(hr_dataset_step(state, "all", steps - 1, &last, &error), error, what_);
    check_.that(last == 2 * steps, what_ + ": the last step is " + std::to_string(last));
    spread_array data(MPI_COMM_WORLD, spread::kind_named("int32"), {4, 3, 2}, cut::uneven);
    check_.ok(hr_read_dataset_array(state, "all", data.array(), data.layout(), &last, &error),
              error, what_ + ", the last step");
    check_.that(data.wrong(last) == 0, what_ + ": other values in the last step");
    check_.ok(hr_close_dataset(&state, &error), error, what_);
  }

  void reads_attribute(int victim) {
    hr_error error{};
    hr_dataset state = 0;
    std::int32_t number = 0;
    check_.ok(hr_open_dataset(&state, file_.c_str(), MPI_COMM_WORLD, "read", &options_, &error),
              error, what_ + ", opening to read");
    static double many[attribute_length];
    std::fill(std::begin(many), std::end(many), 0);
    const hr_array large = spread::list(many, HR_TYPE_REAL);
    memory_is_short = is_short(true, victim);
    agreed(hr_read_attribute(state, "all", "large", &large, &error), error, victim, ", reading it");
    memory_is_short = false;
    check_.ok(hr_read_attribute(state, "all", "large", &large, &error), error, what_);
    check_.that(many[0] == 1.5 && many[attribute_length - 1] == 1.5, what_ + ": the attribute");
    const hr_array one = spread::scalar(number, HR_TYPE_INTEGER);
    check_.ok(hr_read_attribute(state, nullptr, "number", &one, &error), error, what_);
    check_.that(number == number_, what_ + ": another dataset is on disk");
    check_.ok(hr_close_dataset(&state, &error), error, what_);
  }

  static inline const spread::extents global = {80, 60, 80};
  static constexpr long long steps = 130;

  checks& check_;
  hr_parallel_options options_;
  std::string file_;
  std::string what_;
  std::int64_t expected_ = 100;
  std::int32_t number_ = 0;
  int refused_ = 0;
  static inline int tests_ = 0;
  int number_of_test_ = tests_++;
};

void test(checks& check) {
  for (const way& by : faults::ways()) {
    short_memory_test(check, by).run();
    if (std::string(by.format) != "npy") {
      short_memory_test(check, by).run_states();
      short_memory_test(check, by).run_dataset();
      // The others find steps as these do.
      const std::string pattern = by.pattern;
      if (pattern != "shared_independent" && pattern != "file_per_node")
        short_memory_test(check, by).run_steps();
    }
    // These need memory of their own.
    if (std::string(by.format) != "zarr") continue;
    short_memory_test(check, by, "crc32c").run();
    short_memory_test(check, by, "none", "zstd").run();
  }
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "short memory", test);
}
