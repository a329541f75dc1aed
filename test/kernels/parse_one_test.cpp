// One number from one field: what is accepted, what is refused, and that rounding is correct.
#include "text/kernels/parse_one.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace headrace {
namespace {

template <class Real>
field_state read(std::string_view text, Real& value, number_style style = {'.', true}) {
  return parse_real(text.data(), text.data() + text.size(), style, value);
}

template <class Real>
void expect_value(std::string_view text, Real expected) {
  Real value = -999;
  const field_state state = read(text, value);
  EXPECT_EQ(std::memcmp(&value, &expected, sizeof value), 0)
      << text.substr(0, 100) << " gave " << value << ", not " << expected;
  EXPECT_EQ(state, std::isinf(expected) ? field_state::too_large : field_state::good)
      << text.substr(0, 100);
}

// The C library rounds correctly too.
void expect_as_strtod(const std::string& text) {
  expect_value(text, std::strtod(text.c_str(), nullptr));
  expect_value(text, std::strtof(text.c_str(), nullptr));
}

TEST(parse_one, reads_every_form_of_a_real) {
  const struct {
    const char* text;
    double value;
  } cases[] = {
      {"1", 1},       {"-0", -0.0},        {"5.", 5},      {".5", 0.5},        {"+.5", 0.5},
      {"1.0E2", 100}, {"1.0d+2", 100},     {"1q-2", 0.01}, {"1.0+300", 1e300}, {"2-3", 0.002},
      {"  7\t", 7},   {"8\r", 8},          {"00001", 1},   {"1e0000005", 1e5}, {"4.9e-324", 5e-324},
      {"1e-400", 0},  {"2.5e-324", 5e-324}};
  for (const auto& one : cases) expect_value(one.text, one.value);
}

TEST(parse_one, refuses_what_is_no_number) {
  for (const char* text : {".",
                           "+",
                           "-.",
                           "1e",
                           "1e+",
                           "1+",
                           "1_8",
                           "0x10",
                           "infi",
                           "infinityx",
                           "'1'",
                           "1.2.3",
                           "1e5.5",
                           "--1",
                           "e5",
                           "nan(",
                           "nan(1)2",
                           "1,5",
                           "1 2",
                           "T",
                           "#",
                           "\xEF\xBB\xBF"
                           "1"}) {
    double value = -999;
    EXPECT_EQ(read(text, value), field_state::not_a_number) << text;
    EXPECT_EQ(value, -999) << text;
  }
  double value = -999;
  EXPECT_EQ(read("", value), field_state::empty);
  EXPECT_EQ(read(" \t\r", value), field_state::empty);
}

TEST(parse_one, reads_infinities_and_nans) {
  for (const char* text : {"inf", "INF", "+Infinity", "iNfInItY"}) {
    double value = 0;
    EXPECT_EQ(read(text, value), field_state::good) << text;
    EXPECT_EQ(value, std::numeric_limits<double>::infinity()) << text;
  }
  float single = 0;
  EXPECT_EQ(read("-inf", single), field_state::good);
  EXPECT_EQ(single, -std::numeric_limits<float>::infinity());
  for (const char* text : {"nan", "NaN()", "NAN(q)", "nan(123)"}) {
    double value = 0;
    EXPECT_EQ(read(text, value), field_state::good) << text;
    EXPECT_TRUE(std::isnan(value)) << text;
  }
}

TEST(parse_one, gives_infinity_beyond_the_largest_number) {
  expect_value("1.7976931348623158e308", 1.7976931348623157e308);
  expect_value("1.7976931348623159e308", std::numeric_limits<double>::infinity());
  expect_value("-1e999999999999999999999", -std::numeric_limits<double>::infinity());
  expect_value("3.4028235e38", std::numeric_limits<float>::max());
  expect_value("3.4028236e38", std::numeric_limits<float>::infinity());
}

TEST(parse_one, reads_a_decimal_comma_and_a_point_too) {
  double value = 0;
  EXPECT_EQ(read("-1,5d3", value, {',', true}), field_state::good);
  EXPECT_EQ(value, -1500);
  EXPECT_EQ(read("1.5", value, {',', true}), field_state::good);
  EXPECT_EQ(value, 1.5);
  EXPECT_EQ(read("1,5,5", value, {',', true}), field_state::not_a_number);
  EXPECT_EQ(read("1.5", value, ','), field_state::not_a_number) << "a cell has one decimal sign";
}

TEST(parse_one, rounds_a_million_digits) {
  const std::string zeros(1000000, '0');
  expect_as_strtod("1" + zeros + "e-1000000");
  expect_as_strtod("0." + zeros + "1e1000001");
  expect_as_strtod(std::string(1000000, '9') + "e-999999");
  expect_as_strtod("9007199254740993." + zeros);        // halfway: to even
  expect_as_strtod("9007199254740993." + zeros + "1");  // a little more: up
}

std::size_t random_cases() {
  return std::getenv("HEADRACE_TEST_LONG") != nullptr ? 20000000 : 200000;
}

TEST(parse_one, rounds_random_bit_patterns_correctly) {
  std::mt19937_64 random(1);
  char text[64];
  for (std::size_t i = 0; i < random_cases() && !testing::Test::HasFailure(); ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    std::snprintf(text, sizeof text, "%.*e", static_cast<int>(random() % 25), value);
    expect_as_strtod(text);
    const double small = static_cast<double>(bits >> (bits % 64)) / 1000;
    std::snprintf(text, sizeof text, "%.*f", static_cast<int>(random() % 12), small);
    expect_as_strtod(text);
  }
}

TEST(parse_one, rounds_halfway_cases_and_their_neighbours) {
  std::mt19937_64 random(2);
  char text[1200];
  for (std::size_t i = 0; i < random_cases() / 20 && !testing::Test::HasFailure(); ++i) {
    // 54 bits: halfway between two doubles.
    const std::uint64_t odd = (random() >> 11 | std::uint64_t(1) << 52) * 2 + 1;
    const int exponent = static_cast<int>(random() % 200) - 120;
    const long double halfway = std::ldexp(static_cast<long double>(odd), exponent);
    std::snprintf(text, sizeof text, "%.*Lf", exponent < 0 ? -exponent : 1, halfway);
    std::string exact = text;
    expect_as_strtod(exact);
    expect_as_strtod(exact + "0000000000000000000000001");
    --exact.back();
    if (exponent < 0) expect_as_strtod(exact + "99999");
    const double subnormal = std::ldexp(static_cast<double>(odd >> (1 + i % 53)), -1074);
    std::snprintf(text, sizeof text, "%.*e", static_cast<int>(random() % 800), subnormal);
    expect_as_strtod(text);
  }
}

TEST(parse_one, reads_integers_to_the_ends_of_their_range) {
  const struct {
    std::size_t elem_len;
    const char* lowest;
    const char* below;
    const char* highest;
    const char* above;
  } cases[] = {{1, "-128", "-129", "127", "128"},
               {2, "-32768", "-32769", "+32767", "32768"},
               {4, "-2147483648", "-2147483649", "2147483647", "2147483648"},
               {8, "-9223372036854775808", "-9223372036854775809", "9223372036854775807",
                "9223372036854775808"}};
  for (const auto& one : cases) {
    std::uint64_t value = 0;
    const auto parse = [&](std::string_view text) {
      value = 0;
      return parse_integer(text.data(), text.data() + text.size(), one.elem_len, &value);
    };
    const std::uint64_t highest = (~std::uint64_t(0) >> 1) >> (64 - 8 * one.elem_len);
    EXPECT_EQ(parse(one.highest), field_state::good);
    EXPECT_EQ(value, highest);
    EXPECT_EQ(parse(one.lowest), field_state::good);
    EXPECT_EQ(value, highest + 1);
    EXPECT_EQ(parse(one.above), field_state::too_large);
    EXPECT_EQ(parse(one.below), field_state::too_large);
    EXPECT_EQ(parse("99999999999999999999999999"), field_state::too_large);
    EXPECT_EQ(parse("1.0"), field_state::not_a_number);
    EXPECT_EQ(parse("+"), field_state::not_a_number);
    EXPECT_EQ(parse(" "), field_state::empty);
  }
}

TEST(parse_one, reads_logicals) {
  const auto parse = [](std::string_view text, bool& value) {
    return parse_logical(text.data(), text.data() + text.size(), value);
  };
  bool value = false;
  for (const char* text : {"T", "t", ".true.", "TRUE", ".t", "Txyz", " t "}) {
    value = false;
    EXPECT_EQ(parse(text, value), field_state::good) << text;
    EXPECT_TRUE(value) << text;
  }
  for (const char* text : {"F", ".FALSE.", "false", ".f."}) {
    value = true;
    EXPECT_EQ(parse(text, value), field_state::good) << text;
    EXPECT_FALSE(value) << text;
  }
  for (const char* text : {"1", "yes", ".", "..t"})
    EXPECT_EQ(parse(text, value), field_state::not_a_number) << text;
}

TEST(parse_one, reads_logicals_of_cells_as_whole_words) {
  const auto parse = [](std::string_view text, bool& value) {
    return parse_logical_word(text.data(), text.data() + text.size(), value);
  };
  bool value = false;
  for (const char* text : {"T", "t", ".true.", "TRUE", ".t", ".T.", " t ", "True"}) {
    value = false;
    EXPECT_EQ(parse(text, value), field_state::good) << text;
    EXPECT_TRUE(value) << text;
  }
  for (const char* text : {"F", ".FALSE.", "false", ".f."}) {
    value = true;
    EXPECT_EQ(parse(text, value), field_state::good) << text;
    EXPECT_FALSE(value) << text;
  }
  for (const char* text :
       {"Txyz", "Tom", "1", "yes", ".", "..t", "t.", "fals", "truee", "..", "t t"})
    EXPECT_EQ(parse(text, value), field_state::not_a_number) << text;
  EXPECT_EQ(parse("  ", value), field_state::empty);
}

TEST(parse_one, reads_hexadecimal_bits) {
  const auto parse = [](std::string_view text, auto& value) {
    return parse_hexadecimal_one(text.data(), text.data() + text.size(), sizeof value, &value);
  };
  double real = 0;
  EXPECT_EQ(parse("0xbff8000000000000", real), field_state::good);
  EXPECT_EQ(real, -1.5);
  EXPECT_EQ(parse(" 3FF0000000000000 ", real), field_state::good);
  EXPECT_EQ(real, 1);
  std::uint16_t small = 0;
  EXPECT_EQ(parse("0XaB", small), field_state::good);
  EXPECT_EQ(small, 0xAB);
  EXPECT_EQ(parse("12345", small), field_state::too_large);
  EXPECT_EQ(parse("0x", small), field_state::not_a_number);
  EXPECT_EQ(parse("12g", small), field_state::not_a_number);
  struct {
    std::uint64_t low, high;
  } wide{};
  EXPECT_EQ(parse("0x0123456789abcdefFEDCBA9876543210", wide), field_state::good);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  EXPECT_EQ(wide.low, 0xFEDCBA9876543210U);
  EXPECT_EQ(wide.high, 0x0123456789abcdefU);
#endif
}

}  // namespace
}  // namespace headrace
