#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "format_samples.hpp"
#include "text/edit/uniform_rows.hpp"
#include "text/kernels/format_numbers.hpp"
#include "tiers.hpp"

namespace headrace {
namespace {

std::unique_ptr<row_formatter> formatter(const std::string& text, type_class type,
                                         std::size_t elem_len) {
  edit_format format;
  EXPECT_TRUE(parse_edit_format(text, format).ok()) << text;
  return make_row_formatter(format, type, elem_len);
}

template <class Value>
std::string write(const std::string& format, const std::vector<Value>& values,
                  bool more_follow = false) {
  const type_class type = std::is_integral_v<Value> ? type_class::integer : type_class::real;
  const auto rows = formatter(format, type, sizeof(Value));
  if (rows == nullptr) return "no kernel";
  std::vector<char> out((values.size() / rows->values + 1) * rows->bytes + format_slack, '#');
  return {out.data(), rows->format(out.data(), values.data(), values.size(), more_follow)};
}

std::string justify(const std::string& text, int width) {
  const auto room = static_cast<std::size_t>(width);
  return text.size() > room ? std::string(room, '*') : std::string(room - text.size(), ' ') + text;
}

std::string print(const char* form, int digits, double value) {
  char text[500];
  std::snprintf(text, sizeof text, form, digits, value);
  return text;
}

// What the Fortran standard and gfortran say about one descriptor, by way of printf.
struct descriptor {
  char kind;  // E, D, S (ES), P (1PE) or F
  int width;
  int digits;
  int exponent;  // -1: none

  std::string text() const {
    std::string name(1, kind);
    if (kind == 'S') name = "es";
    if (kind == 'P') name = "1pe";
    name += std::to_string(width) + "." + std::to_string(digits);
    return exponent < 0 ? name : name + "e" + std::to_string(exponent);
  }

  std::string of(double value) const {
    const std::string sign = std::signbit(value) ? "-" : "";
    if (std::isnan(value)) return justify("NaN", width);
    if (std::isinf(value)) {
      const std::string whole = sign + "Infinity";
      return justify(width >= static_cast<int>(whole.size()) ? whole : sign + "Inf", width);
    }
    return kind == 'F' ? fixed(sign, std::fabs(value)) : exponential(sign, std::fabs(value));
  }

  std::string fixed(const std::string& sign, double value) const {
    std::string number = print("%.*f", digits, value);
    if (digits == 0) number += ".";
    if (number[0] == '0' && digits > 0 && static_cast<int>((sign + number).size()) > width)
      number.erase(0, 1);
    return justify(sign + number, width);
  }

  std::string exponential(const std::string& sign, double value) const {
    const bool scientific = kind == 'S' || kind == 'P';
    const std::string number = print("%.*e", scientific ? digits : digits - 1, value);
    const std::size_t mark = number.find('e');
    int power = std::stoi(number.substr(mark + 1));
    std::string body = number.substr(0, 1) + (mark > 2 ? number.substr(2, mark - 2) : "");
    if (scientific) {
      body.insert(1, ".");
    } else {
      body = "." + body;
      if (value != 0) ++power;
    }
    std::string tail = std::to_string(std::abs(power));
    const std::size_t least = exponent < 0 ? 2 : static_cast<std::size_t>(exponent);
    if (tail.size() < least) tail.insert(0, least - tail.size(), '0');
    if (exponent >= 0 && tail.size() > least) return justify(std::string(500, '*'), width);
    tail = (power < 0 ? "-" : "+") + tail;
    if (tail.size() < 4 || exponent >= 0) tail = (kind == 'D' ? "D" : "E") + tail;
    if (!scientific && static_cast<int>((sign + body + tail).size()) < width) body = "0" + body;
    return justify(sign + body + tail, width);
  }
};

std::vector<double> hard_values() {
  std::vector<double> values = samples::special<double>();
  for (const auto& more : {samples::random_bits<double>(400), samples::normal<double>(600),
                           samples::decimals<double>(600), samples::integers<double>(300),
                           samples::subnormals<double>(40)})
    values.insert(values.end(), more.begin(), more.end());
  // Ties in the fifth digit and in every decimal place.
  for (int i = -700; i < 700; ++i)
    values.insert(values.end(), {i * 0.5, i * 0.125, i * 100005.0, i / 1024.0, i * 1e15 + 0.5});
  const std::vector<double> tens = samples::neighbours_of_decimals<double>();
  for (std::size_t i = 0; i < tens.size(); i += 61) values.push_back(tens[i]);
  return values;
}

class UniformFormat : public on_each_tier {};

void expect_descriptor(const descriptor& edit, const std::vector<double>& values) {
  const std::string text = write("(" + edit.text() + ")", values);
  if (text == "no kernel") return;
  const auto record = static_cast<std::size_t>(edit.width + 1);
  ASSERT_EQ(text.size(), values.size() * record) << edit.text();
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(text.substr(i * record, record), edit.of(values[i]) + "\n")
        << edit.text() << " of " << print("%.*e", 20, values[i]);
}

TEST_P(UniformFormat, EveryRealDescriptorIsWhatPrintfRounds) {
  const std::vector<double> values = hard_values();
  const int least = static_cast<int>(8 * one_of(3));
  for (int width = 1; width <= 32; width += width < 12 ? 1 : 3)
    for (int digits = 0; digits <= 17; ++digits)
      for (const char kind : {'E', 'D', 'S', 'P', 'F'}) {
        if (digits == 0 && kind != 'F' && kind != 'S') continue;
        if (!long_tests() && (width * 7 + digits * 3 + kind) % least != 0) continue;
        expect_descriptor({kind, width, digits, -1}, values);
        if (kind == 'E' || kind == 'S')
          expect_descriptor({kind, width, digits, 1 + (width + digits) % 4}, values);
      }
}

TEST_P(UniformFormat, Real32IsWrittenAsItsExactValue) {
  const std::vector<float> values = samples::normal<float>(1000);
  const std::vector<double> wide(values.begin(), values.end());
  for (const char* const format : {"(10e15.5)", "(es24.16e3)", "(7f12.4)"})
    EXPECT_EQ(write(format, values), write(format, wide));
}

TEST_P(UniformFormat, RecordsLookAsGfortranWritesThem) {
  const std::vector<double> six = {1, 2, 3, 4, 5, 6};
  const std::vector<double> five = {1, 2, 3, 4, 5};
  EXPECT_EQ(write("(3(f4.1,:,','))", six), " 1.0, 2.0, 3.0,\n 4.0, 5.0, 6.0\n");
  EXPECT_EQ(write("(3(f4.1,:,','))", six, true), " 1.0, 2.0, 3.0,\n 4.0, 5.0, 6.0,\n");
  EXPECT_EQ(write("(3(f4.1,1x))", five), " 1.0  2.0  3.0\n 4.0  5.0\n");
  EXPECT_EQ(write("(3(1x,f4.1,1x))", five), "  1.0   2.0   3.0\n  4.0   5.0\n");
  EXPECT_EQ(write("(2x,3f5.1,'end',2x)", five), "    1.0  2.0  3.0end\n    4.0  5.0\n");
  EXPECT_EQ(write("(3(f4.1,1x,'a',2x))", five), " 1.0 a   2.0 a   3.0 a\n 4.0 a   5.0 a\n");
  EXPECT_EQ(write("(f5.1,2e10.2)", five), "  1.0  0.20E+01  0.30E+01\n  4.0  0.50E+01\n");
  EXPECT_EQ(write("(i3,z3)", std::vector<int>{1, 255, -7}), "  1 FF\n -7\n");
  EXPECT_EQ(write("(2i4.2)", std::vector<std::int8_t>{1, -7, -128}), "  01 -07\n-128\n");
}

TEST_P(UniformFormat, BlocksAndShortRecordsOfAnyLengthFitTogether) {
  const std::vector<double> all = samples::normal<double>(1500);
  for (const char* const format : {"(7f9.3)", "(3(es24.16e3,','))", "(130f9.3)", "(700f9.3)",
                                   "('<',f9.3,'>')", "(f9.3,2e12.4,'text',f9.3)"})
    for (std::size_t n = 0; n <= all.size(); n += n < 300 ? 1 : 177) {
      const std::vector<double> values(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
      const std::string text = write(format, values);
      limit_tier(simd_tier::portable);
      ASSERT_EQ(text, write(format, values)) << format << " of " << n << " values";
      limit_tier(GetParam());
    }
}

TEST_P(UniformFormat, PiecesOfWholeRecordsMakeTheWholeText) {
  const std::vector<double> all = samples::normal<double>(1000);
  for (const char* const format : {"(10e15.5)", "(5(f9.3,:,','))", "('a',2f9.3,'b')"}) {
    const std::string whole = write(format, all);
    const std::vector<double> first(all.begin(), all.begin() + 600);
    const std::vector<double> second(all.begin() + 600, all.end());
    EXPECT_EQ(write(format, first, true) + write(format, second), whole) << format;
  }
}

template <class Integer>
void expect_integers() {
  std::vector<Integer> values = {
      0, 1, 9, 10, std::numeric_limits<Integer>::max(), std::numeric_limits<Integer>::min()};
  samples::generator random(9);
  for (int i = 0; i < 2000; ++i)
    values.push_back(static_cast<Integer>(static_cast<std::int64_t>(random()) >> (random() % 64)));
  for (int width = 1; width <= 30; ++width) {
    std::string decimal;
    std::string hexadecimal;
    for (const Integer value : values) {
      decimal += justify(std::to_string(value), width) + "\n";
      char text[20];
      std::snprintf(
          text, sizeof text, "%llX",
          static_cast<unsigned long long>(static_cast<std::make_unsigned_t<Integer>>(value)));
      hexadecimal += justify(text, width) + "\n";
    }
    EXPECT_EQ(write("(i" + std::to_string(width) + ")", values), decimal);
    EXPECT_EQ(write("(z" + std::to_string(width) + ")", values), hexadecimal);
  }
}

TEST_P(UniformFormat, IntegersAreJustifiedOrStars) {
  expect_integers<std::int8_t>();
  expect_integers<std::int16_t>();
  expect_integers<std::int32_t>();
  expect_integers<std::int64_t>();
}

TEST(UniformFormats, WithoutAKernelThereIsNoFormatter) {
  for (const char* const format :
       {"(g15.5)", "(en15.5)", "(*(f8.3))", "(f8.3,/,f8.3)", "(t5,f8.3)", "(sp,f8.3)", "(f0.3)",
        "(f8.3,3(e12.4),2x,(f9.2))", "(2pe12.4)", "(1pf8.3)", "(f8.3,1pe12.4,f9.3)", "(dc,f8.3)",
        "(ru,f8.3)", "(i8)", "(l3)", "(a)", "('text')", "(e20.18e0)", "(es30.20)"})
    EXPECT_EQ(formatter(format, type_class::real, 8), nullptr) << format;
  EXPECT_EQ(formatter("(f8.3)", type_class::integer, 4), nullptr);
  EXPECT_EQ(formatter("(f8.3)", type_class::real, 16), nullptr);
  EXPECT_EQ(formatter("(l3)", type_class::logical, 4), nullptr);
  EXPECT_NE(formatter("(1p,3e12.4)", type_class::real, 8), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Tiers, UniformFormat, every_tier, tier_name);

}  // namespace
}  // namespace headrace
