// A program that has a file open itself, by HDF5 or (as NetCDF does) with another degree of
// closing, reads it with headrace at the same time; and datasets that are abandoned leave nothing
// open.
//
//     already_open FORMAT
#include <filesystem>
#include <iterator>
#include <string>

#include "../arrays/faults_files.hpp"
#include "formats/hdf5/handle.hpp"

namespace {

using faults::way;
using spread::checks;
using spread::spread_array;

const spread::extents global = {24, 10, 8};

headrace::hdf5::handle open_with(const std::string& file, H5F_close_degree_t degree) {
  const headrace::hdf5::handle access =
      headrace::hdf5::owned_properties(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fclose_degree(access.get(), degree);
  return headrace::hdf5::owned_file(H5Fopen(file.c_str(), H5F_ACC_RDONLY, access.get()));
}

void reads_what_is_open(checks& check, const way& how) {
  const std::string file = std::string("open.") + how.ending;
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, spread::cut::uneven);
  data.fill(6);
  hr_error error{};
  check.ok(faults::write(file, how, data, error), error, how.text());
  MPI_Barrier(MPI_COMM_WORLD);
  for (const auto degree : {H5F_CLOSE_DEFAULT, H5F_CLOSE_WEAK, H5F_CLOSE_SEMI, H5F_CLOSE_STRONG}) {
    const std::string what = how.text() + ", open with degree " + std::to_string(degree);
    headrace::hdf5::handle mine = open_with(file, degree);
    check.that(static_cast<bool>(mine), what);
    data.clear();
    check.ok(faults::read(file, how, data, error), error, what);
    check.that(data.wrong(6) == 0, what + ": other values");
    check.that(H5Iis_valid(mine.get()) > 0 && mine.close(), what + ": it was closed");
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

void abandons(checks& check, const way& how) {
  const std::string file = std::string("abandoned.") + how.ending;
  spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, spread::cut::uneven);
  data.fill(1);
  const hr_parallel_options options = how.options();
  std::ptrdiff_t before = 0;
  for (int i = 0; i < 8; ++i) {
    if (i == 2) before = open_descriptors();
    hr_error error{};
    hr_dataset state = 0;
    check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &options, &error),
             error, how.text());
    check.ok(hr_write_dataset_array(state, "rho", data.array(), data.layout(), "", nullptr, &error),
             error, how.text());
    check.ok(hr_abandon_dataset(&state, &error), error, how.text());
  }
  check.that(open_descriptors() == before,
             how.text() + ": " + std::to_string(open_descriptors() - before) + " descriptors more");
}

void test(checks& check, const std::string& format) {
  const headrace::hdf5::quiet_errors quiet;
  faults::empty_this_directory(check);
  for (const way& how : faults::ways()) {
    if (format != how.format) continue;
    reads_what_is_open(check, how);
    abandons(check, how);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  return spread::run(argc, argv, std::string("files that are open already, ") + argv[1],
                     [&](checks& check) { test(check, argv[1]); });
}
