// appended FORMAT: steps, arrays and attributes are added to a dataset that is there, in every way
// of the format; a format that cannot append says which can.
// appended FORMAT go|check SEED: a program that adds steps and flushes them until a timer kills it
// at a random moment. Before, every step whose flush returned is there, with its values.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <sys/time.h>
#include <unistd.h>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

using namespace spread;

struct row {
  const char* format;
  const char* ending;
  const char* pattern;
  const char* transfer;
  const char* extra = nullptr;  // checksum
  std::string text() const {
    return std::string(format) + ", " + pattern + (extra == nullptr ? "" : ", checksum");
  }
};
// The first of a format is the one that is killed.
const std::vector<row> rows = {
    {"npy", ".npy", "shared_collective", "headrace"},
    {"hdf5", ".h5", "shared_collective", "headrace"},
    {"hdf5", ".h5", "shared_independent", "headrace"},
    {"hdf5", ".h5", "serial", "headrace"},
    {"netcdf4", ".nc", "shared_collective", nullptr},
    {"netcdf4", ".nc", "serial", nullptr},
    {"pnetcdf", ".pnc", "shared_collective", nullptr},
    {"pnetcdf", ".pnc", "serial", nullptr},
    {"adios2", ".bp", "file_per_process", nullptr},
    {"adios2", ".bp", "file_per_node", nullptr},
    {"zarr", ".zarr", "file_per_process", "headrace"},
    {"zarr", ".zarr", "file_per_node", "headrace"},
    {"zarr", ".zarr", "shared_collective", "headrace"},
    {"zarr", ".zarr", "serial", "headrace"},
    {"zarr", ".zarr", "file_per_process", "headrace", "crc32c"},
};

const extents wide = {13, 7, 5};
const extents flat = {6, 4};

class appended {
 public:
  appended(checks& check, const row& how, std::string file)
      : check_(check), how_(how), file_(std::move(file)) {}

  int try_to_open(const char* action, hr_dataset& state) {
    hr_parallel_options options{};
    options.format = how_.format;
    if (std::string(action) != "read") {
      options.pattern = how_.pattern;
      options.transfer = how_.transfer;
      options.checksum = how_.extra;
    }
    return hr_open_dataset(&state, file_.c_str(), MPI_COMM_WORLD, action, &options, &error_);
  }
  hr_dataset open(const char* action) {
    hr_dataset state = 0;
    check_.ok(try_to_open(action, state), error_, what(std::string("open to ") + action));
    return state;
  }
  void close(hr_dataset& state) {
    check_.ok(hr_close_dataset(&state, &error_), error_, what("close"));
  }
  void flush(hr_dataset state) {
    check_.ok(hr_flush_dataset(state, &error_), error_, what("flush"));
  }

  int put(hr_dataset state, const char* name, const char* kind, const extents& shape,
          const long long* step) {
    spread_array from(MPI_COMM_WORLD, kind_named(kind), shape, cut::uneven, memory::halo);
    from.fill(first_value(step));
    return hr_write_dataset_array(state, name, from.array(), from.layout(), nullptr, step, &error_);
  }
  void put_step(hr_dataset state, long long step) {
    check_.ok(put(state, "u", "real64", wide, &step), error_, what("write a step of u"));
    check_.ok(put(state, "v", "int32", flat, &step), error_, what("write a step of v"));
  }
  void get(hr_dataset state, const char* name, const char* kind, const extents& shape,
           const long long* step) {
    spread_array to(MPI_COMM_WORLD, kind_named(kind), shape, cut::skewed);
    to.clear();
    const std::string of = std::string(name) + (step ? " at step " + std::to_string(*step) : "");
    check_.ok(hr_read_dataset_array(state, name, to.array(), to.layout(), step, &error_), error_,
              what("read " + of));
    check_.that(to.wrong(first_value(step)) == 0, what("other values of " + of));
  }
  void get_step(hr_dataset state, long long step) {
    get(state, "u", "real64", wide, &step);
    get(state, "v", "int32", flat, &step);
  }
  long long steps_of(hr_dataset state, const char* name) {
    long long steps = -1;
    check_.ok(hr_describe_dataset_array(state, name, nullptr, &steps, &error_), error_,
              what(std::string("describe ") + name));
    return steps;
  }
  // -1: there is none of that name
  std::int32_t attribute(hr_dataset state, const char* array, const char* name) {
    std::int32_t value = -1;
    const hr_array to = scalar(value, HR_TYPE_INTEGER);
    check_.ok(hr_read_attribute(state, array, name, &to, &error_), error_, what(name));
    return value;
  }
  void put_attribute(hr_dataset state, const char* array, const char* name, std::int32_t value) {
    const hr_array from = scalar(value, HR_TYPE_INTEGER);
    check_.ok(hr_write_attribute(state, array, name, &from, &error_), error_, what(name));
  }

  bool has_library() const { return std::string(how_.format) != "zarr"; }

  bool can_append() {
    hr_dataset state = 0;
    if (try_to_open("append", state) == 0) {
      check_.ok(hr_abandon_dataset(&state, &error_), error_, what("abandon"));
      return true;
    }
    check_.fails(error_.status, error_, HR_ARGUMENT_INVALID, "zarr", what("append is refused"));
    state = open("write");
    check_.ok(put(state, "data", "real64", wide, nullptr), error_, what("write"));
    check_.fails(hr_flush_dataset(state, &error_), error_, HR_ARGUMENT_INVALID, "zarr",
                 what("flush is refused"));
    close(state);  // which a refused flush does not spoil
    return false;
  }

  void grow() {
    hr_dataset state = open("append");  // makes it
    put_attribute(state, nullptr, "run", 1);
    check_.ok(put(state, "fixed", "real32", flat, nullptr), error_, what("write an array"));
    if (moves_records())
      check_.ok(put(state, "more", "int16", wide, nullptr), error_, what("write an array"));
    put_step(state, 10);
    put_attribute(state, "u", "scale", 7);
    close(state);
    state = open("append");
    put_step(state, 20);
    put_step(state, 25);
    if (!moves_records())
      check_.ok(put(state, "more", "int16", wide, nullptr), error_, what("add an array"));
    put_attribute(state, nullptr, "run", 2);
    put_attribute(state, "v", "added", 9);
    close(state);
    state = open("append");  // and does nothing
    close(state);
    read_all({10, 20, 25}, 2);
  }

  void refuse() {
    const long long there = 20;
    const long long next = 30;
    wrong(HR_ARGUMENT_INVALID, "20", "v", "int32", flat, &there, "a step that is there");
    wrong(HR_ARGUMENT_INVALID, "fixed", "fixed", "real32", flat, nullptr, "an array that is there");
    wrong(HR_SHAPE_MISMATCH, "v", "v", "int32", wide, &next, "another shape");
    wrong(HR_KIND_MISMATCH, "v", "v", "real64", flat, &next, "another kind");
    const spread::told_at_once told;  // the library finds it
    if (moves_records())
      wrong(HR_ARGUMENT_INVALID, "before the first flush", "late", "real32", flat, nullptr,
            "an array that would move the steps");
    read_all({10, 20, 25}, 2);
    refuse_again();
    if (has_library()) refuse_to_flush_for_the_library();
  }

  // What was refused is not there: the same call fails for the same reason.
  void refuse_again() {
    const long long next = 30;
    hr_dataset state = open("append");
    for (const char* times : {"another kind", "another kind, again"})
      check_.fails(put(state, "v", "real64", flat, &next), error_, HR_KIND_MISMATCH,
                   {"\"v\" has another kind", "expected integer of 4 bytes, found real of 8 bytes",
                    file_, "write all steps of an array from the same kind"},
                   what(times));
    check_.ok(hr_abandon_dataset(&state, &error_), error_, what("abandon"));
    read_all({10, 20, 25}, 2);
  }

  void refuse_to_flush_for_the_library() {
    hr_parallel_options options{};
    options.format = how_.format;
    options.transfer = "library";
    const std::string file = "library_" + file_;
    hr_dataset state = 0;
    check_.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &options, &error_),
              error_, what("open for the library"));
    check_.ok(put(state, "data", "real64", wide, nullptr), error_, what("write"));
    check_.fails(hr_flush_dataset(state, &error_), error_, HR_ARGUMENT_INVALID, "transfer",
                 what("flush is refused"));
    close(state);  // which a refused flush does not spoil
    check_.that(std::filesystem::exists(file), what("the file is there"));
  }

  // What was flushed stays: when the dataset is abandoned, and when a call fails.
  void flush_and_abandon() {
    hr_dataset state = open("append");
    put_step(state, 30);
    flush(state);
    flush(state);  // nothing is new
    read_all({10, 20, 25, 30}, 2);
    put_step(state, 40);
    check_.ok(hr_abandon_dataset(&state, &error_), error_, what("abandon"));
    read_all({10, 20, 25, 30}, 2);
    state = open("append");
    put_step(state, 50);
    close(state);
    read_all({10, 20, 25, 30, 50}, 2);
  }

  // The first flush gives a new dataset its name.
  void replace() {
    hr_dataset state = open("write");
    put_attribute(state, nullptr, "run", 3);
    check_.ok(put(state, "fixed", "real32", flat, nullptr), error_, what("write an array"));
    check_.ok(put(state, "more", "int16", wide, nullptr), error_, what("write an array"));
    put_step(state, 1);
    put_attribute(state, "u", "scale", 7);
    put_attribute(state, "v", "added", 9);
    read_all({10, 20, 25, 30, 50}, 2);
    flush(state);
    read_all({1}, 3);
    put_step(state, 2);
    flush(state);
    read_all({1, 2}, 3);
    put_attribute(state, nullptr, "run", 4);
    put_step(state, 3);
    close(state);
    read_all({1, 2, 3}, 4);
  }

  // Checks what is there, and adds to it until the timer kills the program.
  void go(bool goes_on, unsigned seed) {
    const long long flushed = flushed_before();
    long long found = 0;
    hr_dataset state = 0;
    if (try_to_open("read", state) == 0) {
      found = steps_of(state, "u");
      for (long long step = 1; step <= flushed; ++step) get_step(state, step);
      check_.that(flushed == 0 || attribute(state, nullptr, "last") >= flushed, what("attribute"));
      close(state);
    }
    check_.that(found >= flushed, what(std::to_string(found) + " steps are there, " +
                                       std::to_string(flushed) + " were flushed"));
    if (!goes_on || hr_parallel_unavailable(how_.format) != nullptr) return;
    // The process that makes the file may be killed before: then nothing is there.
    start_timer(seed);
    state = open("append");
    for (long long step = found + 1;; ++step) {
      put_step(state, step);
      put_attribute(state, nullptr, "last", static_cast<std::int32_t>(step));
      if (hr_flush_dataset(state, &error_) != 0) {
        check_.that(false, what(error_.message));
        return;
      }
      if (check_.rank() == 0) remember(step);
    }
  }

 private:
  static std::int64_t first_value(const long long* step) { return step ? 100 * *step : 5; }
  // All arrays of a classic file lie before its steps.
  bool moves_records() const { return std::string(how_.format) == "pnetcdf"; }
  std::string what(const std::string& done) const { return how_.text() + ": " + done; }

  void wrong(int code, const char* word, const char* name, const char* kind, const extents& shape,
             const long long* step, const char* said) {
    hr_dataset state = open("append");
    check_.fails(put(state, name, kind, shape, step), error_, code, std::string(word), what(said));
    check_.ok(hr_close_dataset(&state, &error_), error_, what("closing after a refused call"));
  }

  void read_all(const std::vector<long long>& steps, std::int32_t run) {
    hr_dataset state = open("read");
    check_.that(attribute(state, nullptr, "run") == run, what("the attribute run"));
    check_.that(attribute(state, "u", "scale") == 7, what("an attribute of an array"));
    check_.that(attribute(state, "v", "added") == 9, what("an attribute that was added"));
    get(state, "fixed", "real32", flat, nullptr);
    get(state, "more", "int16", wide, nullptr);
    for (const char* name : {"u", "v"}) {
      const long long found = steps_of(state, name);
      check_.that(found == static_cast<long long>(steps.size()),
                  what(std::to_string(found) + " steps of " + name));
    }
    for (const long long step : steps) get_step(state, step);
    close(state);
  }

  static long long flushed_before() {
    long long step = 0;
    std::ifstream("flushed") >> step;
    return step;
  }
  // In one write of the system.
  static void remember(long long step) {
    const std::string text = std::to_string(step) + "\n";
    static std::FILE* const file = std::fopen("flushed", "r+");
    std::FILE* const to = file != nullptr ? file : std::fopen("flushed", "w");
    std::rewind(to);
    std::fputs(text.c_str(), to);
    std::fflush(to);
    if (file == nullptr) std::fclose(to);
  }

  // All MPI ranks at about the same moment.
  static void start_timer(unsigned seed) {
    std::signal(SIGALRM, [](int) { kill(getpid(), SIGKILL); });
    std::mt19937 random(seed);
    itimerval when{};
    // Later and later: a busy machine takes long for the first flush.
    const unsigned latest = 60000 + 40000 * std::min(seed, 20U);
    when.it_value.tv_usec = 200 + static_cast<long>(random() % latest);
    MPI_Barrier(MPI_COMM_WORLD);
    setitimer(ITIMER_REAL, &when, nullptr);
  }

  checks& check_;
  const row& how_;
  std::string file_;
  hr_error error_{};
};

void test(checks& check, const std::string& format, const std::string& action, unsigned seed) {
  int number = 0;
  for (const row& how : rows) {
    if (format != how.format) continue;
    const std::string file = "series_" + std::to_string(number++) + how.ending;
    appended series(check, how, file);
    if (!action.empty()) return series.go(action == "go", seed);
    if (check.rank() == 0) std::filesystem::remove_all(file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!series.can_append()) return;
    series.grow();
    series.refuse();
    series.flush_and_abandon();
    series.replace();
  }
  check.that(number > 0, "there is such a format");
}

}  // namespace

int main(int count, char** arguments) {
  const std::string action = count > 2 ? arguments[2] : "";
  const unsigned seed = count > 3 ? static_cast<unsigned>(std::atoi(arguments[3])) : 0;
  return run(count, arguments, std::string("appended ") + (count > 1 ? arguments[1] : ""),
             [&](checks& check) { test(check, count > 1 ? arguments[1] : "", action, seed); });
}
