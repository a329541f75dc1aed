// Several steps of an array read by one call, into an array with one more dimension.
#include <algorithm>
#include <vector>

#include "formats.hpp"

namespace {

using namespace format_tests;

const extents global = {7, 6, 5};
const long long numbers[] = {10, 20, 30, 40};

// The block of an MPI rank for several steps: each a spread array, one after another.
class local_steps {
 public:
  local_steps(const hr_array& one, std::ptrdiff_t steps) : array_(one) {
    std::ptrdiff_t bytes = static_cast<std::ptrdiff_t>(one.elem_len);
    for (int d = 0; d < one.array_rank; ++d) {
      array_.stride[d] = bytes;
      bytes *= one.extent[d];
    }
    bytes_.assign(static_cast<std::size_t>(bytes * steps) + 1, '\77');
    array_.stride[array_.array_rank] = bytes;
    array_.extent[array_.array_rank++] = steps;
    array_.base = bytes_.data();
  }
  const hr_array* array() const { return &array_; }
  // The bytes of one of the steps, as a spread array has them.
  bool has(std::ptrdiff_t step, const hr_array& wanted) const {
    const std::ptrdiff_t size = array_.stride[array_.array_rank - 1];
    const char* const found = bytes_.data() + step * size;
    return std::equal(found, found + size, static_cast<const char*>(wanted.base));
  }

 private:
  hr_array array_;
  std::vector<char> bytes_;
};

class steps_together {
 public:
  steps_together(checks& check, const format_in_test& format, const way& how)
      : check_(check), file_(format.file("steps_together")), options_(format.options(how)) {}

  void test() {
    hr_error error{};
    write();
    open("read");
    is_read(20, 30, {20, 30});
    is_read(10, 40, {10, 20, 30, 40});
    is_read(35, 99, {40});
    spread_array one(MPI_COMM_WORLD, real64_, global, cut::uneven);
    const auto refused = [&](long long first, long long last, std::ptrdiff_t room, int expected,
                             const std::vector<std::string>& said) {
      const local_steps found(*one.array(), room);
      const int code =
          hr_read_dataset_steps(state_, "u", found.array(), one.layout(), first, last, &error);
      check_.fails(code, error, expected, said, file_);
    };
    const std::string where = "file \"" + file_ + "\", array \"u\"";
    refused(41, 99, 1, HR_STEP_MISSING, {"no step from 41 to 99", where, "it has 10, 20, 30, 40"});
    refused(10, 30, 2, HR_SHAPE_MISMATCH,
            {"expected 3 for the steps from 10 to 30, found 2", where,
             "the array has the steps 10, 20, 30, 40"});
    if (check_.size() > 1)
      refused(check_.rank() == 0 ? 10 : 20, 30, check_.rank() == 0 ? 3 : 2, HR_RANKS_DISAGREE,
              {"different steps"});
    check_.ok(hr_close_dataset(&state_, &error), error, file_);
  }

 private:
  void open(const char* action) {
    hr_error error{};
    check_.ok(hr_open_dataset(&state_, file_.c_str(), MPI_COMM_WORLD, action, &options_, &error),
              error, file_);
  }

  void write() {
    hr_error error{};
    open("write");
    for (const long long& step : numbers) {
      spread_array one(MPI_COMM_WORLD, real64_, global, cut::balanced);
      one.fill(step);
      check_.ok(
          hr_write_dataset_array(state_, "u", one.array(), one.layout(), "x,y,z", &step, &error),
          error, file_);
    }
    check_.ok(hr_close_dataset(&state_, &error), error, file_);
  }

  void is_read(long long first, long long last, const std::vector<long long>& wanted) {
    const std::string what =
        file_ + ", steps " + std::to_string(first) + " to " + std::to_string(last);
    hr_error error{};
    spread_array one(MPI_COMM_WORLD, real64_, global, cut::uneven);
    const local_steps found(*one.array(), static_cast<std::ptrdiff_t>(wanted.size()));
    check_.ok(hr_read_dataset_steps(state_, "u", found.array(), one.layout(), first, last, &error),
              error, what);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      one.fill(wanted[i]);
      check_.that(found.has(static_cast<std::ptrdiff_t>(i), *one.array()), what + ": other values");
    }
  }

  checks& check_;
  std::string file_;
  hr_parallel_options options_;
  hr_dataset state_ = 0;
  const kind& real64_ = kind_named("real64");
};

}  // namespace

int main(int argc, char** argv) {
  return format_tests::run(argc, argv, [](checks& check, const format_in_test& format) {
    for (const way& how : format.ways) steps_together(check, format, how).test();
  });
}
