// A time series of many steps, each of a small array: what a step costs when many came before it.
//
//     mpirun -n 1 headrace_bench_long_series [steps [elements of each step [format]]]
//
// The files are written in the current directory, and what is read is compared. A step should cost
// the same at the end as at the beginning: kept arrays are delivered every 256 calls, so that
// figures are of 1,024 calls.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "headrace_mpi.h"

namespace {

constexpr int compared_steps = 1024;
constexpr int appended_steps = 100;

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "long_series: %s\n", what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

struct series {
  int steps = 100000;
  long long elements = 8;
  int rank = 0;
  int ranks = 1;
};

// The first and the last value of a block say which step it is.
void mark(const hr_array& array, long long step) {
  auto* const values = static_cast<double*>(array.base);
  values[0] = values[array.extent[0] - 1] = static_cast<double>(step);
}

bool is_marked(const hr_array& array, long long step) {
  const auto* const values = static_cast<const double*>(array.base);
  const auto wanted = static_cast<double>(step);
  return !(values[0] < wanted || values[0] > wanted) && !(values[array.extent[0] - 1] < wanted) &&
         !(values[array.extent[0] - 1] > wanted);
}

void check(int code, const hr_error& error) {
  if (code != 0) give_up(error.message);
}

// Seconds of the first steps, of the last ones, and of all of them with the closing.
struct times {
  double first = 0;
  double last = 0;
  double all = 0;
};

times write_series(const series& job, const std::string& file, const hr_array& array,
                   hr_layout layout) {
  times took;
  hr_error error{};
  hr_dataset opened = 0;
  const double begin = MPI_Wtime();
  check(hr_open_dataset(&opened, file.c_str(), MPI_COMM_WORLD, "write", nullptr, &error), error);
  const int part = std::min(compared_steps, job.steps);
  double from = MPI_Wtime();
  for (long long step = 1; step <= job.steps; ++step) {
    if (step == job.steps - part + 1) from = MPI_Wtime();
    mark(array, step);
    check(hr_write_dataset_array(opened, "x", &array, layout, nullptr, &step, &error), error);
    if (step == part) took.first = MPI_Wtime() - from;
  }
  took.last = MPI_Wtime() - from;
  check(hr_close_dataset(&opened, &error), error);
  took.all = MPI_Wtime() - begin;
  return took;
}

// Goes on with the file. Seconds to open it.
double append_series(const series& job, const std::string& file, const hr_array& array,
                     hr_layout layout) {
  hr_error error{};
  hr_dataset opened = 0;
  const double begin = MPI_Wtime();
  check(hr_open_dataset(&opened, file.c_str(), MPI_COMM_WORLD, "append", nullptr, &error), error);
  const double took = MPI_Wtime() - begin;
  for (long long step = job.steps + 1; step <= job.steps + appended_steps; ++step) {
    mark(array, step);
    check(hr_write_dataset_array(opened, "x", &array, layout, nullptr, &step, &error), error);
  }
  check(hr_close_dataset(&opened, &error), error);
  return took;
}

// Seconds of the first steps and of the last ones.
times read_series(const series& job, const std::string& file, const hr_array& array,
                  hr_layout layout) {
  times took;
  hr_error error{};
  hr_dataset opened = 0;
  check(hr_open_dataset(&opened, file.c_str(), MPI_COMM_WORLD, "read", nullptr, &error), error);
  const int part = std::min(compared_steps, job.steps);
  const auto read = [&](long long first) {
    const double from = MPI_Wtime();
    for (long long step = first; step < first + part; ++step) {
      mark(array, 0);
      check(hr_read_dataset_array(opened, "x", &array, layout, &step, &error), error);
      if (!is_marked(array, step))
        give_up(file + " has other values in step " + std::to_string(step));
    }
    return MPI_Wtime() - from;
  };
  took.first = read(1);
  took.last = read(job.steps - part + 1);
  check(hr_close_dataset(&opened, &error), error);
  return took;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  series job;
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
  const auto number = [&](int place, int otherwise) {
    return argc > place ? std::max(1, std::atoi(argv[place])) : otherwise;
  };
  job.steps = number(1, job.steps);
  job.elements = number(2, static_cast<int>(job.elements));
  const std::string wanted = argc > 3 ? argv[3] : "";
  std::vector<double> values(static_cast<std::size_t>(job.elements), 1.0 + job.rank);
  hr_array array{};
  array.base = values.data();
  array.elem_len = sizeof(double);
  array.type = HR_TYPE_REAL;
  array.array_rank = 1;
  array.extent[0] = job.elements;
  array.stride[0] = sizeof(double);
  const long long global = job.elements * job.ranks;
  const long long start = job.elements * job.rank + 1;
  hr_layout layout = 0;
  hr_error error{};
  check(hr_make_layout(&layout, MPI_COMM_WORLD, 1, &global, &start, &job.elements, &error), error);
  const double part = std::min(compared_steps, job.steps);
  for (const auto& [format, ending] :
       {std::pair{"hdf5", ".h5"}, std::pair{"netcdf4", ".nc"}, std::pair{"pnetcdf", ".pnc"},
        std::pair{"zarr", ".zarr"}, std::pair{"adios2", ".bp"}}) {
    if (hr_parallel_unavailable(format) != nullptr || (!wanted.empty() && wanted != format))
      continue;
    const std::string file = std::string("series") + ending;
    const times took = write_series(job, file, array, layout);
    series whole = job;
    double opening = 0;
    if (std::string(format) != "adios2") {  // it does not grow
      opening = append_series(job, file, array, layout);
      whole.steps += appended_steps;
    }
    const times back = read_series(whole, file, array, layout);
    if (job.rank == 0)
      std::printf(
          "%-8s %d steps, us a step: writing the first %.0f %.1f, the last %.1f, all %.1f; "
          "reading the first %.1f, the last %.1f; opened to append in %.1f ms\n",
          format, job.steps, part, 1e6 * took.first / part, 1e6 * took.last / part,
          1e6 * took.all / job.steps, 1e6 * back.first / part, 1e6 * back.last / part,
          1e3 * opening);
  }
  hr_free_layout(&layout, nullptr);
  MPI_Finalize();
  return 0;
}
