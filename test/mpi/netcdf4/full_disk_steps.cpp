// Datasets whose disk fills up, or that nobody can open any more, between arrays and steps: the
// same failure on all MPI ranks and the old file, or all values; never a wait without end. The disk
// is test/interpose/full_disk.c.
//
//     full_disk_steps FORMAT
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

using spread::checks;
using spread::cut;
using spread::spread_array;

const spread::extents small = {32, 128};
const spread::extents large = {256, 256, 40};  // more than a cycle of MPI-IO's collective calls

// From now on so many bytes fit on this MPI rank's disk.
void room_here(long long bytes, bool reserves) {
  static int disks = 0;
  setenv("HEADRACE_TEST_DISK_PATH", (std::filesystem::current_path() / "dataset_on").c_str(), 1);
  setenv("HEADRACE_TEST_DISK_NAME", std::to_string(++disks).c_str(), 1);
  setenv("HEADRACE_TEST_DISK_BYTES", std::to_string(bytes).c_str(), 1);
  if (!reserves) setenv("HEADRACE_TEST_DISK_NO_FALLOCATE", "1", 1);
}

// From now on so many bytes can be written, and then no write works any more.
void broken_here(long long bytes) {
  room_here(LLONG_MAX, true);
  setenv("HEADRACE_TEST_DISK_BREAKS", std::to_string(bytes).c_str(), 1);
}

void all_room_here() {
  for (const char* name : {"PATH", "BYTES", "NO_FALLOCATE", "BREAKS"})
    unsetenv((std::string("HEADRACE_TEST_DISK_") + name).c_str());
}

class dataset_on_disk {
 public:
  dataset_on_disk(checks& check, const char* format, const char* pattern, const std::string& what)
      : check_(check), format_(format), what_(what + ", " + format + ", " + pattern) {
    std::filesystem::remove(file_);
    hr_parallel_options how{};
    how.format = format;
    how.pattern = pattern;
    check_.ok(hr_open_dataset(&set_, file_, MPI_COMM_WORLD, "write", &how, &error_), error_, what_);
  }

  // Nothing more is written after the first failure.
  void write(const char* name, const spread::extents& global, long long step,
             cut how = cut::first) {
    if (code_ != 0) return;
    spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, how);
    data.fill(step);
    const long long* const number = step > 0 ? &step : nullptr;
    code_ =
        hr_write_dataset_array(set_, name, data.array(), data.layout(), nullptr, number, &error_);
    if (code_ != 0) failed_at_ = std::string(name) + " " + std::to_string(step);
  }

  // The code; all MPI ranks have all room again.
  int close(bool gives_back = true) {
    hr_error error{};
    const int code = hr_close_dataset(&set_, &error);
    if (gives_back) all_room_here();
    if (code_ != 0) {
      check_.that(code != 0, what_ + ": closed after a failure");
    } else if (code != 0) {
      code_ = code;
      error_ = error;
      failed_at_ = "close";
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return code_;
  }

  void is_full(const std::string& where) {
    check_.fails(code_, error_, ENOSPC, std::vector<std::string>{file_, "free space"},
                 what_ + " at " + failed_at_);
    check_.that(failed_at_ == where || failed_at_ == "close",
                what_ + ": failed at " + failed_at_ + ", not at " + where);
    check_.that(!std::filesystem::exists(file_), what_ + ": the broken file is there");
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void holds(const char* name, const spread::extents& global, long long step) {
    hr_parallel_options how{};
    how.format = format_;
    hr_dataset set = 0;
    hr_error error{};
    const std::string what = what_ + ", reading " + name + " " + std::to_string(step);
    if (!check_.ok(hr_open_dataset(&set, file_, MPI_COMM_WORLD, "read", &how, &error), error, what))
      return;
    spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::skewed);
    data.clear();
    const long long* const number = step > 0 ? &step : nullptr;
    check_.ok(hr_read_dataset_array(set, name, data.array(), data.layout(), number, &error), error,
              what);
    check_.that(data.wrong(step) == 0, what + ": other values");
    check_.ok(hr_close_dataset(&set, &error), error, what);
  }

  const std::string& what() const { return what_; }
  const std::string& failed_at() const { return failed_at_; }
  const hr_error& error() const { return error_; }

 private:
  static constexpr const char* file_ = "dataset_on_disk.out";
  checks& check_;
  const char* format_;
  std::string what_;
  hr_dataset set_ = 0;
  hr_error error_{};
  int code_ = 0;
  std::string failed_at_;
};

// "v" leaves out the second step, or begins with the third: what was left out is filled at the end.
void left_out(checks& check, const char* format, const char* pattern, bool begins_late) {
  int failures = 0;
  const std::string steps = begins_late ? "step 3 is the first" : "steps 1 and 3";
  std::vector<long long> rooms = {2000000, 38000000, 200000000};
  if (spread::long_tests())
    rooms = {2000000, 18000000, 25000000, 38000000, 47000000, 60000000, 200000000};
  for (const long long room : rooms) {
    dataset_on_disk set(check, format, pattern,
                        steps + ", room for " + std::to_string(room) + " bytes");
    set.write("u", small, 1);
    if (!begins_late) set.write("v", large, 1);
    set.write("u", small, 2);
    room_here(room, true);  // whoever writes
    set.write("u", small, 3);
    set.write("v", large, 3);
    if (set.close() == 0) {
      set.holds("u", small, 3);
      set.holds("v", large, 3);
      if (!begins_late) set.holds("v", large, 1);
      check.that(failures > 0, set.what() + ": no disk was too small");
      return;
    }
    ++failures;
    set.is_full("v 3");
  }
  check.that(false, steps + ", " + format + ", " + pattern + ": no disk was large enough");
}

// Definitions are written by all MPI ranks together, so the disk is asked before.
void second_array(checks& check, const char* format, const char* pattern, bool reserves) {
  dataset_on_disk set(
      check, format, pattern,
      reserves ? "a full disk before the second array" : "the same without fallocate");
  set.write("a", small, 0);
  if (check.rank() == 0) room_here(3000, reserves);
  set.write("b", small, 0);
  set.close();
  set.is_full("b 0");
}

// If nobody can reserve, no MPI rank's bytes are lost in blocks that another one wrote.
void without_fallocate(checks& check, const char* format, const char* pattern, int victim) {
  const std::string whose = " bytes for MPI rank " + std::to_string(victim);
  for (const long long room : {67600LL, 2000000LL, 18000000LL, 60000000LL}) {
    dataset_on_disk set(check, format, pattern,
                        "without fallocate, room for " + std::to_string(room) + whose);
    if (check.rank() == victim) room_here(room, false);
    set.write("v", large, 0, cut::skewed);
    const bool is_written = set.close() == 0;
    check.that(is_written || room < 60000000, set.what() + ": the disk was large enough");
    const bool writes = std::string(pattern) == "shared_independent";
    check.that(!is_written || room > 2000000 || !writes, set.what() + ": the disk was too small");
    if (is_written)
      set.holds("v", large, 0);
    else
      set.is_full("v 0");
  }
}

void lost_write(checks& check, const char* format) {
  dataset_on_disk set(check, format, "shared_collective", "a device that fails within a write");
  set.write("a", small, 0);
  broken_here(5000000);
  set.write("b", large, 0);
  all_room_here();
  set.write("c", small, 0);
  check.that(set.close() != 0, set.what() + ": no failure");
}

// To the end of the program, at which HDF5 has to do with the file again.
void stays_full(checks& check, const char* format) {
  dataset_on_disk set(check, format, "serial", "a disk that stays full");
  set.write("u", small, 1);
  set.write("v", large, 1);
  set.write("u", small, 2);
  if (check.rank() == 0) room_here(2000000, true);
  set.write("u", small, 3);
  set.write("v", large, 3);
  set.close(false);
  set.is_full("v 3");
}

void test(checks& check, const char* format) {
  for (const char* pattern : {"shared_collective", "shared_independent"}) {
    second_array(check, format, pattern, true);
    second_array(check, format, pattern, false);
    left_out(check, format, pattern, false);
    left_out(check, format, pattern, true);
    without_fallocate(check, format, pattern, 0);
  }
  without_fallocate(check, format, "shared_independent", check.size() - 1);
  stays_full(check, format);
  lost_write(check, format);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  return spread::run(argc, argv, std::string("full disks between steps, ") + argv[1],
                     [&](checks& check) { test(check, argv[1]); });
}
