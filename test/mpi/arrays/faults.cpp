// What goes wrong on one MPI rank is the same failure on all, names that MPI rank, and harms
// nothing that is on disk. The disk that fills up is test/interpose/full_disk.c.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

namespace fs = std::filesystem;
using spread::checks;
using spread::cut;
using spread::memory;
using spread::spread_array;

const spread::extents global = {80, 60, 200};  // four pieces of the exchange

// Names and sizes and contents of a file or store.
std::string contents(const std::string& path) {
  std::ostringstream all;
  const auto add = [&](const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    all << file.string() << ":" << stream.rdbuf() << "\n";
  };
  std::vector<fs::path> files;
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  } else {
    files.push_back(path);
  }
  for (const fs::path& file : files) add(file);
  return all.str();
}

int leftovers(const std::string& beside) {
  int found = 0;
  for (const auto& entry : fs::directory_iterator("."))
    found += entry.path().filename().string().rfind(beside + ".headrace-", 0) == 0 ? 1 : 0;
  return found;
}

void write_old(checks& check, const std::string& file, const hr_parallel_options& options) {
  hr_error error{};
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::uneven);
  data.fill(100);
  const int code =
      hr_write_parallel(file.c_str(), data.array(), data.layout(), &options, nullptr, &error);
  check.ok(code, error, file + ", the old one");
}

// A write of which one MPI rank's calls fail from some bytes on.
void keeps_the_old_file_on_a_full_disk(checks& check, const std::string& file,
                                       hr_parallel_options options) {
  if (hr_parallel_unavailable(options.format) != nullptr) return;
  write_old(check, file, options);
  const std::string before = contents(file);
  const int victim = check.size() - 1;
  const std::string what = file + " " + (options.pattern == nullptr ? "" : options.pattern);
  hr_error error{};
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::skewed);
  data.fill(7);
  const bool serial = options.pattern != nullptr && std::string(options.pattern) == "serial";
  const int failing = serial ? 0 : victim;
  if (check.rank() == failing) setenv("HEADRACE_TEST_DISK_BYTES", "9000", 1);
  const int code =
      hr_write_parallel(file.c_str(), data.array(), data.layout(), &options, nullptr, &error);
  unsetenv("HEADRACE_TEST_DISK_BYTES");
  // What only MPI rank 0 does, it tells the others as a failure of all.
  const std::string name = failing > 0 ? "MPI rank " + std::to_string(failing) : "";
  check.fails(code, error, ENOSPC, name, what + " on a full disk");
  MPI_Barrier(MPI_COMM_WORLD);
  check.that(contents(file) == before, what + ": the old file is not what it was");
  check.that(leftovers(file) == 0, what + ": something was left beside it");
  MPI_Barrier(MPI_COMM_WORLD);
}

void refuses_what_does_not_fit_the_file(checks& check) {
  hr_error error{};
  write_old(check, "kinds.npy", {});
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real32"), global, cut::uneven,
                    memory::halo);
  int code = hr_read_parallel("kinds.npy", data.array(), data.layout(), nullptr, nullptr, &error);
  check.fails(code, error, HR_KIND_MISMATCH, "expected real of 4 bytes", "another kind");
  spread_array smaller(MPI_COMM_WORLD, spread::kind_named("real64"), {80, 60, 199}, cut::uneven,
                       memory::halo);
  code = hr_read_parallel("kinds.npy", smaller.array(), smaller.layout(), nullptr, nullptr, &error);
  check.fails(code, error, HR_SHAPE_MISMATCH, "found (80, 60, 200)", "another shape");
  code = hr_read_parallel("gone.npy", data.array(), data.layout(), nullptr, nullptr, &error);
  check.fails(code, error, ENOENT, "gone.npy", "a file that is not there");
  if (check.rank() == 0) fs::resize_file("kinds.npy", 5000);
  MPI_Barrier(MPI_COMM_WORLD);
  spread_array same(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::uneven,
                    memory::halo);
  code = hr_read_parallel("kinds.npy", same.array(), same.layout(), nullptr, nullptr, &error);
  check.fails(code, error, HR_FILE_SIZE_MISMATCH, "kinds.npy", "a file that was cut");
  if (check.rank() == 0) std::ofstream("text.npy") << "no array";
  MPI_Barrier(MPI_COMM_WORLD);
  code = hr_read_parallel("text.npy", same.array(), same.layout(), nullptr, nullptr, &error);
  check.fails(code, error, HR_HEADER_DAMAGED, "text.npy", "no npy file");
}

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
void tells_who_may_not_write(checks& check) {
  if (geteuid() != 0 || check.size() == 1) return;
  hr_error error{};
  if (check.rank() == 0) {
    fs::create_directory("closed");
    chmod("closed", 0755);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  // Even blocks: MPI's own shared memory would be refused to it too, and kill the program.
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::balanced,
                    memory::halo);
  data.fill(1);
  const int victim = check.size() - 1;
  for (const char* file : {"closed/x.npy", "closed/x.h5", "closed/x.zarr"}) {
    hr_parallel_options options{};
    if (check.rank() == victim && seteuid(65534) != 0) check.that(false, "seteuid");
    umask(022);
    const int code =
        hr_write_parallel(file, data.array(), data.layout(), &options, nullptr, &error);
    if (check.rank() == victim && seteuid(0) != 0) check.that(false, "seteuid back");
    if (code == HR_BACKEND_UNAVAILABLE) continue;
    check.fails(code, error, EACCES, "MPI rank " + std::to_string(victim), file);
    MPI_Barrier(MPI_COMM_WORLD);
    check.that(fs::is_empty("closed"), std::string(file) + ": something was left");
    MPI_Barrier(MPI_COMM_WORLD);
  }
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
  const std::string before = contents(file);
  code = hr_open_dataset(&state, file, MPI_COMM_WORLD, "write", nullptr, &error);
  check.ok(code, error, "opening again");
  const hr_dataset copy = state;
  code = hr_write_dataset_array(state, "other", data.array(), data.layout(), "", nullptr, &error);
  check.ok(code, error, "writing again");
  code = hr_write_dataset_array(state, "other", data.array(), data.layout(), "", nullptr, &error);
  check.fails(code, error, HR_ARGUMENT_INVALID, "has other already", "the same name twice");
  code = hr_close_dataset(&state, &error);
  check.fails(code, error, HR_ARGUMENT_INVALID, "has other already", "closing after a failure");
  check.that(contents(file) == before, std::string(file) + " is what it was");
  code = hr_write_dataset_array(copy, "more", data.array(), data.layout(), "", nullptr, &error);
  check.fails(code, error, HR_HANDLE_CLOSED, "the dataset is closed", "a copy of a closed handle");
  hr_open_dataset(&state, file, MPI_COMM_WORLD, "write", nullptr, &error);
  check.that(hr_abandon_dataset(&state, &error) == 0 && state == 0, "abandoning");
  MPI_Barrier(MPI_COMM_WORLD);
  check.that(contents(file) == before, std::string(file) + " is what it was after abandoning");
  code = hr_open_dataset(&state, file, MPI_COMM_WORLD, "change", nullptr, &error);
  check.fails(code, error, HR_OPTION_UNKNOWN, "no action=\"change\"", "an unknown action");
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int result = 1;
  {
    checks check;
    if (check.rank() == 0)
      for (const auto& entry : fs::directory_iterator(".")) fs::remove_all(entry.path());
    MPI_Barrier(MPI_COMM_WORLD);
    for (const char* pattern : {"shared_collective", "shared_independent", "serial"})
      for (const char* format : {"npy", "hdf5"}) {
        hr_parallel_options options{};
        options.format = format;
        options.pattern = pattern;
        keeps_the_old_file_on_a_full_disk(check, std::string("full_disk.") + format, options);
      }
    for (const char* pattern : {"file_per_process", "file_per_node", "shared_independent"}) {
      hr_parallel_options options{};
      options.format = "zarr";
      options.pattern = pattern;
      keeps_the_old_file_on_a_full_disk(check, "full_disk.zarr", options);
    }
    refuses_what_does_not_fit_the_file(check);
    refuses_ranks_that_disagree(check);
    tells_who_may_not_write(check);
    for (const char* file : {"state.h5", "state.nc", "state.pnc", "state.zarr", "state.bp"})
      datasets_are_replaced_when_closed(check, file);
    result = check.finish("faults");
  }
  MPI_Finalize();
  return result;
}
