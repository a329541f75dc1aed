// Arrays with equal steps share the dimension of their numbers, also if that is not "step". The
// files shared_steps_* stay: read_shared_steps.py opens them with h5py.
#include <algorithm>

#include "formats/formats.hpp"

namespace {

using namespace format_tests;

struct stepped {
  const char* name;
  std::vector<long long> steps;  // in the order of writing; empty: none
};

// read_shared_steps.py has the same list, and says what their dimensions are called.
const std::vector<stepped> members = {{"a", {1, 2}},       {"b", {5, 6}},       {"c", {5, 6}},
                                      {"d", {1, 2}},       {"e", {2, 1}},       {"f", {5}},
                                      {"g", {5, 6, 7}},    {"group/b", {5, 6}}, {"group/c", {5, 6}},
                                      {"group/d", {1, 2}}, {"taken", {8, 9}},   {"taken_step", {}},
                                      {"untaken", {8, 9}}};
constexpr int dimensions_of_time = 3;

class shared_steps {
 public:
  explicit shared_steps(checks& check) : check_(check) {}

  // Last arrays first: names do not depend on who was written before.
  void write(const way& how, const std::string& file) {
    hr_dataset state = open(how, file, "write");
    for (int round = 0; round < dimensions_of_time; ++round)
      for (std::size_t number = members.size(); number-- > 0;) {
        const stepped& one = members[number];
        if (static_cast<std::size_t>(round) >= std::max<std::size_t>(1, one.steps.size())) continue;
        const long long* const step =
            one.steps.empty() ? nullptr : &one.steps[static_cast<std::size_t>(round)];
        spread_array from(MPI_COMM_WORLD, kind_named("int32"), shape, cut::uneven);
        from.fill(first_value(number, step));
        check_.ok(hr_write_dataset_array(state, one.name, from.array(), from.layout(), "x,y", step,
                                         &error_),
                  error_, "write " + file + ", " + one.name);
      }
    check_.ok(hr_close_dataset(&state, &error_), error_, "close " + file);
  }

  void read(const way& how, const std::string& file) {
    hr_dataset state = open(how, file, "read");
    for (std::size_t number = 0; number < members.size(); ++number) {
      const stepped& one = members[number];
      const std::string what = file + ", " + one.name;
      hr_array_info info{};
      long long steps = -1;
      check_.ok(hr_describe_dataset_array(state, one.name, &info, &steps, &error_), error_, what);
      check_.that(info.array_rank == 2 && steps == static_cast<long long>(one.steps.size()),
                  what + ": array rank " + std::to_string(info.array_rank) + ", " +
                      std::to_string(steps) + " steps");
      for (std::size_t i = 0; i < one.steps.size(); ++i) {
        long long found = 0;
        check_.ok(hr_dataset_step(state, one.name, static_cast<long long>(i), &found, &error_),
                  error_, what);
        check_.that(found == one.steps[i], what + ": step " + std::to_string(found));
        read_step(state, number, &one.steps[i], what);
      }
      if (one.steps.empty()) read_step(state, number, nullptr, what);
    }
    check_.ok(hr_close_dataset(&state, &error_), error_, "close " + file);
  }

 private:
  static inline const extents shape = {5, 4};

  static std::int64_t first_value(std::size_t number, const long long* step) {
    return static_cast<std::int64_t>(1000 * number) + (step == nullptr ? 0 : 10 * *step);
  }

  hr_dataset open(const way& how, const std::string& file, const char* action) {
    hr_dataset state = 0;
    const hr_parallel_options chosen = options_of(how);
    check_.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, action, &chosen, &error_),
              error_, "open " + file);
    return state;
  }

  void read_step(hr_dataset state, std::size_t number, const long long* step,
                 const std::string& what) {
    spread_array to(MPI_COMM_WORLD, kind_named("int32"), shape, cut::skewed);
    to.clear();
    check_.ok(
        hr_read_dataset_array(state, members[number].name, to.array(), to.layout(), step, &error_),
        error_, "read " + what);
    check_.that(to.wrong(first_value(number, step)) == 0, what + ": wrong elements");
  }

  checks& check_;
  hr_error error_{};
};

void test(checks& check) {
  shared_steps all(check);
  for (std::size_t number = 0; number < hdf5_ways.size(); ++number) {
    const std::string file = "shared_steps_" + std::to_string(number) + ".h5";
    all.write(hdf5_ways[number], file);
    all.read(hdf5_ways[number], file);
    all.read(hdf5_ways[(number + 3) % hdf5_ways.size()], file);
  }
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "shared steps in HDF5", test);
}
