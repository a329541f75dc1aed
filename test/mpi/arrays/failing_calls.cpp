// Calls of the operating system and of MPI that fail where no file can make them: those of this
// program come before the libraries'.
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

bool directories_fail = false;
bool views_fail = false;

}  // namespace

extern "C" int fsync(int descriptor) {
  struct stat found {};
  if (directories_fail && ::fstat(descriptor, &found) == 0 && S_ISDIR(found.st_mode)) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

extern "C" int MPI_File_set_view(MPI_File file, MPI_Offset offset, MPI_Datatype element,
                                 MPI_Datatype view, const char* form, MPI_Info info) {
  if (views_fail) return MPI_ERR_UNSUPPORTED_DATAREP;
  return PMPI_File_set_view(file, offset, element, view, form, info);
}

namespace {

using namespace spread;

// The name is there, whatever the device says: nothing of before stays.
void name_that_is_not_synced(checks& check) {
  hr_parallel_options chosen{};
  chosen.sync = "file";
  hr_dataset state = 0;
  hr_error error{};
  spread_array from(MPI_COMM_WORLD, kind_named("real64"), {6, 4}, cut::uneven);
  from.fill(1);
  check.ok(hr_open_dataset(&state, "named.h5", MPI_COMM_WORLD, "write", &chosen, &error), error,
           "open");
  check.ok(
      hr_write_dataset_array(state, "u", from.array(), from.layout(), nullptr, nullptr, &error),
      error, "write");
  directories_fail = true;
  check.fails(hr_flush_dataset(state, &error), error, EIO, "cannot bring the name to the device",
              "a flush whose name is not synced");
  directories_fail = false;
  check.fails(hr_close_dataset(&state, &error), error, EIO,
              "what was there at the last flush_dataset, or before, stays", "closing after it");
}

void view_that_is_refused(checks& check) {
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(MPI_ERR_UNSUPPORTED_DATAREP, words, &length);
  hr_parallel_options chosen{};
  hr_error error{};
  spread_array from(MPI_COMM_WORLD, kind_named("real64"), {60, 40}, cut::uneven);
  from.fill(1);
  chosen.transfer = "library";
  for (const char* const pattern : {"shared_collective", "shared_independent"}) {
    chosen.pattern = pattern;
    views_fail = true;
    const int code =
        hr_write_parallel("view.npy", from.array(), from.layout(), &chosen, nullptr, &error);
    views_fail = false;
    check.that(code != 0, "a write without a view");
    check.fails(code, error, code, std::string(words, static_cast<std::size_t>(length)),
                std::string("a view that is refused, ") + pattern);
  }
}

void test(checks& check) {
  view_that_is_refused(check);
  if (hr_parallel_unavailable("hdf5") == nullptr) name_that_is_not_synced(check);
}

}  // namespace

int main(int count, char** arguments) {
  return run(count, arguments, "failing calls", test);
}
