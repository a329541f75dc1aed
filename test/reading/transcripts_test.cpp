// What gfortran 12 was seen to read: the lines of list_directed_gfortran12.txt, and some files.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "both_ways.hpp"

namespace headrace {
namespace {

constexpr double untouched = -999;

// The elements as numbers, two for a complex one.
std::vector<double> numbers_of(const read_case& one, const std::string& memory) {
  std::vector<double> result;
  const std::string before = untouched_memory(one);
  const bool is_complex = one.kind == read_kind::complex8;
  const std::size_t bytes = is_complex ? 8 : element_bytes(one);
  for (std::size_t at = 0; at < memory.size(); at += bytes) {
    double value = untouched;
    std::int32_t integer = 0;
    if (memory.compare(at, bytes, before, at, bytes) == 0) {
    } else if (bytes == 8) {
      std::memcpy(&value, memory.data() + at, sizeof value);
    } else {
      std::memcpy(&integer, memory.data() + at, sizeof integer);
      value = integer;
    }
    result.push_back(value);
  }
  return result;
}

bool same_number(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

std::string unescaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    ++i;
    result += text[i] == 'n' ? '\n' : text[i] == 'r' ? '\r' : '\t';
  }
  return result;
}

// One line of the transcript: [text] -> [ios=code message ;] values
struct transcript_line {
  std::string text;
  outcome state = outcome::ok;
  std::string values;
};

bool take_apart(const std::string& line, transcript_line& result) {
  const std::size_t arrow = line.rfind("] -> ");
  if (line.empty() || line[0] != '[' || arrow == std::string::npos) return false;
  result.text = unescaped(line.substr(1, arrow - 1));
  result.values = line.substr(arrow + 5);
  result.state = outcome::ok;
  if (result.values.compare(0, 4, "ios=") != 0) return true;
  result.state = result.values.compare(4, 2, "-1") == 0 ? outcome::end_of_file : outcome::error;
  result.values.erase(0, result.values.find(" ; ") + 3);
  return true;
}

void set_section(const std::string& title, read_case& one) {
  const auto has = [&](const char* word) { return title.find(word) != std::string::npos; };
  one.decimal_comma = has("decimal=comma");
  one.n = has("complex") ? 2 : 4;
  one.kind = has("integer")     ? read_kind::integer4
             : has("logical")   ? read_kind::logical4
             : has("complex")   ? read_kind::complex8
             : has("character") ? read_kind::character
                                : read_kind::real8;
}

void expect_numbers(const read_case& one, const transcript_line& line, const read_result& found) {
  std::vector<double> expected;
  const char* at = line.values.c_str();
  char* end = nullptr;
  for (double value = std::strtod(at, &end); end != at; value = std::strtod(at, &end)) {
    expected.push_back(value);
    at = end;
  }
  const std::vector<double> numbers = numbers_of(one, found.memory);
  ASSERT_EQ(numbers.size(), expected.size()) << line.text;
  bool before_failure = true;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    // The transcript shows the imaginary part 0 of untouched elements; an element that fails is
    // left as it was.
    before_failure = before_failure && (line.state == outcome::ok || numbers[i] != untouched);
    if (numbers[i] == untouched && (!before_failure || expected[i] == 0)) continue;
    EXPECT_TRUE(same_number(numbers[i], expected[i]))
        << line.text << ": item " << i + 1 << " is " << numbers[i] << ", not " << expected[i];
  }
}

void expect_logicals(const read_case& one, const transcript_line& line, const read_result& found) {
  const std::vector<double> numbers = numbers_of(one, found.memory);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const char expected = line.values[line.values.find_first_not_of(' ') + 2 * i];
    if (numbers[i] == untouched) continue;
    EXPECT_EQ(numbers[i] == 1 ? 'T' : 'F', expected) << line.text;
  }
}

void expect_characters(const read_case& one, const transcript_line& line,
                       const read_result& found) {
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) text += "<" + found.memory.substr(6 * i, 6) + "> ";
  const std::string before = untouched_memory(one).substr(0, 6);
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before))
    text.replace(at, 6, "------");
  if (line.text == "'ab") return;  // the string that has no end is not stored
  EXPECT_EQ(text, line.values) << line.text;
}

TEST(transcript, internal_units_of_gfortran_12) {
  std::ifstream file(HEADRACE_READING_DATA "/list_directed_gfortran12.txt");
  ASSERT_TRUE(file.good());
  read_case one;
  std::string text;
  int lines = 0;
  while (std::getline(file, text)) {
    if (text.compare(0, 3, "---") == 0) set_section(text, one);
    transcript_line line;
    // The transcript cuts one text of 5,000 digits.
    if (!take_apart(text, line) || line.text.size() > 50) continue;
    ++lines;
    one.text = line.text;
    const read_result found = read_with_headrace(one, edit_dialect::of_gfortran(12));
    EXPECT_EQ(found.state, line.state) << line.text << ": " << found.message;
    if (one.kind == read_kind::character)
      expect_characters(one, line, found);
    else if (one.kind == read_kind::logical4)
      expect_logicals(one, line, found);
    else
      expect_numbers(one, line, found);
  }
  EXPECT_GT(lines, 100);
}

struct file_case {
  const char* text;
  const char* format;
  outcome state;
  std::vector<double> values;
};

void expect_file(const file_case& file) {
  read_case one;
  one.n = static_cast<int>(file.values.size());
  one.format = file.format;
  one.text = file.text;
  const read_result found = read_with_headrace(one, edit_dialect::of_gfortran(12));
  EXPECT_EQ(found.state, file.state) << file.text << ": " << found.message;
  const std::vector<double> numbers = numbers_of(one, found.memory);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    EXPECT_TRUE(same_number(numbers[i], file.values[i]))
        << file.text << ": item " << i + 1 << " is " << numbers[i] << ", not " << file.values[i];
}

TEST(transcript, list_directed_files_of_gfortran_12) {
  constexpr double no = untouched;
  const file_case cases[] = {
      {"1,2,3\r\n4,5,6\r\n", "*", outcome::ok, {1, 2, 3, 4, 5, 6}},
      {"1 2 3\r\n4 5 6\r\n", "*", outcome::ok, {1, 2, 3, 4, 5, 6}},
      {"1 2\n\n\n3 4\n\n5 6", "*", outcome::ok, {1, 2, 3, 4, 5, 6}},
      {"1,2,\n,3,4,5\n", "*", outcome::ok, {1, 2, no, 3, 4, 5}},
      {"1,2,\n3,4,\n5,6,\n", "*", outcome::ok, {1, 2, 3, 4, 5, 6}},
      {"1 2 3\n4 5\n", "*", outcome::end_of_file, {1, 2, 3, 4, 5, no}},
      {"1 2 3\n4 5", "*", outcome::end_of_file, {1, 2, 3, 4, 5, no}},
      {"1 2 3 / x y z\n", "*", outcome::ok, {1, 2, 3, no, no, no}},
      {"6*\n", "*", outcome::ok, {no, no, no, no, no, no}},
      {"# comment\n1 2 3 4 5 6\n", "*", outcome::error, {no, no, no, no, no, no}},
      {"1 2 3 4 5 6 junk\n9\n", "*", outcome::ok, {1, 2, 3, 4, 5, 6}},
      {"\xEF\xBB\xBF"
       "1 2\n",
       "*",
       outcome::error,
       {no, no}},
      {"1\f2\v3\n", "*", outcome::error, {no, no}},
      {"1\xC2\xA0"
       "2\n",
       "*",
       outcome::error,
       {no, no}},
      {"1 2 3 4 5\n\x1A", "*", outcome::error, {1, 2, 3, 4, 5, no}},
  };
  for (const file_case& file : cases) expect_file(file);
}

TEST(transcript, formatted_files_of_gfortran_12) {
  constexpr double no = untouched;
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const file_case cases[] = {
      {"1.5       2         3.5E2     -1.25D-1  \n",
       "(4e10.3)",
       outcome::ok,
       {1.5, 0.002, 350, -0.125}},
      {"     12345     +12-3    1.5+2         .\n",
       "(4e10.3)",
       outcome::ok,
       {12.345, 0.000012, 150, 0}},
      {"  123 12345 1.5 -.5  \n", "(4f5.2)", outcome::ok, {1.23, 12.34, 51.5, -0.5}},
      // Fields of a file may end early at a comma; those of an internal unit not.
      {"1.5,2.5,3,4,5\n", "(4f5.2)", outcome::ok, {1.5, 2.5, 0.03, 0.04}},
      {"1.0E5,     2,3.5,4\n", "(4f10.0)", outcome::ok, {1e5, 2, 3.5, 4}},
      {" 1 . 5         NaN  Infinity-Inf        \n",
       "(4es12.4)",
       outcome::error,
       {1.5, nan, no, no}},
      {" inf         NaN    Infinity    -Inf    \n",
       "(4es10.4)",
       outcome::ok,
       {inf, nan, inf, -inf}},
      {"1    2    3 4  5   \n", "(bz,4f5.0)", outcome::ok, {10000, 20000, 30400, 5000}},
      {"1.5\n", "(4e10.3)", outcome::ok, {1.5, 0, 0, 0}},
      {"\n", "(4e10.3)", outcome::ok, {0, 0, 0, 0}},
      {"3FF00000000000004000000000000000bff8000000000000               \n",
       "(4z16)",
       outcome::ok,
       {1, 2, -1.5, 0}},
      {"1.5 2\n", "(4g10.3)", outcome::ok, {1.52, 0, 0, 0}},
      {"    1.5E+0       1.5    1.5D0     15\n",
       "(1p,4e10.3)",
       outcome::ok,
       {1.5, 0.15, 1.5, 0.0015}},
      {"    1.5         1.5    1.5       15\n",
       "(1p,4f10.3)",
       outcome::ok,
       {0.15, 0.15, 0.15, 0.0015}},
  };
  for (const file_case& file : cases) expect_file(file);
}

}  // namespace
}  // namespace headrace
