// What whole-array reading and writing of text says about files that are not as they should be.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "headrace.h"
#include "scratch.hpp"

namespace headrace {
namespace {

hr_array table_of(std::vector<double>& values, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  return {values.data(), 8, HR_TYPE_REAL, 2, {rows, columns}, {8, 8 * rows}};
}

class TextBadInput : public Scratch {
 protected:
  // Reads a text into 3 x 2 reals.
  int read(const std::string& text, hr_read_options options = {}, const char* name = "x.csv") {
    put(path(name), text);
    values_.assign(6, -1.0);
    const hr_array array = table_of(values_, 3, 2);
    error_ = {};
    return hr_read_array(path(name).c_str(), &array, &options, &error_);
  }

  template <class T>
  int read_integers(const std::string& text) {
    put(path("n.csv"), text);
    T values[2] = {};
    const hr_array array{values, sizeof(T), HR_TYPE_INTEGER, 1, {2}, {sizeof(T)}};
    error_ = {};
    return hr_read_array(path("n.csv").c_str(), &array, nullptr, &error_);
  }

  bool said(const std::string& text) const { return std::strstr(error_.message, text.c_str()); }
  // file:line:column
  std::string at(const char* place) const { return path("x.csv") + ":" + place; }

  std::vector<double> values_;
  hr_error error_{};
};

TEST_F(TextBadInput, NonNumericCellsAreNamedWithLineAndColumn) {
  EXPECT_EQ(read("1,2\n3,abc\n5,6\n"), HR_BAD_NUMBER);
  EXPECT_TRUE(said(at("2:3"))) << error_.message;
  EXPECT_TRUE(said("expected a real number, found \"abc\"")) << error_.message;
  EXPECT_EQ(read("1,2\n3,4\n5,1.2.3\n"), HR_BAD_NUMBER);
  EXPECT_TRUE(said(at("3:3"))) << error_.message;
}

TEST_F(TextBadInput, LinesAreCountedWithHeadersCommentsAndEmptyLines) {
  hr_read_options options{};
  options.comment = "#";
  EXPECT_EQ(read("# made by hand\n\na,b\n1,2 # first\n\n3,4\n5,x\n", options), HR_BAD_NUMBER);
  EXPECT_TRUE(said(at("7:3"))) << error_.message;
  EXPECT_EQ(read("# made by hand\n\na,b\n1,2 # first\n\n3,4\n5,6\n", options), 0) << error_.message;
  EXPECT_EQ(values_, (std::vector<double>{1, 3, 5, 2, 4, 6}));
}

TEST_F(TextBadInput, RowsOfAnotherLengthAreNamed) {
  EXPECT_EQ(read("1,2\n3\n5,6\n"), HR_ROW_LENGTH);
  EXPECT_TRUE(said("expected 2, found 1")) << error_.message;
  EXPECT_TRUE(said(at("2:2;"))) << error_.message;  // where the row ended
  EXPECT_EQ(read("1,2\n345 \r\n5,6\n"), HR_ROW_LENGTH);
  EXPECT_TRUE(said(at("2:5;"))) << error_.message;
  EXPECT_EQ(read("1,2\n3,4\n50,60, 7,8\n"), HR_ROW_LENGTH);
  EXPECT_TRUE(said(at("3:8;"))) << error_.message;  // where the first cell too many begins
  EXPECT_EQ(read("1,2\n3,4\n5,6,\n"), HR_ROW_LENGTH);
  EXPECT_TRUE(said(at("3:5;"))) << error_.message;
  EXPECT_EQ(read("1,2,3\n4,5,6\n7,8,9\n"), HR_ROW_LENGTH);
  EXPECT_TRUE(said("expected 2 columns, found 3 columns")) << error_.message;
}

TEST_F(TextBadInput, OtherNumbersOfRowsAreCounted) {
  EXPECT_EQ(read("1,2\n3,4\n"), HR_ROW_COUNT);
  EXPECT_TRUE(said("expected 3 rows, found 2 rows")) << error_.message;
  EXPECT_EQ(read("1,2\n3,4\n5,6\n7,8\n"), HR_ROW_COUNT);
  EXPECT_TRUE(said("expected 3 rows, found 4 rows")) << error_.message;
  EXPECT_EQ(read(""), HR_ROW_COUNT);
  EXPECT_TRUE(said("found 0 rows")) << error_.message;
  EXPECT_EQ(read("a,b\n"), HR_ROW_COUNT);
  EXPECT_TRUE(said("found 0 rows")) << error_.message;
  EXPECT_EQ(read("\n\n\n"), HR_ROW_COUNT);
}

TEST_F(TextBadInput, FinalNewlinesByteOrderMarksAndCarriageReturnsDoNotMatter) {
  for (const char* text : {"1,2\n3,4\n5,6",
                           "\xef\xbb\xbf"
                           "1,2\n3,4\n5,6\n",
                           "1,2\r\n3,4\r\n5,6\r\n", "\"1\",2\n 3 ,\t4\n\"5\",\"6\"\n\n",
                           "\"1\",\"2\"\n 3 , \"4\"\n5,6"}) {
    EXPECT_EQ(read(text), 0) << error_.message;
    EXPECT_EQ(values_, (std::vector<double>{1, 3, 5, 2, 4, 6})) << text;
  }
}

TEST_F(TextBadInput, NumbersOutOfRangeAreRefused) {
  EXPECT_EQ(read("1,2\n3,1e999\n5,6\n"), HR_NUMBER_OUT_OF_RANGE);
  EXPECT_TRUE(said("\"1e999\"")) << error_.message;
  EXPECT_EQ(read_integers<std::int8_t>("127\n128\n"), HR_NUMBER_OUT_OF_RANGE);
  EXPECT_EQ(read_integers<std::int32_t>("-2147483648\n2147483648\n"), HR_NUMBER_OUT_OF_RANGE);
  EXPECT_EQ(read_integers<std::int64_t>("1\n9223372036854775808\n"), HR_NUMBER_OUT_OF_RANGE);
  EXPECT_EQ(read_integers<std::int32_t>("1\n1.5\n"), HR_BAD_NUMBER);
  EXPECT_TRUE(said("expected an integer")) << error_.message;
  EXPECT_TRUE(said("columns= of the file, or read it into a real array")) << error_.message;
  EXPECT_EQ(read_integers<std::int32_t>("1\nabc\n"), HR_BAD_NUMBER);
  EXPECT_FALSE(said("a real array")) << error_.message;
}

TEST_F(TextBadInput, MissingValuesAreAnErrorOrNaN) {
  hr_read_options options{};
  for (const char* cell : {"", "NA", "n/a", "null"}) {
    const std::string text = std::string("1,2\n3,") + cell + "\n5,6\n";
    EXPECT_EQ(read(text), HR_MISSING_VALUE) << cell;
    EXPECT_TRUE(said(at("2:3"))) << error_.message;
    EXPECT_TRUE(said("missing=\"nan\"")) << error_.message;
    options.missing = "nan";
    EXPECT_EQ(read(text, options), 0) << error_.message;
    EXPECT_TRUE(std::isnan(values_[4])) << cell;
    EXPECT_EQ(values_[5], 6.0);
  }
}

TEST_F(TextBadInput, OtherEncodingsAreNamed) {
  EXPECT_EQ(read(std::string("\xff\xfe") + std::string("1\0,\0", 4)), HR_TEXT_ENCODING);
  EXPECT_TRUE(said("UTF-16")) << error_.message;
  EXPECT_EQ(read(std::string("1,2\n3,\0\n5,6\n", 12)), HR_TEXT_ENCODING);
  EXPECT_TRUE(said("null byte")) << error_.message;
  EXPECT_TRUE(said("\\x00")) << error_.message;
  EXPECT_EQ(read("1,2\n3,\xd9\xa3\n5,6\n"), HR_BAD_NUMBER);
  EXPECT_TRUE(said("\\xd9\\xa3")) << error_.message;
}

TEST_F(TextBadInput, BinaryJunkIsAnErrorAndNeverACrash) {
  std::string junk(100000, ' ');
  unsigned state = 1;
  for (int trial = 0; trial < 50; ++trial) {
    for (char& c : junk) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    EXPECT_NE(read(junk), 0);
    EXPECT_NE(error_.message[0], '\0');
  }
}

TEST_F(TextBadInput, ALineWithoutEndIsRefused) {
  EXPECT_EQ(read(std::string(std::size_t{20} << 20, '1')), HR_LINE_TOO_LONG);
  EXPECT_TRUE(said("expected a delimiter or a line feed")) << error_.message;
  EXPECT_TRUE(said("x.csv:1:1")) << error_.message;
}

TEST_F(TextBadInput, AHoleOfAnySizeIsNullBytes) {
  const int file = ::open(path("x.csv").c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_EQ(::ftruncate(file, (std::int64_t{1} << 31)), 0);
  ::close(file);
  values_.assign(6, 0);
  const hr_array array = table_of(values_, 3, 2);
  EXPECT_EQ(hr_read_array(path("x.csv").c_str(), &array, nullptr, &error_), HR_TEXT_ENCODING);
  EXPECT_TRUE(said("x.csv:1:1")) << error_.message;
}

TEST_F(TextBadInput, UnknownOptionsAreRefusedWithTheKnownOnes) {
  hr_read_options options{};
  options.missing = "zero";
  EXPECT_EQ(read("1,2\n", options), HR_OPTION_UNKNOWN);
  EXPECT_TRUE(said("\"error\", \"nan\"")) << error_.message;
  options = {};
  options.delimiter = ".";
  EXPECT_EQ(read("1,2\n", options), HR_OPTION_UNKNOWN);
  options = {};
  const int column = 3;
  options.columns = &column;
  options.column_count = 1;
  EXPECT_EQ(read("1,2\n3,4\n", options), HR_COLUMN_UNKNOWN);
  EXPECT_TRUE(said("expected 1 to 2, found 3")) << error_.message;
  options = {};
  options.delimiter = ";";
  EXPECT_EQ(read("1,2\n", options, "x.raw"), HR_OPTION_UNKNOWN);
  EXPECT_TRUE(said("delimiter=")) << error_.message;
  options = {};
  options.edit = "(3q5)";
  EXPECT_EQ(read("1,2\n", options), HR_FORMAT_INVALID);
}

class TextBadOutput : public TextBadInput {
 protected:
  int write(const std::string& file, std::size_t rows = 200000, hr_write_options options = {}) {
    values_.resize(2 * rows);
    std::iota(values_.begin(), values_.end(), 0.5);
    const hr_array array = table_of(values_, static_cast<std::ptrdiff_t>(rows), 2);
    error_ = {};
    return hr_write_array(file.c_str(), &array, &options, &error_);
  }
};

TEST_F(TextBadOutput, AFileLimitLeavesTheOldFile) {
  put(path("x.csv"), "old");
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{1 << 20, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const int result = write(path("x.csv"));
  const int compressed = write(path("y.csv.gz"), 2000000);
  ::setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(result, EFBIG) << error_.message;
  EXPECT_EQ(compressed, EFBIG) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(TextBadOutput, AFailedAppendLeavesTheOldRows) {
  put(path("x.csv"), "1,2\n3,4");
  hr_write_options options{};
  options.append = "yes";
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{1 << 20, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const int result = write(path("x.csv"), 200000, options);
  ::setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(result, EFBIG) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "1,2\n3,4");
  EXPECT_EQ(write(path("x.csv"), 1, options), 0) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "1,2\n3,4\n0.5,1.5\n");
}

TEST_F(TextBadOutput, AppendedRowsMustFitThoseOfTheFile) {
  put(path("x.csv"), "a,b,c\n1,2,3\n");
  hr_write_options options{};
  options.append = "yes";
  EXPECT_EQ(write(path("x.csv"), 1, options), HR_ROW_LENGTH);
  EXPECT_TRUE(said("expected 3 columns, found 2")) << error_.message;
  EXPECT_EQ(content(path("x.csv")), "a,b,c\n1,2,3\n");
}

TEST_F(TextBadOutput, OptionsOfCellsAreRefusedBesideAFormat) {
  hr_write_options options{};
  options.edit = "(2f8.3)";
  options.delimiter = ";";
  EXPECT_EQ(write(path("x.csv"), 1, options), HR_OPTION_UNKNOWN);
  EXPECT_TRUE(said("delimiter= has no meaning beside edit=")) << error_.message;
  options.delimiter = nullptr;
  options.threads = -1;
  EXPECT_EQ(write(path("x.csv"), 1, options), HR_OPTION_UNKNOWN);
  hr_read_options reading{};
  reading.edit = "(2f8.3)";
  reading.missing = "nan";
  EXPECT_EQ(read("1,2\n", reading), HR_OPTION_UNKNOWN);
  reading.missing = nullptr;
  long long rows = 0;
  EXPECT_EQ(hr_text_shape(path("x.csv").c_str(), &reading, &rows, &rows, &error_),
            HR_OPTION_UNKNOWN);
}

TEST_F(TextBadOutput, FullDevicesAreReported) {
  hr_write_options options{};
  options.format = "csv";
  EXPECT_EQ(write("/dev/full", 200000, options), ENOSPC) << error_.message;
  EXPECT_EQ(write("/dev/full", 1, options), ENOSPC) << error_.message;
}

TEST_F(TextBadOutput, AClosedPipeIsAnErrorAndNoSignal) {
  const std::string pipe = path("pipe.csv");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread reader([&] {
    char some[10];
    const int file = ::open(pipe.c_str(), O_RDONLY);
    EXPECT_EQ(::read(file, some, sizeof some), 10);
    ::close(file);
  });
  EXPECT_EQ(write(pipe), EPIPE) << error_.message;
  reader.join();
}

TEST_F(TextBadOutput, FilesGoThroughPipesWhole) {
  const std::string pipe = path("pipe.csv");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::vector<double> found(400000);
  hr_error error{};
  int result = -1;
  std::thread reader([&] {
    const hr_array array = table_of(found, 200000, 2);
    result = hr_read_array(pipe.c_str(), &array, nullptr, &error);
  });
  EXPECT_EQ(write(pipe), 0) << error_.message;
  reader.join();
  EXPECT_EQ(result, 0) << error.message;
  EXPECT_EQ(found, values_);
}

TEST_F(TextBadOutput, MissingDirectoriesAreNamed) {
  EXPECT_EQ(write(path("none/x.csv")), ENOENT);
  EXPECT_TRUE(said("none/x.csv")) << error_.message;
}

TEST_F(TextBadOutput, KindsWithoutATextFormAreRefusedBeforeTheFileIsTouched) {
  put(path("x.csv"), "old");
  char values[32] = {};
  const hr_array array{values, 16, HR_TYPE_REAL, 1, {2}, {16}};
  EXPECT_EQ(hr_write_array(path("x.csv").c_str(), &array, nullptr, &error_), HR_KIND_UNSUPPORTED);
  EXPECT_EQ(hr_read_array(path("x.csv").c_str(), &array, nullptr, &error_), HR_KIND_UNSUPPORTED);
  EXPECT_EQ(content(path("x.csv")), "old");
}

// A file that changes while it is read: the progress function changes it between two blocks.
std::string changing_file;  // NOLINT: a C callback has no other way to its data

int grow(std::int64_t, std::int64_t) {
  std::ofstream(changing_file, std::ios::app) << "1,2\n";
  return 1;
}

int vanish(std::int64_t, std::int64_t) {
  return ::truncate(changing_file.c_str(), 1000) == 0 ? 1 : 0;
}

class ChangingFile : public TextBadOutput {
 protected:
  // Reads all rows in chunks; the first failure, that of closing included.
  int read_rows(hr_progress progress) {
    changing_file = path("x.csv");
    EXPECT_EQ(write(changing_file, 2000000), 0);
    hr_text_reader reader = 0;
    EXPECT_EQ(hr_text_reader_open(changing_file.c_str(), nullptr, progress, &reader, &error_), 0);
    const hr_array chunk = table_of(values_, 10000, 2);
    long long rows = 0;
    int result = 0;
    while (result == 0) result = hr_text_reader_rows(reader, &chunk, &rows, &error_);
    const std::string message = error_.message;
    const int closed = hr_text_reader_close(&reader, &error_);
    if (result != HR_END_OF_FILE) std::strncpy(error_.message, message.c_str(), message.size() + 1);
    return result == HR_END_OF_FILE ? closed : result;
  }
};

TEST_F(ChangingFile, GrowingFilesAreReported) {
  EXPECT_EQ(read_rows(grow), HR_FILE_CHANGED_WHILE_READING) << error_.message;
  EXPECT_TRUE(said("x.csv")) << error_.message;
}

TEST_F(ChangingFile, VanishingFilesAreReported) {
  EXPECT_EQ(read_rows(vanish), HR_FILE_CHANGED_WHILE_READING) << error_.message;
}

}  // namespace
}  // namespace headrace
