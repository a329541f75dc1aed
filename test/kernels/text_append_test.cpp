// Rows that are appended must have the columns of the file; refused ones leave it as it was.
#include <cstring>
#include <vector>

#include "headrace.h"
#include "headrace_tables.h"
#include "scratch.hpp"

namespace headrace {
namespace {

class TextAppend : public Scratch {
 protected:
  int append(const std::string& name, std::vector<const char*> header = {}, int columns = 2,
             const char* delimiter = nullptr, const char* number = nullptr) {
    std::vector<double> values(static_cast<std::size_t>(columns), 0.5);
    const hr_array array{values.data(), 8, HR_TYPE_REAL, 2, {1, columns}, {8, 8}};
    hr_write_options options{};
    options.append = "yes";
    options.delimiter = delimiter;
    options.number = number;
    options.header = header.empty() ? nullptr : header.data();
    options.header_count = static_cast<int>(header.size());
    error_ = {};
    return hr_write_array(path(name).c_str(), &array, &options, &error_);
  }

  // A file that is left as it was.
  void refuses(int code, const std::string& text, std::vector<const char*> header = {},
               int columns = 2, const char* delimiter = nullptr) {
    put(path("x.csv"), text);
    EXPECT_EQ(append("x.csv", std::move(header), columns, delimiter), code)
        << text << error_.message;
    EXPECT_EQ(content(path("x.csv")), text);
    EXPECT_TRUE(said("x.csv")) << error_.message;
  }

  void takes(const std::string& text, std::vector<const char*> header = {}, int columns = 2,
             const char* delimiter = nullptr) {
    put(path("x.csv"), text);
    EXPECT_EQ(append("x.csv", std::move(header), columns, delimiter), 0) << text << error_.message;
    EXPECT_EQ(content(path("x.csv")).substr(0, text.size()), text);
  }

  // A table of one row with columns of these names.
  int append_table(const std::vector<const char*>& names, hr_table_options options = {}) {
    hr_table table = 0;
    double value = 0.5;
    const hr_array array{&value, 8, HR_TYPE_REAL, 1, {1}, {8}};
    for (const char* name : names)
      EXPECT_EQ(hr_table_put(&table, name, &array, nullptr, &error_), 0) << error_.message;
    options.append = 1;
    error_ = {};
    const int code = hr_table_write(path("t.csv").c_str(), table, &options, &error_);
    EXPECT_EQ(hr_table_close(&table, nullptr), 0);
    return code;
  }

  // Reads a table and appends it to t.csv, which holds old.
  int append_read(const std::string& old, const std::string& rows, const char* missing) {
    put(path("t.csv"), old);
    put(path("rows.csv"), rows);
    hr_table table = 0;
    hr_table_options options{};
    options.missing = missing;
    EXPECT_EQ(hr_table_read(path("rows.csv").c_str(), &table, &options, &error_), 0)
        << error_.message;
    options = {};
    options.append = 1;
    error_ = {};
    const int code = hr_table_write(path("t.csv").c_str(), table, &options, &error_);
    EXPECT_EQ(hr_table_close(&table, nullptr), 0);
    return code;
  }

  bool said(const char* text) const { return std::strstr(error_.message, text) != nullptr; }

  hr_error error_{};
};

TEST_F(TextAppend, OtherNumbersOfColumnsAndOtherDelimitersAreRefused) {
  refuses(HR_ROW_LENGTH, "1,2,3\n");
  refuses(HR_ROW_LENGTH, "a,b,c\n1,2,3\n");
  refuses(HR_ROW_LENGTH, "1\n");
  refuses(HR_ROW_LENGTH, "1,2\n", {}, 2, ";");
  refuses(HR_BAD_NUMBER, "1;2\n", {}, 1);
  EXPECT_TRUE(said("delimiter=")) << error_.message;
  refuses(HR_BAD_NUMBER, "a;b\n", {}, 1);
  refuses(HR_ROW_LENGTH, "a;b\n1;2\n");
  refuses(HR_ROW_LENGTH, "x\n1,2,3\n");
  takes("1,2\n");
  takes("1,2");
  takes("a,b\n");
  takes("a,b\n1,2\n");
  takes("a title\na,b\n1,2\n");
  takes("\"a,b\",c\n\"1\",\n3,4\n");
  takes("1;2\n", {}, 2, ";");
  takes("1e999,NA\n");
  takes("");
}

TEST_F(TextAppend, NamesMustBeThoseOfTheFile) {
  refuses(HR_COLUMN_UNKNOWN, "b,a\n1,2\n", {"a", "b"});
  EXPECT_TRUE(said("expected \"a\", \"b\", found \"b\", \"a\"")) << error_.message;
  refuses(HR_COLUMN_UNKNOWN, "1,2\n", {"a", "b"});
  EXPECT_TRUE(said("no header")) << error_.message;
  refuses(HR_COLUMN_UNKNOWN, "a;b\n1;2\n", {"a", "b"});
  refuses(HR_COLUMN_UNKNOWN, "a,b,c\n1,2,3\n", {"a", "b"});
  takes("a,b\n1,2\n", {"a", "b"});
  takes("\"a,1\",\"b \"\"c\"\"\"\n1,2\n", {"a,1", "b \"c\""});
  takes("x1,x2\n1,2\n", {"x"});
}

TEST_F(TextAppend, AFirstWriteMakesTheHeaderThatLaterOnesFind) {
  for (const char* name : {"y.csv", "y.tsv", "y.txt", "y.csv.gz"})
    for (int i = 0; i < 3; ++i) {
      const int code = append(name, {"a b", "\"q\""});
      if (code == HR_COMPRESSION_UNAVAILABLE) break;
      EXPECT_EQ(code, 0) << name << error_.message;
      EXPECT_EQ(append(name, {"other", "q"}), i >= 0 ? HR_COLUMN_UNKNOWN : 0) << name;
      EXPECT_EQ(append(name, {}, 3), HR_ROW_LENGTH) << name;
    }
}

TEST_F(TextAppend, HeadersLongerThanTheFirstReadAreCompared) {
  for (const int columns : {1000, 20000, 200000}) {
    std::string text;
    for (int i = 0; i < columns; ++i) text += "name" + std::to_string(i) + ",";
    text.back() = '\n';
    takes(text, {}, columns);
    refuses(HR_ROW_LENGTH, text, {}, columns - 1);
  }
}

TEST_F(TextAppend, BitsAndStarsAreCells) {
  put(path("h.csv"), "0x3ff8000000000000,0x00\n");
  EXPECT_EQ(append("h.csv", {}, 2, nullptr, "hex"), 0) << error_.message;
  EXPECT_EQ(append("h.csv", {}, 3, nullptr, "hex"), HR_ROW_LENGTH) << error_.message;
  put(path("s.csv"), "*****,1.500\n");
  EXPECT_EQ(append("s.csv", {}, 2, nullptr, "f5.3"), 0) << error_.message;
}

TEST_F(TextAppend, AStatedShapeTakesNoRows) {
  std::vector<double> values(8, 1.0);
  const hr_array array{values.data(), 8, HR_TYPE_REAL, 3, {2, 2, 2}, {8, 16, 32}};
  ASSERT_EQ(hr_write_array(path("x.csv").c_str(), &array, nullptr, &error_), 0) << error_.message;
  const std::string old = content(path("x.csv"));
  EXPECT_EQ(append("x.csv"), HR_SHAPE_MISMATCH) << error_.message;
  EXPECT_EQ(content(path("x.csv")), old);
}

TEST_F(TextAppend, TablesMustHaveTheColumnsOfTheFile) {
  const std::string old = "a,\"b,c\"\n1,2\n";
  hr_table_options options{};
  const auto refused = [&](const std::vector<const char*>& names, int code) {
    put(path("t.csv"), old);
    EXPECT_EQ(append_table(names, options), code) << error_.message;
    EXPECT_EQ(content(path("t.csv")), old);
  };
  refused({"b,c", "a"}, HR_COLUMN_UNKNOWN);
  EXPECT_TRUE(said("expected \"b,c\", \"a\", found \"a\", \"b,c\"")) << error_.message;
  refused({"a", "x"}, HR_COLUMN_UNKNOWN);
  refused({"a"}, HR_COLUMN_UNKNOWN);
  options.delimiter = ';';
  refused({"a", "b,c"}, HR_COLUMN_UNKNOWN);
  options = {};
  options.no_header = 1;
  refused({"a", "b", "c"}, HR_ROW_LENGTH);
  EXPECT_EQ(append_table({"x", "y"}, options), 0) << error_.message;
  put(path("t.csv"), old);
  EXPECT_EQ(append_table({"a", "b,c"}), 0) << error_.message;
  EXPECT_EQ(content(path("t.csv")), old + "0.5,0.5\n");
}

TEST_F(TextAppend, TablesBeginALineOfTheirOwn) {
  put(path("t.csv"), "a,b\n1,2");
  EXPECT_EQ(append_table({"a", "b"}), 0) << error_.message;
  EXPECT_EQ(content(path("t.csv")), "a,b\n1,2\n0.5,0.5\n");
}

// Where blanks separate, a tab in a cell would be two cells.
TEST_F(TextAppend, TabsAreQuotedWhereBlanksSeparate) {
  char letters[] = "a\tbcde";
  const hr_array array{letters, 3, HR_TYPE_CHARACTER, 1, {2}, {3}};
  ASSERT_EQ(hr_write_array(path("c.txt").c_str(), &array, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(content(path("c.txt")), "\"a\tb\"\ncde\n");
  hr_table table = 0;
  ASSERT_EQ(hr_table_put(&table, "n", &array, nullptr, &error_), 0) << error_.message;
  ASSERT_EQ(hr_table_write(path("t.txt").c_str(), table, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(content(path("t.txt")), "n\n\"a\tb\"\ncde\n");
  EXPECT_EQ(hr_table_close(&table, nullptr), 0);
}

TEST_F(TextAppend, MissingTextsAndIdentifiersFitBelowNumbers) {
  const std::string old = "a,b\n1,2\n3,4\n";
  EXPECT_EQ(append_read(old, "a,b\n5,xx\n6,7\n", "xx"), 0) << error_.message;
  EXPECT_EQ(append_read("a,id\n1,007\n", "a,id\n5,A07\n", nullptr), 0) << error_.message;
  EXPECT_EQ(append_read(old, "a,b\n5,xx\n6,7\n", nullptr), HR_BAD_NUMBER);
  EXPECT_EQ(content(path("t.csv")), old);
}

TEST_F(TextAppend, LongTitlesAndManyOfThemHideNoRows) {
  std::string long_ones;
  for (int i = 0; i < 3; ++i) long_ones += std::string(2000, 't') + '\n';
  std::string many;
  for (int i = 0; i < 33; ++i) many += "title\n";
  for (const std::string& titles : {long_ones, many}) {
    takes(titles + "a,b,c\n1,2,3\n", {}, 3);
    refuses(HR_ROW_LENGTH, titles + "a,b,c\n1,2,3\n", {}, 2);
  }
  std::string endless;
  for (int i = 0; i < 50; ++i) endless += long_ones;
  refuses(HR_ROW_LENGTH, endless + "a,b,c\n1,2,3\n", {}, 3);
  EXPECT_TRUE(said("titles hide the rows")) << error_.message;
}

}  // namespace
}  // namespace headrace
