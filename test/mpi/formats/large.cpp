// Beyond what 32 bits count: one MPI rank holds more than 4 GiB, as an array and as a step. Needs
// HEADRACE_TEST_BIG=1, 12 GiB of memory and of disk.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "formats.hpp"

namespace {

using namespace format_tests;

constexpr long long rows = 1 << 16;      // bytes along the first dimension
constexpr long long columns = 72 << 10;  // 4.5 GiB: a step of HDF5 has two chunks

// Whole columns, nearly all of them on one MPI rank.
struct big_block {
  std::vector<std::int8_t> values;
  hr_array array{};
  hr_layout layout = 0;
  long long first = 0;

  big_block(const checks& check, long long share) {
    const long long begin = check.rank() == 0 ? 0 : share;
    const long long count = check.rank() == 0 ? share : check.rank() == 1 ? columns - share : 0;
    first = begin * rows;
    values.resize(static_cast<std::size_t>(rows * count));
    array.base = values.data();
    array.type = HR_TYPE_INTEGER;
    array.elem_len = 1;
    array.array_rank = 2;
    array.extent[0] = rows;
    array.extent[1] = count;
    array.stride[0] = 1;
    array.stride[1] = rows;
    const long long global[] = {rows, columns};
    const long long start[] = {1, count == 0 ? 1 : begin + 1};
    const long long counts[] = {rows, count};
    hr_make_layout(&layout, MPI_COMM_WORLD, 2, global, start, counts, nullptr);
  }
  ~big_block() { hr_free_layout(&layout, nullptr); }
  big_block(const big_block&) = delete;
  big_block& operator=(const big_block&) = delete;

  static std::int8_t value(long long place) {
    return static_cast<std::int8_t>((place ^ (place >> 11) ^ (place >> 23)) % 127);
  }
  void fill() {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = value(first + static_cast<long long>(i));
  }
  bool is_right() const {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != value(first + static_cast<long long>(i))) return false;
    return true;
  }
};

void go_round(checks& check, const format_in_test& format, const way& how, const long long* step) {
  hr_error error{};
  hr_dataset state = 0;
  const std::string file = format.file("large");
  const hr_parallel_options chosen = format.options(how);
  const std::string what = text_of(how) + (step == nullptr ? "" : ", a step");
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &chosen, &error), error,
           what);
  {
    big_block from(check, columns - 100);
    from.fill();
    check.ok(hr_write_dataset_array(state, "big", &from.array, from.layout, "x,y", step, &error),
             error, "write, " + what);
  }
  check.ok(hr_close_dataset(&state, &error), error, "close, " + what);
  big_block to(check, 200);
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "read", &chosen, &error), error,
           what);
  check.ok(hr_read_dataset_array(state, "big", &to.array, to.layout, step, &error), error,
           "read, " + what);
  check.ok(hr_close_dataset(&state, &error), error, what);
  check.that(to.is_right(), "elements, " + what);
  if (check.rank() == 0) std::filesystem::remove_all(file);
}

void test(checks& check, const format_in_test& format) {
  const long long step = 12;
  go_round(check, format, format.ways[0], nullptr);
  go_round(check, format, format.ways[0], &step);
  go_round(check, format, format.ways[1], nullptr);
  if (format.ways[0].transfer == nullptr) return;
  go_round(check, format, format.ways[3], nullptr);  // by the library
  go_round(check, format, format.ways[3], &step);
}

}  // namespace

int main(int count, char** arguments) {
  const char* const wanted = std::getenv("HEADRACE_TEST_BIG");
  if (wanted == nullptr || std::string(wanted) != "1") {
    std::puts("skipped: set HEADRACE_TEST_BIG=1; it takes 12 GiB");
    return 77;
  }
  return format_tests::run(count, arguments, test);
}
