// An MPI rank may not write files as long as the array (RLIMIT_FSIZE, `ulimit -f`): the same
// failure on all MPI ranks, the old file as it was, and nobody killed (SIGXFSZ).
//
//     faults_limit FORMAT [hard]
//
// hard: a limit that the process cannot raise again, as `ulimit -f` sets it. HDF5 cannot close a
// file that it passes, and crashes when the program ends.
#include <sys/resource.h>

#include <cerrno>
#include <string>

#include "faults_files.hpp"

namespace {

using faults::way;
using spread::checks;
using spread::cut;
using spread::spread_array;

const spread::extents global = {1024, 256, 4};  // 8 MiB
const spread::extents little = {64, 64, 4};     // 128 KiB

// While it lives, no file of this process may be longer.
class file_limit {
 public:
  explicit file_limit(std::int64_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit shorter = before_;
    shorter.rlim_cur = static_cast<rlim_t>(bytes);
    ::setrlimit(RLIMIT_FSIZE, &shorter);
  }
  ~file_limit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  file_limit(const file_limit&) = delete;
  file_limit& operator=(const file_limit&) = delete;

 private:
  rlimit before_{};
};

// first, last: the MPI ranks that have the limit.
void tells_the_limit(checks& check, const way& how, std::int64_t bytes, int first, int last) {
  const std::string what = how.text() + ", a limit of " + std::to_string(bytes) +
                           " bytes on MPI ranks " + std::to_string(first) + " to " +
                           std::to_string(last);
  const std::string file = std::string("limited.") + how.ending;
  const std::string before = faults::contents(file);
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::balanced);
  data.fill(7);
  hr_error error{};
  int code = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (first <= check.rank() && check.rank() <= last) {
    const file_limit limit(bytes);
    code = faults::write(file, how, data, error);
  } else {
    code = faults::write(file, how, data, error);
  }
  if (how.is_by_library() && code == 0) {
    // Who wrote alone beyond the limit may have lost that without a word.
    const bool may_lose = std::string(how.pattern) == "shared_independent";
    check.that(may_lose || !faults::lacks_elements(file, how, global, 7),
               what + ": success, but other values");
    return;
  }
  // Where all have the limit it may be anybody's.
  const std::string whose =
      check.size() > 1 && first == last ? "MPI rank " + std::to_string(first) + ": " : "";
  if (how.is_by_library())
    check.fails(code, error, code, file, what);
  else
    check.fails(code, error, EFBIG, {file, whose, "ulimit -f"}, what);
  MPI_Barrier(MPI_COMM_WORLD);
  check.that(faults::has_contents(file, before), what + ": the old file is not what it was");
  check.that(faults::leftovers(file) == 0, what + ": something was left beside it");
  MPI_Barrier(MPI_COMM_WORLD);
}

bool all_write(const way& how) {
  return !how.is_serial() && std::string(how.pattern) != "file_per_node";
}

void write_whole(checks& check, const way& how, int value, const spread::extents& all = global) {
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), all, cut::balanced);
  data.fill(value);
  hr_error error{};
  const std::string file = std::string("limited.") + how.ending;
  check.ok(faults::write(file, how, data, error), error, how.text() + " without a limit");
  MPI_Barrier(MPI_COMM_WORLD);
}

// Small arrays are written together, in part by one MPI rank and in part by all: the last one meets
// the limit when the dataset is closed.
void tells_the_limit_of_small_arrays(checks& check, const way& how) {
  const hr_parallel_options options = how.options();
  const std::string file = std::string("small.") + how.ending;
  spread_array even(MPI_COMM_WORLD, spread::kind_named("real64"), {2000}, cut::equal);
  spread_array uneven(MPI_COMM_WORLD, spread::kind_named("real64"), {1000}, cut::uneven);
  hr_error error{};
  hr_dataset state = 0;
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &options, &error), error,
           how.text());
  int number = 0;
  for (spread_array* data : {&even, &uneven, &even, &uneven}) {
    data->fill(5);
    const std::string name = "small" + std::to_string(number++);
    check.ok(hr_write_dataset_array(state, name.c_str(), data->array(), data->layout(), "", nullptr,
                                    &error),
             error, how.text() + ", " + name);
  }
  int code = 0;
  if (check.rank() == check.size() - 1) {
    const file_limit limit(4000);
    code = hr_close_dataset(&state, &error);
  } else {
    code = hr_close_dataset(&state, &error);
  }
  int of_any = 0;  // an MPI rank that writes nothing meets no limit
  MPI_Allreduce(&code, &of_any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (of_any != 0) check.fails(code, error, EFBIG, file, how.text() + ", small arrays");
}

void test(checks& check, const std::string& format) {
  faults::empty_this_directory(check);
  const int last = check.size() - 1;
  for (const way& how : faults::ways()) {
    if (format != how.format || how.may_write_for_ever()) continue;
    write_whole(check, how, 3);
    // Little more than what libraries write first, which every MPI rank exceeds that writes.
    tells_the_limit(check, how, 20000, 0, last);
    if (last > 0) tells_the_limit(check, how, 20000, 0, 0);
    if (last > 0 && all_write(how)) tells_the_limit(check, how, 20000, last, last);
    // In the middle of the array; files of a store are shorter.
    if (!how.is_store()) tells_the_limit(check, how, 4 << 20, 0, last);
    write_whole(check, how, 4);
    if (format != "npy" && !how.is_by_library()) tells_the_limit_of_small_arrays(check, how);
  }
}

void write_two_arrays(checks& check, const way& how) {
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), little, cut::balanced);
  data.fill(5);
  const hr_parallel_options options = how.options();
  const std::string file = std::string("two.") + how.ending;
  hr_error error{};
  hr_dataset state = 0;
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &options, &error), error,
           how.text());
  for (const char* name : {"rho", "mass"})
    check.ok(hr_write_dataset_array(state, name, data.array(), data.layout(), "", nullptr, &error),
             error, how.text() + ", " + name);
  check.ok(hr_close_dataset(&state, &error), error, how.text() + ", two arrays");
}

void test_hard_limit(checks& check, const std::string& format) {
  faults::empty_this_directory(check);
  constexpr rlim_t bytes = 5 << 20;
  const rlimit never_more = {bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &never_more);
  for (const way& how : faults::ways()) {
    if (format != how.format) continue;
    // HDF5 itself is not called at such a limit.
    if (how.may_write_for_ever() && format != "hdf5") continue;
    write_whole(check, how, 3, little);
    if (!how.is_store()) tells_the_limit(check, how, bytes, 0, check.size() - 1);
    write_whole(check, how, 4, little);
    if (format != "npy") write_two_arrays(check, how);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[2]) == "hard")
    return spread::run(argc, argv, std::string("hard limits of a file's size, ") + argv[1],
                       [&](checks& check) { test_hard_limit(check, argv[1]); });
  if (argc != 2) return 2;
  return spread::run(argc, argv, std::string("limits of a file's size, ") + argv[1],
                     [&](checks& check) { test(check, argv[1]); });
}
