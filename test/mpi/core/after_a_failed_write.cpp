// A disk was full in the middle of a collective write, and the program tries again: it gets its
// file, or is told that MPI-IO cannot go on. Open MPI's OMPIO may be left with what it could not
// write: MPI_File_sync fails at once on that MPI rank then, and the others wait in it for ever. The
// disk is test/interpose/full_disk.c; MPI_File_sync of this program fails like OMPIO's.
//
//     PROGRAM [FORMAT]    the write that failed was that of making a file of this format
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "checks.hpp"
#include "disk/mpi_io_health.hpp"
#include "spread_arrays.hpp"
#include "together/communicator.hpp"

namespace {

bool is_stuck = false;

}  // namespace

extern "C" int MPI_File_sync(MPI_File file) {
  return is_stuck ? MPI_ERR_OTHER : PMPI_File_sync(file);
}

namespace {

using spread::checks;

// With two MPI ranks or more several buffers of a collective write.
const spread::extents global = {256, 256, 64};

int write(const std::string& file, const char* transfer, hr_error& error) {
  spread::spread_array from(MPI_COMM_WORLD, spread::kind_named("real64"), global,
                            spread::cut::skewed);
  from.fill(3);
  hr_parallel_options chosen{};
  chosen.pattern = "shared_collective";
  chosen.transfer = transfer;
  chosen.sync = "file";
  return hr_write_parallel(file.c_str(), from.array(), from.layout(), &chosen, nullptr, &error);
}

// On the disk of this MPI rank.
void leave_room(long long bytes) {
  char* const here = realpath(".", nullptr);
  setenv("HEADRACE_TEST_DISK_PATH", (std::string(here) + "/full_disk").c_str(), 1);
  std::free(here);
  setenv("HEADRACE_TEST_DISK_BYTES", std::to_string(bytes).c_str(), 1);
}

constexpr struct {
  const char* format;
  const char* file;
  bool syncs;  // by MPI-IO, when the library writes it
  bool own_transfer;
} formats[] = {{"npy", "again.npy", true, true},
               {"hdf5", "again.h5", false, true},
               {"netcdf4", "again.nc", true, false},
               {"pnetcdf", "again.pnc", false, false}};

void write_all_formats(checks& check, bool stuck) {
  for (const auto& one : formats) {
    if (hr_parallel_unavailable(one.format) != nullptr) continue;
    hr_error error{};
    const int code = write(one.file, "library", error);
    const std::string what = std::string(one.file) + (stuck ? " where MPI-IO is stuck" : "");
    if (stuck && one.syncs)
      check.fails(code, error, HR_LIBRARY_FAILED,
                  {one.file, "MPI rank " + std::to_string(check.size() - 1), "cannot go on",
                   "begin the program again"},
                  what);
    else
      check.ok(code, error, what);
    if (one.own_transfer) check.ok(write(one.file, "headrace", error), error, what + ", headrace");
  }
}

void test(checks& check) {
  write_all_formats(check, false);
  const bool last = check.rank() == check.size() - 1;
  if (check.rank() == 0) leave_room(2000000);
  hr_error error{};
  const int code = write("full_disk.npy", "library", error);
  if (check.rank() == 0) leave_room(1LL << 40);
  check.that(code == ENOSPC, "a full disk: " + std::string(error.message));
  write_all_formats(check, false);
  is_stuck = last;
  write_all_formats(check, true);
}

// Nobody knows what a library wrote when it made a file: MPI-IO is looked at then too.
void test_making(checks& check, const char* format) {
  if (check.rank() == 0) leave_room(0);
  hr_error error{};
  hr_parallel_options chosen{};
  chosen.format = format;
  chosen.pattern = "shared_collective";
  hr_dataset state = 0;
  const int code =
      hr_open_dataset(&state, "full_disk.new", MPI_COMM_WORLD, "write", &chosen, &error);
  if (check.rank() == 0) leave_room(1LL << 40);
  check.that(code == ENOSPC, std::string(format) + " on a full disk: " + error.message);
  is_stuck = check.rank() == check.size() - 1;
  headrace::communicator_ptr comm;
  const headrace::status made = headrace::communicator::duplicate(MPI_COMM_WORLD, comm);
  if (!check.that(made.ok(), made.message())) return;
  const headrace::status found = headrace::check_mpi_io(*comm, "again.nc");
  check.that(found.code() == HR_LIBRARY_FAILED &&
                 found.message().find("cannot go on") != std::string::npos,
             std::string("after making a file of ") + format + ": " + found.message());
}

}  // namespace

int main(int count, char** arguments) {
  const char* const format = count > 1 ? arguments[1] : nullptr;
  if (format == nullptr) return spread::run(count, arguments, "after a failed write", test);
  if (const char* const why = hr_parallel_unavailable(format)) {
    std::printf("skipped: %s\n", why);
    return 77;
  }
  return spread::run(count, arguments, "after a file that was not made",
                     [&](checks& check) { test_making(check, format); });
}
