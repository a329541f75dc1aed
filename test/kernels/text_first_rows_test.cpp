// First rows that are data and once vanished as a header, or were refused as none; and rows that
// once came below others of another form.
#include <cstring>
#include <vector>

#include "headrace.h"
#include "headrace_tables.h"
#include "scratch.hpp"

namespace headrace {
namespace {

class FirstRows : public Scratch {
 protected:
  int shape(const std::string& text, hr_read_options options = {}) {
    put(path("x.csv"), text);
    rows_ = columns_ = -1;
    error_ = {};
    return hr_text_shape(path("x.csv").c_str(), &options, &rows_, &columns_, &error_);
  }

  int shape_of(const std::string& text, int type, const char* delimiter = nullptr) {
    hr_read_options options{};
    options.type = type;
    options.delimiter = delimiter;
    return shape(text, options);
  }

  static hr_read_options semicolons() {
    hr_read_options options{};
    options.delimiter = ";";
    return options;
  }

  // Into as many rows and columns as shape() has found, or others.
  int read(hr_read_options options = {}, int type = HR_TYPE_REAL, std::size_t elem_len = 8) {
    const auto bytes = static_cast<std::ptrdiff_t>(elem_len);
    bytes_.assign(static_cast<std::size_t>(rows_ * columns_) * elem_len, '\x77');
    const hr_array array{bytes_.data(),         elem_len, type, 2, {rows_, columns_},
                         {bytes, bytes * rows_}};
    error_ = {};
    return hr_read_array(path("x.csv").c_str(), &array, &options, &error_);
  }

  template <class T>
  T value(std::size_t at) const {
    T result{};
    std::memcpy(&result, bytes_.data() + at * sizeof(T), sizeof(T));
    return result;
  }

  template <class T>
  int append(const std::string& old, std::vector<T> values, int type, const char* delimiter,
             const char* decimal, const char* number = nullptr,
             std::vector<const char*> header = {}) {
    put(path("a.csv"), old);
    const auto columns = static_cast<std::ptrdiff_t>(values.size());
    const hr_array array{values.data(), sizeof(T), type, 2, {1, columns}, {sizeof(T), sizeof(T)}};
    hr_write_options options{};
    options.append = "yes";
    options.delimiter = delimiter;
    options.decimal = decimal;
    options.number = number;
    options.header = header.empty() ? nullptr : header.data();
    options.header_count = static_cast<int>(header.size());
    error_ = {};
    const int code = hr_write_array(path("a.csv").c_str(), &array, &options, &error_);
    if (code != 0) {
      EXPECT_EQ(content(path("a.csv")), old);
    }
    return code;
  }

  int table(const std::string& text, hr_table_options options = {}) {
    put(path("t.csv"), text);
    error_ = {};
    return hr_table_read(path("t.csv").c_str(), &table_, &options, &error_);
  }

  std::string written(hr_table_options options = {}) {
    error_ = {};
    EXPECT_EQ(hr_table_write(path("w.csv").c_str(), table_, &options, &error_), 0)
        << error_.message;
    return content(path("w.csv"));
  }

  bool said(const char* text) const { return std::strstr(error_.message, text) != nullptr; }

  std::vector<char> bytes_;
  long long rows_ = -1;
  long long columns_ = -1;
  hr_table table_ = 0;
  hr_error error_{};
};

TEST_F(FirstRows, StarsAndErrorsOfSpreadsheetsAreNoNames) {
  hr_read_options nan{};
  nan.missing = "nan";
  for (const char* first : {"****,****", "*,*", "#VALUE!,#REF!", "#DIV/0!,#NAME?", "#NUM!,#NULL!",
                            "nil,nil", "-,-", "--,--", "****,a", "a,#N/A", "*****,1.5"})
    for (const hr_read_options& options : {hr_read_options{}, nan}) {
      ASSERT_EQ(shape(std::string(first) + "\n1,2\n", options), 0) << first << error_.message;
      EXPECT_EQ(rows_, 2) << first;
      EXPECT_EQ(read(options), HR_BAD_NUMBER) << first << error_.message;
      EXPECT_TRUE(said("header=") && said("x.csv:1:")) << error_.message;
      rows_ = 1;
      EXPECT_NE(read(options), 0) << first << " vanishes";
    }
  hr_read_options hexadecimal{};
  hexadecimal.number = "hex";
  EXPECT_EQ(shape("****\n01\n", hexadecimal), 0) << error_.message;
  EXPECT_EQ(rows_, 2);
  EXPECT_EQ(shape("*****\n1.5\n2.5\n"), 0) << error_.message;
  EXPECT_EQ(rows_, 3);
  hr_read_options yes{};
  yes.header = "yes";
  EXPECT_EQ(shape("****,****\n1,2\n", yes), 0) << error_.message;
  EXPECT_EQ(rows_, 1);
  // Missing ones are data as missing= says.
  for (const char* first : {"NULL,NULL", "#N/A,#N/A", "None,None", "none,NONE", "#NA,<NA>"}) {
    EXPECT_EQ(shape(std::string(first) + "\n1,2\n", nan), 0) << error_.message;
    EXPECT_EQ(rows_, 2);
    EXPECT_EQ(read(nan), 0) << error_.message;
    EXPECT_EQ(read({}), HR_MISSING_VALUE) << error_.message;
    EXPECT_TRUE(said("x.csv:1:1")) << error_.message;
  }
  hr_read_options stars{};
  stars.missing = "nan,****,--";
  EXPECT_EQ(shape("****,--\n1,2\n", stars), 0) << error_.message;
  EXPECT_EQ(rows_, 2);
  EXPECT_EQ(read(stars), 0) << error_.message;
}

TEST_F(FirstRows, MarksBesideNamesAreNamesStill) {
  hr_read_options blank{};
  blank.delimiter = "blank";
  for (const char* first : {"# t", "% t", "! t", "// t", "#t x", "n/a x"}) {
    EXPECT_EQ(shape(std::string(first) + "\n1 2\n", blank), 0) << error_.message;
    EXPECT_EQ(rows_, 1) << first;
    EXPECT_EQ(read(blank), 0) << first << error_.message;
  }
}

TEST_F(FirstRows, TablesTakeNoStarsForNames) {
  for (const char* text : {"****,****\n1,2\n", "#N/A,1\n1,2\n", "None\n1\n"}) {
    EXPECT_EQ(table(text), HR_COLUMN_UNKNOWN) << text;
    EXPECT_TRUE(said("header=")) << error_.message;
  }
  EXPECT_EQ(table("id,None\n1,2\n"), 0) << error_.message;
  EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
}

// It once became the names, and a row was lost.
TEST_F(FirstRows, TablesTakeNoMissingValuesForNames) {
  for (const char* text : {"NA,NA\n1,2\n3,4\n", ",\n1,2\n3,4\n", "NA,\n1,2\n", "n/a\n1\n",
                           ",null\nx,y\n", "\"\",\" \"\nx,y\n"}) {
    EXPECT_EQ(table(text), HR_COLUMN_UNKNOWN) << text;
    EXPECT_TRUE(said("header=")) << error_.message;
  }
  hr_table_options options{};
  options.missing = "-999,gone";
  EXPECT_EQ(table("gone,NA\n1,2\n", options), HR_COLUMN_UNKNOWN);
  for (const char* text : {"DE,NA,US\n1,2,3\n", ",x\n1,2\n", "gone,left\n1,2\n"}) {
    EXPECT_EQ(table(text, options), 0) << text << error_.message;  // names among them
    EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
  }
  options = {};
  options.any_header = 1;
  EXPECT_EQ(table("NA,NA\n1,2\n", options), 0) << error_.message;
  EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
}

TEST_F(FirstRows, HexadecimalDigitsAreDataOfAnyKind) {
  hr_read_options options{};
  options.number = "hex";
  ASSERT_EQ(shape("ff,ab\n01,02\n", options), 0) << error_.message;
  EXPECT_EQ(rows_, 2);
  for (const std::size_t elem_len : {1, 2, 4, 8})
    EXPECT_EQ(read(options, HR_TYPE_INTEGER, elem_len), 0) << elem_len << error_.message;
  ASSERT_EQ(shape("dead,beef\n0001,0002\n", options), 0) << error_.message;
  EXPECT_EQ(rows_, 2);
  ASSERT_EQ(read(options, HR_TYPE_INTEGER, 4), 0) << error_.message;
  EXPECT_EQ(value<std::int32_t>(0), 0xdead);
  EXPECT_EQ(value<std::int32_t>(3), 2);
  EXPECT_NE(read(options, HR_TYPE_INTEGER, 1), 0);
  ASSERT_EQ(shape("a1,b\n01,02\n", options), 0) << error_.message;
  EXPECT_EQ(rows_, 2);
  ASSERT_EQ(shape("ID,x\n01,02\n", options), 0) << error_.message;
  EXPECT_EQ(rows_, 1);
}

TEST_F(FirstRows, HexadecimalWordsThatMayBeNamesMustBeExplained) {
  hr_read_options options{};
  options.number = "hex";
  for (const char* text : {"a,b\n01,02\n", "dad,face\n01,02\n", "ab,beef\n01,02\n", "a,b\n"}) {
    options.header = nullptr;
    EXPECT_EQ(shape(text, options), HR_BAD_NUMBER) << text;
    EXPECT_TRUE(said("header=") && said("x.csv:1:1")) << error_.message;
    rows_ = columns_ = 2;
    for (const std::size_t elem_len : {1, 2, 4, 8})
      EXPECT_EQ(read(options, HR_TYPE_INTEGER, elem_len), HR_BAD_NUMBER) << text;
  }
  // Digits with 0x say what has none.
  options.header = nullptr;
  ASSERT_EQ(shape("a,b\n0x01,0x02\n", options), 0) << error_.message;
  EXPECT_EQ(rows_, 1);
  EXPECT_EQ(read(options, HR_TYPE_INTEGER, 1), 0) << error_.message;
  EXPECT_EQ(shape("a,b\n0x01,02\n", options), HR_BAD_NUMBER);
  options.header = "yes";
  ASSERT_EQ(shape("a,b\n01,02\n", options), 0) << error_.message;
  EXPECT_EQ(rows_, 1);
  EXPECT_EQ(read(options, HR_TYPE_INTEGER, 2), 0) << error_.message;
  options.header = "no";
  ASSERT_EQ(shape("a,b\n01,02\n", options), 0) << error_.message;
  EXPECT_EQ(rows_, 2);
  ASSERT_EQ(read(options, HR_TYPE_INTEGER, 2), 0) << error_.message;
  EXPECT_EQ(value<std::int16_t>(0), 10);
}

TEST_F(FirstRows, AQuotedHeaderMayBeginWithTheCommentCharacter) {
  hr_read_options options{};
  options.comment = "#";
  for (const char* text : {"\"#id\",\"x\"\n1,2\n", "# note\n\n\"#id\",\"x\" # note\n# note\n1,2\n",
                           "\"#id\",\"#x\"\n\"1\",2\n"})
    for (const char* header : {"", "yes"}) {
      options.header = header;
      ASSERT_EQ(shape(text, options), 0) << text << error_.message;
      EXPECT_EQ(rows_, 1) << text;
      EXPECT_EQ(columns_, 2) << text;
      ASSERT_EQ(read(options), 0) << text << error_.message;
      EXPECT_EQ(value<double>(1), 2);
    }
  options.header = "no";
  ASSERT_EQ(shape("\"#id\",\"x\"\n1,2\n", options), 0) << error_.message;
  EXPECT_EQ(rows_, 2);
  EXPECT_EQ(columns_, 2);
  EXPECT_EQ(read(options), HR_BAD_NUMBER);
}

TEST_F(FirstRows, AdviceNamesTheDecimalSign) {
  hr_read_options options{};
  options.decimal = ",";
  options.delimiter = ";";
  ASSERT_EQ(shape("2,5;1\n1.5;2\n", options), 0) << error_.message;
  EXPECT_EQ(read(options), HR_BAD_NUMBER);
  EXPECT_TRUE(said("decimal=\",\"") && !said("exponent")) << error_.message;
  options.decimal = ".";
  ASSERT_EQ(shape("2.5;1\n1,5;2\n", options), 0) << error_.message;
  EXPECT_EQ(read(options), HR_BAD_NUMBER);
  EXPECT_TRUE(said("decimal=\".\"") && !said("exponent")) << error_.message;
  ASSERT_EQ(shape("2.5;1\n1+300;2\n", options), 0) << error_.message;
  EXPECT_EQ(read(options), HR_BAD_NUMBER);
  EXPECT_TRUE(!said("other sign") && said("exponent")) << error_.message;
  hr_table_options comma{};
  comma.decimal = ',';
  ASSERT_EQ(table("n\n1.5\n", comma), 0) << error_.message;
  double number = 0;
  const hr_array array{&number, 8, HR_TYPE_REAL, 1, {1}, {8}};
  EXPECT_EQ(hr_table_get(table_, "n", 0, &array, nullptr, &error_), HR_BAD_NUMBER);
  EXPECT_TRUE(said("decimal=") && !said("exponent")) << error_.message;
  EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
}

TEST_F(FirstRows, RowsWithTheOtherDecimalSignAreNotAppended) {
  const auto reals = [&](const char* old, const char* decimal, std::vector<double> values,
                         const char* number = nullptr, std::vector<const char*> header = {}) {
    return append(old, std::move(values), HR_TYPE_REAL, ";", decimal, number, std::move(header));
  };
  for (const char* number : {"", "f8.3"}) {
    EXPECT_EQ(reals("1.5\n", ",", {3.5}, number), HR_BAD_NUMBER) << error_.message;
    EXPECT_TRUE(said("a.csv") && said("decimal=") && said("\"1.5\"")) << error_.message;
    EXPECT_EQ(reals("1.5;2\n", ",", {3.5, 1}, number), HR_BAD_NUMBER) << error_.message;
    EXPECT_EQ(reals("1;2\n1.5;2\n", ",", {3.5, 1}, number), HR_BAD_NUMBER) << error_.message;
    EXPECT_EQ(reals("1.5;2\n1;2\n", ",", {3.5, 1}, number), HR_BAD_NUMBER) << error_.message;
    EXPECT_EQ(reals("a;b\n1.5;NA\n", ",", {3.5, 1}, number), HR_BAD_NUMBER) << error_.message;
    EXPECT_EQ(reals("a;b\n1,5;2\n", ".", {3.5, 1}, number), HR_BAD_NUMBER) << error_.message;
    EXPECT_EQ(reals("*****;1.5\n", ",", {3.5, 1}, number), HR_BAD_NUMBER) << error_.message;
    EXPECT_EQ(reals("a;b\n1.5;2\n", ",", {3.5, 1}, number, {"a", "b"}), HR_BAD_NUMBER)
        << error_.message;
    EXPECT_EQ(reals("1,5;2\n", ",", {3.5, 1}, number), 0) << error_.message;
    EXPECT_EQ(reals("1;2\n", ",", {3.5, 1}, number), 0) << error_.message;
    EXPECT_EQ(reals("a;b\n1;2\n", ",", {3.5, 1}, number), 0) << error_.message;
    EXPECT_EQ(reals("2.5;m\n1,5;2\n", ",", {3.5, 1}, number), 0) << error_.message;
    EXPECT_EQ(reals("a;b\n", ",", {3.5, 1}, number), 0) << error_.message;
    EXPECT_EQ(reals("a;b\n1.5;2\n", ".", {3.5, 1}, number, {"a", "b"}), 0) << error_.message;
  }
}

TEST_F(FirstRows, LogicalsNumbersAndBitsAreNotAppendedToEachOther) {
  const std::vector<char> truths{1, 0};
  const std::vector<double> reals{1, 0.5};
  const auto logical = [&](const char* old) {
    return append(old, truths, HR_TYPE_LOGICAL, ",", nullptr);
  };
  const auto real = [&](const char* old, const char* number = nullptr,
                        std::vector<const char*> header = {}) {
    return append(old, reals, HR_TYPE_REAL, ",", nullptr, number, std::move(header));
  };
  EXPECT_EQ(logical("1,2\n"), HR_BAD_NUMBER) << error_.message;
  EXPECT_EQ(logical("a,b\n1.5,2\n"), HR_BAD_NUMBER) << error_.message;
  EXPECT_EQ(logical("0x3ff8000000000000,0x00\n"), HR_BAD_NUMBER) << error_.message;
  EXPECT_EQ(logical("T,F\n"), 0) << error_.message;
  EXPECT_EQ(logical("a,b\nT,F\n"), 0) << error_.message;
  EXPECT_EQ(logical("a,b\n"), 0) << error_.message;
  EXPECT_EQ(real("T,F\n"), HR_BAD_NUMBER) << error_.message;
  EXPECT_EQ(real("a,b\nT,F\n"), HR_BAD_NUMBER) << error_.message;
  EXPECT_EQ(real("T,F\n", nullptr, {"T", "F"}), 0) << error_.message;
  EXPECT_EQ(real("T,F\n1,2\n"), 0) << error_.message;
  EXPECT_EQ(real("T,F\n1.5,2\n"), 0) << error_.message;
  EXPECT_EQ(real("0x3ff8000000000000,0x00\n"), HR_BAD_NUMBER) << error_.message;
  EXPECT_EQ(real("1.5,2.5\n", "hex"), HR_BAD_NUMBER) << error_.message;
  EXPECT_EQ(real("a.b,c\n0x3ff8000000000000,0x00\n", "hex"), 0) << error_.message;
}

// numpy.savetxt and pandas write them in parentheses. They once were names, and the row was lost.
TEST_F(FirstRows, ComplexNumbersAreValuesForEveryType) {
  const std::vector<double> expected{1, 2, 3, -4};
  for (const char* text :
       {"(1+2j),(3-4j)\n", " (1.000e+00+2.000e+00j), (3.000e+00-4.000e+00j)\n", "1+2j,3-4j\n",
        "(1+2j),3-4j\n", "( 1+2j ),(3+-4j)\n", "\"(1,2)\",\"( 3 , -4 )\"\n"}) {
    ASSERT_EQ(shape_of(text, HR_TYPE_COMPLEX), 0) << text << error_.message;
    ASSERT_EQ(rows_ * columns_, 2) << text;
    ASSERT_EQ(read({}, HR_TYPE_COMPLEX, 16), 0) << text << error_.message;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(value<double>(i), expected[i]) << text;
    EXPECT_EQ(table(text), HR_COLUMN_UNKNOWN) << text;
    ASSERT_EQ(shape(text), 0) << text << error_.message;
    EXPECT_EQ(rows_, 1) << text;
    EXPECT_EQ(read(), HR_BAD_NUMBER) << text;
    EXPECT_EQ(shape(std::string(text) + "5,6\n"), 0) << text << error_.message;
    EXPECT_EQ(rows_, 2) << text;
  }
  for (const char* text :
       {"nanj", "(nan+nanj)", "(1-infj)", "infj", "(-0-1j)", "1j", "(1d2+1e-3j)", "1.5", "(2j)"}) {
    ASSERT_EQ(shape_of(std::string(text) + "\n1\n", HR_TYPE_COMPLEX), 0) << text << error_.message;
    EXPECT_EQ(rows_, 2) << text;
    EXPECT_EQ(read({}, HR_TYPE_COMPLEX, 16), 0) << text << error_.message;
  }
  for (const char* text :
       {"(1+2k)", "(", "()", "(1+2j", "1+2j)", "(j)", "(1,2,3)", "(+)", "((1j))"}) {
    ASSERT_EQ(shape_of(std::string("1;1\n") + text + ";1\n", HR_TYPE_COMPLEX, ";"), 0) << text;
    EXPECT_EQ(read(semicolons(), HR_TYPE_COMPLEX, 16), HR_BAD_NUMBER) << text;
  }
}

TEST_F(FirstRows, ValuesWithMarksInFrontAreNoNames) {
  for (const char* first : {"(1e5,2e3)", "<1e-5,<2e-5", "~1e3,~2e3", "[1e5,2e5]", "ND,ND", "x,x"}) {
    const std::string text = std::string(first) + "\n1,2\n";
    ASSERT_EQ(shape(text), 0) << text << error_.message;
    EXPECT_EQ(rows_, 2) << text;
    EXPECT_EQ(read(), HR_BAD_NUMBER) << text;
    EXPECT_TRUE(said("header=")) << error_.message;
  }
  EXPECT_EQ(table("ND,ND\n1,2\n"), HR_COLUMN_UNKNOWN);
  hr_read_options missing{};
  missing.missing = "nan,ND";
  ASSERT_EQ(shape("ND,ND\n1,2\n", missing), 0) << error_.message;
  EXPECT_EQ(rows_, 2);
  EXPECT_EQ(read(missing), 0) << error_.message;
  std::int64_t names = -1;
  hr_text text{};
  EXPECT_EQ(hr_column_names(path("x.csv").c_str(), &missing, &text, &names, &error_), 0)
      << error_.message;
  EXPECT_EQ(names, 0);  // as the rows say
  hr_text_free(&text);
}

TEST_F(FirstRows, LogicalsAboveLogicalsAreNoNames) {
  EXPECT_EQ(table("T,F\nF,F\n"), HR_COLUMN_UNKNOWN);
  EXPECT_EQ(table("T,F\n"), HR_COLUMN_UNKNOWN);
  EXPECT_EQ(table("nan,nan\n1,2\n"), HR_COLUMN_UNKNOWN);
  for (const char* text : {"t,f\n1,2\n", "x,f\n1,T\n"}) {
    EXPECT_EQ(table(text), 0) << text << error_.message;
    EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
  }
}

TEST_F(FirstRows, QuotesAboveNoneSayThatNumbersAreNames) {
  for (const char* text : {"\"2010\",\"2011\"\n1,3\n2,4\n", "\"2010\" , a\n1,3\n2,4\n",
                           "\"2010\",\"2011\"\n1,\n2,4\n"}) {
    hr_read_options nan{};
    nan.missing = "nan";
    ASSERT_EQ(shape(text, nan), 0) << text << error_.message;
    EXPECT_EQ(rows_, 2) << text;
    EXPECT_EQ(read(nan), 0) << text << error_.message;
    EXPECT_EQ(value<double>(1), 2) << text;
    ASSERT_EQ(table(text), 0) << text << error_.message;
    std::int64_t rows = 0;
    ASSERT_EQ(hr_table_shape(table_, &rows, nullptr, &error_), 0);
    EXPECT_EQ(rows, 2) << text;
    EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
  }
  // They may be values: spreadsheets quote what holds a comma, and nothing in the other rows.
  for (const char* text :
       {"\"1,078\"\n45\n", "\"1,234\",\"2,345\"\n999,888\n", "\"1.5\",\"2\"\n3,4\n", "\"5%\"\n4\n",
        "\"1\",\"NA\"\n1,2\n", "\"****\"\n1\n", "\"1\",\"2\"\n3\n"}) {
    hr_read_options nan{};
    nan.missing = "nan";
    EXPECT_NE(shape(text, nan) == 0 ? read(nan) : 1, 0) << text;
  }
  for (const char* text :
       {"\"1\",\"2\"\n\"3\",4\n", "\"1\",2\n3,4\n", "1,2\n3,4\n", "\"1\",\"2\"\n\"3\",\"4\"\n"}) {
    ASSERT_EQ(shape(text), 0) << text << error_.message;
    EXPECT_EQ(rows_, 2) << text;
    EXPECT_EQ(table(text), HR_COLUMN_UNKNOWN) << text;
  }
  // A number is quoted because it holds the delimiter.
  hr_table_options comma{};
  comma.decimal = comma.delimiter = ',';
  EXPECT_EQ(table("\"1,5\",\"2,5\"\n3,4\n", comma), HR_COLUMN_UNKNOWN);
  // Nothing says what these are.
  for (const char* text :
       {"\"NA\",\"NA\"\n1,2\n", "\"1\",\"2\"\n", "\"1\"\n", "\"1\",\"2\"\n,NA\n"}) {
    EXPECT_EQ(shape(text), HR_BAD_NUMBER) << text;
    EXPECT_TRUE(said("header=")) << error_.message;
    EXPECT_EQ(table(text), HR_COLUMN_UNKNOWN) << text;
  }
}

TEST_F(FirstRows, TablesWithoutNamesAreWrittenWithoutNames) {
  hr_table_options no{};
  no.no_header = 1;
  const std::string numbers = "1.5,2\n3,4\n";
  ASSERT_EQ(table(numbers, no), 0) << error_.message;
  EXPECT_EQ(written(), numbers);
  ASSERT_EQ(hr_table_read(path("w.csv").c_str(), &table_, &no, &error_), 0) << error_.message;
  double values[] = {7, 8};
  const hr_array array{values, 8, HR_TYPE_REAL, 1, {2}, {8}};
  ASSERT_EQ(hr_table_put(&table_, "2", &array, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(written(), "1.5,7.0\n3,8.0\n");
  hr_table_options more{};
  more.append = 1;
  EXPECT_EQ(written(more), "1.5,7.0\n3,8.0\n1.5,7.0\n3,8.0\n");
  hr_table_options any{};
  any.any_header = 1;
  EXPECT_EQ(written(any), "\"1\",\"2\"\n1.5,7.0\n3,8.0\n");
  ASSERT_EQ(hr_table_read(path("w.csv").c_str(), &table_, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(written(), "\"1\",\"2\"\n1.5,7.0\n3,8.0\n");  // these are names
  ASSERT_EQ(table(numbers, no), 0) << error_.message;
  ASSERT_EQ(hr_table_put(&table_, "sum", &array, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(written(), "\"1\",\"2\",sum\n1.5,2,7.0\n3,4,8.0\n");
  EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
}

}  // namespace
}  // namespace headrace
