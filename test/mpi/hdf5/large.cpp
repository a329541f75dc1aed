// Beyond what 32 bits count: an array of more than 4 GiB, of which one MPI rank holds more than
// 2 GiB, and steps of several chunks. Needs HEADRACE_TEST_BIG=1, 12 GiB of memory and of disk.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ways.hpp"

namespace {

using namespace hdf5_tests;

constexpr long long rows = 1 << 16;     // elements of 8 bytes along the first dimension
constexpr long long columns = 9 << 10;  // 4.5 GiB in all

// Block of whole columns without the cost of spread_arrays.hpp.
struct big_block {
  std::vector<std::int64_t> values;
  hr_array array{};
  hr_layout layout = 0;
  long long first = 0;

  big_block(const checks& check, long long share) {
    const bool is_last = check.rank() == check.size() - 1;
    const long long begin = check.rank() == 0 ? 0 : share + (check.rank() - 1);
    const long long count = check.rank() == 0 ? share : is_last ? columns - begin : 1;
    first = begin * rows;
    values.resize(static_cast<std::size_t>(rows * count));
    array.base = values.data();
    array.type = HR_TYPE_INTEGER;
    array.elem_len = 8;
    array.array_rank = 2;
    array.extent[0] = rows;
    array.extent[1] = count;
    array.stride[0] = 8;
    array.stride[1] = 8 * rows;
    const long long global[] = {rows, columns};
    const long long start[] = {1, begin + 1};
    const long long counts[] = {rows, count};
    hr_make_layout(&layout, MPI_COMM_WORLD, 2, global, start, counts, nullptr);
  }
  ~big_block() { hr_free_layout(&layout, nullptr); }
  big_block(const big_block&) = delete;
  big_block& operator=(const big_block&) = delete;

  void fill(std::int64_t offset) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = first + static_cast<std::int64_t>(i) + offset;
  }
  bool is_right(std::int64_t offset) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != first + static_cast<std::int64_t>(i) + offset) return false;
    return true;
  }
};

void go_round(checks& check, const way& how, std::int64_t offset) {
  hr_error error{};
  const hr_parallel_options chosen = options(how.pattern, how.transfer, "big");
  {
    big_block from(check, columns / 2 + 500);
    from.fill(offset);
    check.ok(hr_write_parallel("big.h5", &from.array, from.layout, &chosen, nullptr, &error), error,
             "write, " + text_of(how));
  }
  big_block to(check, columns / 3);
  check.ok(hr_read_parallel("big.h5", &to.array, to.layout, &chosen, nullptr, &error), error,
           "read, " + text_of(how));
  check.that(to.is_right(offset), "elements, " + text_of(how));
}

// A step of 4.5 GiB has two chunks.
void step_beyond_a_chunk(checks& check, const way& how) {
  hr_error error{};
  hr_dataset state = 0;
  const hr_parallel_options chosen = options(how.pattern, how.transfer, nullptr);
  check.ok(hr_open_dataset(&state, "big.h5", MPI_COMM_WORLD, "write", &chosen, &error), error,
           "open, " + text_of(how));
  const long long step = 12;
  {
    big_block from(check, columns / 2);
    from.fill(77);
    check.ok(hr_write_dataset_array(state, "u", &from.array, from.layout, "x,y", &step, &error),
             error, "write a step, " + text_of(how));
  }
  check.ok(hr_close_dataset(&state, &error), error, "close, " + text_of(how));
  check.ok(hr_open_dataset(&state, "big.h5", MPI_COMM_WORLD, "read", &chosen, &error), error,
           "open again, " + text_of(how));
  big_block to(check, columns / 2 - 100);
  check.ok(hr_read_dataset_array(state, "u", &to.array, to.layout, &step, &error), error,
           "read a step, " + text_of(how));
  check.that(to.is_right(77), "elements of a step, " + text_of(how));
  check.ok(hr_close_dataset(&state, &error), error, "close, " + text_of(how));
}

}  // namespace

int main(int count, char** arguments) {
  const char* const wanted = std::getenv("HEADRACE_TEST_BIG");
  if (wanted == nullptr || std::strcmp(wanted, "1") != 0) {
    std::puts("skipped: set HEADRACE_TEST_BIG=1; it takes 12 GiB");
    return 77;
  }
  return run(count, arguments, "large HDF5 files", [](checks& check) {
    go_round(check, ways[0], 5);
    go_round(check, ways[1], 6);
    go_round(check, ways[3], 7);
    step_beyond_a_chunk(check, ways[0]);
    step_beyond_a_chunk(check, ways[3]);
    if (check.rank() == 0) ::unlink("big.h5");
  });
}
