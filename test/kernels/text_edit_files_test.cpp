// Files that are read and written through edit=: byte order marks, and where messages point to.
#include <cstring>
#include <vector>

#include "headrace.h"
#include "headrace_rows.h"
#include "headrace_tables.h"
#include "scratch.hpp"

namespace headrace {
namespace {

class TextEditFiles : public Scratch {
 protected:
  // Reads a text into three reals.
  int read(const std::string& text, const char* edit, const char* decimal = nullptr,
           int skip_rows = 0) {
    put(path("x.dat"), text);
    return read_file("x.dat", edit, decimal, skip_rows);
  }

  int read_file(const char* name, const char* edit, const char* decimal, int skip_rows) {
    hr_read_options options{};
    options.edit = edit;
    options.decimal = decimal;
    options.skip_rows = skip_rows;
    values_.assign(3, -1.0);
    return hr_read_array(path(name).c_str(), &array_, &options, &error_);
  }

  int write(const char* name, const char* edit, const char* decimal) {
    hr_write_options options{};
    options.edit = edit;
    options.decimal = decimal;
    return hr_write_array(path(name).c_str(), &array_, &options, &error_);
  }

  bool said(const char* text) const { return std::strstr(error_.message, text) != nullptr; }

  std::vector<double> values_ = {1.5, 2.5, 3.5};
  hr_array array_{values_.data(), 8, HR_TYPE_REAL, 1, {3}, {8}};
  hr_error error_{};
};

TEST_F(TextEditFiles, SkippedLinesAreCountedInMessages) {
  for (const char* edit : {"*", "(f3.1)"}) {
    EXPECT_EQ(read("head\nhead\n1.5\nx.5\n3.5\n", edit, nullptr, 2), HR_BAD_NUMBER) << edit;
    EXPECT_TRUE(said("x.dat:4:1")) << error_.message;
    EXPECT_EQ(read("head\n\n1.5\n", edit, nullptr, 2), HR_END_OF_FILE) << edit;
    EXPECT_TRUE(said("x.dat:4")) << error_.message;
  }
  EXPECT_EQ(read("head\nhead\n1.52.5x.5\n", "(3f3.1)", nullptr, 2), HR_BAD_NUMBER);
  EXPECT_TRUE(said("x.dat:3:7")) << error_.message;
}

TEST_F(TextEditFiles, ByteOrderMarksOfUtf8AreSkipped) {
  const std::string mark = "\xef\xbb\xbf";
  for (const char* edit : {"(f3.1)", "(3f4.1)", "*"}) {
    const std::string rows =
        std::strcmp(edit, "(3f4.1)") == 0 ? " 1.5 2.5 3.5\n" : "1.5\n2.5\n3.5\n";
    for (const std::string& text : {rows, mark + rows}) {
      EXPECT_EQ(read(text, edit), 0) << edit << error_.message;
      EXPECT_EQ(values_, (std::vector<double>{1.5, 2.5, 3.5})) << edit;
    }
    EXPECT_EQ(read(mark + "x\n" + rows, edit, nullptr, 1), 0) << edit << error_.message;
    EXPECT_EQ(values_, (std::vector<double>{1.5, 2.5, 3.5})) << edit;
  }
  EXPECT_EQ(read(mark, "*"), HR_END_OF_FILE) << error_.message;
  EXPECT_EQ(read("\xef\xbb", "*"), HR_BAD_NUMBER) << error_.message;
  EXPECT_EQ(read("1.5\n" + mark + "2.5\n3.5\n", "*"), HR_BAD_NUMBER) << error_.message;
}

// As gfortran: elements before the failure have their values, those behind it do not change.
TEST_F(TextEditFiles, AFailedReadChangesNothingBehindTheFailure) {
  constexpr std::size_t rows = 200000;
  std::string text;
  char line[16];
  for (std::size_t row = 0; row < rows; ++row) {
    std::snprintf(line, sizeof line, "%8.2f\n", static_cast<double>(row % 10000));
    text += line;
  }
  for (const std::size_t bad :
       {std::size_t{0}, std::size_t{3}, std::size_t{70}, rows / 2, rows - 1})
    for (const int threads : {1, 4})
      for (const std::ptrdiff_t step : {1, 2}) {
        std::string wrong = text;
        wrong.replace(bad * 9, 8, "    oops");
        put(path("y.dat"), wrong);
        std::vector<double> values(rows * 2, -1.0);
        const hr_array array{values.data(), 8, HR_TYPE_REAL, 1, {static_cast<std::ptrdiff_t>(rows)},
                             {8 * step}};
        hr_read_options options{};
        options.edit = "(f8.2)";
        options.threads = threads;
        ASSERT_EQ(hr_read_array(path("y.dat").c_str(), &array, &options, &error_), HR_BAD_NUMBER);
        for (std::size_t row = 0; row < rows; ++row) {
          const double expected = row < bad ? static_cast<double>(row % 10000) : -1.0;
          ASSERT_EQ(values[row * static_cast<std::size_t>(step)], expected)
              << "element " << row << ", bad " << bad << ", threads " << threads;
        }
      }
}

TEST_F(TextEditFiles, Utf16IsRefusedByName) {
  for (const char* edit : {"(f3.1)", "(f1.0)", "(2x,f1.0)", "*"})
    for (const char* mark : {"\xff\xfe", "\xfe\xff"}) {
      EXPECT_EQ(read(mark + std::string("1\0\n\0002\0\n\0003\0\n\0", 12), edit), HR_TEXT_ENCODING)
          << error_.message;
      EXPECT_TRUE(said("UTF-16") && said("iconv") && said("x.dat")) << error_.message;
      EXPECT_EQ(read(mark, edit), HR_TEXT_ENCODING) << error_.message;
    }
}

TEST_F(TextEditFiles, ColumnsOfTheFormatAreThoseOfTheUser) {
  for (const char* decimal : {".", ","}) {
    EXPECT_EQ(write("x.dat", "  (3(f8.3,q))", decimal), HR_FORMAT_INVALID);
    EXPECT_TRUE(said("column 11 of the format")) << error_.message;
    EXPECT_FALSE(said("dc")) << error_.message;
    EXPECT_EQ(write("x.dat", "f8.3)", decimal), HR_FORMAT_INVALID);
    EXPECT_TRUE(said("column 1 of the format")) << error_.message;
    EXPECT_EQ(write("x.dat", "(1x,i5)", decimal), HR_EDIT_MISMATCH);
    EXPECT_TRUE(said("column 5 of the format (1x,i5)")) << error_.message;
    EXPECT_EQ(read("1\n", "(1x,q)", decimal), HR_FORMAT_INVALID);
    EXPECT_TRUE(said("column 5 of the format")) << error_.message;
    EXPECT_EQ(read(" abc\n", "(1x,f5.1)", decimal), HR_BAD_NUMBER);
    EXPECT_TRUE(said("column 5 of the format")) << error_.message;
  }
}

TEST_F(TextEditFiles, DecimalCommasGoThroughEveryWay) {
  for (const char* edit : {"(f8.3)", "(2f8.3)", "(2(1x,f8.3))", "(f8.3,(1x,f8.3))", "(g0)"}) {
    values_ = {1.5, 2.5, 3.5};
    ASSERT_EQ(write("x.dat", edit, ","), 0) << error_.message;
    EXPECT_EQ(content(path("x.dat")).find('.'), std::string::npos);
    EXPECT_NE(content(path("x.dat")).find("3,5"), std::string::npos);
    if (std::strcmp(edit, "(g0)") == 0) continue;
    EXPECT_EQ(read_file("x.dat", edit, ",", 0), 0) << edit << error_.message;
    EXPECT_EQ(values_, (std::vector<double>{1.5, 2.5, 3.5})) << edit;
  }
}

TEST_F(TextEditFiles, MessagesAreForEveryLanguage) {
  put(path("x.csv"), "1\n2\n");
  EXPECT_EQ(read_file("x.csv", nullptr, nullptr, 0), HR_ROW_COUNT);
  EXPECT_FALSE(said("load_array")) << error_.message;
  EXPECT_TRUE(said("read into an array with the shape of the file")) << error_.message;
}

TEST_F(TextEditFiles, ClosedHandlesAreNotSaidToHaveNeverBeenOpened) {
  hr_table table = 0;
  ASSERT_EQ(hr_table_put(&table, "x", &array_, nullptr, &error_), 0);
  ASSERT_EQ(hr_table_close(&table, &error_), 0);
  EXPECT_EQ(hr_table_get(table, "x", 0, &array_, nullptr, &error_), HR_HANDLE_CLOSED);
  EXPECT_TRUE(said("the table is closed or was never opened")) << error_.message;
  hr_text_writer writer = 0;
  ASSERT_EQ(hr_text_writer_open(path("x.csv").c_str(), nullptr, nullptr, &writer, &error_), 0);
  EXPECT_EQ(hr_text_writer_close(&writer, &error_), 0);
  EXPECT_EQ(hr_text_writer_rows(writer, &array_, &error_), HR_HANDLE_CLOSED);
  EXPECT_TRUE(said("the text_writer is closed")) << error_.message;
  EXPECT_FALSE(said("never")) << error_.message;
}

}  // namespace
}  // namespace headrace
