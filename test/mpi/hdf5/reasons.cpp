// Why HDF5 failed is told: its calls forget the reason of the one before.
#include <fstream>
#include <iterator>
#include <string>

#include "checks.hpp"
#include "formats/hdf5/storage.hpp"
#include "spread_arrays.hpp"

namespace {

using headrace::box;
using headrace::status;
using headrace::hdf5::handle;
using spread::checks;

// Its words differ between versions.
void tells(checks& check, const std::string& message, const char* what) {
  check.that(message.find("HDF5 says: ") != std::string::npos &&
                 message.find("no reason given") == std::string::npos,
             std::string(what) + ": " + (message.empty() ? "no failure" : message));
}

void plan_of_no_shape(checks& check) {
  headrace::hdf5::dataset_plan plan;
  const status failed =
      headrace::hdf5::plan_dataset(H5T_NATIVE_INT8, {H5S_UNLIMITED}, false, 64, plan);
  tells(check, failed.message(), "a plan");
}

// The selection before was a good one.
void selection_of_nothing(checks& check) {
  handle in_file = headrace::hdf5::owned_space(H5Screate(H5S_SCALAR));
  handle in_memory = headrace::hdf5::owned_space(H5Screate(H5S_SCALAR));
  const status failed = headrace::hdf5::select_part(H5I_INVALID_HID, {}, -1, in_file, in_memory);
  tells(check, failed.message(), "a selection");
}

// Without checksums; the version of the message that tells the shape becomes one that nobody knows.
void damaged_array(checks& check) {
  const hsize_t extent = 0x1234;
  const char* const name = "damaged.h5";
  handle file =
      headrace::hdf5::owned_file(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  {
    const handle space = headrace::hdf5::owned_space(H5Screate_simple(1, &extent, nullptr));
    const handle dataset = headrace::hdf5::owned_dataset(H5Dcreate2(
        file.get(), "rho", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  check.that(file.close(), "no file to damage");
  std::ifstream in(name, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(in), {}};
  const std::string shape("\x34\x12\0\0\0\0\0\0", 8);
  const std::size_t at = content.find(shape);
  if (!check.that(at != std::string::npos && content[at - 8] == 1, "no shape in the file")) return;
  content[at - 8] = '\x7f';
  std::ofstream(name, std::ios::binary) << content;
  spread::spread_array array(MPI_COMM_WORLD, spread::kind_named("real64"),
                             {static_cast<long long>(extent)}, spread::cut::uneven);
  hr_error error{};
  hr_parallel_options chosen{};
  chosen.dataset = "rho";
  const int code = hr_read_parallel(name, array.array(), array.layout(), &chosen, nullptr, &error);
  check.fails(code, error, HR_HEADER_DAMAGED, "\"rho\"", "a damaged array");
  tells(check, error.message, "a damaged array");
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "reasons of HDF5", [](checks& check) {
    const headrace::hdf5::quiet_errors quiet;
    plan_of_no_shape(check);
    selection_of_nothing(check);
    damaged_array(check);
  });
}
