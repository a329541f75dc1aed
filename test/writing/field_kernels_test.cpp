// The kernels that write fields one at a time and in blocks, against gfortran's own output.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../kernels/tiers.hpp"
#include "both_ways.hpp"
#include "core/cpu.hpp"
#include "sample_values.hpp"
#include "text/kernels/format_columns.hpp"
#include "text/kernels/format_fields.hpp"
#include "text/kernels/format_numbers.hpp"

namespace headrace::test {
namespace {

std::size_t value_count() {
  return long_test() ? 2000000 : 60000;
}

template <class Real>
std::vector<Real> all_reals(int digits) {
  generator random(seed());
  std::vector<Real> values = special_reals<Real>();
  for (const Real value : near_powers_of_ten<Real>()) values.push_back(value);
  for (const Real value : random_reals<Real>(random, value_count())) values.push_back(value);
  for (std::size_t i = 0; i < value_count(); ++i)
    values.push_back(
        random_bits<Real, std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>>(
            random));
  // Where rounding to so many digits leads to a power of ten.
  for (int p = -3; p <= digits + 1; ++p) {
    auto value = static_cast<Real>(std::pow(10.0, p) * (1 - 0.5 * std::pow(10.0, -digits)));
    for (int i = 0; i < 4; ++i) value = std::nextafter(value, Real{0});
    for (int i = 0; i < 9; ++i, value = std::nextafter(value, std::numeric_limits<Real>::max()))
      values.insert(values.end(), {value, -value});
  }
  for (int e = -1074; e < 1024; ++e) values.push_back(static_cast<Real>(std::ldexp(1.0, e)));
  return values;
}

template <class Value>
std::string expected(const std::string& format, const std::vector<Value>& values) {
  const type_class type = std::is_integral_v<Value> ? type_class::integer : type_class::real;
  return by_gfortran(format, '.', {type, sizeof(Value), values.data(), values.size()}).text;
}

class FieldKernels : public on_each_tier {};

// Reports the first value whose text differs, of records of the same length.
template <class Value>
void expect_fields(const std::string& found, const std::string& wanted, std::size_t pitch,
                   const std::vector<Value>& values, const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  if (found == wanted) return;
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(found.substr(i * pitch, pitch), wanted.substr(i * pitch, pitch))
        << what << " of value " << i << " = " << static_cast<double>(values[i]);
}

// Blocks of every length up to the largest, then the scalar entry.
std::string write_blocks(const field_layout& layout, const std::vector<double>& values) {
  const auto pitch = static_cast<std::size_t>(layout.edit.width + layout.suffix_length);
  std::string text(values.size() * pitch + 64, '#');
  std::uint32_t offsets[field_block];
  for (std::size_t i = 0; i < field_block; ++i) offsets[i] = static_cast<std::uint32_t>(i * pitch);
  std::size_t done = 0;
  for (std::size_t n = 1; done < values.size(); n = n % field_block + 1) {
    const std::size_t block = std::min(n, values.size() - done);
    format_fields(layout, values.data() + done, block, &text[done * pitch], offsets);
    done += block;
  }
  text.resize(values.size() * pitch);
  return text;
}

std::string write_each(const field_layout& layout, const std::vector<double>& values) {
  const auto pitch = static_cast<std::size_t>(layout.edit.width + layout.suffix_length);
  std::string text(values.size() * pitch + 64, '#');
  for (std::size_t i = 0; i < values.size(); ++i) format_field(layout, values[i], &text[i * pitch]);
  text.resize(values.size() * pitch);
  return text;
}

template <class Real>
void expect_list_directed() {
  const std::vector<Real> values = all_reals<Real>(sizeof(Real) == 8 ? 17 : 9);
  const std::vector<double> wide(values.begin(), values.end());
  std::string wanted = expected("*", values);
  wanted.pop_back();
  field_layout layout;
  ASSERT_TRUE(make_field_layout(list_directed_real(sizeof(Real)), "", 0, layout));
  const auto pitch = static_cast<std::size_t>(layout.edit.width);
  expect_fields(write_blocks(layout, wide), wanted, pitch, values, "blocks of *");
  expect_fields(write_each(layout, wide), wanted, pitch, values, "single *");
}

TEST_P(FieldKernels, WriteListDirectedRealsAsGfortran) {
  expect_list_directed<double>();
  expect_list_directed<float>();
}

template <class Integer>
void expect_list_directed_integers() {
  generator random(seed());
  const std::vector<Integer> values = random_integers<Integer>(random, 20000);
  std::string wanted = expected("*", values);
  wanted.pop_back();
  field_layout layout;
  ASSERT_TRUE(make_field_layout(list_directed_integer(sizeof(Integer)), "", 0, layout));
  const auto pitch = static_cast<std::size_t>(layout.edit.width);
  std::string text(values.size() * pitch + 64, '#');
  for (std::size_t i = 0; i < values.size(); ++i)
    format_integer_field(layout, values[i], &text[i * pitch]);
  text.resize(wanted.size());
  expect_fields(text, wanted, pitch, values, "integers of *");
}

TEST_P(FieldKernels, WriteListDirectedIntegersAsGfortran) {
  expect_list_directed_integers<std::int8_t>();
  expect_list_directed_integers<std::int16_t>();
  expect_list_directed_integers<std::int32_t>();
  expect_list_directed_integers<std::int64_t>();
}

template <class Real>
void expect_general(int width, int digits, int exponent) {
  const std::vector<Real> values = all_reals<Real>(digits);
  const std::vector<double> wide(values.begin(), values.end());
  field_edit edit;
  edit.form = field_form::general;
  edit.width = width;
  edit.digits = digits;
  edit.exponent_digits = exponent;
  edit.single = sizeof(Real) == 4;
  std::string format = "(g" + std::to_string(width) + "." + std::to_string(digits);
  if (exponent > 0) format += "e" + std::to_string(exponent);
  const std::string wanted = expected(format + ")", values);
  field_layout layout;
  ASSERT_TRUE(make_field_layout(edit, "\n", 1, layout)) << format;
  const auto pitch = static_cast<std::size_t>(width) + 1;
  expect_fields(write_blocks(layout, wide), wanted, pitch, values, "blocks of " + format);
  expect_fields(write_each(layout, wide), wanted, pitch, values, "single " + format);
}

TEST_P(FieldKernels, WriteGeneralFieldsAsGfortran) {
  for (int digits = 1; digits <= 17; ++digits) {
    if (!long_test() && digits % 4 != 1 && digits != 16) continue;
    expect_general<double>(digits + 7, digits, -1);
    expect_general<double>(digits + 10, digits, 3);
    if (digits > 9) continue;
    expect_general<float>(digits + 7, digits, -1);
    expect_general<float>(digits + 9, digits, 1);
  }
}

template <class Real>
void expect_packed(int digits) {
  const int shown = digits > 0 ? digits : sizeof(Real) == 8 ? 17 : 9;
  const std::vector<Real> values = all_reals<Real>(shown);
  const std::vector<double> wide(values.begin(), values.end());
  field_edit edit;
  edit.form = field_form::general;
  edit.digits = shown;
  edit.exponent_digits = 0;
  if (own_dialect().has(edit_feature::full_exponent))
    edit.exponent_digits = sizeof(Real) == 8 ? 3 : 2;
  edit.single = sizeof(Real) == 4;
  const std::string format = digits > 0 ? "g0." + std::to_string(digits) : "g0";
  const std::string wanted = expected("(*(" + format + ",:,','))", values);
  field_layout layout;
  ASSERT_TRUE(make_packed_layout(edit, layout));
  std::string separators(values.size(), ',');
  separators.back() = '\n';
  std::vector<char> out(values.size() * (longest_packed + 1) + field_window);
  char* const end = format_packed(layout, wide.data(), wide.size(), separators.data(), out.data());
  ASSERT_EQ(std::string(out.data(), end), wanted) << format;
  char* single = out.data();
  for (std::size_t i = 0; i < wide.size(); ++i) {
    single = format_packed(layout, wide[i], single);
    *single++ = separators[i];
  }
  ASSERT_EQ(std::string(out.data(), single), wanted) << format;
}

TEST_P(FieldKernels, WritePackedNumbersAsGfortran) {
  for (int digits = 0; digits <= 17; ++digits) {
    if (!long_test() && digits % 4 != 0 && digits != 7) continue;
    expect_packed<double>(digits);
    if (digits <= 9) expect_packed<float>(digits);
  }
  generator random(seed());
  const auto values = random_integers<std::int64_t>(random, 20000);
  std::string separators(values.size(), ',');
  separators.back() = '\n';
  std::vector<char> out(values.size() * (longest_integer + 1) + format_slack);
  char* const end = format_integers(out.data(), values.data(), values.size(), separators.data());
  ASSERT_EQ(std::string(out.data(), end), expected("(*(i0,:,','))", values));
}

TEST_P(FieldKernels, WriteSingleFieldsAsGfortran) {
  const std::vector<double> values = all_reals<double>(15);
  const std::pair<const char*, field_edit> reals[] = {
      {"(es22.14)", {field_form::scientific, 22, 14}},
      {"(e15.5)", {field_form::exponent, 15, 5}},
      {"(d24.17)", {field_form::exponent, 24, 17, -1, 'D'}},
      {"(f12.5)", {field_form::fixed, 12, 5}},
      {"(es24.16e3)", {field_form::scientific, 24, 16, 3}},
      {"(f8.0)", {field_form::fixed, 8, 0}}};
  field_layout layout;
  for (const auto& [format, edit] : reals) {
    ASSERT_TRUE(make_field_layout(edit, "\n", 1, layout)) << format;
    const std::string wanted = expected(format, values);
    const auto pitch = static_cast<std::size_t>(edit.width) + 1;
    expect_fields(write_each(layout, values), wanted, pitch, values, format);
    expect_fields(write_blocks(layout, values), wanted, pitch, values, format);
  }
  generator random(seed());
  const auto integers = random_integers<std::int64_t>(random, 20000);
  for (const int digits : {0, 1, 6, 20}) {
    ASSERT_TRUE(make_field_layout({field_form::integer, 22, digits}, "\n", 1, layout));
    std::string text(integers.size() * 23 + 64, '#');
    for (std::size_t i = 0; i < integers.size(); ++i)
      format_integer_field(layout, integers[i], &text[i * 23]);
    text.resize(integers.size() * 23);
    const std::string format = "(i22." + std::to_string(digits) + ")";
    expect_fields(text, expected(format, integers), 23, integers, format);
  }
}

// Each column alone by gfortran, put together by hand.
TEST_P(FieldKernels, WriteColumnsAsGfortran) {
  const std::vector<double> x = all_reals<double>(5);
  std::vector<float> y;
  for (const double value : x) y.push_back(static_cast<float>(value));
  generator random(seed());
  const auto i = random_integers<std::int32_t>(random, x.size());
  std::string names;
  for (std::size_t k = 0; k < x.size(); ++k) names += "name" + std::to_string(k % 10);
  const std::size_t n = x.size();
  const std::string a = expected("(i8)", i);
  const std::string b = expected("(f12.5)", x);
  const std::string c = expected("(es12.4)", x);
  const std::string d = expected("(g15.6)", y);
  std::string wanted;
  for (std::size_t k = 0; k < n; ++k)
    wanted += names.substr(5 * k, 5) + ": " + a.substr(9 * k, 8) + " x= " + b.substr(13 * k, 12) +
              " and then a long text " + c.substr(13 * k, 12) + d.substr(16 * k, 15) + "|\n";
  field_layout layouts[4];
  const field_edit edits[] = {{field_form::integer, 8, 1},
                              {field_form::fixed, 12, 5},
                              {field_form::scientific, 12, 4},
                              {field_form::general, 15, 6, -1, 'E', true}};
  for (int k = 0; k < 4; ++k) ASSERT_TRUE(make_field_layout(edits[k], "", 0, layouts[k]));
  const column_place columns[] = {{nullptr, type_class::character, 5, names.data(), 0},
                                  {&layouts[0], type_class::integer, 4, i.data(), 7},
                                  {&layouts[1], type_class::real, 8, x.data(), 19},
                                  {&layouts[2], type_class::real, 8, x.data(), 53},
                                  {&layouts[3], type_class::real, 4, y.data(), 65}};
  const std::size_t bytes = 82;
  const std::string image = wanted.substr(0, bytes);
  std::string found(n * bytes + 64, '#');
  format_columns({columns, 5, image.data(), bytes}, n, found.data());
  EXPECT_EQ(found.substr(n * bytes), std::string(64, '#'));
  found.resize(n * bytes);
  expect_fields(found, wanted, bytes, x, "columns");
}

INSTANTIATE_TEST_SUITE_P(Tiers, FieldKernels, every_tier, tier_name);

}  // namespace
}  // namespace headrace::test
