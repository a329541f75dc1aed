// Many small arrays in one dataset, as a model with hundreds of fields writes them: headrace's
// formats against what programs do without a parallel library, MPI rank 0 gathering each array and
// writing it by HDF5's own calls, and against ADIOS2's own calls.
//
//     mpirun -n 8 headrace_bench_many_arrays [arrays [bytes of each array [rounds [ways]]]]
//
// The files are written in the current directory. The least of the rounds counts; they are
// interleaved.
#ifdef HEADRACE_HAS_ADIOS2
#include <adios2.h>
#endif
#include <hdf5.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "headrace_mpi.h"

namespace {

struct job {
  int arrays = 1000;
  int elements = 128;  // of an MPI rank
  int rank = 0;
  int ranks = 1;
  std::vector<double> values{};
};

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "many_arrays: %s\n", what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

std::string name_of(int number) {
  return "array" + std::to_string(number);
}

void by_headrace(const job& all, const std::string& file) {
  hr_array array{};
  array.base = const_cast<double*>(all.values.data());
  array.elem_len = sizeof(double);
  array.type = HR_TYPE_REAL;
  array.array_rank = 1;
  array.extent[0] = all.elements;
  array.stride[0] = sizeof(double);
  const long long global = static_cast<long long>(all.elements) * all.ranks;
  const long long start = static_cast<long long>(all.elements) * all.rank + 1;
  const long long count = all.elements;
  hr_layout layout = 0;
  hr_error error{};
  hr_dataset opened = 0;
  if (hr_make_layout(&layout, MPI_COMM_WORLD, 1, &global, &start, &count, &error) != 0)
    give_up(error.message);
  if (hr_open_dataset(&opened, file.c_str(), MPI_COMM_WORLD, "write", nullptr, &error) != 0)
    give_up(error.message);
  for (int i = 0; i < all.arrays; ++i)
    if (hr_write_dataset_array(opened, name_of(i).c_str(), &array, layout, "x", nullptr, &error) !=
        0)
      give_up(error.message);
  if (hr_close_dataset(&opened, &error) != 0) give_up(error.message);
  hr_free_layout(&layout, nullptr);
}

void by_one_rank(const job& all, const std::string& file) {
  const hsize_t global = static_cast<hsize_t>(all.elements) * static_cast<hsize_t>(all.ranks);
  std::vector<double> whole(all.rank == 0 ? global : 0);
  hid_t opened = -1;
  hid_t space = -1;
  if (all.rank == 0) {
    opened = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    space = H5Screate_simple(1, &global, nullptr);
    if (opened < 0 || space < 0) give_up("HDF5 cannot create " + file);
  }
  for (int i = 0; i < all.arrays; ++i) {
    MPI_Gather(all.values.data(), all.elements, MPI_DOUBLE, whole.data(), all.elements, MPI_DOUBLE,
               0, MPI_COMM_WORLD);
    if (all.rank != 0) continue;
    const hid_t set = H5Dcreate2(opened, name_of(i).c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT);
    if (set < 0 ||
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, whole.data()) < 0 ||
        H5Dclose(set) < 0)
      give_up("HDF5 cannot write " + file);
  }
  if (all.rank == 0 && (H5Sclose(space) < 0 || H5Fclose(opened) < 0))
    give_up("HDF5 cannot close " + file);
}

// The library's defaults, and all arrays in one step.
void by_adios2([[maybe_unused]] const job& all, [[maybe_unused]] const std::string& file) {
#ifdef HEADRACE_HAS_ADIOS2
  adios2::ADIOS library(MPI_COMM_WORLD);
  adios2::IO io = library.DeclareIO("many");
  adios2::Engine engine = io.Open(file, adios2::Mode::Write);
  const auto elements = static_cast<std::size_t>(all.elements);
  engine.BeginStep();
  for (int i = 0; i < all.arrays; ++i) {
    auto variable = io.DefineVariable<double>(
        name_of(i), {elements * static_cast<std::size_t>(all.ranks)},
        {elements * static_cast<std::size_t>(all.rank)}, {elements}, adios2::ConstantDims);
    engine.Put(variable, all.values.data());
  }
  engine.EndStep();
  engine.Close();
#endif
}

struct way {
  std::string name;
  std::string file;
  double least = 1e30;
};

void run(const job& all, way& by) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (by.name == "one MPI rank")
    by_one_rank(all, by.file);
  else if (by.name == "ADIOS2 itself")
    by_adios2(all, by.file);
  else
    by_headrace(all, by.file);
  double took = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  by.least = std::min(by.least, took);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  job all;
  MPI_Comm_rank(MPI_COMM_WORLD, &all.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &all.ranks);
  const auto number = [&](int place, int otherwise) {
    return argc > place ? std::max(1, std::atoi(argv[place])) : otherwise;
  };
  all.arrays = number(1, 1000);
  const int bytes = number(2, 8192);
  all.elements = std::max(1, bytes / static_cast<int>(sizeof(double)) / all.ranks);
  const int rounds = number(3, 3);
  all.values.assign(static_cast<std::size_t>(all.elements), 1.0 + all.rank);
  std::vector<way> ways{{"one MPI rank", "many_peer.h5"}};
  for (const auto& [format, ending] : {std::pair{"hdf5", ".h5"}, std::pair{"zarr", ".zarr"},
                                       std::pair{"netcdf4", ".nc"}, std::pair{"adios2", ".bp"}})
    if (hr_parallel_unavailable(format) == nullptr)
      ways.push_back({format, std::string("many_") + format + ending});
#ifdef HEADRACE_HAS_ADIOS2
  ways.push_back({"ADIOS2 itself", "many_peer.bp"});
#endif
  const std::string wanted = argc > 4 ? argv[4] : "";
  const auto is_left_out = [&](const way& by) {
    return !wanted.empty() && ("," + wanted + ",").find("," + by.name + ",") == std::string::npos;
  };
  ways.erase(std::remove_if(ways.begin(), ways.end(), is_left_out), ways.end());
  for (int round = 0; round < rounds; ++round)
    for (way& by : ways) run(all, by);
  if (all.rank == 0) {
    std::printf("%d arrays of %d bytes on %d MPI ranks; ratio: one MPI rank / this\n", all.arrays,
                all.elements * all.ranks * static_cast<int>(sizeof(double)), all.ranks);
    for (const way& by : ways)
      std::printf("%-14s %9.3f ms   %6.1f us an array   ratio %.2f\n", by.name.c_str(),
                  1e3 * by.least, 1e6 * by.least / all.arrays, ways[0].least / by.least);
  }
  MPI_Finalize();
  return 0;
}
