// What goes wrong on one MPI rank is the same failure on all, names that MPI rank, and harms
// nothing that is on disk. Next: faults_disk.cpp, faults_content.cpp.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "faults_files.hpp"

namespace {

namespace fs = std::filesystem;
using spread::checks;
using spread::cut;
using spread::memory;
using spread::spread_array;

const spread::extents global = {80, 60, 200};  // four pieces of the exchange

void refuses_ranks_that_disagree(checks& check) {
  if (check.size() == 1) return;
  hr_error error{};
  const bool odd = check.rank() % 2 == 1;
  spread_array real64(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::uneven,
                      memory::halo);
  hr_array array = *real64.array();
  if (odd) array.type = HR_TYPE_INTEGER;
  int code = hr_write_parallel("disagree.npy", &array, real64.layout(), nullptr, nullptr, &error);
  check.fails(code, error, HR_RANKS_DISAGREE, "different arrays", "other kinds");
  code = hr_write_parallel(odd ? "odd.npy" : "even.npy", real64.array(), real64.layout(), nullptr,
                           nullptr, &error);
  check.fails(code, error, HR_RANKS_DISAGREE, "different file names", "other names");
  check.that(!fs::exists("odd.npy") && !fs::exists("even.npy"), "nothing was written");
}

// One MPI rank that may not write where the others may: the superuser gives its rights away.
void tells_who_may_not_write(checks& check, const faults::way& how) {
  // MPI rank 0 may write for all.
  if (geteuid() != 0 || check.size() == 1 || how.is_serial()) return;
  // Even blocks: MPI's own shared memory would be refused to it too, and kill the program.
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::balanced,
                    memory::halo);
  data.fill(1);
  const int victim = check.size() - 1;
  const std::string file = std::string("closed/x.") + how.ending;
  hr_error error{};
  if (check.rank() == victim && seteuid(65534) != 0) check.that(false, "seteuid");
  umask(022);
  const int code = faults::write(file, how, data, error);
  if (check.rank() == victim && seteuid(0) != 0) check.that(false, "seteuid back");
  check.fails(code, error, EACCES, "MPI rank " + std::to_string(victim),
              how.text() + " where one MPI rank may not write");
  MPI_Barrier(MPI_COMM_WORLD);
  check.that(fs::is_empty("closed"), how.text() + ": something was left");
  MPI_Barrier(MPI_COMM_WORLD);
}

void datasets_are_replaced_when_closed(checks& check, const char* file) {
  hr_error error{};
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::uneven,
                    memory::halo);
  data.fill(1);
  hr_dataset state = 0;
  int code = hr_open_dataset(&state, file, MPI_COMM_WORLD, "write", nullptr, &error);
  if (code == HR_BACKEND_UNAVAILABLE) return;
  check.ok(code, error, std::string(file) + ", opening");
  code =
      hr_write_dataset_array(state, "rho", data.array(), data.layout(), "x,y,z", nullptr, &error);
  check.ok(code, error, std::string(file) + ", writing");
  MPI_Barrier(MPI_COMM_WORLD);
  check.that(!fs::exists(file), std::string(file) + " is not there before it is closed");
  code = hr_read_dataset_array(state, "rho", data.array(), data.layout(), nullptr, &error);
  check.fails(code, error, HR_ARGUMENT_INVALID, "open for writing", "reading what is written");
  MPI_Barrier(MPI_COMM_WORLD);
  code = hr_close_dataset(&state, &error);
  check.ok(code, error, std::string(file) + ", closing");
  check.that(fs::exists(file), std::string(file) + " is there");
  code = hr_open_dataset(&state, file, MPI_COMM_WORLD, "write", nullptr, &error);
  check.ok(code, error, "opening again");
  const hr_dataset copy = state;
  code = hr_write_dataset_array(state, "other", data.array(), data.layout(), "", nullptr, &error);
  check.ok(code, error, "writing again");
  code = hr_write_dataset_array(state, "other", data.array(), data.layout(), "", nullptr, &error);
  check.fails(code, error, HR_ARGUMENT_INVALID, "has the array \"other\" already",
              "the same name twice");
  code = hr_close_dataset(&state, &error);
  check.ok(code, error, "closing after a call that was refused");
  const std::string before = faults::contents(file);
  code = hr_write_dataset_array(copy, "more", data.array(), data.layout(), "", nullptr, &error);
  check.fails(code, error, HR_HANDLE_CLOSED, "the dataset is closed", "a copy of a closed handle");
  hr_open_dataset(&state, file, MPI_COMM_WORLD, "write", nullptr, &error);
  check.that(hr_abandon_dataset(&state, &error) == 0 && state < 0, "abandoning");
  MPI_Barrier(MPI_COMM_WORLD);
  check.that(faults::has_contents(file, before),
             std::string(file) + " is what it was after abandoning");
  code = hr_open_dataset(&state, file, MPI_COMM_WORLD, "change", nullptr, &error);
  check.fails(code, error, HR_OPTION_UNKNOWN, "no action=\"change\"", "an unknown action");
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  return spread::run(argc, argv, "faults", [](checks& check) {
    faults::empty_this_directory(check);
    refuses_ranks_that_disagree(check);
    if (check.rank() == 0) {
      fs::create_directory("closed");
      chmod("closed", 0755);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (const faults::way& how : faults::ways()) tells_who_may_not_write(check, how);
    for (const char* file : {"state.h5", "state.nc", "state.pnc", "state.zarr", "state.bp"})
      datasets_are_replaced_when_closed(check, file);
  });
}
