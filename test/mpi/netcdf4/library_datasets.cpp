// Several arrays, steps and attributes in one dataset, written by every pattern and read back by
// every other. The files state_<pattern>.* stay: read_state.py opens them with other programs.
#include <algorithm>
#include <complex>

#include "library_formats.hpp"

namespace {

using namespace library_tests;

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
    {"velocity", "complex128", {6, 5}, "x,y", {}},
    {"flags", "logical4", {6, 5}, "x,y", {}},
    {"names", "character7", {4}, "z", {}},
    {"x", "real64", {6}, "x", {}},
    {"t", "int32", {5, 4}, "y,z", {10, 20, 30}},
    {"u", "real32", {6, 5, 4}, "x,y,z", {10, 20, 30}},
    {"gap", "int16", {6, 5}, "x,y", {10, 30}},
    {"late", "int64", {5, 4}, "y,z", {20, 30}},
    {"phase", "complex64", {3, 2}, nullptr, {10, 20, 30}},
    {"plain", "int16", {3, 2}, nullptr, {}},
    {"other", "int8", {4, 2}, nullptr, {}},
};

std::int64_t offset_of(std::size_t number, long long step) {
  return static_cast<std::int64_t>(1000 * number) + 10 * step;
}

void write_attributes(checks& check, const format_in_test& format, hr_dataset state) {
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
  std::int64_t done = 1;
  write("rho", "done", scalar(&done, HR_TYPE_LOGICAL, 8));
  float root[] = {0.5F, -2.0F};
  write("velocity", "root", scalar(root, HR_TYPE_COMPLEX, 8));
  char words[] = "one  three";
  if (format.name != "pnetcdf") write("x", "words", list(words, HR_TYPE_CHARACTER, 5, 2));
}

void read_attributes(checks& check, const format_in_test& format, hr_dataset state) {
  hr_error error{};
  const auto read = [&](const char* array, const char* name, const hr_array& value) {
    return check.ok(hr_read_attribute(state, array, name, &value, &error), error, name);
  };
  char title[10] = "";
  read(nullptr, "title", scalar(title, HR_TYPE_CHARACTER, 9));
  check.that(std::string(title) == "a state  ", "the title, filled up with blanks");
  std::int32_t version = 0;
  read(nullptr, "version", scalar(&version, HR_TYPE_INTEGER, 4));
  check.that(version == 4, "the version");
  double range[3] = {};
  read("rho", "range", list(range, HR_TYPE_REAL, 8, 3));
  check.that(range[0] == -1.5 && range[1] == 2.5 && range[2] == 1e300, "the range");
  std::int32_t done = 0;
  read("rho", "done", scalar(&done, HR_TYPE_LOGICAL, 4));
  check.that(done == 1, "a logical");
  std::complex<float> root;
  read("velocity", "root", scalar(&root, HR_TYPE_COMPLEX, 8));
  check.that(root == std::complex<float>(0.5F, -2.0F), "a complex number");
  char words[11] = "";
  if (format.name != "pnetcdf") {
    read("x", "words", list(words, HR_TYPE_CHARACTER, 5, 2));
    check.that(std::string(words) == "one  three", "two texts");
  }
  const hr_array two = list(range, HR_TYPE_REAL, 8, 2);
  check.fails(hr_read_attribute(state, "rho", "range", &two, &error), error, HR_SHAPE_MISMATCH,
              "another length", "an attribute of another length");
  const hr_array integer = scalar(&version, HR_TYPE_INTEGER, 4);
  check.fails(hr_read_attribute(state, "rho", "range", &integer, &error), error, HR_KIND_MISMATCH,
              "another kind", "an attribute of another kind");
  check.fails(hr_read_attribute(state, "rho", "absent", &integer, &error), error, HR_ARRAY_MISSING,
              "absent", "an attribute that is not there");
}

void write_state(checks& check, const format_in_test& format, const char* pattern,
                 const std::string& file) {
  hr_error error{};
  hr_dataset state = 0;
  const hr_parallel_options chosen = format.options(pattern);
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &chosen, &error), error,
           "open " + file);
  for (const long long step : {10LL, 20LL, 30LL})
    for (std::size_t number = 0; number < members.size(); ++number) {
      const member& one = members[number];
      const bool has_it = std::find(one.steps.begin(), one.steps.end(), step) != one.steps.end();
      if (one.steps.empty() ? step != 10 : !has_it) continue;
      spread_array from(MPI_COMM_WORLD, kind_named(one.kind), one.global, cut::uneven,
                        memory::halo);
      from.fill(offset_of(number, one.steps.empty() ? 0 : step));
      check.ok(hr_write_dataset_array(state, one.name, from.array(), from.layout(), one.dimensions,
                                      one.steps.empty() ? nullptr : &step, &error),
               error, "write " + file + ", " + one.name);
    }
  write_attributes(check, format, state);
  check.ok(hr_close_dataset(&state, &error), error, "close " + file);
}

void describe(checks& check, hr_dataset state, const member& one) {
  hr_error error{};
  hr_array_info info{};
  long long steps = -1;
  const kind& of = kind_named(one.kind);
  check.ok(hr_describe_dataset_array(state, one.name, &info, &steps, &error), error, one.name);
  check.that(info.type == of.type && info.array_rank == static_cast<int>(one.global.size()) &&
                 (info.elem_len == of.bytes || of.type == HR_TYPE_LOGICAL),
             std::string("kind of ") + one.name);
  for (std::size_t d = 0; d < one.global.size(); ++d)
    check.that(info.extent[d] == one.global[d], std::string("extent of ") + one.name);
  check.that(steps == static_cast<long long>(one.steps.size()),
             std::string(one.name) + " has " + std::to_string(steps) + " steps");
  for (std::size_t i = 0; i < one.steps.size(); ++i) {
    long long number = 0;
    check.ok(hr_dataset_step(state, one.name, static_cast<long long>(i), &number, &error), error,
             one.name);
    check.that(number == one.steps[i], std::string("step of ") + one.name);
  }
}

void read_state(checks& check, const format_in_test& format, const char* pattern,
                const std::string& file) {
  hr_error error{};
  hr_dataset state = 0;
  const hr_parallel_options chosen = format.options(pattern);
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "read", &chosen, &error), error,
           "open " + file);
  for (std::size_t number = 0; number < members.size(); ++number) {
    const member& one = members[number];
    describe(check, state, one);
    std::vector<long long> steps = one.steps;
    std::reverse(steps.begin(), steps.end());
    if (steps.empty()) steps.push_back(0);
    for (const long long step : steps) {
      spread_array to(MPI_COMM_WORLD, kind_named(one.kind), one.global, cut::skewed,
                      memory::every_second);
      to.clear();
      check.ok(hr_read_dataset_array(state, one.name, to.array(), to.layout(),
                                     one.steps.empty() ? nullptr : &step, &error),
               error, "read " + file + ", " + one.name);
      check.that(
          to.wrong(offset_of(number, step)) == 0,
          file + ", " + pattern + ": elements of " + one.name + ", step " + std::to_string(step));
    }
  }
  read_attributes(check, format, state);
  spread_array to(MPI_COMM_WORLD, kind_named("int16"), {6, 5}, cut::skewed);
  const long long step = 20;
  check.fails(hr_read_dataset_array(state, "gap", to.array(), to.layout(), &step, &error), error,
              HR_STEP_MISSING, "10, 30", "a step that was left out");
  check.ok(hr_close_dataset(&state, &error), error, "close " + file);
}

// A name of a dimension stands for one length.
void names_of_dimensions(checks& check, const format_in_test& format) {
  hr_error error{};
  hr_dataset state = 0;
  const std::string file = format.file("names");
  const hr_parallel_options chosen = format.options(nullptr);
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &chosen, &error), error,
           "open");
  spread_array small(MPI_COMM_WORLD, kind_named("int32"), {6, 5}, cut::uneven);
  spread_array large(MPI_COMM_WORLD, kind_named("int32"), {7, 5}, cut::uneven);
  small.fill(0);
  large.fill(0);
  check.ok(
      hr_write_dataset_array(state, "small", small.array(), small.layout(), "x,y", nullptr, &error),
      error, "small");
  const int code =
      hr_write_dataset_array(state, "large", large.array(), large.layout(), "x,y", nullptr, &error);
  if (format.is_netcdf())
    check.fails(code, error, HR_SHAPE_MISMATCH, "dimension x", "two lengths of x");
  else
    check.ok(code, error, "ADIOS2 has no dimensions of its own");
  std::int32_t one = 1;
  const hr_array value = scalar(&one, HR_TYPE_INTEGER, 4);
  check.fails(hr_write_attribute(state, "nothing", "units", &value, &error), error,
              HR_ARRAY_MISSING, "nothing", "attribute of a missing array");
  check.ok(hr_abandon_dataset(&state, &error), error, "abandon");
}

void test(checks& check, const format_in_test& format) {
  for (const char* pattern : format.patterns) {
    const std::string file = format.file(std::string("state_") + pattern);
    write_state(check, format, pattern, file);
    for (const char* other : format.patterns) read_state(check, format, other, file);
  }
  names_of_dimensions(check, format);
}

}  // namespace

int main(int count, char** arguments) {
  return library_tests::run(count, arguments, test);
}
