// Which types bytes have: hr_probe_values and hr_split_items.
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "core/byte_swap.hpp"
#include "headrace_inspect.h"
#include "scratch.hpp"

namespace headrace {
namespace {

template <class Value>
std::string bytes_of(std::vector<Value> values, bool swapped = false) {
  std::string bytes(values.size() * sizeof(Value), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  if (swapped) swap_bytes(bytes.data(), bytes.data(), values.size(), sizeof(Value));
  return bytes;
}

template <class Value, class Make>
std::vector<Value> values(std::size_t count, Make make) {
  std::vector<Value> result(count);
  for (std::size_t k = 0; k < count; ++k) result[k] = static_cast<Value>(make(k));
  return result;
}

hr_value_probe best(const std::string& bytes, int order = 0) {
  hr_value_probe probes[16];
  std::size_t count = 0;
  hr_error error{};
  EXPECT_EQ(hr_probe_values(bytes.data(), bytes.size(), order, probes, 16, &count, &error), 0)
      << error.message;
  return count == 0 ? hr_value_probe{} : probes[0];
}

void expect_type(const hr_value_probe& found, int type, std::size_t bytes, const char* what) {
  EXPECT_EQ(found.type, type) << what;
  EXPECT_EQ(found.elem_len, bytes) << what;
}

class InspectValues : public testing::Test {
 protected:
  std::mt19937 random_{7};
};

TEST_F(InspectValues, RealsAreFoundInBothOrders) {
  std::normal_distribution<double> normal(0, 30);
  const auto noise = [&](std::size_t) { return normal(random_); };
  const auto wave = [](std::size_t k) {
    return 280 + 20 * std::sin(0.05 * static_cast<double>(k));
  };
  const auto whole = [&](std::size_t) { return std::floor(normal(random_) * 50); };
  for (const bool swapped : {false, true}) {
    const bool big = swapped != is_swapped(byte_order::little);
    for (int kind = 0; kind < 3; ++kind) {
      const auto make = [&](std::size_t k) {
        return kind == 0 ? noise(k) : kind == 1 ? wave(k) : whole(k);
      };
      const hr_value_probe wide = best(bytes_of(values<double>(300, make), swapped));
      expect_type(wide, HR_TYPE_REAL, 8, "real64");
      const hr_value_probe single = best(bytes_of(values<float>(300, make), swapped));
      expect_type(single, HR_TYPE_REAL, 4, "real32");
      EXPECT_EQ(wide.big_endian != 0, big);
    }
  }
}

TEST_F(InspectValues, IntegersAreFound) {
  std::uniform_int_distribution<int> some(-30000, 30000), few(0, 500);
  const auto spread = [&](std::size_t) { return some(random_); };
  const auto count = [](std::size_t k) { return k + 1; };
  const auto small = [&](std::size_t) { return few(random_); };
  expect_type(best(bytes_of(values<std::int32_t>(300, spread))), HR_TYPE_INTEGER, 4, "spread");
  expect_type(best(bytes_of(values<std::int32_t>(300, count))), HR_TYPE_INTEGER, 4, "count");
  expect_type(best(bytes_of(values<std::int64_t>(300, count))), HR_TYPE_INTEGER, 8, "count 64");
  expect_type(best(bytes_of(values<std::int16_t>(300, small))), HR_TYPE_INTEGER, 2, "small 16");
}

TEST_F(InspectValues, LettersAreFound) {
  expect_type(best("temperature and pressure of the second run, in K and hPa    "),
              HR_TYPE_CHARACTER, 1, "words");
}

TEST_F(InspectValues, ValuesAreToldAsACheck) {
  const hr_value_probe found =
      best(bytes_of(std::vector<double>{1.5, -2.25, std::nan(""), 0, 7, 1e3, HUGE_VAL, 3}));
  expect_type(found, HR_TYPE_REAL, 8, "real64");
  EXPECT_EQ(found.values, 8);
  EXPECT_EQ(found.not_a_number, 1);
  EXPECT_EQ(found.infinite, 1);
  EXPECT_EQ(found.zeros, 1);
  EXPECT_EQ(found.smallest, -2.25);
  EXPECT_EQ(found.largest, 1e3);
  EXPECT_EQ(found.first[1], -2.25);
}

TEST_F(InspectValues, NothingIsFoundInNothing) {
  EXPECT_EQ(best("").values, 0);
  expect_type(best("a"), HR_TYPE_CHARACTER, 1, "a letter");
}

TEST_F(InspectValues, AnIntegerAndThreeRealsAreSplit) {
  std::normal_distribution<double> normal(0, 3);
  std::string rows;
  for (int k = 1; k <= 8; ++k) {
    rows += bytes_of(std::vector<std::int32_t>{k});
    rows += bytes_of(std::vector<double>{normal(random_), normal(random_), normal(random_)});
  }
  hr_item items[8];
  std::size_t count = 0;
  hr_error error{};
  const bool big = is_swapped(byte_order::little);
  ASSERT_EQ(hr_split_items(rows.data(), 8, 28, big, items, 8, &count, &error), 0) << error.message;
  ASSERT_EQ(count, 2U);
  EXPECT_EQ(items[0].type, HR_TYPE_INTEGER);
  EXPECT_EQ(items[0].values, 1);
  EXPECT_EQ(items[1].type, HR_TYPE_REAL);
  EXPECT_EQ(items[1].elem_len, 8U);
  EXPECT_EQ(items[1].offset, 4);
  EXPECT_EQ(items[1].values, 3);
}

TEST_F(InspectValues, RowsThatAreTooLongAreRefused) {
  const std::string rows(10000, 'a');
  hr_item items[2];
  std::size_t count = 0;
  hr_error error{};
  EXPECT_EQ(hr_split_items(rows.data(), 1, 10000, 0, items, 2, &count, &error),
            HR_ARGUMENT_INVALID);
  EXPECT_EQ(hr_split_items(nullptr, 1, 4, 0, items, 2, &count, &error), HR_ARGUMENT_INVALID);
  EXPECT_EQ(hr_split_items(rows.data(), 0, 0, 0, items, 2, &count, &error), 0);
  EXPECT_EQ(count, 0U);
}

}  // namespace
}  // namespace headrace
