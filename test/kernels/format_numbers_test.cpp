#include "text/kernels/format_numbers.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "amounts.hpp"
#include "format_samples.hpp"
#include "tiers.hpp"

namespace headrace {
namespace {

// Python's repr, built without the library: digits from std::to_chars, laid out here.
template <class Real>
std::string repr(Real value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[64];
  char* const end =
      std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::scientific)
          .ptr;
  const std::string text(buffer, end);
  const std::size_t mark = text.find('e');
  const int exponent = std::stoi(text.substr(mark + 1));
  std::string digits = text.substr(0, 1);
  if (mark > 2) digits += text.substr(2, mark - 2);
  const std::string sign = std::signbit(value) ? "-" : "";
  const int count = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    const std::string fraction = count > 1 ? "." + digits.substr(1) : "";
    const std::string power = std::to_string(std::abs(exponent));
    return sign + digits[0] + fraction + (exponent < 0 ? "e-" : "e+") +
           (power.size() < 2 ? "0" : "") + power;
  }
  if (exponent < 0)
    return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto before = static_cast<std::size_t>(exponent + 1);
  if (digits.size() <= before)
    return sign + digits + std::string(before - digits.size(), '0') + ".0";
  return sign + digits.substr(0, before) + "." + digits.substr(before);
}

// Compares the texts of many values, in one call and with separators that differ.
template <class Value, class Format, class Reference>
void expect_texts(const std::vector<Value>& values, std::size_t room, Format format,
                  Reference reference) {
  std::string separators(values.size(), ',');
  for (std::size_t i = 0; i < separators.size(); ++i) separators[i] = ",;\n "[i % 4];
  std::vector<char> text(values.size() * (room + 1) + format_slack + 1);
  char* const end = format(text.data(), values.data(), values.size(), separators.data());
  const char* begin = text.data();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string expected = reference(values[i]) + separators[i];
    const std::string found(begin, std::min<std::size_t>(expected.size(), end - begin));
    ASSERT_EQ(found, expected) << "value " << i << " of " << values.size();
    ASSERT_LE(expected.size(), room + 1);
    begin += expected.size();
  }
  ASSERT_EQ(begin, end);
}

template <class Real>
void expect_shortest(const std::vector<Real>& values) {
  const std::size_t room = sizeof(Real) == 8 ? longest_real64 : longest_real32;
  expect_texts(
      values, room,
      [](char* out, const Real* v, std::size_t n, const char* s) {
        return format_shortest(out, v, n, s);
      },
      repr<Real>);
}

class FormatNumbers : public on_each_tier {};

TEST_P(FormatNumbers, ShortestReal64OfKnownValuesIsWhatPythonWrites) {
  const std::vector<std::pair<double, std::string>> known = {
      {1.0, "1.0"},
      {-0.0, "-0.0"},
      {0.0001, "0.0001"},
      {0.00001, "1e-05"},
      {1e16, "1e+16"},
      {123456789012345680.0, "1.2345678901234568e+17"},
      {9999999999999998.0, "9999999999999998.0"},
      {1.5e300, "1.5e+300"},
      {5e-324, "5e-324"},
      {std::numeric_limits<double>::infinity(), "inf"},
      {-std::numeric_limits<double>::infinity(), "-inf"},
      {std::nan(""), "nan"},
      {-2.2250738585072014e-308, "-2.2250738585072014e-308"},
      {100.0, "100.0"},
      {0.1, "0.1"}};
  for (const auto& [value, text] : known) {
    char out[longest_real64 + 1 + format_slack];
    EXPECT_EQ(std::string(out, format_shortest(out, &value, 1, ";")), text + ";");
    EXPECT_EQ(repr(value), text);
  }
}

TEST_P(FormatNumbers, ShortestReal64OfEveryKindOfValueReadsBack) {
  for (const auto& values :
       {samples::random_bits<double>(400000 / one_of(8)), samples::powers_of_two<double>(),
        samples::subnormals<double>(20000 / one_of(8)),
        samples::integers<double>(200000 / one_of(8)),
        samples::decimals<double>(200000 / one_of(8)), samples::normal<double>(200000 / one_of(8)),
        samples::neighbours_of_decimals<double>(), samples::special<double>()})
    expect_shortest(values);
}

TEST_P(FormatNumbers, ShortestReal32OfEveryKindOfValueReadsBack) {
  for (const auto& values : {samples::random_bits<float>(400000), samples::powers_of_two<float>(),
                             samples::subnormals<float>(20000), samples::integers<float>(200000),
                             samples::decimals<float>(200000), samples::normal<float>(200000),
                             samples::neighbours_of_decimals<float>(), samples::special<float>()})
    expect_shortest(values);
}

TEST_P(FormatNumbers, ShortestTakesAnyNumberOfValues) {
  const std::vector<double> all = samples::normal<double>(300);
  const std::vector<float> all32 = samples::normal<float>(300);
  for (std::size_t n = 0; n < 300; ++n) {
    expect_shortest(std::vector<double>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)));
    expect_shortest(
        std::vector<float>(all32.begin(), all32.begin() + static_cast<std::ptrdiff_t>(n)));
  }
}

template <class Integer>
void expect_integers(std::uint64_t seed) {
  std::vector<Integer> values = {0,
                                 1,
                                 9,
                                 10,
                                 99,
                                 100,
                                 std::numeric_limits<Integer>::max(),
                                 std::numeric_limits<Integer>::min()};
  samples::generator random(seed);
  for (int i = 0; i < 300000; ++i)
    values.push_back(static_cast<Integer>(static_cast<std::int64_t>(random()) >> (random() % 64)));
  std::int64_t power = 1;
  for (int digits = 0; digits < 19; ++digits, power *= digits < 19 ? 10 : 1)
    for (std::int64_t step = -1; step <= 1; ++step)
      values.push_back(static_cast<Integer>(power + step));
  expect_texts(
      values, longest_integer,
      [](char* out, const Integer* v, std::size_t n, const char* s) {
        return format_integers(out, v, n, s);
      },
      [](Integer value) { return std::to_string(value); });
  for (std::size_t n = 0; n < 70; ++n)
    expect_texts(
        std::vector<Integer>(values.end() - static_cast<std::ptrdiff_t>(n), values.end()),
        longest_integer,
        [](char* out, const Integer* v, std::size_t m, const char* s) {
          return format_integers(out, v, m, s);
        },
        [](Integer value) { return std::to_string(value); });
}

TEST_P(FormatNumbers, IntegersOfEveryKindAreDecimal) {
  expect_integers<std::int8_t>(1);
  expect_integers<std::int16_t>(2);
  expect_integers<std::int32_t>(3);
  expect_integers<std::int64_t>(4);
}

// n values of random bytes against digits made one by one.
void expect_hexadecimal(std::size_t elem_len, std::size_t n) {
  samples::generator random(elem_len);
  std::vector<unsigned char> bytes(elem_len * n);
  for (auto& byte : bytes) byte = static_cast<unsigned char>(random());
  std::string separators(n, ',');
  if (n > 0) separators.back() = '\n';
  std::vector<char> text(n * (2 * elem_len + 3) + format_slack);
  const char* const end =
      format_hexadecimal(text.data(), bytes.data(), elem_len, n, separators.data());
  std::string expected;
  for (std::size_t i = 0; i < n; ++i) {
    expected += "0x";
    for (std::size_t b = elem_len; b-- > 0;)
      for (const int shift : {4, 0})
        expected += "0123456789ABCDEF"[(bytes[i * elem_len + b] >> shift) & 15];
    expected += separators[i];
  }
  ASSERT_EQ(std::string(static_cast<const char*>(text.data()), end), expected);
}

TEST_P(FormatNumbers, HexadecimalHasTwoDigitsAByte) {
  for (const std::size_t elem_len : {1, 2, 4, 8, 16}) {
    for (std::size_t n = 0; n < 70; ++n) expect_hexadecimal(elem_len, n);
    expect_hexadecimal(elem_len, 20000);
  }
}

INSTANTIATE_TEST_SUITE_P(Tiers, FormatNumbers, every_tier, tier_name);

}  // namespace
}  // namespace headrace
