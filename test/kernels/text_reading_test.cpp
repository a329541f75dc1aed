// Reading whole arrays from text: messages, sections, chunks, and that the fast path of
// list-directed reading gives what the exact one gives. test/reading compares with gfortran.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "core/cpu.hpp"
#include "text/edit/edit_transfer.hpp"
#include "text_source.hpp"
#include "vector_view.hpp"

namespace headrace {
namespace {

status read_list(const std::string& text, std::vector<double>& values, std::size_t chunk = 65536) {
  text_source source(text, chunk);
  return read_list_directed(source, '.', view_of(values, type_class::real));
}

status read_with(const char* format_text, const std::string& text, std::vector<double>& values) {
  edit_format format;
  status state = parse_edit_format(format_text, format);
  text_source source(text);
  return state.ok() ? read_edited(format, source, view_of(values, type_class::real)) : state;
}

void expect_message(const status& found, stat_code code, const char* part) {
  EXPECT_EQ(found.code(), static_cast<int>(code)) << found.message();
  EXPECT_NE(found.message().find(part), std::string::npos) << found.message();
}

TEST(list_directed_reading, names_line_column_and_text_of_a_bad_value) {
  std::vector<double> values(6, -999);
  const status found = read_list("1 2\n3  4x5\n6\n", values);
  expect_message(found, stat_code::bad_number, "2:4");
  expect_message(found, stat_code::bad_number, "expected a real number, found \"4x5\"");
  EXPECT_EQ(values, (std::vector<double>{1, 2, 3, -999, -999, -999}));
}

TEST(list_directed_reading, names_an_integer_that_is_out_of_range) {
  std::vector<std::int8_t> values(2);
  text_source source("127,128\n");
  const status found = read_list_directed(source, '.', view_of(values, type_class::integer));
  expect_message(found, stat_code::number_out_of_range, "1:5");
  EXPECT_EQ(values[0], 127);
}

TEST(list_directed_reading, says_after_how_many_values_the_text_ends) {
  std::vector<double> values(4, -999);
  expect_message(read_list("1 2\n3\n", values), stat_code::end_of_file, "after 3 values");
  EXPECT_EQ(values, (std::vector<double>{1, 2, 3, -999}));
}

TEST(list_directed_reading, passes_on_a_failure_of_the_source) {
  std::vector<double> values(4, -999);
  text_source source("1 2 3 ");
  source.fail_at_end();
  EXPECT_EQ(read_list_directed(source, '.', view_of(values, type_class::real)).code(), EIO);
  EXPECT_EQ(values[2], 3);
}

TEST(list_directed_reading, escapes_control_characters_in_messages) {
  std::vector<double> values(1);
  expect_message(read_list("1\x1A\n", values), stat_code::bad_number, "\"1\\x1a\"");
}

TEST(list_directed_reading, reads_into_a_section) {
  std::vector<double> values(7, 0);
  array_view array = view_of(values, type_class::real);
  array.base += 6 * sizeof(double);
  array.extent[0] = 3;
  array.stride[0] = -3 * static_cast<std::ptrdiff_t>(sizeof(double));
  text_source source("1 2\n3\n");
  EXPECT_TRUE(read_list_directed(source, '.', array).ok());
  EXPECT_EQ(values, (std::vector<double>{3, 0, 0, 2, 0, 0, 1}));
}

TEST(list_directed_reading, refuses_real128) {
  std::vector<long double> values(1);
  array_view array = view_of(values, type_class::real);
  array.elem_len = 16;
  text_source source("1\n");
  expect_message(read_list_directed(source, '.', array), stat_code::kind_unsupported, "16 bytes");
}

// Lines of plain numbers, with a line now and then that is not plain.
std::string random_lines(std::mt19937_64& random, std::size_t values, bool commas) {
  std::string text;
  char number[64];
  for (std::size_t i = 0; i < values; ++i) {
    std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!(value == value)) value = 0.5;
    std::snprintf(number, sizeof number, "%.*e", static_cast<int>(random() % 19), value);
    if (random() % 500 == 0) text += "1*";
    text += number;
    text += random() % 5 == 0 ? "\n" : commas ? ", " : " ";
    if (random() % 200 == 0) text += "\n \r\n";
  }
  return text + "\n";
}

void expect_same_in_chunks(const std::string& text, std::size_t n) {
  std::vector<double> exact(n, -999);
  EXPECT_TRUE(read_list(text, exact, 1).ok());
  for (const std::size_t chunk : {std::size_t(7), std::size_t(1000), text.size()}) {
    std::vector<double> values(n, -999);
    const status found = read_list(text, values, chunk);
    EXPECT_TRUE(found.ok()) << found.message();
    EXPECT_EQ(std::memcmp(values.data(), exact.data(), n * sizeof(double)), 0) << chunk;
  }
}

TEST(list_directed_reading, reads_the_same_from_chunks_of_any_size_on_every_tier) {
  const simd_tier best = best_tier();
  for (const simd_tier tier : {simd_tier::portable, simd_tier::avx2, simd_tier::avx512}) {
    if (tier > best) continue;
    limit_tier(tier);
    std::mt19937_64 random(4);
    for (std::size_t n : {10U, 1000U, 30000U})
      for (const bool commas : {false, true})
        expect_same_in_chunks(random_lines(random, n + 20, commas), n);
  }
  limit_tier(best);
}

TEST(list_directed_reading, reads_one_line_that_is_longer_than_its_memory) {
  std::string text;
  const std::size_t n = 200000;
  for (std::size_t i = 0; i < n; ++i) text += std::to_string(i) + " ";
  std::vector<double> values(n);
  EXPECT_TRUE(read_list(text, values).ok());
  EXPECT_EQ(values[n - 1], n - 1);
}

TEST(list_directed_reading, reads_characters_longer_than_its_memory) {
  std::vector<char> text(600000, ' ');
  array_view array = view_of(text, type_class::character);
  array.elem_len = text.size();
  array.array_rank = 0;
  const std::string quoted =
      "'" + std::string(500000, 'x') + "''" + std::string(50000, 'y') + "'\n";
  text_source source(quoted);
  EXPECT_TRUE(read_list_directed(source, '.', array).ok());
  EXPECT_EQ(text[500000], '\'');
  EXPECT_EQ(text[550000], 'y');
  EXPECT_EQ(text[550001], ' ');
}

TEST(formatted_reading, names_line_column_text_and_descriptor_of_a_bad_field) {
  std::vector<double> values(4, -999);
  const status found = read_with("(2f5.1)", "  1.5  2.5\n  3.5 4x.5\n", values);
  expect_message(found, stat_code::bad_number, "2:6");
  expect_message(found, stat_code::bad_number, "found \" 4x.5\"");
  expect_message(found, stat_code::bad_number, "column 2 of the format");
  EXPECT_EQ(values, (std::vector<double>{1.5, 2.5, 3.5, -999}));
}

TEST(formatted_reading, refuses_descriptors_of_another_type_and_fields_of_width_zero) {
  std::vector<double> values(1, -999);
  expect_message(read_with("(i5)", "    1\n", values), stat_code::edit_mismatch, "column 2");
  expect_message(read_with("(g0)", "1\n", values), stat_code::format_invalid, "width zero");
  expect_message(read_with("('x',f5.1)", "x  1.5\n", values), stat_code::edit_mismatch, "column 2");
  EXPECT_EQ(values[0], -999);
}

TEST(formatted_reading, ends_with_end_of_file_at_a_missing_record) {
  std::vector<double> values(3, -999);
  expect_message(read_with("(f5.1)", "  1.5\n  2.5\n", values), stat_code::end_of_file,
                 "after 2 values");
  EXPECT_EQ(values, (std::vector<double>{1.5, 2.5, -999}));
}

TEST(formatted_reading, counts_characters_for_tabs_and_goes_back_from_behind_the_end) {
  std::vector<double> values(2);
  EXPECT_TRUE(read_with("(f5.0,tl3,f5.0)", "1,2,3\n", values).ok());
  EXPECT_EQ(values, (std::vector<double>{1, 1}));
  values.assign(3, -999);
  EXPECT_TRUE(read_with("(t5,f3.0,t20,f3.0,t1,f3.0)", "123456789\n", values).ok());
  EXPECT_EQ(values, (std::vector<double>{567, 0, 123}));
}

TEST(list_directed_reading, takes_a_comma_for_no_separator_with_a_decimal_comma) {
  std::vector<double> values(3, -999);
  text_source source(",5 1,5;2\n");
  EXPECT_TRUE(read_list_directed(source, ',', view_of(values, type_class::real)).ok());
  EXPECT_EQ(values, (std::vector<double>{0.5, 1.5, 2}));
  text_source exponent("1e5,3\n");
  expect_message(read_list_directed(exponent, ',', view_of(values, type_class::real)),
                 stat_code::bad_number, "1e5,3");
}

TEST(list_directed_reading, separates_values_behind_words_and_ends_at_any_slash) {
  std::vector<std::int32_t> values(3, -1);
  text_source source("true ,F/5\n");
  EXPECT_TRUE(read_list_directed(source, '.', view_of(values, type_class::logical)).ok());
  EXPECT_EQ(values, (std::vector<std::int32_t>{1, 0, -1}));
  values.assign(3, -1);
  text_source slash("1\n/5 6\n");
  EXPECT_TRUE(read_list_directed(slash, '.', view_of(values, type_class::integer)).ok());
  EXPECT_EQ(values, (std::vector<std::int32_t>{1, -1, -1}));
}

TEST(list_directed_reading, reads_the_same_with_and_without_the_last_line_feed) {
  for (const char* text : {"1 2/", "2*", "1 2", "1,2,"}) {
    std::vector<double> with(2, -999);
    std::vector<double> without(2, -999);
    EXPECT_TRUE(read_list(text, without).ok()) << text;
    EXPECT_TRUE(read_list(std::string(text) + "\n", with).ok()) << text;
    EXPECT_EQ(with, without) << text;
  }
}

TEST(formatted_reading, reads_a_line_longer_than_its_memory_and_tabs_to_the_left) {
  std::string text;
  const std::size_t n = 100000;
  char field[16];
  for (std::size_t i = 0; i < n; ++i) {
    std::snprintf(field, sizeof field, "%8zu", i);
    text += field;
  }
  std::vector<double> values(n);
  EXPECT_TRUE(read_with("(*(f8.0))", text, values).ok());
  EXPECT_EQ(values[n - 1], n - 1);
  EXPECT_TRUE(read_with("(*(f8.0,tl8,f8.0))", text, values).ok());
  EXPECT_EQ(values[n - 1], n / 2 - 1);
}

}  // namespace
}  // namespace headrace
