// Ways in which rows could be lost or changed without a word, each of which must have one.
#include <cerrno>
#include <cstring>
#include <numeric>
#include <vector>

#include "headrace.h"
#include "scratch.hpp"

namespace headrace {
namespace {

class TextLostRows : public Scratch {
 protected:
  static hr_array column(std::vector<double>& values) {
    return {values.data(), 8, HR_TYPE_REAL, 1, {static_cast<std::ptrdiff_t>(values.size())}, {8}};
  }

  int write(const std::string& name, std::vector<double> values, const char* append = nullptr) {
    hr_write_options options{};
    options.append = append;
    const hr_array array = column(values);
    return hr_write_array(path(name).c_str(), &array, &options, &error_);
  }

  int read(const std::string& name, std::vector<double>& values) {
    const hr_array array = column(values);
    return hr_read_array(path(name).c_str(), &array, nullptr, &error_);
  }

  hr_error error_{};
};

TEST_F(TextLostRows, ACutCompressedFileHasNoShape) {
  std::vector<double> values(300000);
  std::iota(values.begin(), values.end(), 0.25);
  long long rows = 0;
  long long columns = 0;
  for (const char* name : {"x.csv.gz", "x.csv.zst"}) {
    const int written = write(name, values);
    if (written == HR_COMPRESSION_UNAVAILABLE) continue;
    ASSERT_EQ(written, 0) << error_.message;
    std::filesystem::resize_file(path(name), std::filesystem::file_size(path(name)) * 2 / 3);
    hr_read_options options{};
    for (options.threads = 1; options.threads <= 3; ++options.threads)
      EXPECT_EQ(hr_text_shape(path(name).c_str(), &options, &rows, &columns, &error_),
                HR_COMPRESSION_DAMAGED)
          << error_.message;
  }
}

TEST_F(TextLostRows, AReaderStaysFailed) {
  std::string text;
  for (int i = 0; i < 400000; ++i) text += i == 200000 ? "bad\n" : "1.5\n";
  put(path("x.csv"), text);
  hr_text_reader reader = 0;
  ASSERT_EQ(hr_text_reader_open(path("x.csv").c_str(), nullptr, nullptr, &reader, &error_), 0);
  std::vector<double> chunk(150000);
  const hr_array array = column(chunk);
  long long rows = 0;
  EXPECT_EQ(hr_text_reader_rows(reader, &array, &rows, &error_), 0);
  for (int call = 0; call < 3; ++call) {
    EXPECT_EQ(hr_text_reader_rows(reader, &array, &rows, &error_), HR_BAD_NUMBER);
    EXPECT_NE(std::strstr(error_.message, "x.csv:200001:1"), nullptr) << error_.message;
  }
  hr_text_reader_close(&reader, &error_);
}

TEST_F(TextLostRows, OneRowAtATimeGivesThemAll) {
  std::string text = "a,b\n";
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + ",0\n" + (i % 3 == 0 ? "\n" : "");
  put(path("x.csv"), text);
  hr_text_reader reader = 0;
  ASSERT_EQ(hr_text_reader_open(path("x.csv").c_str(), nullptr, nullptr, &reader, &error_), 0);
  double row[2] = {};
  const hr_array array{row, 8, HR_TYPE_REAL, 2, {1, 2}, {8, 8}};
  long long rows = 0;
  for (int i = 0; i < 20000; ++i) {
    ASSERT_EQ(hr_text_reader_rows(reader, &array, &rows, &error_), 0) << error_.message;
    ASSERT_EQ(row[0], i);
  }
  EXPECT_EQ(hr_text_reader_rows(reader, &array, &rows, &error_), HR_END_OF_FILE);
  EXPECT_EQ(hr_text_reader_close(&reader, &error_), 0);
}

TEST_F(TextLostRows, AFirstRowOfOtherNumbersIsNoHeader) {
  put(path("x.csv"), "1.5\n2\n3\n");
  std::int32_t values[3] = {};
  const hr_array integers{values, 4, HR_TYPE_INTEGER, 1, {3}, {4}};
  EXPECT_EQ(hr_read_array(path("x.csv").c_str(), &integers, nullptr, &error_), HR_BAD_NUMBER);
  put(path("h.csv"), "a\n0x00000007\n0x00000008\n");
  hr_read_options options{};
  options.number = "hex";
  const hr_array two{values, 4, HR_TYPE_INTEGER, 1, {2}, {4}};
  EXPECT_EQ(hr_read_array(path("h.csv").c_str(), &two, &options, &error_), 0) << error_.message;
  EXPECT_EQ(values[1], 8);
}

TEST_F(TextLostRows, RowsAppendedToACompressedFileAreRowsOfTheirOwn) {
  if (write("x.csv.gz", {1, 2}) == HR_COMPRESSION_UNAVAILABLE) GTEST_SKIP() << "built without zlib";
  EXPECT_EQ(write("x.csv.gz", {3}, "yes"), 0) << error_.message;
  std::vector<double> found(3);
  EXPECT_EQ(read("x.csv.gz", found), 0) << error_.message;
  EXPECT_EQ(found, (std::vector<double>{1, 2, 3}));
}

TEST_F(TextLostRows, ImaginaryNumbersStayImaginary) {
  put(path("x.csv"), "2j\n-3j\n1\n1e-3+2e+1j\n");
  double values[8] = {};
  const hr_array array{values, 16, HR_TYPE_COMPLEX, 1, {4}, {16}};
  EXPECT_EQ(hr_read_array(path("x.csv").c_str(), &array, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(std::vector<double>(values, values + 8),
            (std::vector<double>{0, 2, 0, -3, 1, 0, 1e-3, 20}));
}

TEST_F(TextLostRows, AQuotedDelimiterIsNoDelimiter) {
  put(path("x.csv"), "\"1,234\",5\n\"2,345\",6\n");
  double values[6] = {};
  const hr_array array{values, 8, HR_TYPE_REAL, 2, {2, 2}, {8, 16}};
  hr_read_options options{};
  options.header = "no";
  EXPECT_EQ(hr_read_array(path("x.csv").c_str(), &array, &options, &error_), HR_BAD_NUMBER)
      << error_.message;
}

// As tables write a missing value in their only column: these lines once were none.
TEST_F(TextLostRows, QuotesAroundNothingAreACell) {
  hr_read_options options{};
  options.missing = "-1";
  std::vector<double> values(4);
  const hr_array array = column(values);
  for (const char* name : {"x.csv", "x.tsv", "x.txt"}) {
    put(path(name), "n\n1\n\"\"\n\" \"\n4\n");
    EXPECT_EQ(hr_read_array(path(name).c_str(), &array, &options, &error_), 0)
        << name << error_.message;
    EXPECT_EQ(values, (std::vector<double>{1, -1, -1, 4})) << name;
    EXPECT_EQ(hr_read_array(path(name).c_str(), &array, nullptr, &error_), HR_MISSING_VALUE);
  }
  for (const char* text : {"1\n2\n3\n4\n\"\n", "1\n2\n3\n4\n\"  ", "\"\n1\n2\n3\n4\n"}) {
    put(path("x.csv"), text);
    EXPECT_EQ(hr_read_array(path("x.csv").c_str(), &array, &options, &error_), HR_QUOTE_UNBALANCED)
        << text;
  }
  put(path("x.txt"), "\"no data\" \"\"\n 3 4\n");
  options.missing = "-1,no data";
  const hr_array table{values.data(), 8, HR_TYPE_REAL, 2, {2, 2}, {8, 16}};
  EXPECT_EQ(hr_read_array(path("x.txt").c_str(), &table, &options, &error_), 0) << error_.message;
  EXPECT_EQ(values, (std::vector<double>{-1, 3, -1, 4}));
}

TEST_F(TextLostRows, SizesThatNoTypeHasAreRefused) {
  char bytes[64] = {};
  for (const std::size_t elem_len : {std::size_t{0}, std::size_t{3}, std::size_t{7}}) {
    const hr_array array{bytes, elem_len, HR_TYPE_INTEGER,
                         1,     {4},      {static_cast<std::ptrdiff_t>(elem_len)}};
    EXPECT_NE(hr_write_array(path("x.csv").c_str(), &array, nullptr, &error_), 0) << elem_len;
    EXPECT_NE(hr_read_array(path("x.csv").c_str(), &array, nullptr, &error_), 0) << elem_len;
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(TextLostRows, AWriterStaysFailed) {
  hr_text_writer writer = 0;
  ASSERT_EQ(hr_text_writer_open(path("x.csv").c_str(), nullptr, nullptr, &writer, &error_), 0);
  std::vector<double> values = {1, 2};
  hr_array array = column(values);
  EXPECT_EQ(hr_text_writer_rows(writer, &array, &error_), 0);
  array.base = nullptr;
  EXPECT_EQ(hr_text_writer_rows(writer, &array, &error_), HR_ARGUMENT_INVALID);
  array = column(values);
  EXPECT_EQ(hr_text_writer_rows(writer, &array, &error_), HR_ARGUMENT_INVALID);
  EXPECT_EQ(hr_text_writer_close(&writer, &error_), HR_ARGUMENT_INVALID);
  EXPECT_EQ(files(), 0U);
}

TEST_F(TextLostRows, AFailedAppendCreatesNoFile) {
  std::vector<double> values = {1, 2};
  const hr_array array{values.data(), 8, HR_TYPE_REAL, 2, {2, 1}, {8, 8}};
  hr_write_options options{};
  options.append = "yes";
  options.number = "i5";
  EXPECT_EQ(hr_write_array(path("x.csv").c_str(), &array, &options, &error_), HR_EDIT_MISMATCH);
  EXPECT_EQ(files(), 0U);
}

TEST_F(TextLostRows, ManySkippedLinesAreSkipped) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += "left out " + std::to_string(i) + "\n";
  put(path("x.csv"), text + "1\n2\n");
  std::vector<double> values(2);
  const hr_array array = column(values);
  hr_read_options options{};
  options.skip_rows = 300000;
  EXPECT_EQ(hr_read_array(path("x.csv").c_str(), &array, &options, &error_), 0) << error_.message;
  EXPECT_EQ(values, (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace headrace
