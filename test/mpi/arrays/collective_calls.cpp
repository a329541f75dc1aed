// How often all MPI ranks wait for each other while a small array is written or read: each of these
// calls costs a turn of the scheduler if MPI ranks share processors. The limits are what the
// formats need today: a change that needs more must say why.
//
// The program has MPI's collective calls before MPI does, and counts them. A library that headrace
// calls counts too.
#include <mpi.h>

#include <cstdio>
#include <string>
#include <vector>

#include "checks.hpp"
#include "spread_arrays.hpp"

namespace {

long long calls = 0;

}  // namespace

// In both forms: on a crowded machine headrace begins a call, and looks whether it is complete.
#define COUNTED(name, parameters, arguments) \
  int MPI_##name parameters {                \
    ++calls;                                 \
    return PMPI_##name arguments;            \
  }
extern "C" {
COUNTED(Allreduce, (const void* own, void* all, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
        (own, all, n, t, op, c))
COUNTED(Iallreduce,
        (const void* own, void* all, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c, MPI_Request* r),
        (own, all, n, t, op, c, r))
COUNTED(Bcast, (void* data, int n, MPI_Datatype t, int root, MPI_Comm c), (data, n, t, root, c))
COUNTED(Ibcast, (void* data, int n, MPI_Datatype t, int root, MPI_Comm c, MPI_Request* r),
        (data, n, t, root, c, r))
COUNTED(Allgather,
        (const void* own, int n, MPI_Datatype t, void* all, int m, MPI_Datatype u, MPI_Comm c),
        (own, n, t, all, m, u, c))
COUNTED(Iallgather,
        (const void* own, int n, MPI_Datatype t, void* all, int m, MPI_Datatype u, MPI_Comm c,
         MPI_Request* r),
        (own, n, t, all, m, u, c, r))
COUNTED(Gatherv,
        (const void* own, int n, MPI_Datatype t, void* all, const int* ns, const int* places,
         MPI_Datatype u, int root, MPI_Comm c),
        (own, n, t, all, ns, places, u, root, c))
COUNTED(Igatherv,
        (const void* own, int n, MPI_Datatype t, void* all, const int* ns, const int* places,
         MPI_Datatype u, int root, MPI_Comm c, MPI_Request* r),
        (own, n, t, all, ns, places, u, root, c, r))
COUNTED(Gather,
        (const void* own, int n, MPI_Datatype t, void* all, int m, MPI_Datatype u, int root,
         MPI_Comm c),
        (own, n, t, all, m, u, root, c))
COUNTED(Barrier, (MPI_Comm c), (c))
COUNTED(Ibarrier, (MPI_Comm c, MPI_Request* r), (c, r))
}

namespace {

using spread::checks;
using spread::cut;
using spread::spread_array;

struct limit {
  const char* format;
  const char* ending;
  long long writing;
  long long reading;
};
constexpr limit limits[] = {{"hdf5", ".h5", 4, 7},
                            {"netcdf4", ".nc", 4, 7},
                            {"pnetcdf", ".pnc", 4, 7},
                            {"adios2", ".bp", 5, 8},
                            {"zarr", ".zarr", 2, 10}};

constexpr int arrays = 10;
constexpr int kept_arrays = 100;
constexpr int most_of_kept_arrays = 9;  // less than 0.1 for each

// The calls of one array, once a first one has made what all share.
template <class Pass>
long long calls_of_one(Pass pass) {
  pass("first");
  const long long before = calls;
  for (int i = 0; i < arrays; ++i) pass("array" + std::to_string(i));
  return (calls - before + arrays - 1) / arrays;
}

class counted_format {
 public:
  counted_format(checks& check, const limit& most)
      : check_(check), most_(most), file_(std::string("counted_") + most.format + most.ending) {
    options_.format = most.format;
    data_.fill();
  }

  void write() {
    open("write");
    told("writing", most_.writing, calls_of_one([&](const std::string& name) {
           hr_error error{};
           check_.ok(hr_write_dataset_array(state_, name.c_str(), data_.array(), data_.layout(),
                                            "x", nullptr, &error),
                     error, file_ + ", writing " + name);
         }));
    close();
  }

  // With the attribute that delivers them.
  void keep() {
    open("write");
    hr_error error{};
    const long long before = calls;
    for (int i = 0; i < kept_arrays; ++i)
      check_.ok(hr_write_dataset_array(state_, ("kept" + std::to_string(i)).c_str(), data_.array(),
                                       data_.layout(), "x", nullptr, &error),
                error, file_ + ", keeping");
    check_.that(calls == before, file_ + ": an array that is kept waits for others");
    double number = 1;
    const hr_array value = spread::scalar(number, HR_TYPE_REAL);
    check_.ok(hr_write_attribute(state_, nullptr, "time", &value, &error), error, file_);
    const long long found = calls - before;
    const std::string text = std::string(most_.format) + ", " + std::to_string(kept_arrays) +
                             " small arrays and an attribute: " + std::to_string(found) +
                             " collective calls";
    if (check_.rank() == 0) std::printf("%s\n", text.c_str());
    check_.that(found <= most_of_kept_arrays,
                text + ", at most " + std::to_string(most_of_kept_arrays));
    close();
  }

  void read() {
    open("read");
    told("reading", most_.reading, calls_of_one([&](const std::string& name) {
           hr_error error{};
           check_.ok(hr_read_dataset_array(state_, name.c_str(), data_.array(), data_.layout(),
                                           nullptr, &error),
                     error, file_ + ", reading " + name);
         }));
    close();
  }

 private:
  void open(const char* action) {
    hr_error error{};
    check_.ok(hr_open_dataset(&state_, file_.c_str(), MPI_COMM_WORLD, action, &options_, &error),
              error, file_);
  }
  void close() {
    hr_error error{};
    check_.ok(hr_close_dataset(&state_, &error), error, file_);
  }
  void told(const char* what, long long most, long long found) {
    const std::string text = std::string(most_.format) + ", " + what +
                             " a small array: " + std::to_string(found) + " collective calls";
    if (check_.rank() == 0) std::printf("%s\n", text.c_str());
    check_.that(found <= most, text + ", at most " + std::to_string(most));
  }

  checks& check_;
  const limit& most_;
  std::string file_;
  hr_parallel_options options_{};
  hr_dataset state_ = 0;
  spread_array data_{MPI_COMM_WORLD, spread::kind_named("real64"), {1024}, cut::balanced};
};

}  // namespace

int main(int argc, char** argv) {
  return spread::run(argc, argv, "collective calls of small arrays", [](checks& check) {
    for (const limit& one : limits) {
      if (hr_parallel_unavailable(one.format) != nullptr) continue;
      counted_format format(check, one);
      format.keep();
      {
        const spread::told_at_once told;  // each array by itself
        format.write();
      }
      format.read();
    }
  });
}
