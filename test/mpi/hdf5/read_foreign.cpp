// Reads what write_foreign.py wrote with h5py and netCDF4, in every way.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "formats/formats.hpp"

namespace {

using namespace format_tests;

const extents shape = {13, 7, 5};

int read(const char* file, const char* name, const way& how, spread_array& to, hr_error& error) {
  const hr_parallel_options chosen = options_of(how, name);
  hr_parallel_options foreign = chosen;
  foreign.format = "hdf5";
  to.clear();
  return hr_read_parallel(file, to.array(), to.layout(), &foreign, nullptr, &error);
}

struct stored {
  const char* file;
  const char* name;
  const char* kind;
};

void check_arrays(checks& check) {
  const stored arrays[] = {{"foreign.h5", "contiguous", "real64"},
                           {"foreign.h5", "/a/deep//group/array", "real64"},
                           {"foreign.h5", "gzip", "real64"},
                           {"foreign.h5", "checked", "real64"},
                           {"foreign.h5", "planes", "real64"},
                           {"foreign.h5", "lines", "real64"},
                           {"foreign.h5", "tiles", "real64"},
                           {"foreign.h5", "growing", "real64"},
                           {"foreign.h5", "big_endian", "real64"},
                           {"foreign.h5", "big_endian_gzip", "real64"},
                           {"foreign.h5", "complex_big", "complex128"},
                           {"foreign.h5", "logicals", "logical4"},
                           {"foreign.h5", "logicals_gzip", "logical8"},
                           {"foreign.h5", "long_names", "complex64"},
                           {"foreign.h5", "padded", "complex64"},
                           {"foreign.h5", "texts", "character7"},
                           {"foreign.h5", "texts_utf8", "character7"},
                           {"foreign.h5", "colours", "int32"},
                           {"foreign.h5", "compact", "real64"},
                           {"foreign.h5", "external", "real64"},
                           {"foreign.h5", "virtual", "real64"},
                           {"foreign.h5", "soft", "real64"},
                           {"user_block.h5", "contiguous", "real64"},
                           {"user_block.h5", "planes", "real64"},
                           {"latest.h5", "contiguous", "real64"},
                           {"latest.h5", "planes", "real64"},
                           {"foreign.nc", "rho", "real64"}};
  for (const stored& one : arrays)
    for (const way& how : hdf5_ways)
      for (const memory form : {memory::contiguous, memory::halo}) {
        hr_error error{};
        spread_array to(MPI_COMM_WORLD, kind_named(one.kind), shape, cut::skewed, form);
        const std::string what = std::string(one.file) + ", " + one.name + ", " + text_of(how);
        check.ok(read(one.file, one.name, how, to, error), error, what);
        check.that(to.wrong(0) == 0, what + ": wrong elements");
      }
}

// An array that was never written holds its fill value.
void check_fill_value(checks& check) {
  for (const way& how : hdf5_ways) {
    hr_error error{};
    spread_array to(MPI_COMM_WORLD, kind_named("real64"), shape, cut::uneven);
    check.ok(read("foreign.h5", "never_written", how, to, error), error, "never written");
    const hr_array& array = *to.array();
    if (array.extent[0] * array.extent[1] * array.extent[2] == 0) continue;
    double first = 0;
    std::memcpy(&first, array.base, sizeof first);
    check.that(first == 2.5, "the fill value, " + text_of(how));
  }
}

// From 1, as in NetCDF and ADIOS2.
void check_counted_steps(checks& check) {
  for (const way& how : hdf5_ways) {
    const hr_parallel_options chosen = options_of(how);
    hr_dataset file = 0;
    hr_error error{};
    check.ok(hr_open_dataset(&file, "counted.h5", MPI_COMM_WORLD, "read", &chosen, &error), error,
             "open");
    for (const long long step : {1LL, 2LL}) {
      long long number = 0;
      check.ok(hr_dataset_step(file, "u", step - 1, &number, &error), error, "a step");
      check.that(number == step, "step " + std::to_string(number) + " is counted");
      spread_array to(MPI_COMM_WORLD, kind_named("real64"), {4}, cut::balanced);
      check.ok(hr_read_dataset_array(file, "u", to.array(), to.layout(), &step, &error), error,
               "read step " + std::to_string(step));
    }
    spread_array named(MPI_COMM_WORLD, kind_named("real64"), {4}, cut::balanced);
    check.ok(hr_read_dataset_array(file, "caf\xe9", named.array(), named.layout(), nullptr, &error),
             error, "a name that is not UTF-8");
    check.ok(hr_close_dataset(&file, &error), error, "close");
  }
}

struct refusal {
  const char* name;
  int code;
  const char* words;
};

void check_refusals(checks& check) {
  const refusal refusals[] = {
      {"unsigned", HR_KIND_MISMATCH, "unsigned integers of 4 bytes"},
      {"half", HR_KIND_UNSUPPORTED, "reals of 2 bytes"},
      {"records", HR_KIND_UNSUPPORTED, "compound type"},
      {"free_texts", HR_KIND_UNSUPPORTED, "variable length"},
      {"eight", HR_SHAPE_MISMATCH, "too many dimensions"},
      {"null", HR_SHAPE_MISMATCH, "null dataspace"},
      {"a/deep", HR_ARRAY_MISSING, "is a group"},
      {"a/none", HR_ARRAY_MISSING, "no array \"a/none\""},
      {"rho", HR_ARRAY_MISSING,
       "it has \"a/deep/group/array\", \"big_endian\", \"big_endian_gzip\", "},
      {"dangling", HR_HEADER_DAMAGED, "cannot open the array"},
      {"colours", HR_KIND_MISMATCH, "another kind"}};
  for (const refusal& one : refusals)
    for (const way& how : hdf5_ways) {
      hr_error error{};
      spread_array to(MPI_COMM_WORLD, kind_named("real64"), shape, cut::uneven);
      const std::string what = std::string(one.name) + ", " + text_of(how);
      const int code = read("foreign.h5", one.name, how, to, error);
      check.fails(code, error, one.code, one.words, what);
      check.that(std::strstr(error.message, "foreign.h5") != nullptr,
                 what + ": the file is not named: " + error.message);
    }
  hr_error error{};
  spread_array other(MPI_COMM_WORLD, kind_named("real64"), {7, 13, 5}, cut::uneven);
  check.fails(read("foreign.h5", "contiguous", hdf5_ways[0], other, error), error,
              HR_SHAPE_MISMATCH, "expected (7, 13, 5) as the layout, found (13, 7, 5)", "shape");
}

void check_attributes(checks& check) {
  hr_error error{};
  hr_dataset file = 0;
  check.ok(hr_open_dataset(&file, "foreign.h5", MPI_COMM_WORLD, "read", nullptr, &error), error,
           "open");
  const auto get = [&](const char* array, const char* name, const hr_array& value) {
    check.ok(hr_read_attribute(file, array, name, &value, &error), error, name);
  };
  char text[21] = "????????????????????";
  get("contiguous", "free", scalar(text, HR_TYPE_CHARACTER, 20));
  check.that(std::strcmp(text, "grams per litre     ") == 0, text);
  char words[9] = "????????";
  get("contiguous", "list", list(words, HR_TYPE_CHARACTER, 4, 2));
  check.that(std::strcmp(words, "a   bcd ") == 0, words);
  char fixed[6] = "?????";
  get("contiguous", "fixed", scalar(fixed, HR_TYPE_CHARACTER, 5));
  check.that(std::strcmp(fixed, "abc  ") == 0, fixed);
  std::int32_t yes = -1;
  get("contiguous", "yes", scalar(yes, HR_TYPE_LOGICAL));
  std::int64_t number = 0;
  get("contiguous", "count", scalar(number, HR_TYPE_INTEGER));
  float big[2] = {};
  get("contiguous", "big", list(big, HR_TYPE_REAL));
  double complex[2] = {};
  get("contiguous", "complex", scalar(complex, HR_TYPE_COMPLEX, 16));
  std::int32_t one = 0;
  get(nullptr, "one", scalar(one, HR_TYPE_INTEGER));
  check.that(yes == 1 && number == 42 && big[0] == 1.5F && big[1] == -2.5F && complex[0] == 1 &&
                 complex[1] == 2 && one == 7,
             "values of the attributes");
  std::int16_t small = 0;
  const hr_array wanted = scalar(small, HR_TYPE_INTEGER);
  check.fails(hr_read_attribute(file, "contiguous", "unsigned", &wanted, &error), error,
              HR_KIND_MISMATCH, "unsigned", "an unsigned attribute");
  const hr_array brief = scalar(text, HR_TYPE_CHARACTER, 5);
  check.fails(hr_read_attribute(file, "contiguous", "free", &brief, &error), error,
              HR_KIND_MISMATCH, "at most 5 bytes", "a text that is too long");
  check.ok(hr_close_dataset(&file, &error), error, "close");
}

// A file that cannot grow stays as it is: HDF5 would refuse to open one that it opened for writing.
void check_append(checks& check) {
  hr_dataset file = 0;
  hr_error error{};
  check.fails(hr_open_dataset(&file, "killed.h5", MPI_COMM_WORLD, "read", nullptr, &error), error,
              HR_HEADER_DAMAGED,
              std::vector<std::string>{"marked the file as open", "h5clear -s 'killed.h5'"},
              "a file of a program that was killed");
  for (const char* action : {"append", "append"})
    check.fails(hr_open_dataset(&file, "cannot_grow.h5", MPI_COMM_WORLD, action, nullptr, &error),
                error, HR_KIND_UNSUPPORTED, "cannot_grow.h5",
                "append to a file of another program");
  check.ok(hr_open_dataset(&file, "cannot_grow.h5", MPI_COMM_WORLD, "read", nullptr, &error), error,
           "read it afterwards");
  check.ok(hr_close_dataset(&file, &error), error, "close");
}

// Steps of a new array. Those of a second program are found in a file with a user block, but HDF5
// does not say where more of them would lie.
void check_growth(checks& check, const char* name, bool has_user_block) {
  hr_error error{};
  spread_array data(MPI_COMM_WORLD, kind_named("real64"), {13, 7, 5}, cut::uneven);
  const auto append = [&](long long step) {
    hr_dataset file = 0;
    check.ok(hr_open_dataset(&file, name, MPI_COMM_WORLD, "append", nullptr, &error), error, name);
    data.fill(step);
    int code = hr_write_dataset_array(file, "u", data.array(), data.layout(), "", &step, &error);
    if (code == 0) code = hr_flush_dataset(file, &error);
    const hr_error kept = error;
    static_cast<void>(hr_close_dataset(&file, &error));
    error = kept;
    return code;
  };
  check.ok(append(1), error, name);
  const int code = append(2);
  if (has_user_block)
    check.fails(code, error, HR_KIND_UNSUPPORTED, "which is in a file with a user block", name);
  else
    check.ok(code, error, name);
  hr_dataset file = 0;
  check.ok(hr_open_dataset(&file, name, MPI_COMM_WORLD, "read", nullptr, &error), error, name);
  for (long long step = 1; step <= (has_user_block ? 1 : 2); ++step) {
    data.clear();
    check.ok(hr_read_dataset_array(file, "u", data.array(), data.layout(), &step, &error), error,
             name);
    check.that(data.wrong(step) == 0, std::string("step ") + std::to_string(step) + " of " + name);
  }
  check.ok(hr_close_dataset(&file, &error), error, name);
}

}  // namespace

int main(int count, char** arguments) {
  if (::access("foreign.h5", F_OK) != 0) {
    std::puts("skipped: there is no foreign.h5 (its writer was skipped)");
    return 77;
  }
  return spread::run(count, arguments, "foreign HDF5 files", [](checks& check) {
    check_arrays(check);
    check_fill_value(check);
    check_counted_steps(check);
    check_refusals(check);
    check_attributes(check);
    check_append(check);
    check_growth(check, "block_grows.h5", true);
    check_growth(check, "latest_grows.h5", false);
  });
}
