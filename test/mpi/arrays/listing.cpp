// The names of all arrays of a dataset, in every format: arrays with and without steps, and none of
// those that number steps or dimensions.
#include <algorithm>
#include <string>
#include <vector>

#include "checks.hpp"

namespace {

using spread::checks;

std::vector<std::string> names_in(checks& check, hr_dataset opened, const std::string& file) {
  long long count = -1;
  hr_error error{};
  std::vector<std::string> names;
  int code = hr_count_dataset_arrays(opened, &count, &error);
  check.ok(code, error, file + ", counting");
  for (long long i = 0; i < count; ++i) {
    char name[64] = "";
    code = hr_dataset_array_name(opened, i, name, sizeof name, &error);
    check.ok(code, error, file + ", name");
    names.emplace_back(name);
  }
  char none[64] = "";
  code = hr_dataset_array_name(opened, count, none, sizeof none, &error);
  check.fails(code, error, HR_ARGUMENT_INVALID, "no array of that index", file + ", one too many");
  char little[2] = "";
  if (count > 0) {
    code = hr_dataset_array_name(opened, 0, little, sizeof little, &error);
    check.fails(code, error, HR_ARGUMENT_INVALID, "does not fit", file + ", little room");
  }
  std::sort(names.begin(), names.end());
  return names;
}

void lists(checks& check, const char* format, const std::string& ending) {
  if (hr_parallel_unavailable(format) != nullptr) return;
  const std::string file = std::string("listed_") + format + ending;
  const long long global[2] = {4, check.size()};
  const long long start[2] = {1, check.rank() + 1};
  const long long count[2] = {4, 1};
  double values[4] = {1, 2, 3, 4};
  hr_array array{};
  array.base = values;
  array.elem_len = sizeof(double);
  array.type = HR_TYPE_REAL;
  array.array_rank = 2;
  array.extent[0] = 4;
  array.extent[1] = 1;
  array.stride[0] = sizeof(double);
  array.stride[1] = 4 * sizeof(double);
  hr_layout layout = 0;
  hr_error error{};
  int code = hr_make_layout(&layout, MPI_COMM_WORLD, 2, global, start, count, &error);
  check.ok(code, error, "layout");
  hr_parallel_options options{};
  options.format = format;
  hr_dataset opened = 0;
  code = hr_open_dataset(&opened, file.c_str(), MPI_COMM_WORLD, "write", &options, &error);
  check.ok(code, error, file + ", opening");
  for (const char* name : {"density", "velocity"})
    for (long long step : {3LL, 7LL}) {
      code = hr_write_dataset_array(opened, name, &array, layout, "x,y", &step, &error);
      check.ok(code, error, file + ", " + name);
    }
  code = hr_write_dataset_array(opened, "mesh", &array, layout, "x,y", nullptr, &error);
  check.ok(code, error, file + ", mesh");
  long long unused = 0;
  code = hr_count_dataset_arrays(opened, &unused, &error);
  check.that(code != 0, file + ": a dataset that is written lists its arrays");
  code = hr_close_dataset(&opened, &error);
  check.ok(code, error, file + ", closing");
  hr_free_layout(&layout, nullptr);
  for (const char* pattern : {"", "serial"}) {
    options.pattern = pattern;
    code = hr_open_dataset(&opened, file.c_str(), MPI_COMM_WORLD, "read", &options, &error);
    if (code != 0) continue;  // a pattern that the format does not have
    const std::vector<std::string> wanted{"density", "mesh", "velocity"};
    const std::vector<std::string> found = names_in(check, opened, file);
    std::string all;
    for (const std::string& name : found) all += " " + name;
    check.that(found == wanted, file + " " + pattern + " lists" + all);
    hr_close_dataset(&opened, nullptr);
  }
}

void lists_npy(checks& check) {
  double value = check.rank();
  hr_array array{};
  array.base = &value;
  array.elem_len = sizeof(double);
  array.type = HR_TYPE_REAL;
  array.array_rank = 1;
  array.extent[0] = 1;
  array.stride[0] = sizeof(double);
  const long long global = check.size();
  const long long start = check.rank() + 1;
  const long long count = 1;
  hr_layout layout = 0;
  hr_error error{};
  check.ok(hr_make_layout(&layout, MPI_COMM_WORLD, 1, &global, &start, &count, &error), error, "");
  int code = hr_write_parallel("listed.npy", &array, layout, nullptr, nullptr, &error);
  check.ok(code, error, "npy");
  hr_free_layout(&layout, nullptr);
  hr_dataset opened = 0;
  code = hr_open_dataset(&opened, "listed.npy", MPI_COMM_WORLD, "read", nullptr, &error);
  check.ok(code, error, "npy, opening");
  check.that(names_in(check, opened, "npy") == std::vector<std::string>{"data"}, "npy lists data");
  hr_close_dataset(&opened, nullptr);
  long long unused = 0;
  check.that(hr_count_dataset_arrays(opened, &unused, &error) == HR_HANDLE_CLOSED, "a closed one");
}

}  // namespace

int main(int argc, char** argv) {
  return spread::run(argc, argv, "listing", [](checks& check) {
    lists(check, "hdf5", ".h5");
    lists(check, "netcdf4", ".nc");
    lists(check, "pnetcdf", ".nc");
    lists(check, "adios2", ".bp");
    lists(check, "zarr", ".zarr");
    lists_npy(check);
  });
}
