// A disk was full in the middle of a collective write, and the program tries again: it gets its
// file by transfer="headrace". Open MPI's OMPIO may be left with what it could not write:
// MPI_File_sync fails at once on that MPI rank then, and the others wait in it for ever. The disk
// is test/interpose/full_disk.c; MPI_File_sync of this program fails like OMPIO's.
#include <cerrno>
#include <cstdlib>
#include <string>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

bool is_stuck = false;

}  // namespace

extern "C" int MPI_File_sync(MPI_File file) {
  return is_stuck ? MPI_ERR_OTHER : PMPI_File_sync(file);
}

namespace {

using spread::checks;

// No more than a cycle of MPI-IO's collective write: in the next one MPI ranks wait for ever.
const spread::extents global = {80, 60, 200};

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
  setenv("HEADRACE_TEST_DISK_TELLS", "1", 1);  // OMPIO may report success
}

// On all MPI ranks.
int lost_elements(const std::string& file) {
  spread::spread_array to(MPI_COMM_WORLD, spread::kind_named("real64"), global,
                          spread::cut::skewed);
  to.clear();
  hr_error error{};
  if (hr_read_parallel(file.c_str(), to.array(), to.layout(), nullptr, nullptr, &error) != 0)
    return 0;
  int lost = static_cast<int>(to.wrong(3));
  MPI_Allreduce(MPI_IN_PLACE, &lost, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return lost;
}

void write_all_formats(checks& check, const char* transfer) {
  for (const char* const file : {"again.npy", "again.h5", "again.nc", "again.pnc"}) {
    hr_error error{};
    const int code = write(file, transfer, error);
    if (code != HR_BACKEND_UNAVAILABLE)
      check.ok(code, error, std::string(file) + " by " + transfer);
  }
}

void test(checks& check) {
  for (const char* const transfer : {"headrace", "library"}) write_all_formats(check, transfer);
  if (check.rank() == 0) leave_room(2000000);
  hr_error error{};
  const int code = write("full_disk.npy", "library", error);
  if (check.rank() == 0) leave_room(1LL << 40);
  // OMPIO may report success: then elements are missing, as they are without headrace.
  if (code == 0)
    check.that(lost_elements("full_disk.npy") > 0, "a full disk: success, and nothing is missing");
  else
    check.that(code == ENOSPC, "a full disk: " + std::string(error.message));
  write_all_formats(check, "headrace");
  is_stuck = check.rank() == check.size() - 1;
  write_all_formats(check, "headrace");
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "after a failed write", test);
}
