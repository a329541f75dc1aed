// Several arrays, steps and attributes in one file, written in every way and read back. The files
// state_*.h5 stay: read_state.py opens them with h5py and netCDF4.
#include <algorithm>
#include <cstring>

#include "ways.hpp"

namespace {

using namespace hdf5_tests;

struct member {
  const char* name;
  const char* kind;
  extents global;
  const char* dimensions;
  std::vector<long long> steps;  // empty: none
};

// read_state.py has the same list.
const std::vector<member> members = {
    {"rho", "real64", {6, 5, 4}, "x,y,z", {}},
    {"fields/velocity", "complex128", {6, 5}, "x,y", {}},
    {"flags", "logical4", {6, 5}, "x,y", {}},
    {"names", "character7", {4}, "z", {}},
    {"x", "real64", {6}, "x", {}},
    {"t", "int32", {5, 4}, "y,z", {10, 20, 30}},
    {"u", "real32", {6, 5, 4}, "x,y,z", {10, 20, 30}},
    {"fields/w", "real32", {6, 5}, "x,y", {1, 2}},
    {"v", "int64", {5, 4}, "y,z", {7}},
    {"other", "int8", {9, 4}, "x,z", {}},
    {"plain", "int16", {3, 2}, nullptr, {}},
};

std::int64_t offset_of(std::size_t number, std::size_t step) {
  return static_cast<std::int64_t>(1000 * number + 100 * step);
}

void write_attributes(checks& check, hr_dataset state) {
  hr_error error{};
  const auto write = [&](const char* array, const char* name, const hr_array& value) {
    check.ok(hr_write_attribute(state, array, name, &value, &error), error, name);
  };
  char title[] = "a state";
  write(nullptr, "title", scalar(title, HR_TYPE_CHARACTER, 7));
  std::int32_t version = 3;
  write("", "version", scalar(&version, HR_TYPE_INTEGER, 4));
  version = 4;  // takes the place of the first
  write(nullptr, "version", scalar(&version, HR_TYPE_INTEGER, 4));
  double range[] = {-1.5, 2.5, 1e300};
  write("/rho", "range", list(range, HR_TYPE_REAL, 8, 3));
  char units[] = "kg/m3 ";
  write("rho", "units", scalar(units, HR_TYPE_CHARACTER, 6));
  std::int32_t done = 1;
  write("rho", "done", scalar(&done, HR_TYPE_LOGICAL, 4));
  float root[] = {0.5F, -2.0F};
  write("fields/velocity", "root", scalar(root, HR_TYPE_COMPLEX, 8));
  char words[] = "one  three";
  write("x", "words", list(words, HR_TYPE_CHARACTER, 5, 2));
  std::vector<std::int64_t> many(10000);  // more than an old object header holds
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i * i);
  write("t", "many", list(many.data(), HR_TYPE_INTEGER, 8, 10000));
}

void write_state(checks& check, const way& how, const std::string& file) {
  hr_error error{};
  hr_dataset state = 0;
  hr_parallel_options chosen = options(how.pattern, how.transfer, nullptr);
  chosen.hints = "hdf5_chunk_bytes=300";  // several chunks in a step of u
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &chosen, &error), error,
           "open " + file);
  for (std::size_t step = 0; step < 3; ++step)
    for (std::size_t number = 0; number < members.size(); ++number) {
      const member& one = members[number];
      if (step >= std::max<std::size_t>(1, one.steps.size())) continue;
      spread_array from(MPI_COMM_WORLD, kind_named(one.kind), one.global, cut::uneven,
                        memory::halo);
      from.fill(offset_of(number, step));
      check.ok(hr_write_dataset_array(state, one.name, from.array(), from.layout(), one.dimensions,
                                      one.steps.empty() ? nullptr : &one.steps[step], &error),
               error, "write " + file + ", " + one.name);
    }
  write_attributes(check, state);
  check.ok(hr_close_dataset(&state, &error), error, "close " + file);
}

void read_member(checks& check, hr_dataset state, std::size_t number, const std::string& what) {
  const member& one = members[number];
  const kind& of = kind_named(one.kind);
  hr_error error{};
  hr_array_info info{};
  long long steps = -1;
  check.ok(hr_describe_dataset_array(state, one.name, &info, &steps, &error), error, what);
  check.that(steps == static_cast<long long>(one.steps.size()), what + ": number of steps");
  check.that(info.type == of.type && (of.type == HR_TYPE_LOGICAL || info.elem_len == of.bytes),
             what + ": kind");
  check.that(info.array_rank == static_cast<int>(one.global.size()) &&
                 std::equal(one.global.begin(), one.global.end(), info.extent),
             what + ": shape");
  for (std::size_t step = 0; step < std::max<std::size_t>(1, one.steps.size()); ++step) {
    spread_array to(MPI_COMM_WORLD, of, one.global, cut::skewed);
    check.ok(hr_read_dataset_array(state, one.name, to.array(), to.layout(),
                                   one.steps.empty() ? nullptr : &one.steps[step], &error),
             error, what);
    check.that(to.wrong(offset_of(number, step)) == 0, what + ": wrong elements");
    long long found = -1;
    if (one.steps.empty()) continue;
    check.ok(hr_dataset_step(state, one.name, static_cast<long long>(step), &found, &error), error,
             what);
    check.that(found == one.steps[step], what + ": number of a step");
  }
}

void read_attributes(checks& check, hr_dataset state) {
  hr_error error{};
  const auto read = [&](const char* array, const char* name, const hr_array& value) {
    check.ok(hr_read_attribute(state, array, name, &value, &error), error, name);
  };
  char title[9] = "????????";
  read(nullptr, "title", scalar(title, HR_TYPE_CHARACTER, 8));
  check.that(std::strcmp(title, "a state ") == 0, "title is filled up with a blank");
  std::int32_t version = 0;
  read(nullptr, "version", scalar(&version, HR_TYPE_INTEGER, 4));
  check.that(version == 4, "the second version");
  double range[3] = {};
  read("rho", "range", list(range, HR_TYPE_REAL, 8, 3));
  check.that(range[0] == -1.5 && range[1] == 2.5 && range[2] == 1e300, "range");
  std::int64_t done = -1;
  read("rho", "done", scalar(&done, HR_TYPE_LOGICAL, 8));
  check.that(done == 1, "a logical of another length");
  float root[2] = {};
  read("fields/velocity", "root", scalar(root, HR_TYPE_COMPLEX, 8));
  check.that(root[0] == 0.5F && root[1] == -2.0F, "root");
  char words[13] = "????????????";
  read("x", "words", list(words, HR_TYPE_CHARACTER, 6, 2));
  check.that(std::strcmp(words, "one   three ") == 0, std::string("words: ") + words);
  std::vector<std::int64_t> many(10000);
  read("t", "many", list(many.data(), HR_TYPE_INTEGER, 8, 10000));
  check.that(many[9999] == 99980001, "many");

  const auto refuse = [&](const char* array, const char* name, const hr_array& value, int code,
                          const char* words_of_it) {
    check.fails(hr_read_attribute(state, array, name, &value, &error), error, code, words_of_it,
                std::string("refuse ") + name);
  };
  const hr_array integer = scalar(&version, HR_TYPE_INTEGER, 4);
  refuse("rho", "none", integer, HR_ARRAY_MISSING, "no attribute \"none\"");
  refuse("none", "units", integer, HR_ARRAY_MISSING, "no array \"none\"");
  refuse("rho", "units", integer, HR_KIND_MISMATCH, "another kind");
  refuse(nullptr, "version", scalar(&done, HR_TYPE_INTEGER, 8), HR_KIND_MISMATCH, "another kind");
  refuse("rho", "range", list(range, HR_TYPE_REAL, 8, 2), HR_SHAPE_MISMATCH, "another shape");
  refuse("rho", "units", scalar(title, HR_TYPE_CHARACTER, 3), HR_KIND_MISMATCH, "longer");
}

void read_state(checks& check, const way& how, const std::string& file) {
  hr_error error{};
  hr_dataset state = 0;
  const hr_parallel_options chosen = options(how.pattern, how.transfer, nullptr);
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "read", &chosen, &error), error,
           "open " + file);
  for (std::size_t number = 0; number < members.size(); ++number)
    read_member(check, state, number, file + ", " + members[number].name + " " + text_of(how));
  read_attributes(check, state);
  spread_array to(MPI_COMM_WORLD, kind_named("int32"), {5, 4}, cut::uneven);
  const long long none = 25;
  check.fails(hr_read_dataset_array(state, "t", to.array(), to.layout(), &none, &error), error,
              HR_STEP_MISSING, "no step 25", "a step that is not there");
  check.ok(hr_close_dataset(&state, &error), error, "close " + file);
}

}  // namespace

int main(int count, char** arguments) {
  return run(count, arguments, "datasets of HDF5", [](checks& check) {
    for (std::size_t written = 0; written < ways.size(); ++written) {
      const std::string file = "state_" + std::to_string(written) + ".h5";
      write_state(check, ways[written], file);
      for (const way& how : ways) read_state(check, how, file);
    }
  });
}
