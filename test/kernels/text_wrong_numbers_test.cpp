// What once became numbers, headers or rows with status 0: each way of reading must refuse it.
#include <cmath>
#include <cstring>
#include <vector>

#include "headrace.h"
#include "headrace_tables.h"
#include "scratch.hpp"
#include "tiers.hpp"

namespace headrace {
namespace {

class WrongNumbers : public Scratch {
 protected:
  void TearDown() override {
    limit_tier(simd_tier::avx512);
    Scratch::TearDown();
  }

  // Reads a text into rows x columns reals of 8 bytes, or another type.
  int read(const std::string& text, int rows, int columns, hr_read_options options = {},
           int type = HR_TYPE_REAL, std::size_t elem_len = 8) {
    put(path("x.csv"), text);
    memory_.assign(static_cast<std::size_t>(rows * columns) * elem_len / sizeof(double) + 1, -1.0);
    const auto bytes = static_cast<std::ptrdiff_t>(elem_len);
    const hr_array array{memory_.data(), elem_len, type, 2, {rows, columns}, {bytes, bytes * rows}};
    error_ = {};
    return hr_read_array(path("x.csv").c_str(), &array, &options, &error_);
  }

  int shape(const std::string& text, hr_read_options options = {}, const char* name = "x.csv") {
    put(path(name), text);
    rows_ = columns_ = -1;
    error_ = {};
    return hr_text_shape(path(name).c_str(), &options, &rows_, &columns_, &error_);
  }

  // One text as a value of a type.
  int scalar(const std::string& text, int type, std::size_t elem_len, hr_text_style style = {}) {
    memory_.assign(4, -1.0);
    const hr_array value{memory_.data(), elem_len, type, 0, {}, {}};
    error_ = {};
    return hr_text_to_value(text.data(), text.size(), &value, &style, &error_);
  }

  int table(const std::string& text, hr_table_options options = {}) {
    put(path("t.csv"), text);
    error_ = {};
    return hr_table_read(path("t.csv").c_str(), &table_, &options, &error_);
  }

  int column(const char* name, int type, std::size_t elem_len, std::ptrdiff_t rows) {
    memory_.assign(static_cast<std::size_t>(rows) * 2 + 1, -1.0);
    const hr_array array{
        memory_.data(), elem_len, type, 1, {rows}, {static_cast<std::ptrdiff_t>(elem_len)}};
    error_ = {};
    return hr_table_get(table_, name, 0, &array, nullptr, &error_);
  }

  std::string type_of(const char* name) {
    hr_text text{nullptr, 0};
    EXPECT_EQ(hr_table_column_type(table_, name, 0, &text, &error_), 0) << error_.message;
    const std::string type(text.bytes, text.length);
    hr_text_free(&text);
    return type;
  }

  bool said(const std::string& text) const { return std::strstr(error_.message, text.c_str()); }

  std::vector<double> memory_;
  long long rows_ = -1;
  long long columns_ = -1;
  hr_table table_ = 0;
  hr_error error_{};
};

const char* const no_numbers[] = {"2010-01", "1974Q1", "55-1234", "1+300",   "1.5-3", "1q5",
                                  "1.0Q+02", "2-3",    "1.+5",    ".5-1",    "12:30", "2010-01-05",
                                  "1.5.2",   "1,5",    "0x10",    "1_000",   "1 000", "5%",
                                  "(5)",     "1e5-3",  "1974q1",  "1-1-1",   "-1-1",  "+1+1",
                                  "00-00",   "1d5q2",  "1e+5+1",  "12-34.5", "1974Q", "Q1"};

TEST_F(WrongNumbers, CellsThatAreNoNumbersAreRefusedOnEveryTier) {
  for (const simd_tier tier : tiers_of_this_machine()) {
    limit_tier(tier);
    for (const std::string bad : no_numbers)
      for (const int rows : {1, 3, 70, 200})
        for (const std::size_t elem_len : {4, 8}) {
          hr_read_options options{};
          options.delimiter = ";";
          options.header = "no";
          std::string text;
          for (int row = 0; row < rows; ++row)
            text += (row == rows / 2 ? bad : std::to_string(row)) + ";2\n";
          ASSERT_EQ(read(text, rows, 2, options, HR_TYPE_REAL, elem_len), HR_BAD_NUMBER)
              << bad << " of " << rows << " rows, tier " << name_of(tier);
          ASSERT_TRUE(said("x.csv:" + std::to_string(rows / 2 + 1) + ":1")) << error_.message;
          ASSERT_TRUE(said('"' + bad + '"')) << error_.message;
        }
  }
}

TEST_F(WrongNumbers, ScalarsAndColumnsOfTablesRefuseThem) {
  for (const std::string bad : no_numbers) {
    EXPECT_EQ(scalar(bad, HR_TYPE_REAL, 8), HR_BAD_NUMBER) << bad;
    EXPECT_EQ(scalar(bad, HR_TYPE_REAL, 4), HR_BAD_NUMBER) << bad;
    EXPECT_EQ(scalar(bad, HR_TYPE_INTEGER, 4), HR_BAD_NUMBER) << bad;
    EXPECT_EQ(scalar(bad, HR_TYPE_COMPLEX, 16), HR_BAD_NUMBER) << bad;
    ASSERT_EQ(table("n;t\n" + bad + ";2\n",
                    [] {
                      hr_table_options options{};
                      options.delimiter = ';';
                      return options;
                    }()),
              0)
        << error_.message;
    EXPECT_EQ(column("n", HR_TYPE_REAL, 8, 1), HR_BAD_NUMBER) << bad;
    EXPECT_TRUE(said("row 1, column 1 (n): ") && said("found \"" + bad + '"')) << error_.message;
    EXPECT_NE(type_of("n"), "real") << bad;
    EXPECT_NE(type_of("n"), "integer") << bad;
  }
  EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
}

TEST_F(WrongNumbers, MessagesSayWhatToDo) {
  EXPECT_EQ(read("a,b\n2010-01,2\n", 1, 2), HR_BAD_NUMBER);
  EXPECT_TRUE(said("neither a header nor numbers") || said("since=")) << error_.message;
  EXPECT_EQ(read("1,2\n2010-01,2\n", 2, 2), HR_BAD_NUMBER);
  EXPECT_TRUE(said("since= as seconds")) << error_.message;
  EXPECT_EQ(read("1,2\n1974Q1,2\n", 2, 2), HR_BAD_NUMBER);
  EXPECT_TRUE(said("edit=\"*\"")) << error_.message;
  ASSERT_EQ(table("n,t\n2010-01,1974Q1\n"), 0) << error_.message;
  EXPECT_EQ(column("n", HR_TYPE_REAL, 8, 1), HR_BAD_NUMBER);
  EXPECT_TRUE(said("since=")) << error_.message;
  EXPECT_EQ(column("t", HR_TYPE_REAL, 8, 1), HR_BAD_NUMBER);
  EXPECT_TRUE(said("exponent has e or d")) << error_.message;
  EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
}

TEST_F(WrongNumbers, UsualNumbersAreNumbersStill) {
  const struct {
    const char* text;
    double value;
  } numbers[] = {{"1e5", 1e5},       {"1E+05", 1e5}, {"1d-5", 1e-5},     {"1.0D+3", 1000},
                 {".5", .5},         {"5.", 5},      {"+.5", .5},        {"-0", -0.0},
                 {"1e0000005", 1e5}, {" 7\t", 7},    {"-inf", -HUGE_VAL}};
  for (const auto& one : numbers) {
    ASSERT_EQ(read(std::string("0;") + one.text + "\n1;2\n", 2, 2,
                   [] {
                     hr_read_options options{};
                     options.delimiter = ";";
                     return options;
                   }()),
              0)
        << one.text << error_.message;
    EXPECT_EQ(memory_[2], one.value) << one.text;
    ASSERT_EQ(scalar(one.text, HR_TYPE_REAL, 8), 0) << error_.message;
    EXPECT_EQ(memory_[0], one.value) << one.text;
  }
}

TEST_F(WrongNumbers, ReadThroughAFormatTakesExponentsWithoutALetter) {
  for (const char* edit : {"*", "(f8.0)"}) {
    hr_read_options options{};
    options.edit = edit;
    put(path("x.dat"), "  1.+300\n   1.0Q2\n  2.-003\n");
    std::vector<double> values(3);
    const hr_array array{values.data(), 8, HR_TYPE_REAL, 1, {3}, {8}};
    ASSERT_EQ(hr_read_array(path("x.dat").c_str(), &array, &options, &error_), 0)
        << edit << error_.message;
    EXPECT_EQ(values, (std::vector<double>{1e300, 100, 0.002})) << edit;
  }
}

TEST_F(WrongNumbers, ADecimalCommaMakesPointsNoPartOfNumbers) {
  hr_read_options options{};
  options.decimal = ",";
  EXPECT_EQ(read("1,5;2\n1.234;2\n", 2, 2, options), HR_BAD_NUMBER);
  EXPECT_TRUE(said("\"1.234\"")) << error_.message;
  hr_text_style style{};
  style.decimal = ",";
  EXPECT_EQ(scalar("1.234", HR_TYPE_REAL, 8, style), HR_BAD_NUMBER);
  EXPECT_EQ(scalar("1,234", HR_TYPE_REAL, 8, style), 0);
  EXPECT_EQ(memory_[0], 1.234);
}

TEST_F(WrongNumbers, LogicalsAreWholeWords) {
  for (const std::string bad : {"Tom", "Tuesday", "falsch", "trueish", ".tr", "T.", "..t.", "."}) {
    EXPECT_EQ(scalar(bad, HR_TYPE_LOGICAL, 4), HR_BAD_NUMBER) << bad;
    EXPECT_EQ(read("T,F\n" + bad + ",F\n", 2, 2, {}, HR_TYPE_LOGICAL, 4), HR_BAD_NUMBER) << bad;
  }
  for (const std::string good : {"T", "t", "TRUE", ".true.", ".T.", ".t", "True"}) {
    EXPECT_EQ(scalar(good, HR_TYPE_LOGICAL, 8), 0) << good << error_.message;
    std::int64_t value = 0;
    std::memcpy(&value, memory_.data(), sizeof value);
    EXPECT_EQ(value, 1) << good;
    EXPECT_EQ(read("F,F\n" + good + ",F\n", 2, 2, {}, HR_TYPE_LOGICAL, 4), 0) << error_.message;
  }
}

TEST_F(WrongNumbers, ComplexCellsHaveTwoWholeParts) {
  hr_read_options options{};
  options.delimiter = ";";
  for (const std::string bad :
       {"2010-01", "1,2", "(5)", "(1,)", "(,1)", "(1,2", "1,2)", "j", "1974Q1", "1+300", "1-2-3j",
        "2010-01-05j", "1q-5j", "()", "(1,2,3)"}) {
    EXPECT_EQ(read("1;2\n" + bad + ";3\n", 2, 2, options, HR_TYPE_COMPLEX, 16), HR_BAD_NUMBER)
        << bad;
    EXPECT_EQ(scalar(bad, HR_TYPE_COMPLEX, 16), HR_BAD_NUMBER) << bad;
  }
  for (const std::string good :
       {"(1.5,-2)", "1.5-2j", "1.5-2i", "1.5-2*1i", "1.5-2e0j", "15e-1-2j"}) {
    ASSERT_EQ(read("1;2\n" + good + ";3\n", 2, 2, options, HR_TYPE_COMPLEX, 16), 0)
        << good << error_.message;
    EXPECT_EQ(memory_[2], 1.5) << good;
    EXPECT_EQ(memory_[3], -2) << good;
  }
}

struct header_case {
  const char* text;
  int status;
  long long rows;
  const char* delimiter = nullptr;
};

TEST_F(WrongNumbers, OnlyNamesAboveNumbersAreAHeader) {
  const header_case cases[] = {
      {"a,b\n1,2\n", 0, 1},
      {"\"a\",\"b\"\n1,2\n", 0, 1},
      {"\"a,1\",\"b \"\"c\"\"\"\n1,2\n", 0, 1},
      {"# t,x\n1,2\n", 0, 1},
      {"# t x\n1 2\n", 0, 1, "blank"},
      {"time [s],v (m/s)\n1,2\n", 0, 1},
      {"id,2m_temperature\n1,2\n", 0, 1},
      {"\xce\xb1,\xce\xb2\n1,2\n", 0, 1},
      {",a,b\n1,2,3\n", 0, 1},
      {"a,b\nNA,\n1,2\n", 0, 2},
      {"a,b\n1,NA\n", 0, 1},
      {"a,b\n", 0, 0},
      {"a,b", 0, 0},
      {"\"open,2\n3,4\n", HR_QUOTE_UNBALANCED, 0},
      {"\"open\n3\n", HR_QUOTE_UNBALANCED, 0},
      {"a;b", HR_BAD_NUMBER, 0},
      {"Tom,Eve\nBob,Ann\n", HR_BAD_NUMBER, 0},
      {"2m,10m\n1,2\n", 0, 2},  // a row that reading refuses
      {"1.5.2,3..4\n1,2\n", 0, 2},
      {"-,-\n1,2\n", 0, 2},
      {"2010-01-05,12:30\n1,2\n", 0, 2},
      {"2010-01-05,x\nTom,2\n", HR_BAD_NUMBER, 0},
      {"1;2;3", 0, 1},
      {"1;2;3\n", 0, 1},
      {"1,2", 0, 1, "blank"},
      {"1,2", 0, 1},
  };
  for (const header_case& one : cases) {
    hr_read_options options{};
    options.delimiter = one.delimiter;
    EXPECT_EQ(shape(one.text, options), one.status) << one.text << error_.message;
    EXPECT_EQ(rows_, one.rows) << one.text;
    EXPECT_TRUE(one.status != HR_BAD_NUMBER || said("header=")) << error_.message;
  }
}

TEST_F(WrongNumbers, FirstRowsThatAreNoHeaderAreErrorsAndNeverVanish) {
  hr_read_options nan{};
  nan.missing = "nan";
  hr_read_options blank{};
  blank.delimiter = "blank";
  hr_read_options hexadecimal{};
  hexadecimal.number = "hex";
  const struct {
    const char* text;
    hr_read_options options;
  } cases[] = {{"1.5.2,3..4\n1,2\n", {}},
               {"-,-\n1,2\n", nan},
               {"2010-01-05,12:30\n1,2\n", {}},
               {"1;2;3", {}},
               {"1,2", blank},
               {"0xZZ,ff", hexadecimal},
               {"0xZZ,ff\n", hexadecimal},
               {"2m,10m\n1,2\n", {}}};
  for (const auto& one : cases)
    for (int rows = 0; rows <= 2; ++rows)
      for (int columns = 1; columns <= 3; ++columns) {
        const int code = read(one.text, rows, columns, one.options);
        EXPECT_NE(code, 0) << one.text << " as " << rows << " x " << columns;
        EXPECT_TRUE(code != HR_BAD_NUMBER || said("header=")) << error_.message;
      }
  hr_read_options certain{};
  certain.header = "yes";
  EXPECT_EQ(read("1.5.2,3..4\n1,2\n", 1, 2, certain), 0) << error_.message;
  EXPECT_EQ(read("2010,2011\n1,2\n", 1, 2, certain), 0) << error_.message;
}

TEST_F(WrongNumbers, WholeHexadecimalDigitsAreNoNames) {
  hr_read_options options{};
  options.number = "hex";
  EXPECT_EQ(read("ab,cd\nef,01\n", 2, 2, options, HR_TYPE_INTEGER, 1), 0) << error_.message;
  EXPECT_EQ(read("ab,cd\n0xef,01\n", 2, 2, options, HR_TYPE_INTEGER, 2), 0) << error_.message;
}

TEST_F(WrongNumbers, QuotesMustBeClosedInTheirLine) {
  const struct {
    const char* text;
    const char* place;
  } cases[] = {{"1,2\n3,\"4\n", "x.csv:2:3"},
               {"1,2\n\"3,4\n", "x.csv:2:1"},
               {"1,2\n\"3\",\"4\n", "x.csv:2:5"},
               {"1,2\n\"3\"0,4\n", "x.csv:2:4"},
               {"1,2\n3,\"\"\"4\n", "x.csv:2:3"}};
  for (const auto& one : cases) {
    EXPECT_EQ(read(one.text, 2, 2), HR_QUOTE_UNBALANCED) << one.text;
    EXPECT_TRUE(said(one.place)) << one.text << error_.message;
    EXPECT_EQ(shape(one.text), HR_QUOTE_UNBALANCED) << one.text;
  }
  for (const char* text :
       {"1,2\n3,4\"\n", "1,2\n3,4\"\"\n", "1,2\n3,4\"5\"\n", "1,2\n3,\"4\"\"5\"\n"}) {
    EXPECT_EQ(read(text, 2, 2), HR_BAD_NUMBER) << text;
    EXPECT_TRUE(said("x.csv:2:")) << error_.message;
  }
  for (const char* text :
       {"\"1\",\"2\"\n\"3\",\"4\"\n", "1,2\n\"3\" , \"4\" \r\n", "1,2\n3, \"4\""}) {
    EXPECT_EQ(read(text, 2, 2), 0) << text << error_.message;
    EXPECT_EQ(memory_[1], 3) << text;
    EXPECT_EQ(memory_[3], 4) << text;
  }
  hr_read_options blank{};
  blank.delimiter = "blank";
  EXPECT_EQ(read("1 2\n\"3\"\t\"4\"\n", 2, 2, blank), 0) << error_.message;
  EXPECT_EQ(read("1 2\n\"3\"4\n", 2, 2, blank), HR_QUOTE_UNBALANCED) << error_.message;
  EXPECT_EQ(read("1 2\n\"3 4\" 5\n", 2, 2, blank), HR_BAD_NUMBER) << error_.message;
}

// Lines longer than a block are taken apart in pieces.
TEST_F(WrongNumbers, QuotesMustBeClosedInLongLinesToo) {
  constexpr int columns = 400000;
  std::string line;
  for (int i = 0; i < columns; ++i) line += i % 7 == 0 ? "\"1.5\"," : "1.25,";
  line.back() = '\n';
  ASSERT_EQ(read(line + line, 2, columns), 0) << error_.message;
  EXPECT_EQ(memory_[1], 1.5);
  std::string open = line;
  open.replace(open.rfind("\"1.5\"") + 4, 1, " ");
  EXPECT_EQ(read(line + open, 2, columns), HR_QUOTE_UNBALANCED) << error_.message;
  EXPECT_TRUE(said("x.csv:2:")) << error_.message;
}

TEST_F(WrongNumbers, CarriageReturnsAloneEndNoLines) {
  for (const char* name : {"x.csv", "x.dat"}) {
    for (const char* text : {"1\r2\r3\r", "1,2\r3,4\r", "1 2\r3 4\r", "a\r1\r2", "1\r2"}) {
      EXPECT_EQ(shape(text, {}, name), HR_TEXT_ENCODING) << name << text;
      EXPECT_TRUE(said("carriage returns") && said("tr '")) << error_.message;
    }
    EXPECT_EQ(shape("1\r\n2\r\n3", {}, name), 0) << error_.message;
    EXPECT_EQ(rows_, 3);
    EXPECT_EQ(shape("1 \r \n2\r\n3\r", {}, name), 0) << error_.message;
    EXPECT_EQ(rows_, 3);
  }
  EXPECT_EQ(shape("1 2\n3 4\r5 6\n", {}, "x.dat"), HR_TEXT_ENCODING) << error_.message;
  for (const char delimiter : {',', ' '}) {
    hr_table_options options{};
    options.delimiter = delimiter;
    EXPECT_EQ(table("a b,c\r1,2\r3,4\r", options), HR_TEXT_ENCODING);
    EXPECT_TRUE(said("carriage returns")) << error_.message;
    EXPECT_EQ(table("a\r1\r2", options), HR_TEXT_ENCODING);
    EXPECT_EQ(table("a\r\n1\r\n2", options), 0) << error_.message;
  }
  EXPECT_EQ(table("\"a\rb\",c\r\n1,2\r\n"), 0) << error_.message;
  EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
}

TEST_F(WrongNumbers, TablesTakeNoDataForNames) {
  for (const char* text : {"1,2\n3,4\n", "5.1,3.5,setosa\n4.9,3.0,setosa\n",
                           "2010-01,2010-02\n1,2\n", ",1\n2,3\n", "nan,inf\n1,2\n"}) {
    EXPECT_EQ(table(text), HR_COLUMN_UNKNOWN) << text;
    EXPECT_TRUE(said("header=")) << error_.message;
    hr_table_options options{};
    options.any_header = 1;
    EXPECT_EQ(table(text, options), 0) << error_.message;
    options = {};
    options.no_header = 1;
    EXPECT_EQ(table(text, options), 0) << error_.message;
  }
  for (const char* text : {"country,2010,2011\nFR,1,2\n", "country,2010-01\nFR,1\n", "a\n"})
    EXPECT_EQ(table(text), 0) << text << error_.message;
  EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
}

}  // namespace
}  // namespace headrace
