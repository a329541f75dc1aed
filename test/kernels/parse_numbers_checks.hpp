// How the tests of parse_fields compare tiers with each other and with std::from_chars.
#pragma once

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "text_kernels.hpp"

namespace headrace {

template <class Value>
struct parsed {
  std::vector<Value> values;
  std::size_t good = 0;  // fields before the first bad one
  std::size_t fields = 0;
  field_state state{};
};

// All fields of a text.
template <class Value>
parsed<Value> parse_text(const std::string& text, char delimiter, number_style style,
                         simd_tier tier) {
  const tier_guard guard(tier);
  const found_fields found(text, delimiter);
  parsed<Value> result;
  result.fields = found.map().fields;
  result.values.resize(result.fields);
  result.good = parse_fields(found.text(), found.map().ends, 0, result.fields, style,
                             result.values.data(), result.state);
  return result;
}

// copies of a cell in one line
inline std::string repeated(const std::string& cell, std::size_t copies, char delimiter = ',') {
  std::string line;
  for (std::size_t i = 0; i < copies; ++i) line += cell + delimiter;
  line.back() = '\n';
  return line;
}

inline std::uint64_t bits_of(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline std::uint64_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

template <class Integer>
std::uint64_t bits_of(Integer value) {
  return static_cast<std::uint64_t>(value);
}

// The nearest value, or infinity.
template <class Real>
Real reference(const std::string& cell) {
  Real value = 0;
  const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  EXPECT_EQ(result.ptr, cell.data() + cell.size()) << cell;
  // Debian's from_chars leaves value alone when it is out of range: strtod and strtof do not.
  if (result.ec == std::errc::result_out_of_range) {
    if constexpr (sizeof(Real) == sizeof(double))
      value = std::strtod(cell.c_str(), nullptr);
    else
      value = std::strtof(cell.c_str(), nullptr);
  }
  return value;
}

// Cells separated by commas in lines of ten: each tier must give the nearest values, and stop at
// the first that overflows.
template <class Real>
void check_reals(const std::vector<std::string>& cells) {
  std::string text;
  std::vector<Real> expected;
  for (const std::string& cell : cells) {
    const Real value = reference<Real>(cell);
    if (std::isinf(value)) continue;
    expected.push_back(value);
    text += cell + (expected.size() % 10 == 0 ? '\n' : ',');
  }
  if (text.empty()) return;
  text.back() = '\n';
  for (const simd_tier tier : tiers_of_this_machine()) {
    const auto result = parse_text<Real>(text, ',', '.', tier);
    ASSERT_EQ(result.good, expected.size())
        << "tier " << name_of(tier) << " state " << static_cast<int>(result.state);
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(bits_of(result.values[i]), bits_of(expected[i]))
          << "value " << i << " tier " << name_of(tier);
  }
}

// A bad cell at several places among good ones.
template <class Value>
void check_bad(const std::string& bad, field_state expected) {
  for (const simd_tier tier : tiers_of_this_machine())
    for (const std::size_t before : {0, 1, 5, 63, 64, 100}) {
      std::string text;
      for (std::size_t i = 0; i < before; ++i) text += std::to_string(i % 100) + ';';
      text += bad + ";1";
      for (std::size_t i = 0; i < before; ++i) text += ";2";
      const auto result = parse_text<Value>(text + "\n", ';', '.', tier);
      ASSERT_EQ(result.good, before) << '"' << bad << "\" tier " << name_of(tier);
      ASSERT_EQ(result.state, expected) << '"' << bad << "\" tier " << name_of(tier);
      for (std::size_t i = 0; i < before; ++i)
        ASSERT_EQ(bits_of(result.values[i]), bits_of(static_cast<Value>(i % 100)));
    }
}

template <class Real>
Real from_bits(std::uint64_t bits) {
  Real value;
  if constexpr (sizeof(Real) == sizeof(double)) {
    std::memcpy(&value, &bits, sizeof value);
  } else {
    const auto narrow = static_cast<std::uint32_t>(bits);
    std::memcpy(&value, &narrow, sizeof value);
  }
  return value;
}

template <class Real>
Real random_finite(std::mt19937_64& random) {
  for (;;) {
    const Real value = from_bits<Real>(random());
    if (std::isfinite(value)) return value;
  }
}

// Bit patterns through text that gives them back, a block at a time.
template <class Real>
void check_random_bits(std::size_t n) {
  std::mt19937_64 random(2);
  constexpr std::size_t block = 20000;
  for (std::size_t done = 0; done < n; done += block) {
    std::vector<Real> values(block);
    std::string text;
    for (Real& value : values) {
      value = random_finite<Real>(random);
      char cell[64];
      const std::chars_format form =
          random() % 2 == 0 ? std::chars_format::scientific : std::chars_format::general;
      char* const end = std::to_chars(cell, cell + sizeof cell, value, form).ptr;
      text.append(cell, end);
      text += random() % 10 == 0 ? '\n' : ',';
    }
    text.back() = '\n';
    for (const simd_tier tier : tiers_of_this_machine()) {
      const auto result = parse_text<Real>(text, ',', '.', tier);
      ASSERT_EQ(result.good, block) << name_of(tier);
      for (std::size_t i = 0; i < block; ++i)
        ASSERT_EQ(bits_of(result.values[i]), bits_of(values[i])) << name_of(tier);
    }
  }
}

inline std::string random_decimal(std::mt19937_64& random) {
  std::string cell = random() % 2 == 0 ? "-" : "";
  const std::size_t digits = 1 + random() % 25;
  const std::size_t point = random() % (digits + 1);
  for (std::size_t i = 0; i < digits; ++i) {
    if (i == point && i > 0) cell += '.';
    cell += static_cast<char>('0' + random() % (random() % 4 == 0 ? 1 : 10));
  }
  if (random() % 3 != 0) {
    const auto range = random() % 3 == 0 ? 20U : 350U;
    cell += (random() % 2 == 0 ? "e" : "E") +
            std::to_string(static_cast<int>(random() % (2 * range)) - static_cast<int>(range));
  }
  return cell;
}

template <class Real>
void check_random_decimals(std::size_t rounds) {
  std::mt19937_64 random(3);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<std::string> cells(10000);
    for (std::string& cell : cells) cell = random_decimal(random);
    check_reals<Real>(cells);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// The exact midpoint of two neighbours cut to some digits, and one unit above and below it there.
template <class Real>
void check_midpoints(std::size_t rounds) {
  std::mt19937_64 random(4);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<std::string> cells;
    for (int i = 0; i < 2000; ++i) {
      const Real value = std::abs(random_finite<Real>(random));
      const Real next = std::nextafter(value, std::numeric_limits<Real>::infinity());
      if (!std::isfinite(next)) continue;
      const long double middle = (static_cast<long double>(value) + next) / 2;
      char cell[1200];
      const int digits = static_cast<int>(random() % 22);
      std::snprintf(cell, sizeof cell, "%.*Le", random() % 8 == 0 ? 800 : digits, middle);
      std::string text = cell;
      cells.push_back(text);
      char& last = text[text.find('e') - 1];
      if (last < '9') ++last;
      cells.push_back(text);
      if (last > '1') last = static_cast<char>(last - 2);
      cells.push_back(text);
    }
    check_reals<Real>(cells);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Texts of random characters: values, states and places as the portable tier gives them.
template <class Value>
void check_junk(number_style style = '.') {
  std::mt19937_64 random(5);
  const std::string characters =
      "0123456789012345678901234567890123456789....--++eEdD  \t\r,,,,,,\nqx;_ni\x01\x80";
  for (int round = 0; round < 4000 / static_cast<int>(one_of(4)); ++round) {
    std::string text(1 + random() % 300, ' ');
    const std::size_t kinds = random() % 2 == 0 ? characters.size() : 60;
    for (char& c : text) c = characters[random() % kinds];
    text += '\n';
    const char delimiter = random() % 3 == 0 ? ' ' : ',';
    for (const simd_tier tier : tiers_of_this_machine()) {
      const tier_guard guard(tier);
      const found_fields found(text, delimiter);
      const std::size_t n = found.map().fields;
      for (std::size_t first = 0; first < n;) {  // go on behind each bad field
        std::vector<Value> expected(n - first), values(n - first);
        field_state expected_state{}, state{};
        limit_tier(simd_tier::portable);
        const std::size_t stop = parse_fields(found.text(), found.map().ends, first, n, style,
                                              expected.data(), expected_state);
        limit_tier(tier);
        ASSERT_EQ(
            parse_fields(found.text(), found.map().ends, first, n, style, values.data(), state),
            stop)
            << text << name_of(tier);
        ASSERT_EQ(state, expected_state) << text << name_of(tier);
        ASSERT_EQ(std::memcmp(values.data(), expected.data(), (stop - first) * sizeof(Value)), 0)
            << text << name_of(tier);
        first = stop + 1;
      }
    }
  }
}

}  // namespace headrace
