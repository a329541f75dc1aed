// The same cells read as an array, as an array that is allocated, as the column of a table and as
// cells that become numbers: values, missing ones and the words about bad cells are the same.
#include <cstring>
#include <map>
#include <regex>
#include <vector>

#include "amounts.hpp"
#include "headrace.h"
#include "headrace_tables.h"
#include "scratch.hpp"

namespace headrace {
namespace {

struct element {
  const char* name;
  int type;
  std::size_t elem_len;
  const char* good;  // a cell that it takes
};

constexpr element elements[] = {
    {"real64", HR_TYPE_REAL, 8, "1"},     {"real32", HR_TYPE_REAL, 4, "1"},
    {"int32", HR_TYPE_INTEGER, 4, "1"},   {"int8", HR_TYPE_INTEGER, 1, "1"},
    {"logical", HR_TYPE_LOGICAL, 4, "T"}, {"complex64", HR_TYPE_COMPLEX, 16, "1"},
};

struct reading {
  const char* missing = nullptr;
  char decimal = '.';
};

struct outcome {
  int status = 0;
  std::string bits;   // of the values
  std::string words;  // of the message, without the place
  std::string place;  // line and column of the file

  std::string text() const { return std::to_string(status) + " " + bits + " " + words; }
};

class OneVocabulary : public Scratch {
 protected:
  static constexpr std::ptrdiff_t rows = 2;

  hr_array array_of(const element& of) {
    values_.assign(rows * of.elem_len, '\0');
    return {values_.data(), of.elem_len, of.type, 1, {rows}, {std::ptrdiff_t(of.elem_len)}};
  }

  // Splits "row 2, column 1 (x): words; file:3:1; advice" into words and place.
  outcome result(int status) {
    outcome found;
    found.status = status;
    if (status == 0) {
      constexpr char digits[] = "0123456789abcdef";
      for (const char byte : values_) {
        found.bits += digits[static_cast<unsigned char>(byte) >> 4];
        found.bits += digits[byte & 15];
      }
      return found;
    }
    static const std::regex row("^row \\d+, column \\d+( \\(.*?\\))?: ");
    static const std::regex file("; [^;]*?headrace-test-[^;]*?x\\.csv\"?(:(\\d+:\\d+))?(?=;|$)");
    const std::string message = std::regex_replace(std::string(error_.message), row, "");
    std::smatch match;
    if (std::regex_search(message, match, file)) found.place = match[2];
    found.words = std::regex_replace(message, file, "");
    return found;
  }

  outcome by_array(const element& of, const reading& how, bool allocates) {
    hr_read_options options{};
    const int column = 1;
    const char decimal[] = {how.decimal, '\0'};
    options.columns = &column;
    options.column_count = 1;
    options.header = "yes";
    options.missing = how.missing;
    options.decimal = decimal;
    hr_array array = array_of(of);
    error_ = {};
    if (allocates) {
      hr_array fitted = array;
      const int failed = hr_fit_array(path("x.csv").c_str(), &options, &fitted, &error_);
      if (failed != 0) return result(failed);
      EXPECT_EQ(fitted.extent[0], rows);
    }
    return result(hr_read_array(path("x.csv").c_str(), &array, &options, &error_));
  }

  outcome by_table(const element& of, const reading& how) {
    hr_table_options options{};
    options.decimal = how.decimal;
    hr_table table = 0;
    error_ = {};
    const int failed = hr_table_read(path("x.csv").c_str(), &table, &options, &error_);
    if (failed != 0) return result(failed);
    hr_text_style style{};
    style.missing = how.missing;
    const hr_array array = array_of(of);
    const int status = hr_table_get(table, "x", 0, &array, &style, &error_);
    hr_table_close(&table, nullptr);
    return result(status);
  }

  outcome by_cells(const element& of, const reading& how, const std::string& cell) {
    hr_cells cells = 0;
    const std::string text = of.good + std::string("\n") + cell;
    hr_cells_split(&cells, text.data(), text.size(), "\n", 1, &error_);
    hr_text_style style{};
    const char decimal[] = {how.decimal, '\0'};
    style.missing = how.missing;
    style.decimal = decimal;
    const hr_array array = array_of(of);
    error_ = {};
    const int status = hr_cells_get(cells, &array, 0, 0, &style, &error_);
    hr_cells_close(&cells, nullptr);
    return result(status);
  }

  void put_cell(const element& of, const reading& how, const std::string& cell) {
    const std::string rest = how.decimal == ',' ? ";0\n" : ",0\n";
    put(path("x.csv"), (how.decimal == ',' ? "x;y\n" : "x,y\n") + (of.good + rest) + cell + rest);
  }

  void expect_same(const element& of, const reading& how, const std::string& cell) {
    SCOPED_TRACE(std::string(of.name) + " from \"" + cell + "\", missing " +
                 (how.missing == nullptr ? "not given" : how.missing));
    put_cell(of, how, cell);
    const outcome array = by_array(of, how, false);
    EXPECT_EQ(array.text(), by_array(of, how, true).text());
    const outcome table = by_table(of, how);
    EXPECT_EQ(array.text(), table.text());
    EXPECT_EQ(array.place, table.place);
    EXPECT_EQ(array.text(), by_cells(of, how, cell).text());
    seen_[array.status] += 1;
  }

  // Of a file that is wrong as a whole: arrays and tables say the same of it.
  void expect_same_file(const std::string& text) {
    SCOPED_TRACE(text);
    put(path("x.csv"), text);
    const element& of = elements[0];
    const outcome array = by_array(of, {}, false);
    const outcome table = by_table(of, {});
    EXPECT_NE(array.status, 0);
    EXPECT_EQ(array.text(), table.text());
    EXPECT_EQ(array.place, table.place);
  }

  std::vector<char> values_;
  hr_error error_{};
  std::map<int, int> seen_;
};

const char* const cells[] = {
    // missing, or not
    "", " ", "NULL", "null", "NA", "n/a", "N/A", "#N/A", "#NA", "<NA>", "None", "nan", "NaN",
    "-nan", "nan(1)", "-", "--", "***", "#REF!", "nil", "-999", "-999.0", "-9.99e2", "-999.",
    " -999 ", "xx", "XX", " NA ",
    // numbers
    "1.5", "1d3", "1D+3", "1e3", "1E-3", "+5", "-5", ".5", "5.", "0x10", "10h", "inf", "-Inf",
    "infinity", "+infinity", "1e999", "-1e999", "1e-999", "1e39", "300", "3000000000", "1.0", "1e2",
    "0", "-0", "00017", "1'000", "1_000", "1 000", "1.0+300", "1q5", "e5", "1e", "+", ".",
    // other cells
    "abc", "1x", "x1", "1.2.3", "1,5", "2010-01", "2010-01-05", "2010-01-05T12:30:00Z", "12:30",
    "1974Q1", "5%", "\xC3\xA9t\xC3\xA9",
    "a cell that is longer than what a message shows of one cell",
    // logicals
    "T", "F", "t", ".true.", ".T.", "true", "FALSE", "yes", "Txyz", ".true", "1.",
    // complex numbers
    "1.5-2j", "2j", "1+i", "1e3-2.5e-1j", "1+", "1-2", "j"};

TEST_F(OneVocabulary, CellsAreTheSameByEveryWay) {
  std::size_t place = 0;
  for (const element& of : elements)
    for (const char* const missing :
         {(const char*)nullptr, "nan", "-1", "error,-999,xx", "0,T,-999", "T,xx"})
      for (const char* const cell : cells) {
        if (std::strchr(cell, ',') != nullptr || place++ % one_of(5) != 0) continue;
        expect_same(of, {missing}, cell);
      }
  for (const int status : {0, int(HR_MISSING_VALUE), int(HR_BAD_NUMBER),
                           int(HR_NUMBER_OUT_OF_RANGE), int(HR_OPTION_UNKNOWN)})
    EXPECT_GT(seen_[status], 20 / one_of(5)) << status;
}

TEST_F(OneVocabulary, ADecimalCommaIsTheSameByEveryWay) {
  for (const element& of : elements)
    for (const char* const missing : {(const char*)nullptr, "nan;-9,9"})
      for (const char* const cell :
           {"1,5", "1.5", "-9,9", "-9,90", "-9.9", "1,5e3", ",5", "5,", "NULL", "1,2,3"})
        expect_same(of, {missing, ','}, cell);
}

TEST_F(OneVocabulary, QuotedCellsAreTheSame) {
  for (const element& of : elements)
    for (const char* const cell :
         {"\"1\"", "\"\"", "\"NA\"", "\"abc\"", "\" 1 \"", "\"1\" ", "1\"", "a\"b"}) {
      SCOPED_TRACE(cell);
      put_cell(of, {}, cell);
      const outcome array = by_array(of, {}, false);
      const outcome table = by_table(of, {});
      EXPECT_EQ(array.text(), table.text());  // the place is that of the cell or of its text
    }
}

TEST_F(OneVocabulary, WrongRowsAreTheSame) {
  expect_same_file("x,y\n1,2\n1,2,3\n");
  expect_same_file("x,y\n1,2\n1\n");
  expect_same_file("x,y\n1,2\n\n1,2,\n");
  expect_same_file("x,y\r\n1,2\r\n1\r\n");
  expect_same_file("x,y\n1,2\n\"1,2\n");
  expect_same_file("x,y\n1,2\n\"1\"2,2\n");
  expect_same_file("x,y\n1,2\n1,\"2\"\"\n");
  expect_same_file(std::string("x,y\n1,2\n1\0", 10) + ",2\n");
  expect_same_file(std::string("\xFF\xFEx\0,\0", 6));
}

}  // namespace
}  // namespace headrace
