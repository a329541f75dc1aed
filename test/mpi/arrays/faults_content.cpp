// Files and stores that are not what the program expects: the same table for every format.
//
//     faults_content [FORMAT]
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "faults_files.hpp"

namespace {

namespace fs = std::filesystem;
using faults::way;
using spread::checks;
using spread::cut;
using spread::spread_array;
using words = std::vector<std::string>;

const spread::extents global = {40, 30, 20};

struct expectation {
  const char* format;
  int cut;  // a file, or the largest of a store, has lost its second half
  int empty;
  int text;  // under the name of a file or store
};
constexpr expectation expectations[] = {
    {"npy", HR_FILE_SIZE_MISMATCH, HR_END_OF_FILE, HR_HEADER_DAMAGED},
    {"hdf5", HR_HEADER_DAMAGED, HR_HEADER_DAMAGED, HR_HEADER_DAMAGED},
    {"netcdf4", HR_HEADER_DAMAGED, HR_HEADER_DAMAGED, HR_HEADER_DAMAGED},
    {"pnetcdf", HR_END_OF_FILE, HR_HEADER_DAMAGED, HR_HEADER_DAMAGED},
    {"adios2", 0, 0, HR_HEADER_DAMAGED},  // waits 45 s for what is cut off
    {"zarr", HR_FILE_SIZE_MISMATCH, HR_FILE_SIZE_MISMATCH, HR_HEADER_DAMAGED},
};

expectation expected_of(const way& how) {
  expectation found{};
  for (const expectation& one : expectations)
    if (std::string(how.format) == one.format) found = one;
  // The index of a shard is at its end.
  const bool has_shards = found.format == std::string("zarr") &&
                          std::string(how.pattern) != "file_per_process" && !how.is_serial();
  if (has_shards) found.cut = HR_CHECKSUM_MISMATCH;
  return found;
}

class unexpected {
 public:
  unexpected(checks& check, const way& how)
      : check_(check),
        how_(how),
        expected_(expected_of(how)),
        file_(std::string(how.pattern) + "_" + how.transfer + "." + how.ending) {}

  void all() {
    write_anew();
    array_does_not_fit();
    is_damaged("cut", expected_.cut,
               [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); });
    is_damaged("empty", expected_.empty, [](const fs::path& file) { fs::resize_file(file, 0); });
    may_not_be_read();
    is_gone();
    is_a_text();
  }

 private:
  int read(const char* kind, const spread::extents& extents, hr_error& error,
           const char* dataset = nullptr) {
    spread_array to(MPI_COMM_WORLD, spread::kind_named(kind), extents, cut::balanced);
    hr_parallel_options options = how_.options();
    options.dataset = dataset;
    return hr_read_parallel(file_.c_str(), to.array(), to.layout(), &options, nullptr, &error);
  }

  void write_anew() {
    spread_array from(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::balanced);
    from.fill();
    hr_error error{};
    check_.ok(faults::write(file_, how_, from, error), error, how_.text());
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void array_does_not_fit() {
    hr_error error{};
    check_.fails(read("real32", global, error), error, HR_KIND_MISMATCH,
                 words{file_, "expected real of 4 bytes", "found real of 8 bytes"},
                 how_.text() + ", another kind");
    check_.fails(read("int64", global, error), error, HR_KIND_MISMATCH,
                 words{"expected integer of 8 bytes"}, how_.text() + ", another type");
    check_.fails(read("real64", {40, 30, 21}, error), error, HR_SHAPE_MISMATCH,
                 words{file_, "expected (40, 30, 21)", "found (40, 30, 20)"},
                 how_.text() + ", another shape");
    check_.fails(read("real64", {1200, 20}, error), error, HR_SHAPE_MISMATCH,
                 words{"expected (1200, 20)", "found (40, 30, 20)"},
                 how_.text() + ", fewer dimensions");
    if (std::string(how_.format) == "npy") return;  // has one array without a name
    check_.fails(read("real64", global, error, "rho"), error, HR_ARRAY_MISSING, words{file_, "rho"},
                 how_.text() + ", another name");
  }

  // The file itself, or the one of a store that holds most.
  fs::path largest() const {
    if (!how_.is_store()) return file_;
    fs::path found;
    for (const auto& entry : fs::recursive_directory_iterator(file_))
      if (entry.is_regular_file() && (found.empty() || entry.file_size() > fs::file_size(found)))
        found = entry.path();
    return found;
  }

  // expected: 0 if the library is not asked.
  template <class Damage>
  void is_damaged(const std::string& what, int expected, Damage damage) {
    if (expected == 0) return;
    if (check_.rank() == 0) damage(largest());
    MPI_Barrier(MPI_COMM_WORLD);
    hr_error error{};
    check_.fails(read("real64", global, error), error, expected, file_, how_.text() + ", " + what);
    write_anew();
  }

  // By one MPI rank only: the superuser gives its rights away. MPI rank 0 may read for all.
  void may_not_be_read() {
    const int victim = check_.size() - 1;
    if (geteuid() != 0 || victim == 0 || how_.is_serial()) return;
    if (check_.rank() == 0) chmod(file_.c_str(), 0700);
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_.rank() == victim && seteuid(65534) != 0) check_.that(false, "seteuid");
    hr_error error{};
    const int code = read("real64", global, error);
    if (check_.rank() == victim && seteuid(0) != 0) check_.that(false, "seteuid back");
    check_.fails(code, error, EACCES, words{file_, "MPI rank " + std::to_string(victim)},
                 how_.text() + ", unreadable on one MPI rank");
  }

  void is_gone() {
    if (check_.rank() == 0) fs::remove_all(file_);
    MPI_Barrier(MPI_COMM_WORLD);
    hr_error error{};
    check_.fails(read("real64", global, error), error, ENOENT, file_, how_.text() + ", gone");
  }

  void is_a_text() {
    if (check_.rank() == 0) std::ofstream(file_) << std::string(5000, 'x');
    MPI_Barrier(MPI_COMM_WORLD);
    hr_error error{};
    check_.fails(read("real64", global, error), error, expected_.text, file_,
                 how_.text() + ", a text");
    MPI_Barrier(MPI_COMM_WORLD);
  }

  checks& check_;
  way how_;
  expectation expected_;
  std::string file_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  return spread::run(argc, argv, "unexpected contents", [&](checks& check) {
    faults::empty_this_directory(check);
    for (const way& how : faults::ways())
      if (only.empty() || only == how.format) unexpected(check, how).all();
  });
}
