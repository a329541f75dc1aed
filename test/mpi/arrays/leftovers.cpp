// What a program leaves that died or forgot to close: a store that was moved aside comes back, also
// behind a symbolic link, and a dataset that is open at MPI_Finalize is told and removed.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

namespace fs = std::filesystem;
using spread::checks;
using spread::memory;
using spread::spread_array;

const spread::extents global = {12, 10, 8};
const char* const said = "stderr.txt";

void finds_a_store_that_was_moved_aside(checks& check) {
  hr_error error{};
  hr_parallel_options options{};
  options.format = "zarr";
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, spread::cut::uneven,
                    memory::halo);
  data.fill(5);
  if (check.rank() == 0) {
    fs::create_directory("far");
    fs::create_symlink("far/state.zarr", "near.zarr");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  // Nothing is behind the link yet.
  int code = hr_write_parallel("near.zarr", data.array(), data.layout(), &options, nullptr, &error);
  check.ok(code, error, "writing through a link");
  MPI_Barrier(MPI_COMM_WORLD);
  check.that(fs::is_directory("far/state.zarr") && fs::is_symlink("near.zarr"), "the link stays");
  MPI_Barrier(MPI_COMM_WORLD);
  if (check.rank() == 0) fs::rename("far/state.zarr", "far/state.zarr.headrace-old");
  MPI_Barrier(MPI_COMM_WORLD);
  data.clear();
  code = hr_read_parallel("near.zarr", data.array(), data.layout(), &options, nullptr, &error);
  check.ok(code, error, "reading a store that was moved aside");
  check.that(data.wrong(5) == 0, "the store came back with other values");
  // A program that was killed between giving the new store its name and removing the old one.
  MPI_Barrier(MPI_COMM_WORLD);
  if (check.rank() == 0)
    fs::copy("far/state.zarr", "far/state.zarr.headrace-old", fs::copy_options::recursive);
  MPI_Barrier(MPI_COMM_WORLD);
  code = hr_write_parallel("near.zarr", data.array(), data.layout(), &options, nullptr, &error);
  check.ok(code, error, "writing where an old store was left");
  MPI_Barrier(MPI_COMM_WORLD);
  check.that(!fs::exists("far/state.zarr.headrace-old"), "the old store is left for ever");
  MPI_Barrier(MPI_COMM_WORLD);
}

void leaves_a_dataset_open(checks& check, const char* file) {
  hr_error error{};
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, spread::cut::uneven,
                    memory::halo);
  data.fill(1);
  hr_dataset state = 0;
  const int code = hr_open_dataset(&state, file, MPI_COMM_WORLD, "write", nullptr, &error);
  if (code == HR_BACKEND_UNAVAILABLE) return;
  check.ok(code, error, std::string("opening ") + file);
  check.ok(hr_write_dataset_array(state, "rho", data.array(), data.layout(), "", nullptr, &error),
           error, std::string("writing ") + file);
}

// After MPI_Finalize, on MPI rank 0.
bool was_told_and_removed() {
  std::ifstream stream(said);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (text.find("\"open.zarr\" was not closed before MPI_Finalize") == std::string::npos) {
    std::printf("nothing was said of open.zarr: %s\n", text.c_str());
    return false;
  }
  for (const auto& entry : fs::directory_iterator("."))
    if (entry.path().filename().string().rfind("open.", 0) == 0) {
      std::printf("%s was left\n", entry.path().c_str());
      return false;
    }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int result = 1;
  int rank = 0;
  {
    checks check;
    rank = check.rank();
    if (rank == 0)
      for (const auto& entry : fs::directory_iterator(".")) fs::remove_all(entry.path());
    MPI_Barrier(MPI_COMM_WORLD);
    finds_a_store_that_was_moved_aside(check);
    result = check.finish("leftovers");
    if (rank == 0 && std::freopen(said, "w", stderr) == nullptr) result = 1;
    leaves_a_dataset_open(check, "open.zarr");
  }
  MPI_Finalize();
  if (rank != 0) return result;
  std::fflush(stderr);
  return was_told_and_removed() ? result : 1;
}
