// Integers to text: every tier against printf. The other tests are in format_numbers_test.cpp and
// uniform_format_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "text/kernels/format_fields.hpp"
#include "text/kernels/format_numbers.hpp"
#include "tiers.hpp"

namespace headrace {
namespace {

// n integers of at most some digits, of either sign.
template <class Integer>
std::vector<Integer> integers_of(int digits, std::size_t n) {
  std::mt19937_64 random(static_cast<std::uint64_t>(digits));
  std::uint64_t limit = 1;
  for (int i = 0; i < digits; ++i) limit *= 10;
  std::vector<Integer> values(n);
  for (Integer& value : values) {
    const auto size = random() % 4 == 0 ? limit - 1 - random() % 2 : random() % limit;
    value = static_cast<Integer>(random() % 2 == 0 ? size : 0 - size);
  }
  return values;
}

template <class Integer>
void expect_decimal(const std::vector<Integer>& values) {
  std::string separators(values.size(), ',');
  for (std::size_t i = 0; i < separators.size(); ++i) separators[i] = ",;\n "[i % 4];
  std::string expected;
  for (std::size_t i = 0; i < values.size(); ++i)
    expected += std::to_string(values[i]) + separators[i];
  // What stands before the text stays.
  std::vector<char> text(1 + values.size() * (longest_integer + 1) + format_slack, '#');
  const char* const end =
      format_integers(text.data() + 1, values.data(), values.size(), separators.data());
  ASSERT_EQ(std::string(static_cast<const char*>(text.data()), end), "#" + expected);
}

class FormatIntegers : public on_each_tier {};

TEST_P(FormatIntegers, OfOneLengthAreDecimal) {
  for (int digits = 1; digits <= 19; ++digits)
    for (const std::size_t n : {1, 63, 64, 65, 128, 1000}) {
      expect_decimal(integers_of<std::int64_t>(digits, n));
      expect_decimal(integers_of<std::int32_t>(digits, n));
    }
}

TEST_P(FormatIntegers, OfTheLargestSizesAreDecimal) {
  using limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t value :
       {limits::min(), limits::max(), std::int64_t{99999999999999}, std::int64_t{100000000000000},
        std::int64_t{9999999999999999}, std::int64_t{10000000000000000}, std::int64_t{0}})
    for (const std::size_t place : {0, 1, 62, 63, 64, 127}) {
      std::vector<std::int64_t> values(128, 7);
      values[place] = value;
      expect_decimal(values);
      values[place] = value == limits::min() ? value : -value;
      expect_decimal(values);
    }
}

TEST_P(FormatIntegers, WithoutValuesThereIsNoText) {
  expect_decimal(std::vector<std::int32_t>());
}

// Iw.m as printf writes it, or stars.
std::string field_of(std::int64_t value, int width, int digits) {
  char text[64];
  const int length =
      std::snprintf(text, sizeof text, "%*.*lld", width, digits, static_cast<long long>(value));
  return length > width ? std::string(static_cast<std::size_t>(width), '*') : text;
}

void expect_fields(const std::vector<std::int64_t>& values, int width, int digits,
                   const std::string& suffix) {
  field_edit edit;
  edit.form = field_form::integer;
  edit.width = width;
  edit.digits = digits;
  field_layout layout;
  ASSERT_TRUE(make_field_layout(edit, suffix.data(), static_cast<int>(suffix.size()), layout));
  std::string expected;
  std::vector<std::uint32_t> offsets;
  for (const std::int64_t value : values) {
    offsets.push_back(static_cast<std::uint32_t>(expected.size()));
    expected += field_of(value, width, digits) + suffix;
  }
  std::string text(expected.size() + 2 * field_window, '#');
  format_integer_fields(layout, values.data(), values.size(), text.data(), offsets.data());
  text.resize(expected.size());
  ASSERT_EQ(text, expected) << "I" << width << '.' << digits << " and \"" << suffix << '"';
}

TEST_P(FormatIntegers, InFieldsOfEveryWidthAreJustifiedOrStars) {
  using limits = std::numeric_limits<std::int64_t>;
  for (int width = 1; width <= field_window; ++width)
    for (int digits = 0; digits <= 22; ++digits) {
      std::vector<std::int64_t> values =
          integers_of<std::int64_t>(std::min(19, 1 + (width + digits) % 20), 29);
      expect_fields(values, width, digits, "");
      values.insert(values.end(), {0, 0, -1, 9, limits::min(), limits::max()});
      const auto room = static_cast<std::size_t>(field_window - width);
      expect_fields(values, width, digits, std::string(", ab, cd").substr(0, room));
    }
}

TEST_P(FormatIntegers, InFieldsMayBeAnyNumberUpToABlock) {
  for (std::size_t n = 0; n <= field_block; ++n)
    for (const int digits : {3, 12, 19})
      expect_fields(integers_of<std::int64_t>(digits, n), 16, 1, n % 2 == 0 ? "\n" : "");
}

TEST_P(FormatIntegers, AsHexadecimalFieldsAreJustifiedOrStars) {
  std::mt19937_64 random(1);
  for (int width = 1; width <= field_window; ++width)
    for (int digits = 0; digits <= 18; ++digits) {
      field_edit edit;
      edit.form = field_form::hexadecimal;
      edit.width = width;
      edit.digits = digits;
      field_layout layout;
      const std::string suffix = width + 3 <= field_window && digits % 2 == 0 ? ", x" : "";
      ASSERT_TRUE(make_field_layout(edit, suffix.data(), static_cast<int>(suffix.size()), layout));
      std::string expected;
      std::vector<std::uint64_t> values(field_block);
      std::vector<std::uint32_t> offsets;
      for (std::uint64_t& value : values) {
        value = random() % 8 == 0 ? 0 : random() >> random() % 64;
        offsets.push_back(static_cast<std::uint32_t>(expected.size()));
        char text[64];
        const int length = std::snprintf(text, sizeof text, "%*.*llX", width, digits,
                                         static_cast<unsigned long long>(value));
        expected += length > width ? std::string(static_cast<std::size_t>(width), '*') : text;
        expected += suffix;
      }
      std::string text(expected.size() + 2 * field_window, '#');
      format_hexadecimal_fields(layout, values.data(), values.size(), text.data(), offsets.data());
      ASSERT_EQ(text.substr(0, expected.size()), expected) << "Z" << width << '.' << digits;
    }
}

INSTANTIATE_TEST_SUITE_P(Tiers, FormatIntegers, every_tier, tier_name);

}  // namespace
}  // namespace headrace
