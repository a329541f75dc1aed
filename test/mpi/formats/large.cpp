// Beyond what 32 bits count: one MPI rank holds more than 4 GiB, as an array and as a step, and
// each of two more than 2 GiB of lines in turn. Needs HEADRACE_TEST_BIG=1, 12 GiB of memory and of
// disk.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "formats.hpp"

namespace {

using namespace format_tests;

constexpr long long rows = 1 << 16;      // bytes along the first dimension
constexpr long long columns = 72 << 10;  // 4.5 GiB: a step of HDF5 has two chunks

// A part of the lines and columns of the array.
class big_block {
 public:
  big_block(const std::array<long long, 2>& start, const std::array<long long, 2>& count)
      : start_(start), count_(count), values_(static_cast<std::size_t>(count[0] * count[1])) {
    array.base = values_.data();
    array.type = HR_TYPE_INTEGER;
    array.elem_len = 1;
    array.array_rank = 2;
    for (std::size_t d = 0; d < 2; ++d) array.extent[d] = count[d];
    array.stride[0] = 1;
    array.stride[1] = count[0];
    const long long global[] = {rows, columns};
    const bool empty = values_.empty();
    const long long first[] = {empty ? 1 : start[0] + 1, empty ? 1 : start[1] + 1};
    hr_make_layout(&layout, MPI_COMM_WORLD, 2, global, first, count.data(), nullptr);
  }
  ~big_block() { hr_free_layout(&layout, nullptr); }
  big_block(const big_block&) = delete;
  big_block& operator=(const big_block&) = delete;

  void fill() {
    for_each([&](std::size_t i, std::int8_t value) { values_[i] = value; });
  }
  void clear() { std::fill(values_.begin(), values_.end(), std::int8_t{-1}); }
  bool is_right() const {
    bool right = true;
    for_each([&](std::size_t i, std::int8_t value) { right = right && values_[i] == value; });
    return right;
  }

  hr_array array{};
  hr_layout layout = 0;

 private:
  template <class Act>
  void for_each(Act act) const {
    std::size_t i = 0;
    for (long long column = start_[1]; column < start_[1] + count_[1]; ++column)
      for (long long row = start_[0]; row < start_[0] + count_[0]; ++row, ++i) {
        const long long place = column * rows + row;
        act(i, static_cast<std::int8_t>((place ^ (place >> 11) ^ (place >> 23)) % 127));
      }
  }

  std::array<long long, 2> start_;
  std::array<long long, 2> count_;
  std::vector<std::int8_t> values_;
};

// Whole columns, nearly all of them on one MPI rank.
big_block columns_of(const checks& check, long long share) {
  const long long begin = check.rank() == 0 ? 0 : share;
  const long long count = check.rank() == 0 ? share : check.rank() == 1 ? columns - share : 0;
  return big_block({0, begin}, {rows, count});
}

// Half of each column on one MPI rank, half on the other: MPI-IO gathers in collective calls what
// lies in turn.
big_block halves_of(const checks& check) {
  const long long count = check.rank() < 2 ? rows / 2 : 0;
  return big_block({check.rank() == 1 ? rows / 2 : 0, 0}, {count, columns});
}

void go_round(checks& check, const format_in_test& format, const way& how, const long long* step) {
  hr_error error{};
  hr_dataset state = 0;
  const std::string file = format.file("large");
  const hr_parallel_options chosen = format.options(how);
  const std::string what = text_of(how) + (step == nullptr ? "" : ", a step");
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &chosen, &error), error,
           what);
  {
    big_block from = columns_of(check, columns - 100);
    from.fill();
    check.ok(hr_write_dataset_array(state, "big", &from.array, from.layout, "x,y", step, &error),
             error, "write, " + what);
  }
  check.ok(hr_close_dataset(&state, &error), error, "close, " + what);
  big_block to = columns_of(check, 200);
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "read", &chosen, &error), error,
           what);
  check.ok(hr_read_dataset_array(state, "big", &to.array, to.layout, step, &error), error,
           "read, " + what);
  check.ok(hr_close_dataset(&state, &error), error, what);
  check.that(to.is_right(), "elements, " + what);
  if (check.rank() == 0) std::filesystem::remove_all(file);
}

// In memory, if there is room: of other files headrace looks at the bytes before it reads them,
// and so reads less at a time.
std::string file_of_halves(const format_in_test& format) {
  const std::string memory = "/dev/shm";
  std::error_code none;
  const auto room = std::filesystem::space(memory, none);
  const bool fits = !none && room.available > std::uintmax_t{8} << 30;
  return fits ? memory + "/headrace_large" + format.ending : format.file("large");
}

void halves_go_round(checks& check, const format_in_test& format, const way& how) {
  hr_error error{};
  std::string file = file_of_halves(format);
  std::array<char, 256> name{};
  file.copy(name.data(), name.size() - 1);
  MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  file = name.data();
  const std::string what = file + ", halves, " + text_of(how);
  const hr_parallel_options chosen = format.options(how);
  big_block values = halves_of(check);
  values.fill();
  check.ok(hr_write_parallel(file.c_str(), &values.array, values.layout, &chosen, nullptr, &error),
           error, "write, " + what);
  values.clear();
  check.ok(hr_read_parallel(file.c_str(), &values.array, values.layout, &chosen, nullptr, &error),
           error, "read, " + what);
  check.that(values.is_right(), "elements, " + what);
  if (check.rank() == 0) std::filesystem::remove_all(file);
}

void test(checks& check, const format_in_test& format) {
  const bool has_library = format.ways[0].transfer != nullptr;
  if (has_library || format.is_netcdf())
    halves_go_round(check, format, format.ways[has_library ? 3 : 0]);
  if (format.name == "npy") return;  // holds no datasets
  const long long step = 12;
  go_round(check, format, format.ways[0], nullptr);
  go_round(check, format, format.ways[0], &step);
  go_round(check, format, format.ways[1], nullptr);
  if (!has_library) return;
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
