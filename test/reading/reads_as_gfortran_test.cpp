// Random READs, done by gfortran and by headrace: the same values bit for bit, the same elements
// left as they were, the same success, end of file or error.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "both_ways.hpp"
#include "random_texts.hpp"

namespace headrace {
namespace {

std::size_t count_from_environment(std::size_t few, std::size_t many) {
  return std::getenv("HEADRACE_TEST_LONG") != nullptr ? many : few;
}

std::uint64_t seed() {
  const char* const text = std::getenv("HEADRACE_TEST_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 3;
}

bool is_any(char c, const char* characters) {
  return c != '\0' && std::strchr(characters, c) != nullptr;
}

// A complex number that the end of the text cuts within inf or nan: end of file for gfortran 12.
bool is_cut_word(const std::string& text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return last != std::string::npos && is_any(text[last], "inaftyINAFTY");
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// gfortran 12 crashes or never ends on "nan(" without its closing parenthesis, and writes beyond
// its buffer when more than 300 characters follow.
bool would_crash(const std::string& text) {
  const std::string lower = lower_case(text);
  for (std::size_t at = lower.find("nan("); at != std::string::npos;
       at = lower.find("nan(", at + 1)) {
    const std::size_t end = lower.find_first_of(") ,;/\t\n\r", at);
    if (end == std::string::npos || end - at > 250) return true;
  }
  return false;
}

// A word such as "true" or "Fx": behind it gfortran 12 goes over one character, so that "true ,F"
// holds a null value, and "true/" no slash.
bool has_logical_word(const std::string& text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const bool begins = i == 0 || is_any(text[i - 1], " ,;/\t\r\n*");
    if (begins && is_any(text[i], "tTfF") && !is_any(text[i + 1], " ,;/\t\r\n")) return true;
  }
  return false;
}

// A decimal comma that stands not behind plain digits. gfortran 12 takes it now for a separator and
// now for none: "1e5,3", "inf,5", ",5" at the beginning of a line.
bool has_strange_comma(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ',') continue;
    std::size_t first = i;
    while (first > 0 && std::isdigit(static_cast<unsigned char>(text[first - 1]))) --first;
    if (first == i) return true;
    if (first > 0 && is_any(text[first - 1], "+-")) --first;
    if (first > 0 && !is_any(text[first - 1], " ;/\t\r\n*(")) return true;
  }
  return false;
}

// gfortran 12 takes one value more when it follows immediately on a slash that begins a line.
bool has_value_behind_first_slash(const std::string& text) {
  bool first = true;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '/' && first && !is_any(text[i + 1], " ,;/\t\r\n")) return true;
    first = text[i] == '\n' || (first && is_any(text[i], " \t\r"));
  }
  return false;
}

// ".5*" is a repeat count for gfortran 12.
bool has_fractional_count(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t end = i + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (is_any(text[i], ".,") && end < text.size() && text[end] == '*') return true;
  }
  return false;
}

// For a format of gfortran 12 "nan((" and "nan(1(" are NaNs.
bool has_two_openings(const std::string& text) {
  const std::string lower = lower_case(text);
  for (std::size_t at = lower.find("nan("); at != std::string::npos;
       at = lower.find("nan(", at + 1)) {
    const std::size_t next = lower.find_first_of("()", at + 4);
    if (next != std::string::npos && lower[next] == '(') return true;
  }
  return false;
}

// Behind a blank gfortran 13 and later take a semicolon beside a decimal point for two separators:
// headrace refuses it if a value would be left out.
bool has_lone_semicolon(const read_case& one) {
  if (one.decimal_comma || !own_dialect().has(edit_feature::strict_separators)) return false;
  for (std::size_t i = 1; i < one.text.size(); ++i)
    if (one.text[i] == ';' && is_any(one.text[i - 1], " \t\r")) return true;
  return false;
}

// If BZ fills a short line up with zeros, gfortran 14 and later let the number wrap around.
bool would_wrap_around(const read_case& one, const read_result& headrace) {
  return own_dialect().has(edit_feature::blank_zero_padding) &&
         lower_case(one.format).find("bz") != std::string::npos &&
         headrace.message.find("too large") != std::string::npos;
}

// The deliberate differences: doc/reference/text_reading.md.
bool is_deliberate(const read_case& one, const read_result& gfortran, const read_result& headrace) {
  if (one.format != "*") return has_two_openings(one.text) || would_wrap_around(one, headrace);
  if (headrace.message.find("within a quoted string") != std::string::npos) return true;
  if (one.text.find('\0') != std::string::npos) return true;
  const bool is_complex = one.kind == read_kind::complex4 || one.kind == read_kind::complex8;
  if (is_complex && gfortran.state == outcome::end_of_file && is_cut_word(one.text)) return true;
  const bool is_logical = one.kind >= read_kind::logical1 && one.kind <= read_kind::logical8;
  if (is_logical && has_logical_word(one.text)) return true;
  if (has_value_behind_first_slash(one.text) || has_lone_semicolon(one)) return true;
  if (one.kind <= read_kind::real8 && has_fractional_count(one.text)) return true;
  if (!one.decimal_comma) return false;
  const bool is_real = one.kind >= read_kind::real4 && one.kind <= read_kind::complex8;
  return is_real ? has_strange_comma(one.text) : one.text.find(',') != std::string::npos;
}

struct counts {
  std::size_t ok = 0;
  std::size_t ends = 0;
  std::size_t errors = 0;
  std::size_t deliberate = 0;
  std::size_t left_out = 0;
  std::size_t different = 0;

  // Both READs of one case.
  void compare(read_case one, std::size_t chunk);
};

void counts::compare(read_case one, std::size_t chunk) {
  const read_result headrace = read_with_headrace(one, own_dialect(), chunk);
  // The end of the text ends its last line: headrace reads it as if the line feed were there.
  if (!one.text.empty() && one.text.back() != '\n') one.text += '\n';
  if (would_crash(one.text) && one.format == "*") {
    ++left_out;
    return;
  }
  const read_result gfortran = read_with_gfortran(one);
  const std::string differs = difference(one, gfortran, headrace);
  if (!differs.empty() && is_deliberate(one, gfortran, headrace)) {
    ++deliberate;
    return;
  }
  if (!differs.empty() && ++different < 40) ADD_FAILURE() << differs;
  ok += gfortran.state == outcome::ok;
  ends += gfortran.state == outcome::end_of_file;
  errors += gfortran.state == outcome::error;
}

counts compare_many(std::size_t cases, read_case (random_texts::*next)()) {
  random_texts texts(seed());
  counts result;
  for (std::size_t i = 0; i < cases && result.different < 40; ++i)
    result.compare((texts.*next)(), 1 + i % 50);
  std::printf("%zu cases: %zu ok, %zu end of file, %zu error; %zu deliberate, %zu left out\n",
              cases, result.ok, result.ends, result.errors, result.deliberate, result.left_out);
  return result;
}

TEST(list_directed_reading, does_what_gfortran_does) {
  const std::size_t cases = count_from_environment(40000, 5000000);
  const counts found = compare_many(cases, &random_texts::list_directed);
  EXPECT_EQ(found.different, 0U);
  EXPECT_GT(found.ok, cases / 10);
  EXPECT_GT(found.errors, cases / 20);
}

TEST(formatted_reading, does_what_gfortran_does) {
  const std::size_t cases = count_from_environment(40000, 5000000);
  const counts found = compare_many(cases, &random_texts::formatted);
  EXPECT_EQ(found.different, 0U);
  EXPECT_GT(found.ok, cases / 10);
  EXPECT_GT(found.errors, cases / 20);
}

TEST(formatted_reading, takes_signs_as_gfortran_does) {
  counts found;
  for (const char* const format : {"(i5)", "(bz,i5)", "(z5)", "(o5)", "(i1)"}) {
    for (const char* const field : {"-", "+    ", "    -", "- 5  ", " -  5", "- 5 -", "--5", "-"}) {
      read_case one;
      one.kind = read_kind::integer4;
      one.n = 1;
      one.format = format;
      one.text = std::string(field) + "\n";
      found.compare(one, 1 << 20);
    }
  }
  EXPECT_EQ(found.different, 0U);
  EXPECT_GT(found.errors, 10U);
}

}  // namespace
}  // namespace headrace
