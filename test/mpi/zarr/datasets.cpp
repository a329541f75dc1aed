// Stores of many arrays with attributes and steps, whole or wrongly used. Leaves state.zarr for
// check_stores.py.
#include <cmath>

#include "stores.hpp"

namespace {

using namespace zarr_tests;

// A store that is open for one purpose, and what its calls say.
class store {
 public:
  store(checks& check, const std::string& file, const char* action,
        const hr_parallel_options& how = options(nullptr))
      : check_(check) {
    check_.ok(hr_open_dataset(&state_, file.c_str(), MPI_COMM_WORLD, action, &how, &error_), error_,
              std::string("open to ") + action);
  }
  ~store() {
    if (state_ != 0) hr_abandon_dataset(&state_, nullptr);
  }
  store(const store&) = delete;
  store& operator=(const store&) = delete;

  int write(const char* name, const spread_array& from, const char* dimensions = nullptr,
            const long long* step = nullptr) {
    return hr_write_dataset_array(state_, name, from.array(), from.layout(), dimensions, step,
                                  &error_);
  }
  int read(const char* name, spread_array& to, const long long* step = nullptr) {
    to.clear();
    return hr_read_dataset_array(state_, name, to.array(), to.layout(), step, &error_);
  }
  int attribute(bool writes, const char* array, const char* name, const hr_array& value) {
    return writes ? hr_write_attribute(state_, array, name, &value, &error_)
                  : hr_read_attribute(state_, array, name, &value, &error_);
  }
  int close() { return hr_close_dataset(&state_, &error_); }
  void ok(int code, const std::string& what) { check_.ok(code, error_, what); }
  void fails(int code, int expected, const std::vector<std::string>& words,
             const std::string& what) {
    check_.fails(code, error_, expected, words, what);
  }

 private:
  checks& check_;
  hr_dataset state_ = 0;
  hr_error error_{};
};

const long long first_step = 10;
const long long second_step = 12;
const long long third_step = -7;

// Two arrays with the same steps, one with others, one without; the second step from another
// cut.
void write_state(checks& check, const hr_parallel_options& how) {
  store state(check, "state.zarr", "write", how);
  const kind& real = kind_named("real64");
  spread_array density(MPI_COMM_WORLD, real, {13, 6}, cut::equal);
  spread_array again(MPI_COMM_WORLD, real, {13, 6}, cut::bisected, memory::halo);
  spread_array count(MPI_COMM_WORLD, kind_named("int32"), {6}, cut::balanced);
  spread_array mask(MPI_COMM_WORLD, kind_named("logical4"), {13, 6}, cut::first);
  spread_array other(MPI_COMM_WORLD, real, {4, 3, 2, 2, 2, 2, 3}, cut::last);
  density.fill(0);
  state.ok(state.write("/rho", density, "x,y", &first_step), "rho, first step");
  again.fill(1000);
  state.ok(state.write("rho", again, "x,y", &second_step), "rho, second step");
  for (const long long* step : {&first_step, &second_step}) {
    count.fill(*step);
    state.ok(state.write("count", count, "y", step), "count");
  }
  other.fill(5);
  state.ok(state.write("other", other, nullptr, &third_step), "other, seven dimensions and a step");
  mask.fill();
  state.ok(state.write("mask", mask, "x,y"), "mask, no steps");
  std::int32_t integer = -5;
  std::int64_t longs[] = {1, -9223372036854775807LL - 1, 9223372036854775807LL};
  double real_value = 0.1;
  float reals[] = {0.1F, -1e30F, 3.0F};
  double special[] = {std::nan(""), HUGE_VAL, -HUGE_VAL};
  char title[] = "a \"state\"\t\xc3\xa4  ";
  char names[] = "ab c  ";
  std::int32_t yes = 1;
  state.ok(state.attribute(true, nullptr, "integer", scalar(integer, HR_TYPE_INTEGER)), "integer");
  state.ok(state.attribute(true, nullptr, "longs", list(longs, HR_TYPE_INTEGER)), "longs");
  state.ok(state.attribute(true, "rho", "factor", scalar(real_value, HR_TYPE_REAL)), "factor");
  state.ok(state.attribute(true, "rho", "reals", list(reals, HR_TYPE_REAL)), "reals");
  state.ok(state.attribute(true, "rho", "special", list(special, HR_TYPE_REAL)), "special");
  state.ok(state.attribute(true, "", "title", scalar(title, HR_TYPE_CHARACTER, sizeof title - 1)),
           "title");
  state.ok(state.attribute(true, "/rho", "names", list(names, HR_TYPE_CHARACTER, 3, 2)), "names");
  state.ok(state.attribute(true, "mask", "yes", scalar(yes, HR_TYPE_LOGICAL)), "yes");
  state.ok(state.close(), "close");
}

void read_state(checks& check) {
  store state(check, "state.zarr", "read");
  const kind& real = kind_named("real64");
  spread_array density(MPI_COMM_WORLD, real, {13, 6}, cut::last, memory::every_second);
  spread_array count(MPI_COMM_WORLD, kind_named("int32"), {6}, cut::equal);
  spread_array mask(MPI_COMM_WORLD, kind_named("logical1"), {13, 6}, cut::balanced);
  spread_array other(MPI_COMM_WORLD, real, {4, 3, 2, 2, 2, 2, 3}, cut::first);
  state.ok(state.read("rho", density, &second_step), "read rho, second step");
  check.that(density.wrong(1000) == 0, "rho, second step");
  state.ok(state.read("rho", density, &first_step), "read rho, first step");
  check.that(density.wrong(0) == 0, "rho, first step");
  state.ok(state.read("count", count, &second_step), "read count");
  check.that(count.wrong(second_step) == 0, "count");
  state.ok(state.read("mask", mask), "read mask");
  check.that(mask.wrong() == 0, "mask");
  state.ok(state.read("other", other, &third_step), "read other");
  check.that(other.wrong(5) == 0, "other");
}

void read_attributes(checks& check) {
  store state(check, "state.zarr", "read");
  std::int64_t integer = 0;
  std::int8_t small = 0;
  std::int64_t longs[3] = {};
  double factor = 0;
  float reals[3] = {};
  double special[3] = {};
  char title[20];
  char names[6];
  char tight[5];
  std::int8_t yes = 0;
  const auto read = [&](const char* array, const char* name, const hr_array& value) {
    state.ok(state.attribute(false, array, name, value), std::string("read ") + name);
  };
  read(nullptr, "integer", scalar(integer, HR_TYPE_INTEGER));
  read(nullptr, "integer", scalar(small, HR_TYPE_INTEGER));
  check.that(integer == -5 && small == -5, "integer");
  read(nullptr, "longs", list(longs, HR_TYPE_INTEGER));
  check.that(
      longs[0] == 1 && longs[1] + 1 == -9223372036854775807LL && longs[2] == 9223372036854775807LL,
      "longs");
  read("rho", "factor", scalar(factor, HR_TYPE_REAL));
  check.that(factor == 0.1, "factor");
  read("rho", "reals", list(reals, HR_TYPE_REAL));
  check.that(reals[0] == 0.1F && reals[1] == -1e30F && reals[2] == 3.0F, "reals");
  read("rho", "special", list(special, HR_TYPE_REAL));
  check.that(special[0] != special[0] && special[1] > 1e308 && special[2] < -1e308, "special");
  read(nullptr, "title", scalar(title, HR_TYPE_CHARACTER, sizeof title));
  check.that(std::string(title, sizeof title) == "a \"state\"\t\xc3\xa4        ", "title");
  read("rho", "names", list(names, HR_TYPE_CHARACTER, 3, 2));
  check.that(std::string(names, 6) == "ab c  ", "names");
  read("mask", "yes", scalar(yes, HR_TYPE_LOGICAL));
  check.that(yes == 1, "yes");
  state.fails(state.attribute(false, nullptr, "longs", scalar(integer, HR_TYPE_INTEGER)),
              HR_SHAPE_MISMATCH, {"3 values", "a scalar"}, "a list into a scalar");
  state.fails(state.attribute(false, "rho", "factor", scalar(integer, HR_TYPE_INTEGER)),
              HR_KIND_MISMATCH, {"real"}, "a real into an integer");
  state.fails(
      state.attribute(false, nullptr, "title", scalar(tight, HR_TYPE_CHARACTER, sizeof tight)),
      HR_KIND_MISMATCH, {"at most 5 bytes"}, "a text that is too long");
  state.fails(state.attribute(false, nullptr, "absent", scalar(integer, HR_TYPE_INTEGER)),
              HR_ARRAY_MISSING, {"absent"}, "no such attribute");
}

// An array goes on in the chunks and shards, and with the codecs, in which it was begun.
void steps_come_with_another_pattern(checks& check) {
  const char* const patterns[] = {"file_per_process", "shared_collective", "file_per_node",
                                  "serial"};
  for (const char* compression : {static_cast<const char*>(nullptr), "zstd"})
    for (const char* first : patterns)
      for (const char* second : patterns) {
        const std::string what = std::string(first) + ", then " + second;
        spread_array heat(MPI_COMM_WORLD, kind_named("real64"), {9, 1000, 9}, cut::last);
        for (long long step : {0, 1}) {
          store state(check, "patterns.zarr", step == 0 ? "write" : "append",
                      step == 0 ? options(first, nullptr, compression) : options(second));
          heat.fill(step);
          state.ok(state.write("heat", heat, nullptr, &step), what);
          state.ok(state.close(), what);
        }
        store state(check, "patterns.zarr", "read");
        for (long long step : {0, 1}) {
          state.ok(state.read("heat", heat, &step), what);
          check.that(heat.wrong(step) == 0, what);
        }
      }
}

void wrong_reads_are_refused(checks& check) {
  store state(check, "state.zarr", "read");
  spread_array density(MPI_COMM_WORLD, kind_named("real64"), {13, 6}, cut::last);
  spread_array single(MPI_COMM_WORLD, kind_named("real32"), {13, 6}, cut::last);
  spread_array turned(MPI_COMM_WORLD, kind_named("real64"), {6, 13}, cut::last);
  const long long absent = 11;
  state.fails(state.read("none", density), HR_ARRAY_MISSING,
              {"none", "it has \"count\", \"mask\", \"other\""}, "an array that is not there");
  state.fails(state.read("../state.zarr/rho", density), HR_ARRAY_MISSING, {}, "a way out");
  state.fails(state.read("rho", density, &absent), HR_STEP_MISSING, {"11"}, "no such step");
  state.fails(state.read("rho", single, &first_step), HR_KIND_MISMATCH, {"rho"}, "another kind");
  state.fails(state.read("rho", turned, &first_step), HR_SHAPE_MISMATCH, {"(13, 6)"}, "a shape");
}

void wrong_writes_are_refused(checks& check) {
  const kind& real = kind_named("real64");
  spread_array one(MPI_COMM_WORLD, real, {8, 4}, cut::last);
  spread_array two(MPI_COMM_WORLD, real, {4, 8}, cut::last);
  spread_array wide(MPI_COMM_WORLD, {"real128", HR_TYPE_REAL, 16}, {8, 4}, cut::last);
  one.fill();
  two.fill();
  const auto refuse = [&](int expected, const std::vector<std::string>& words,
                          const std::string& what, auto act) {
    store state(check, "refused.zarr", "write");
    state.ok(state.write("a", one, "x,y", &first_step), what);
    state.fails(act(state), expected, words, what);
    state.ok(state.close(), what + ": closing");
  };
  refuse(HR_ARGUMENT_INVALID, {"\"x\"", "8", "4"}, "an extent that does not fit its dimension",
         [&](store& state) { return state.write("b", two, "x,y"); });
  refuse(HR_ARGUMENT_INVALID, {"\"a\"", "step"}, "an array with and without steps",
         [&](store& state) { return state.write("a", one, "x,y"); });
  refuse(HR_SHAPE_MISMATCH, {"\"a\""}, "a state of another shape",
         [&](store& state) { return state.write("a", two, "p,q", &second_step); });
  refuse(HR_KIND_UNSUPPORTED, {"16 bytes"}, "real128",
         [&](store& state) { return state.write("b", wide, "x,y"); });
  for (const char* name : {"a/b", "..", "zarr.json", "__x"})
    refuse(HR_ARGUMENT_INVALID, {name}, "a name that is no directory",
           [&](store& state) { return state.write(name, one, "x,y"); });
  double value = 1;
  double pair[] = {1, 2};
  refuse(HR_ARRAY_MISSING, {"none"}, "an attribute of an array that is not there",
         [&](store& state) {
           return state.attribute(true, "none", "v", scalar(value, HR_TYPE_REAL));
         });
  refuse(HR_KIND_UNSUPPORTED, {"complex"}, "a complex attribute", [&](store& state) {
    return state.attribute(true, "a", "v", scalar(pair, HR_TYPE_COMPLEX, 16));
  });
  char latin[] = "\xe4";
  refuse(HR_ARGUMENT_INVALID, {"UTF-8"}, "a text that is no UTF-8", [&](store& state) {
    return state.attribute(true, "a", "v", scalar(latin, HR_TYPE_CHARACTER, 1));
  });
}

}  // namespace

int main(int count, char** arguments) {
  return run(count, arguments, "datasets of Zarr", [](checks& check) {
    for (const char* pattern :
         {"shared_collective", "serial", "file_per_process", "file_per_node"}) {
      write_state(check, options(pattern, "crc32c", nullptr));
      read_state(check);
    }
    read_attributes(check);
    steps_come_with_another_pattern(check);
    wrong_reads_are_refused(check);
    wrong_writes_are_refused(check);
  });
}
