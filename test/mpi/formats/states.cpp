// Several arrays, steps and attributes in one dataset, written in every way and read back in every
// other. The files state_* stay: scripts open them with other programs.
#include <algorithm>
#include <complex>

#include "formats.hpp"

namespace {

using namespace format_tests;

struct member {
  const char* name;
  const char* kind;
  extents global;
  const char* dimensions;
  std::vector<long long> steps;  // empty: none
};

// known_values.py has the same list.
const std::vector<member> flat_members = {
    {"rho", "real64", {6, 5, 4}, "x,y,z", {}},
    {"velocity", "complex128", {6, 5}, "x,y", {}},
    {"flags", "logical4", {6, 5}, "x,y", {}},
    {"names", "character7", {4}, "z", {}},
    {"x", "real64", {6}, "x", {}},
    {"t", "int32", {5, 4}, "y,z", {10, 20, 30}},
    {"u", "real32", {6, 5, 4}, "x,y,z", {10, 20, 30}},
    {"t_gap", "int16", {6, 5}, "x,y", {10, 30}},
    {"t_late", "int64", {5, 4}, "y,z", {20, 30}},
    {"phase", "complex64", {3, 2}, nullptr, {10, 20, 30}},
    {"plain", "int16", {3, 2}, nullptr, {}},
    {"tall", "int8", {4, 2}, nullptr, {}},
};
const std::vector<member> grouped_members = {
    {"fields/velocity", "complex128", {6, 5}, "x,y", {}},
    {"fields/w", "real32", {6, 5}, "x,y", {1, 2}},
    {"v", "int64", {5, 4}, "y,z", {7}},
    {"wide", "int8", {9, 4}, "x,z", {}},  // another x
};
using words = std::vector<std::string>;
const long long all_steps[] = {1, 2, 7, 10, 20, 30};

bool has_step(const member& one, long long step) {
  return std::find(one.steps.begin(), one.steps.end(), step) != one.steps.end();
}

class states {
 public:
  states(checks& check, const format_in_test& format) : check_(check), format_(format) {
    members_ = flat_members;
    if (format.has_groups)
      members_.insert(members_.end(), grouped_members.begin(), grouped_members.end());
  }

  void write(const way& how, const std::string& file) {
    const hr_dataset state = open(how, file, "write");
    for (const long long step : all_steps)
      for (std::size_t number = 0; number < members_.size(); ++number) {
        const member& one = members_[number];
        const bool stepped = !one.steps.empty();
        if (stepped ? !has_step(one, step) : step != all_steps[0]) continue;
        spread_array from(MPI_COMM_WORLD, kind_named(one.kind), one.global, cut::uneven,
                          memory::halo);
        from.fill(first_value(number, stepped ? step : 0));
        check_.ok(hr_write_dataset_array(state, one.name, from.array(), from.layout(),
                                         one.dimensions, stepped ? &step : nullptr, &error_),
                  error_, "write " + file + ", " + one.name);
      }
    write_attributes(state);
    close(state, file);
  }

  void read(const way& how, const std::string& file) {
    const hr_dataset state = open(how, file, "read");
    for (std::size_t number = 0; number < members_.size(); ++number) {
      const member& one = members_[number];
      const std::string what = file + ", " + text_of(how) + ", " + one.name;
      describe(state, one, what);
      std::vector<long long> steps = one.steps;
      std::reverse(steps.begin(), steps.end());
      if (steps.empty()) steps.push_back(0);
      for (const long long step : steps) {
        spread_array to(MPI_COMM_WORLD, kind_named(one.kind), one.global, cut::skewed,
                        memory::every_second);
        check_.ok(hr_read_dataset_array(state, one.name, to.array(), to.layout(),
                                        one.steps.empty() ? nullptr : &step, &error_),
                  error_, "read " + what);
        check_.that(to.wrong(first_value(number, step)) == 0,
                    what + ": wrong elements in step " + std::to_string(step));
      }
    }
    read_attributes(state);
    refuse_attributes(state, file);
    refuse_steps(state);
    close(state, file);
  }

  // A name of a dimension stands for one length, where a format has dimensions.
  void names_of_dimensions() {
    const spread::told_at_once told;
    hr_dataset state = open(format_.ways[0], format_.file("names"), "write");
    spread_array small(MPI_COMM_WORLD, kind_named("int32"), {6, 5}, cut::uneven);
    spread_array large(MPI_COMM_WORLD, kind_named("int32"), {7, 5}, cut::uneven);
    small.fill();
    large.fill();
    check_.ok(hr_write_dataset_array(state, "small", small.array(), small.layout(), "x,y", nullptr,
                                     &error_),
              error_, "small");
    const int code = hr_write_dataset_array(state, "large", large.array(), large.layout(), "x,y",
                                            nullptr, &error_);
    if (format_.other_extent == 0)
      check_.ok(code, error_, "two lengths of x");
    else
      check_.fails(code, error_, format_.other_extent, {"x", "6", "7"}, "two lengths of x");
    std::int32_t one = 1;
    const hr_array value = scalar(one, HR_TYPE_INTEGER);
    check_.fails(hr_write_attribute(state, "nothing", "units", &value, &error_), error_,
                 HR_ARRAY_MISSING, "nothing", "attribute of a missing array");
    check_.ok(hr_abandon_dataset(&state, &error_), error_, "abandon");
  }

  // Libraries that take C texts would end them at the first NUL byte: then it is refused.
  void texts_with_nul(const way& how) {
    char text[] = {'a', '\0', 'b', ' '};
    char words[] = {'a', '\0', 'b', 'c', '\0', ' '};
    text_with_nul(how, scalar(text, HR_TYPE_CHARACTER, 4));
    if (format_.has_lists_of_texts) text_with_nul(how, list(words, HR_TYPE_CHARACTER, 3, 2));
  }

  // A monitor has the file open when a program writes the next one: elements lie elsewhere in it.
  void replaced_while_it_is_read() {
    const std::string file = format_.file("replaced");
    hr_dataset old = open(format_.ways[0], file, "write");
    put(old, "u", "real64", {6}, nullptr, nullptr);
    close(old, file);
    old = open(format_.ways[0], file, "read");
    get(old, "u", "real64", {6}, nullptr);
    hr_dataset next = open(format_.ways[0], file, "write");
    put(next, "extra", "int32", {40}, nullptr, nullptr);
    put(next, "u", "real64", {6}, nullptr, nullptr);
    close(next, file);
    spread_array to(MPI_COMM_WORLD, kind_named("real64"), {6}, cut::uneven);
    check_.fails(hr_read_dataset_array(old, "u", to.array(), to.layout(), nullptr, &error_), error_,
                 HR_FILE_CHANGED_WHILE_READING, words{"replaced", "open_dataset again", file},
                 "an array of a file that was replaced");
    close(old, file);
    old = open(format_.ways[0], file, "read");
    get(old, "u", "real64", {6}, nullptr);
    close(old, file);
  }

  void appended_to_twice_at_once() {
    const std::string file = format_.file("twice");
    hr_dataset one = open(format_.ways[0], file, "write");
    put(one, "u", "real64", {6}, nullptr, &all_steps[0]);
    if (hr_flush_dataset(one, &error_) != 0) {  // npy and ADIOS2 do not grow
      check_.ok(hr_abandon_dataset(&one, &error_), error_, "abandon");
      return;
    }
    hr_dataset other = 0;
    check_.fails(hr_open_dataset(&other, file.c_str(), MPI_COMM_WORLD, "append", nullptr, &error_),
                 error_, HR_ARGUMENT_INVALID, words{"open to add to it already", file},
                 "a second handle");
    put(one, "u", "real64", {6}, nullptr, &all_steps[1]);
    close(one, file);
    one = open(format_.ways[0], file, "append");
    check_.fails(hr_open_dataset(&other, file.c_str(), MPI_COMM_WORLD, "APPEND", nullptr, &error_),
                 error_, HR_ARGUMENT_INVALID, words{"open to add to it already", file},
                 "a second handle");
    close(one, file);
    one = open(format_.ways[0], file, "append");
    put(one, "u", "real64", {6}, nullptr, &all_steps[2]);
    close(one, file);
  }

  // One name for an array, a dimension and the numbers of steps, in every order.
  void names_of_arrays() {
    const std::string file = format_.file("same_names");
    hr_dataset state = open(format_.ways[0], file, "write");
    put(state, "d1", "int32", {6}, "x", nullptr);  // "d1" is a default name of a dimension
    put(state, "plain", "int32", {6}, nullptr, nullptr);
    put(state, "x", "real64", {6}, nullptr, nullptr);  // a dimension, but not its own
    const bool has_step = format_.name != "adios2";    // whose numbers of steps have that name
    if (has_step) put(state, "step", "real64", {6}, nullptr, nullptr);
    put(state, "moving", "int16", {6}, "x", &all_steps[3]);
    close(state, file);
    state = open(format_.ways[0], file, "read");
    get(state, "d1", "int32", {6}, nullptr);
    get(state, "plain", "int32", {6}, nullptr);
    get(state, "x", "real64", {6}, nullptr);
    if (has_step) get(state, "step", "real64", {6}, nullptr);
    get(state, "moving", "int16", {6}, &all_steps[3]);
    close(state, file);
    if (format_.is_netcdf()) refuse_names();
    if (!has_step) refuse_step();
  }

 private:
  static std::int64_t first_value(std::size_t number, long long step) {
    return static_cast<std::int64_t>(1000 * number) + 10 * step;
  }

  int put_unchecked(hr_dataset state, const char* name, const char* kind, const extents& global,
                    const char* dimensions, const long long* step) {
    spread_array from(MPI_COMM_WORLD, kind_named(kind), global, cut::uneven);
    from.fill(7);
    return hr_write_dataset_array(state, name, from.array(), from.layout(), dimensions, step,
                                  &error_);
  }
  void put(hr_dataset state, const char* name, const char* kind, const extents& global,
           const char* dimensions, const long long* step) {
    check_.ok(put_unchecked(state, name, kind, global, dimensions, step), error_, name);
  }
  void get(hr_dataset state, const char* name, const char* kind, const extents& global,
           const long long* step) {
    spread_array to(MPI_COMM_WORLD, kind_named(kind), global, cut::skewed);
    check_.ok(hr_read_dataset_array(state, name, to.array(), to.layout(), step, &error_), error_,
              name);
    check_.that(to.wrong(7) == 0, std::string(name) + ": wrong elements");
  }

  void refuse_step() {
    const words said = {"array \"step\" has the name of the numbers of steps", "another name"};
    for (const long long* first : {&all_steps[0], static_cast<const long long*>(nullptr)}) {
      const long long* const second = first == nullptr ? &all_steps[0] : nullptr;
      hr_dataset state = open(format_.ways[0], format_.file("same_names"), "write");
      put(state, first == nullptr ? "step" : "u", "int32", {6}, nullptr, first);
      check_.fails(
          put_unchecked(state, first == nullptr ? "u" : "step", "int32", {6}, nullptr, second),
          error_, HR_ARGUMENT_INVALID, said, "an array named step");
      put(state, "after", "int32", {6}, nullptr, nullptr);
      check_.ok(hr_abandon_dataset(&state, &error_), error_, "abandon");
    }
  }

  // The dataset goes on after each: nothing came to the library.
  void refuse_names() {
    const spread::told_at_once told;
    hr_dataset state = open(format_.ways[0], format_.file("same_names"), "write");
    put(state, "x", "int32", {6}, nullptr, nullptr);
    const int code = put_unchecked(state, "rho", "int32", {6, 5}, "x,y", nullptr);
    if (format_.name == "pnetcdf")
      check_.ok(code, error_, "an array, then a dimension of that name");
    else
      check_.fails(code, error_, HR_ARGUMENT_INVALID,
                   words{"dimension \"x\" of array \"rho\"", "write array \"x\" later"},
                   "an array, then a dimension of that name");
    put(state, "u_step", "int32", {6}, nullptr, nullptr);
    put(state, "t", "int32", {6}, nullptr, &all_steps[0]);
    check_.fails(put_unchecked(state, "step", "int32", {6}, nullptr, nullptr), error_,
                 HR_ARGUMENT_INVALID, {"array \"step\"", "the numbers of steps", "another name"},
                 "the numbers of steps, then an array of that name");
    if (format_.name == "netcdf4")  // which has numbers for every array
      check_.fails(put_unchecked(state, "u", "int32", {6}, nullptr, &all_steps[1]), error_,
                   HR_ARGUMENT_INVALID, words{"the numbers of steps", "array \"u_step\""},
                   "an array, then numbers of steps of that name");
    put(state, "after", "int32", {6}, nullptr, nullptr);
    check_.ok(hr_abandon_dataset(&state, &error_), error_, "abandon");
  }

  hr_dataset open(const way& how, const std::string& file, const char* action) {
    hr_dataset state = 0;
    hr_parallel_options chosen = format_.options(how);
    if (how.hints == nullptr) chosen.hints = format_.state_hints;
    check_.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, action, &chosen, &error_),
              error_, "open " + file);
    return state;
  }

  void close(hr_dataset state, const std::string& file) {
    check_.ok(hr_close_dataset(&state, &error_), error_, "close " + file);
  }

  void describe(hr_dataset state, const member& one, const std::string& what) {
    hr_array_info info{};
    long long steps = -1;
    const kind& of = kind_named(one.kind);
    check_.ok(hr_describe_dataset_array(state, one.name, &info, &steps, &error_), error_, what);
    check_.that(info.type == of.type && (info.elem_len == of.bytes || of.type == HR_TYPE_LOGICAL),
                what + ": kind");
    check_.that(info.array_rank == static_cast<int>(one.global.size()) &&
                    std::equal(one.global.begin(), one.global.end(), info.extent),
                what + ": shape");
    check_.that(steps == static_cast<long long>(one.steps.size()),
                what + " has " + std::to_string(steps) + " steps");
    for (std::size_t i = 0; i < one.steps.size(); ++i) {
      long long number = 0;
      check_.ok(hr_dataset_step(state, one.name, static_cast<long long>(i), &number, &error_),
                error_, what);
      check_.that(number == one.steps[i], what + ": number of a step");
    }
  }

  void text_with_nul(const way& how, const hr_array& value) {
    const std::string file = format_.file("nul");
    const std::string what = file + ", " + text_of(how) + ", a text with a NUL byte";
    hr_dataset state = open(how, file, "write");
    put(state, "u", "int32", {6}, nullptr, nullptr);
    const int code = hr_write_attribute(state, "u", "text", &value, &error_);
    if (code != 0) {
      check_.fails(code, error_, HR_ARGUMENT_INVALID, "has a NUL byte inside", what);
      check_.ok(hr_abandon_dataset(&state, &error_), error_, "abandon");
      return;
    }
    close(state, file);
    state = open(how, file, "read");
    std::string found(
        value.elem_len * static_cast<std::size_t>(value.array_rank == 0 ? 1 : value.extent[0]),
        '?');
    hr_array wanted = value;
    wanted.base = found.data();
    check_.ok(hr_read_attribute(state, "u", "text", &wanted, &error_), error_, what);
    check_.that(std::equal(found.begin(), found.end(), static_cast<const char*>(value.base)),
                what + " is another one");
    close(state, file);
  }

  void write_attributes(hr_dataset state) {
    const auto write = [&](const char* array, const char* name, const hr_array& value) {
      check_.ok(hr_write_attribute(state, array, name, &value, &error_), error_, name);
    };
    char title[] = "a state";
    write(nullptr, "title", scalar(title, HR_TYPE_CHARACTER, 7));
    std::int32_t version = 3;
    write("", "version", scalar(version, HR_TYPE_INTEGER));
    version = 4;  // takes the place of the first
    write(nullptr, "version", scalar(version, HR_TYPE_INTEGER));
    double range[] = {-1.5, 2.5, 1e300};
    write("/rho", "range", list(range, HR_TYPE_REAL));
    char units[] = "kg/m3 ";
    write("rho", "units", scalar(units, HR_TYPE_CHARACTER, 6));
    std::int32_t done = 1;
    write("rho", "done", scalar(done, HR_TYPE_LOGICAL));
    std::vector<std::int64_t> many(10000);  // more than an old object header of HDF5 holds
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i * i);
    write("t", "many", list(many.data(), HR_TYPE_INTEGER, 8, 10000));
    std::complex<float> root(0.5F, -2.0F);
    if (format_.has_complex_attributes) write("velocity", "root", scalar(root, HR_TYPE_COMPLEX));
    char words[] = "one  three";
    if (format_.has_lists_of_texts) {
      write("x", "words", list(words, HR_TYPE_CHARACTER, 5, 2));
      write("x", "none", list(words, HR_TYPE_CHARACTER, 5, 0));
    }
  }

  void read_attributes(hr_dataset state) {
    const auto read = [&](const char* array, const char* name, const hr_array& value) {
      check_.ok(hr_read_attribute(state, array, name, &value, &error_), error_, name);
    };
    char title[10] = "?????????";
    read(nullptr, "title", scalar(title, HR_TYPE_CHARACTER, 9));
    check_.that(std::string(title) == "a state  ", "the title is filled up with blanks");
    std::int32_t version = 0;
    read(nullptr, "version", scalar(version, HR_TYPE_INTEGER));
    check_.that(version == 4, "the second version");
    double range[3] = {};
    read("rho", "range", list(range, HR_TYPE_REAL));
    check_.that(range[0] == -1.5 && range[1] == 2.5 && range[2] == 1e300, "the range");
    std::int64_t done = -1;
    read("rho", "done", scalar(done, HR_TYPE_LOGICAL));
    check_.that(done == 1, "a logical of another length");
    std::vector<std::int64_t> many(10000);
    read("t", "many", list(many.data(), HR_TYPE_INTEGER, 8, 10000));
    check_.that(many[0] == 0 && many[9999] == 99980001, "many numbers");
    std::complex<float> root;
    if (format_.has_complex_attributes) {
      read("velocity", "root", scalar(root, HR_TYPE_COMPLEX));
      check_.that(root == std::complex<float>(0.5F, -2.0F), "a complex number");
    }
    char words[13] = "????????????";
    if (format_.has_lists_of_texts) {
      read("x", "words", list(words, HR_TYPE_CHARACTER, 6, 2));
      check_.that(std::string(words) == "one   three ", std::string("words: ") + words);
    }
  }

  void refuse_attributes(hr_dataset state, const std::string& file) {
    const auto refuse = [&](const char* array, const char* name, const hr_array& value, int code,
                            const std::vector<std::string>& words) {
      check_.fails(
          hr_read_attribute(state, array, name, &value, &error_), error_, code, words,
          std::string("refuse ") + name + " of " + (array == nullptr ? "the file" : array));
    };
    double range[3] = {};
    std::int32_t numbers[3] = {};
    char text[4] = "";
    const hr_array integer = scalar(numbers, HR_TYPE_INTEGER, 4);
    refuse("rho", "range", list(range, HR_TYPE_REAL, 8, 2), HR_SHAPE_MISMATCH,
           {"range\" has another length: expected 2 values, found 3 values", "rho", file,
            "read it into an array of 3 elements"});
    refuse("rho", "range", scalar(range[0], HR_TYPE_REAL), HR_SHAPE_MISMATCH,
           {"expected a scalar, found 3 values", "rho", file});
    refuse("rho", "range", list(numbers, HR_TYPE_INTEGER), HR_KIND_MISMATCH,
           {"range\" has another kind: expected ", "integer", "found ", "rho", file,
            "read it into a variable of that kind"});
    refuse("rho", "units", integer, HR_KIND_MISMATCH,
           {"units\" has another kind: expected ", "integer", "found ", "rho", file});
    refuse("rho", "units", scalar(text, HR_TYPE_CHARACTER, 3), format_.longer_text,
           {"units\" is longer than the variable: expected at most 3 bytes, found ", "rho", file,
            "read it into character(len="});
    refuse("rho", "absent", integer, HR_ARRAY_MISSING,
           {"there is no attribute", "absent", "rho", file, "array= names the array"});
    refuse(nullptr, "units", integer, HR_ARRAY_MISSING,
           {"there is no attribute \"units\"", file, "array= names the array"});
    refuse("none", "units", integer, HR_ARRAY_MISSING, {"none"});
  }

  void refuse_steps(hr_dataset state) {
    spread_array to(MPI_COMM_WORLD, kind_named("int16"), {6, 5}, cut::skewed);
    for (const long long step : {20LL, 25LL})
      check_.fails(hr_read_dataset_array(state, "t_gap", to.array(), to.layout(), &step, &error_),
                   error_, HR_STEP_MISSING, {std::to_string(step), "10, 30"},
                   "a step that is not there");
  }

  checks& check_;
  const format_in_test& format_;
  std::vector<member> members_;
  hr_error error_{};
};

void test(checks& check, const format_in_test& format) {
  states all(check, format);
  for (std::size_t written = 0; written < format.ways.size(); ++written) {
    const std::string file = format.file("state_" + std::to_string(written));
    all.write(format.ways[written], file);
    all.texts_with_nul(format.ways[written]);
    for (std::size_t other = 0; other < format.readers; ++other) all.read(format.ways[other], file);
  }
  all.names_of_dimensions();
  all.names_of_arrays();
  all.replaced_while_it_is_read();
  all.appended_to_twice_at_once();
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
