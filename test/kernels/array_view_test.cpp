#include "core/array_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/array_copy.hpp"

namespace headrace {
namespace {

// The obvious way: every element by itself, from its subscripts.
std::vector<std::ptrdiff_t> naive_offsets(const array_view& array) {
  std::vector<std::ptrdiff_t> offsets;
  std::ptrdiff_t elements = 1;
  for (int d = 0; d < array.array_rank; ++d) elements *= array.extent[d];
  for (std::ptrdiff_t i = 0; i < elements; ++i) {
    std::ptrdiff_t rest = i;
    std::ptrdiff_t offset = 0;
    for (int d = 0; d < array.array_rank; ++d) {
      offset += rest % array.extent[d] * array.stride[d];
      rest /= array.extent[d];
    }
    offsets.push_back(offset);
  }
  return offsets;
}

std::string naive_bytes(const array_view& array) {
  std::string bytes;
  for (std::ptrdiff_t offset : naive_offsets(array))
    bytes.append(array.base + offset, array.elem_len);
  return bytes;
}

std::string bytes_of_runs(const array_view& array) {
  std::string bytes;
  for_each_run(array, [&](const char* run, std::size_t length) {
    bytes.append(run, length);
    return true;
  });
  return bytes;
}

std::string gathered(const array_view& array, std::size_t capacity) {
  std::string bytes;
  std::string buffer(capacity, '\0');
  array_copier copier(array);
  while (const std::size_t length = copier.gather(buffer.data(), capacity))
    bytes.append(buffer, 0, length);
  return bytes;
}

void scatter(const array_view& array, const std::string& bytes, std::size_t capacity) {
  array_copier copier(array);
  for (std::size_t at = 0; at < bytes.size(); at += capacity)
    copier.scatter(bytes.data() + at, std::min(capacity, bytes.size() - at));
}

bool naive_contiguous(const array_view& array) {
  const std::vector<std::ptrdiff_t> offsets = naive_offsets(array);
  for (std::size_t i = 0; i < offsets.size(); ++i)
    if (offsets[i] != static_cast<std::ptrdiff_t>(i * array.elem_len)) return false;
  return true;
}

// No two elements of the view share a byte: only then does reading into it have one result.
bool overlaps(const array_view& array) {
  std::vector<std::ptrdiff_t> offsets = naive_offsets(array);
  std::sort(offsets.begin(), offsets.end());
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] - offsets[i - 1] < static_cast<std::ptrdiff_t>(array.elem_len)) return true;
  return false;
}

// Calls use(view) for every array rank up to 3, extent 0 to 3, and strides from -3 to 3 elements,
// and strides that are no multiple of the element length.
template <class Use>
void for_each_small_view(Use use) {
  static std::vector<char> memory(2000);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<char>(i * 37 % 251);
  constexpr std::size_t element_lengths[] = {1, 3, 4};
  for (std::size_t elem_len : element_lengths) {
    const auto length = static_cast<std::ptrdiff_t>(elem_len);
    const std::vector<std::ptrdiff_t> strides = {length,      -length,     2 * length,
                                                 -2 * length, 3 * length,  0,
                                                 length + 1,  -length - 1, 6 * length};
    for (int array_rank = 0; array_rank <= 3; ++array_rank) {
      array_view view{memory.data() + 1000, elem_len, type_class::integer, array_rank, {}, {}};
      std::size_t choices = 1;
      for (int d = 0; d < array_rank; ++d) choices *= 4 * strides.size();
      for (std::size_t choice = 0; choice < choices; ++choice) {
        std::size_t rest = choice;
        for (int d = 0; d < array_rank; ++d) {
          view.extent[d] = static_cast<std::ptrdiff_t>(rest % 4);
          rest /= 4;
          view.stride[d] = strides[rest % strides.size()];
          rest /= strides.size();
        }
        use(view);
      }
    }
  }
}

TEST(ArrayView, RunsVisitTheElementsInElementOrder) {
  for_each_small_view(
      [](const array_view& view) { ASSERT_EQ(bytes_of_runs(view), naive_bytes(view)); });
}

TEST(ArrayView, CountsElementsAndBytes) {
  for_each_small_view([](const array_view& view) {
    ASSERT_EQ(element_count(view), naive_offsets(view).size());
    ASSERT_EQ(byte_count(view), naive_bytes(view).size());
  });
}

TEST(ArrayView, KnowsContiguousArrays) {
  for_each_small_view(
      [](const array_view& view) { ASSERT_EQ(is_contiguous(view), naive_contiguous(view)); });
}

TEST(ArrayView, GathersThroughBuffersOfAnySize) {
  for_each_small_view([](const array_view& view) {
    const std::string expected = naive_bytes(view);
    for (std::size_t capacity : {1, 2, 5, 12, 1000}) ASSERT_EQ(gathered(view, capacity), expected);
  });
}

TEST(ArrayView, ScattersIntoTheElementsAndNothingElse) {
  std::size_t cases = 0;
  for_each_small_view([&](const array_view& view) {
    if (overlaps(view)) return;
    ++cases;
    char* const memory = view.base - 1000;
    const std::string before(memory, 2000);
    std::string values = naive_bytes(view);
    for (char& c : values) c = static_cast<char>(~c);
    std::string expected = before;
    std::size_t at = 0;
    for (std::ptrdiff_t offset : naive_offsets(view))
      for (std::size_t i = 0; i < view.elem_len; ++i)
        expected[static_cast<std::size_t>(1000 + offset) + i] = values[at++];
    for (std::size_t capacity : {1, 5, 1000}) {
      scatter(view, values, capacity);
      const std::string after(memory, 2000);
      std::memcpy(memory, before.data(), before.size());
      ASSERT_EQ(after, expected);
    }
  });
  EXPECT_GT(cases, 10000U);
}

TEST(ArrayView, ScalarIsOneRun) {
  char value[8] = "1234567";
  const array_view view{value, 8, type_class::real, 0, {}, {}};
  EXPECT_EQ(bytes_of_runs(view), std::string(value, 8));
  EXPECT_TRUE(is_contiguous(view));
}

TEST(ArrayView, RunsAreMaximal) {
  char memory[4 * 3 * 8];
  const array_view columns{memory, 4, type_class::real, 2, {4, 3}, {4, 32}};
  int runs = 0;
  for_each_run(columns, [&](const char*, std::size_t bytes) {
    EXPECT_EQ(bytes, 16U);
    ++runs;
    return true;
  });
  EXPECT_EQ(runs, 3);
}

TEST(ArrayView, DimensionsOfOneElementDoNotCutRuns) {
  char memory[64];
  const array_view view{memory, 4, type_class::real, 4, {1, 4, 1, 4}, {-77, 4, 1234, 16}};
  EXPECT_TRUE(is_contiguous(view));
  EXPECT_EQ(runs_of(view).run_bytes, 64U);
}

TEST(ArrayView, RegularSectionsBecomeOneDimension) {
  char memory[160];
  const array_view view{memory, 4, type_class::real, 2, {4, 5}, {8, 32}};
  const run_grid grid = runs_of(view);
  EXPECT_EQ(grid.dimensions, 1);
  EXPECT_EQ(grid.extent[0], 20);
}

TEST(ArrayView, FifteenDimensions) {
  std::vector<char> memory(1U << 15U, 'x');
  array_view view{memory.data(), 1, type_class::character, 15, {}, {}};
  for (int d = 0; d < 15; ++d) {
    view.extent[d] = 2;
    view.stride[d] = std::ptrdiff_t{1} << (14 - d);  // the last dimension is the contiguous one
  }
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<char>(i % 127);
  EXPECT_EQ(bytes_of_runs(view), naive_bytes(view));
  EXPECT_EQ(gathered(view, 1000), naive_bytes(view));
}

TEST(ArrayView, EmptyArraysHaveNoRunsHoweverLargeTheirOtherExtents) {
  constexpr std::ptrdiff_t huge = std::numeric_limits<std::ptrdiff_t>::max();
  const array_view view{nullptr, 8, type_class::real, 3, {huge, huge, 0}, {8, 8, 8}};
  EXPECT_EQ(element_count(view), 0U);
  EXPECT_EQ(bytes_of_runs(view), "");
  EXPECT_TRUE(is_contiguous(view));
}

TEST(ArrayView, CountsThatOverflowAreNothing) {
  constexpr std::ptrdiff_t huge = std::numeric_limits<std::ptrdiff_t>::max();
  EXPECT_FALSE(element_count({nullptr, 1, type_class::real, 2, {huge, 3}, {}}));
  EXPECT_FALSE(byte_count({nullptr, 1, type_class::real, 2, {huge, 2}, {}}));
  EXPECT_FALSE(byte_count({nullptr, 8, type_class::real, 1, {huge / 8 + 1}, {8}}));
  EXPECT_TRUE(byte_count({nullptr, 8, type_class::real, 1, {huge / 8}, {8}}));
}

TEST(ArrayView, VisitorsCanStop) {
  char memory[40];
  const array_view view{memory, 4, type_class::real, 1, {5}, {8}};
  int runs = 0;
  EXPECT_FALSE(for_each_run(view, [&](const char*, std::size_t) { return ++runs < 2; }));
  EXPECT_EQ(runs, 2);
}

TEST(ArrayView, ElementsOfNoBytesAreNothing) {
  char memory[1];
  const array_view view{memory, 0, type_class::character, 1, {5}, {0}};
  EXPECT_EQ(element_count(view), 5U);
  EXPECT_EQ(byte_count(view), 0U);
  EXPECT_EQ(bytes_of_runs(view), "");
}

}  // namespace
}  // namespace headrace
