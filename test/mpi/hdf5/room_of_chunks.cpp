// HDF5 puts small chunks before earlier arrays too, into what their alignment leaves free: an array
// needs room for its own bytes, and not for all from its first to its last. The disk is
// test/interpose/full_disk.c. While a file is made, its file system may have stripes, as all have
// but the three that headrace knows better: so headrace aligns large arrays.
#include <linux/magic.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "formats/formats.hpp"

static bool may_have_stripes = false;

extern "C" int statfs(const char* path, struct statfs* found) noexcept {
  const long result = ::syscall(SYS_statfs, path, found);
  if (result == 0 && may_have_stripes) found->f_type = BTRFS_SUPER_MAGIC;
  return static_cast<int>(result);
}

namespace {

using namespace format_tests;

constexpr long long mebibyte = 1LL << 20;
const char* const room_file = "room_of_chunks.h5";

// From now on so many bytes can be written by this MPI rank.
void break_the_disk_after(long long bytes) {
  setenv("HEADRACE_TEST_DISK_PATH", room_file, 1);
  setenv("HEADRACE_TEST_DISK_NAME", ("broken after " + std::to_string(bytes)).c_str(), 1);
  setenv("HEADRACE_TEST_DISK_BREAKS", std::to_string(bytes).c_str(), 1);
}

// From now on so many bytes fit on the disk of every MPI rank.
void leave_room_for_chunks(long long bytes) {
  static int disks = 0;
  setenv("HEADRACE_TEST_DISK_PATH", room_file, 1);
  setenv("HEADRACE_TEST_DISK_NAME", std::to_string(++disks).c_str(), 1);
  setenv("HEADRACE_TEST_DISK_BYTES", std::to_string(bytes).c_str(), 1);
  setenv("HEADRACE_TEST_DISK_TELLS", "1", 1);
}

int make_with_stripes(hr_dataset& state, const hr_parallel_options& chosen, hr_error& error) {
  may_have_stripes = true;
  const int code = hr_open_dataset(&state, room_file, MPI_COMM_WORLD, "write", &chosen, &error);
  may_have_stripes = false;
  return code;
}

class chunks_on_a_disk {
 public:
  chunks_on_a_disk(checks& check, const way& how)
      : check_(check),
        how_(how),
        large_(MPI_COMM_WORLD, kind_named("real64"), {1024, 128, 16}, cut::last),
        chunked_(MPI_COMM_WORLD, kind_named("real64"), {1024, 256}, cut::last) {
    large_.fill(1);
    chunked_.fill(2);
  }

  // An array of 16 MiB, then one of 2 MiB in chunks of 64 KiB: what is before the large one is
  // too little for all.
  void write(long long room, bool is_enough) {
    const std::string what =
        text_of(how_) + ", room for " + std::to_string(room) + " bytes beside the large array";
    hr_error error{};
    hr_parallel_options chosen = options_of(how_);
    chosen.hints = "hdf5_chunk_bytes=65536";
    hr_dataset state = 0;
    check_.ok(make_with_stripes(state, chosen, error), error, what);
    check_.ok(hr_write_dataset_array(state, "large", large_.array(), large_.layout(), nullptr,
                                     nullptr, &error),
              error, what);
    leave_room_for_chunks(room);
    const int code = hr_write_dataset_array(state, "chunked", chunked_.array(), chunked_.layout(),
                                            nullptr, &step_, &error);
    if (is_enough)
      check_.ok(code, error, what);
    else
      // OMPIO does not tell HDF5 why.
      check_.fails(code, error, code == ENOSPC ? ENOSPC : HR_LIBRARY_FAILED,
                   std::vector<std::string>{room_file}, what);
    const int closed = hr_close_dataset(&state, &error);
    unsetenv("HEADRACE_TEST_DISK_PATH");
    if (!is_enough) return;
    check_.ok(closed, error, what + ", close");
    read(what);
  }

 private:
  void read(const std::string& what) {
    hr_error error{};
    hr_dataset state = 0;
    const hr_parallel_options chosen = options_of(how_);
    large_.clear();
    chunked_.clear();
    check_.ok(hr_open_dataset(&state, room_file, MPI_COMM_WORLD, "read", &chosen, &error), error,
              what);
    check_.ok(
        hr_read_dataset_array(state, "large", large_.array(), large_.layout(), nullptr, &error),
        error, what);
    check_.ok(hr_read_dataset_array(state, "chunked", chunked_.array(), chunked_.layout(), &step_,
                                    &error),
              error, what);
    check_.ok(hr_close_dataset(&state, &error), error, what);
    check_.that(large_.wrong(1) == 0 && chunked_.wrong(2) == 0, what + ": wrong bytes");
  }

  static constexpr long long step_ = 1;
  checks& check_;
  way how_;
  spread_array large_;
  spread_array chunked_;
};

// In a file whose first chunks lie before a large array and the others behind it.
void test_broken_device(checks& check, long long bytes) {
  const std::string what =
      "a device that fails after " + std::to_string(bytes) + " bytes of chunks";
  hr_error error{};
  hr_parallel_options chosen{};
  chosen.format = "hdf5";
  chosen.pattern = check.size() == 1 ? "shared_collective" : "serial";
  chosen.transfer = "library";
  chosen.hints = "hdf5_chunk_bytes=100000";
  hr_dataset state = 0;
  spread_array large(MPI_COMM_WORLD, kind_named("real64"), {1024, 512, 10}, cut::first);
  spread_array chunked(MPI_COMM_WORLD, kind_named("real64"), {256, 256, 80}, cut::first);
  large.fill(1);
  chunked.fill(2);
  const long long step = 1;
  check.ok(make_with_stripes(state, chosen, error), error, what);
  check.ok(hr_write_dataset_array(state, "large", large.array(), large.layout(), nullptr, nullptr,
                                  &error),
           error, what);
  for (const char* name : {"BYTES", "TELLS"})
    unsetenv((std::string("HEADRACE_TEST_DISK_") + name).c_str());
  if (check.rank() == 0) break_the_disk_after(bytes);
  const int code = hr_write_dataset_array(state, "chunked", chunked.array(), chunked.layout(),
                                          nullptr, &step, &error);
  for (const char* name : {"PATH", "BREAKS"})
    unsetenv((std::string("HEADRACE_TEST_DISK_") + name).c_str());
  hr_error at_close{};
  const int closed = hr_close_dataset(&state, &at_close);
  check.that(closed != 0, what + ": closed after a failure");
  // OMPIO may not tell HDF5 why.
  const bool is_told = code != 0;
  const int told = is_told ? code : closed;
  check.fails(told, is_told ? error : at_close, told == EIO ? EIO : HR_LIBRARY_FAILED,
              std::vector<std::string>{room_file}, what);
}

void test_room(checks& check) {
  for (const way& how : hdf5_ways) {
    if (std::string(how.transfer) != "library") continue;
    chunks_on_a_disk(check, how).write(8 * mebibyte, true);
    // HDF5 waits for ever for an MPI rank that cannot write.
    if (check.size() == 1 || std::string(how.pattern) == "serial")
      chunks_on_a_disk(check, how).write(mebibyte, false);
  }
  for (const long long bytes : {50000LL, 5000000LL}) test_broken_device(check, bytes);
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "room of chunks in HDF5", test_room);
}
