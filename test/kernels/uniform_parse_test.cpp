// Reading equal records of a format: every tier against the general reader of formats.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "core/streams.hpp"
#include "text/edit/edit_transfer.hpp"
#include "text/edit/uniform_rows.hpp"
#include "text_kernels.hpp"
#include "text_source.hpp"
#include "vector_view.hpp"

namespace headrace {
namespace {

template <class Value>
constexpr type_class type_of() {
  return std::is_integral_v<Value> ? type_class::integer : type_class::real;
}

edit_format format_of(const std::string& text) {
  edit_format format;
  const status parsed = parse_edit_format(text, format);
  EXPECT_TRUE(parsed.ok()) << parsed.message();
  return format;
}

template <class Value>
std::string written(const edit_format& format, std::vector<Value> values) {
  std::string text;
  string_sink sink(text);
  const status s = write_edited(format, view_of(values, type_of<Value>()), sink);
  EXPECT_TRUE(s.ok()) << s.message();
  return text;
}

template <class Value>
std::vector<Value> read_generally(const edit_format& format, const std::string& text,
                                  std::size_t n) {
  std::vector<Value> values(n);
  text_source source(text);
  const status s = read_edited(format, source, view_of(values, type_of<Value>()));
  EXPECT_TRUE(s.ok()) << s.message();
  return values;
}

// Reads the text with every tier; the last values are those of the last tier.
template <class Value>
std::size_t parse(const edit_format& format, const std::string& text, std::size_t n, simd_tier tier,
                  std::vector<Value>& values) {
  const tier_guard guard(tier);
  const auto parser = make_row_parser(format, type_of<Value>(), sizeof(Value));
  if (parser == nullptr) {
    ADD_FAILURE() << format.text << " is not uniform";
    return 0;
  }
  EXPECT_EQ(text.size() * parser->values, n * parser->bytes) << format.text;
  const std::string padded =
      std::string(parse_padding, '7') + text + std::string(parse_padding, '7');
  values.assign(n, Value{});
  return parser->parse(padded.data() + parse_padding, n, values.data());
}

template <class Value>
void check_equal(const std::string& edit, const std::string& text, std::size_t n) {
  const edit_format format = format_of(edit);
  const std::vector<Value> expected = read_generally<Value>(format, text, n);
  for (const simd_tier tier : tiers_of_this_machine()) {
    std::vector<Value> values;
    ASSERT_EQ(parse(format, text, n, tier, values), n) << edit << " tier " << name_of(tier);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(std::memcmp(&values[i], &expected[i], sizeof(Value)), 0)
          << edit << " value " << i << " tier " << name_of(tier);
  }
}

template <class Real>
std::vector<Real> random_reals(std::size_t n, bool any_bits) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<Real> values(n);
  for (Real& value : values) {
    value = static_cast<Real>(normal(random));
    const std::uint64_t bits = random();
    if (any_bits) std::memcpy(&value, &bits, sizeof value);
  }
  return values;
}

template <class Real>
void check_written_reals(const std::string& edit, std::size_t n, bool any_bits) {
  const edit_format format = format_of(edit);
  const std::string text = written(format, random_reals<Real>(n, any_bits));
  check_equal<Real>(edit, text, n);
}

TEST(UniformParse, reads_reals_as_formats_write_them) {
  for (const char* edit : {"(10e15.5)", "(es24.16e3)", "(3(es24.16e3,1x))", "(10(f12.4,1x))",
                           "(10(f12.4))", "(5d25.17)", "(7e20.10e3)", "(1p,5e15.5)", "(100es24.16)",
                           "(e10.1,f40.30)", "(2(e30.20,3x),f10.3)", "(en20.8)", "(4g25.16)"}) {
    check_written_reals<double>(edit, 4200, false);
    check_written_reals<float>(edit, 4200, false);
  }
}

TEST(UniformParse, reads_all_bits_that_fit_a_field) {
  for (const char* edit : {"(es24.16e3)", "(6(es26.16e4))", "(10z16.16)", "(3(z16,2x))"})
    check_written_reals<double>(edit, 6000, true);
  for (const char* edit : {"(es18.9e3)", "(10z8.8)"}) check_written_reals<float>(edit, 6000, true);
}

TEST(UniformParse, reads_integers_as_formats_write_them) {
  std::mt19937_64 random(2);
  for (const char* edit : {"(10i22)", "(3(i21,1x))", "(i25.20)", "(10z16.16)", "(2z20)"}) {
    std::vector<std::int64_t> values(2100);
    for (auto& value : values) value = static_cast<std::int64_t>(random() >> random() % 64);
    check_equal<std::int64_t>(edit, written(format_of(edit), values), values.size());
  }
  for (const char* edit : {"(10i12)", "(i11)", "(10z8.8)", "(5(2x,z10))"}) {
    std::vector<std::int32_t> values(2100);
    for (auto& value : values) value = static_cast<std::int32_t>(random() >> random() % 64);
    check_equal<std::int32_t>(edit, written(format_of(edit), values), values.size());
  }
  for (const char* edit : {"(10i6)", "(4i4)", "(10z4.4)"}) {
    std::vector<std::int8_t> bytes(2100);
    std::vector<std::int16_t> shorts(2100);
    for (auto& value : bytes) value = static_cast<std::int8_t>(random());
    for (auto& value : shorts) value = static_cast<std::int16_t>(random() % 999);
    check_equal<std::int8_t>(edit, written(format_of(edit), bytes), bytes.size());
    check_equal<std::int16_t>(edit, written(format_of(edit), shorts), shorts.size());
  }
}

TEST(UniformParse, reads_fields_that_look_otherwise) {
  const std::vector<std::string> fields = {
      "          ", "        15", "15        ", "1 5.2 5   ", "  1.5+3   ", "   -1.5d-3",
      "   inf    ", "       nan", "    +.5   ", "         .", "         -", " 1.5 e 3  ",
      "1234567890", "       1e5", "        e5", " 5.       ", "0000000000", "   -0.0   "};
  std::mt19937_64 random(3);
  for (const char* edit : {"(3f10.4)", "(3e10.0)", "(2p,3f10.3)"}) {
    std::string text;
    for (int i = 0; i < 300; ++i)
      text += fields[random() % fields.size()] + (i % 3 == 2 ? "\n" : "");
    check_equal<double>(edit, text, 300);
    check_equal<float>(edit, text, 300);
  }
  std::string text;
  const std::vector<std::string> integers = {"      ", "    15", "15    ",
                                             "1 2 3 ", "  +7  ", "    -0"};
  for (int i = 0; i < 300; ++i)
    text += integers[random() % integers.size()] + (i % 3 == 2 ? "\n" : "");
  check_equal<std::int32_t>("(3i6)", text, 300);
  check_equal<std::int64_t>("(3z6)", text, 300);
}

TEST(UniformParse, stops_where_a_field_or_a_record_is_not_as_expected) {
  const edit_format format = format_of("(3(f8.3,1x))");
  std::string good;
  for (int i = 0; i < 200; ++i) good += "   1.500    2.500    3.500\n";
  for (const simd_tier tier : tiers_of_this_machine())
    for (const std::size_t value : {0, 1, 64, 299, 599}) {
      std::string text = good;
      text[value / 3 * 27 + value % 3 * 9 + 5] = 'x';
      std::vector<double> values;
      EXPECT_EQ(parse(format, text, 600, tier, values), value) << name_of(tier);
      for (std::size_t i = 0; i < value; ++i)
        ASSERT_EQ(values[i], 1.5 + static_cast<double>(i % 3));
      for (const std::size_t place : {3, 8, 17, 26}) {
        text = good;
        text[value / 3 * 27 + place] = place == 26 ? ' ' : '\n';
        EXPECT_LE(parse(format, text, 600, tier, values), value / 3 * 3 + 2)
            << name_of(tier) << " place " << place;
      }
    }
}

TEST(UniformParse, leaves_other_formats_to_the_general_reader) {
  const auto fits = [](const char* edit, type_class type, std::size_t bytes) {
    return make_row_parser(format_of(edit), type, bytes) != nullptr;
  };
  EXPECT_TRUE(fits("(10e15.5)", type_class::real, 8));
  EXPECT_FALSE(fits("(10e15.5)", type_class::integer, 8));
  EXPECT_FALSE(fits("(10i5)", type_class::real, 8));
  EXPECT_FALSE(fits("(i5,2(f10.3))", type_class::real, 8));
  EXPECT_FALSE(fits("(f10.3,/,f10.3)", type_class::real, 8));
  EXPECT_FALSE(fits("(bz,f10.3)", type_class::real, 8));
  EXPECT_FALSE(fits("(f10.3,1p,f10.3)", type_class::real, 8));
  EXPECT_FALSE(fits("(*(f10.3))", type_class::real, 8));
  EXPECT_FALSE(fits("(f10.3,'x')", type_class::real, 8));
  EXPECT_FALSE(fits("(f10.3)", type_class::real, 16));
  EXPECT_FALSE(fits("(l10)", type_class::logical, 4));
}

TEST(UniformParse, reads_decimal_commas) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "   1,500  -2,5E1\n";
  check_equal<double>("(dc,2f8.3)", text, 200);
}

}  // namespace
}  // namespace headrace
