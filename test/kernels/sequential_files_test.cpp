// hr_read_array and hr_describe_array of unformatted sequential files: which record, and refusals.
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <numeric>

#include "headrace.h"
#include "record_files.hpp"
#include "scratch.hpp"

namespace headrace {
namespace {

class SequentialFiles : public Scratch {
 protected:
  // Reads bytes of a record; untouched elements are '?'.
  int read(const std::string& name, std::size_t bytes, long long record = 0,
           const record_dialect& dialect = {}) {
    found_.assign(bytes, '?');
    const hr_array array{
        found_.data(), 1, HR_TYPE_CHARACTER, 1, {static_cast<std::ptrdiff_t>(bytes)}, {1}};
    const hr_read_options options = options_for(record, dialect);
    return hr_read_array(path(name).c_str(), &array, &options, &error_);
  }

  int describe(const std::string& name, long long record = 0, const record_dialect& dialect = {}) {
    const hr_read_options options = options_for(record, dialect);
    return hr_describe_array(path(name).c_str(), &options, &info_, &error_);
  }

  void expect_refused(int code, std::size_t bytes, long long record, const char* part) {
    EXPECT_EQ(read("x.unf", bytes, record), code) << error_.message;
    EXPECT_NE(std::strstr(error_.message, part), nullptr) << error_.message;
    EXPECT_NE(std::strstr(error_.message, path("x.unf").c_str()), nullptr) << error_.message;
    EXPECT_EQ(found_, std::string(bytes, '?')) << "the array is untouched";
  }

  std::string found_;
  hr_array_info info_{};
  hr_error error_{};

 private:
  static hr_read_options options_for(long long record, const record_dialect& dialect) {
    hr_read_options options{};
    options.record = record;
    options.record_marker = dialect.marker_bytes;
    options.byte_order = dialect.order == byte_order::big      ? "big"
                         : dialect.order == byte_order::little ? "little"
                                                               : "native";
    return options;
  }
};

TEST_F(SequentialFiles, TheOnlyRecordNeedsNoNumber) {
  for (const record_dialect& dialect : written_dialects())
    for (const std::size_t bytes : {0, 1, 1000, 100000}) {
      const std::string data = sample_bytes(bytes);
      put(path("x.unf"), record_of(data, dialect));
      EXPECT_EQ(read("x.unf", bytes, 0, dialect), 0) << error_.message;
      EXPECT_TRUE(found_ == data);
      EXPECT_EQ(describe("x.unf", 0, dialect), 0) << error_.message;
      EXPECT_EQ(info_.type, 0);
      EXPECT_EQ(info_.bytes, static_cast<long long>(bytes));
      EXPECT_EQ(info_.data_offset, dialect.marker_bytes);
    }
}

TEST_F(SequentialFiles, OneOfSeveralIsReadByItsNumber) {
  for (const record_dialect& dialect : written_dialects()) {
    std::string bytes;
    std::size_t offset = 0;
    for (std::size_t i = 1; i < 100; ++i) bytes += record_of(sample_bytes(7 * i % 40), dialect, 16);
    put(path("x.seq"), bytes);
    for (std::size_t i = 1; i < 100; ++i) {
      const std::string data = sample_bytes(7 * i % 40);
      const auto number = static_cast<long long>(i);
      EXPECT_EQ(read("x.seq", data.size(), number, dialect), 0) << error_.message;
      EXPECT_EQ(found_, data);
      EXPECT_EQ(describe("x.seq", number, dialect), 0) << error_.message;
      EXPECT_EQ(info_.bytes, static_cast<long long>(data.size()));
      const auto marker = static_cast<std::size_t>(dialect.marker_bytes);
      const auto begin = static_cast<long long>(offset + marker);
      EXPECT_EQ(info_.data_offset, data.size() > 16 ? -1 : begin) << "several pieces have none";
      offset += record_of(data, dialect, 16).size();
    }
  }
}

TEST_F(SequentialFiles, SeveralRecordsNeedANumber) {
  put(path("x.unf"), record_of("abc", {}) + record_of("de", {}));
  expect_refused(HR_ARGUMENT_INVALID, 3, 0, "give record=");
  EXPECT_EQ(describe("x.unf"), HR_ARGUMENT_INVALID);
  expect_refused(HR_RECORD_MISSING, 3, 3, "2 records");
  expect_refused(HR_RECORD_MISSING, 3, 9000000000000000000, "2 records");
  expect_refused(HR_RECORD_SIZE_MISMATCH, 3, 2, "2 bytes");
  expect_refused(HR_RECORD_SIZE_MISMATCH, 2, 1, "3 bytes");
}

TEST_F(SequentialFiles, AFileWithoutRecordsHasNone) {
  put(path("x.unf"), "");
  expect_refused(HR_RECORD_MISSING, 3, 0, "0 records");
  expect_refused(HR_RECORD_MISSING, 0, 1, "0 records");
}

// Every cut leaves the records before readable by number; without a number it is told.
TEST_F(SequentialFiles, ACutIsToldWithItsOffset) {
  for (const record_dialect& dialect : written_dialects()) {
    const std::string first = record_of("abc", dialect);
    const std::string whole = first + record_of(sample_bytes(40), dialect, 16);
    for (std::size_t cut = 1; cut < whole.size(); ++cut) {
      put(path("x.unf"), whole.substr(0, cut));
      const bool alone = cut == first.size();
      EXPECT_EQ(read("x.unf", 3, 1, dialect), cut < first.size() ? HR_TRUNCATED_RECORD : 0);
      EXPECT_EQ(read("x.unf", 3, 0, dialect), alone ? 0 : HR_TRUNCATED_RECORD) << error_.message;
      if (alone) continue;
      EXPECT_NE(std::strstr(error_.message, "byte "), nullptr) << error_.message;
      EXPECT_EQ(found_, "???");
      EXPECT_EQ(read("x.unf", 40, 2, dialect), HR_TRUNCATED_RECORD) << error_.message;
    }
  }
}

TEST_F(SequentialFiles, AnotherDialectIsNamed) {
  put(path("x.unf"), record_of(sample_bytes(24), {8, byte_order::big}));
  EXPECT_NE(read("x.unf", 24, 0, {4, byte_order::little}), 0);
  EXPECT_NE(std::strstr(error_.message, "record_marker=8"), nullptr) << error_.message;
  EXPECT_NE(std::strstr(error_.message, "big"), nullptr) << error_.message;
}

TEST_F(SequentialFiles, PipesAndDirectoriesAreRefused) {
  ASSERT_EQ(::mkfifo(path("x.unf").c_str(), 0600), 0);
  expect_refused(HR_ARGUMENT_INVALID, 3, 0, "pipe");
  EXPECT_EQ(describe("x.unf"), HR_ARGUMENT_INVALID);
  std::filesystem::remove(path("x.unf"));
  std::filesystem::create_directory(path("x.unf"));
  expect_refused(EISDIR, 3, 0, "directory");
  EXPECT_EQ(read("missing.unf", 3), ENOENT);
}

TEST_F(SequentialFiles, WritingTakesNoNumber) {
  hr_write_options options{};
  options.record = 2;
  double value = 1;
  const hr_array array{&value, 8, HR_TYPE_REAL, 0, {}, {}};
  EXPECT_EQ(hr_write_array(path("x.unf").c_str(), &array, &options, &error_), HR_OPTION_UNKNOWN);
  EXPECT_NE(std::strstr(error_.message, "append"), nullptr) << error_.message;
  EXPECT_EQ(files(), 0U);
}

TEST_F(SequentialFiles, AppendWritesBehindOldRecords) {
  hr_write_options options{};
  options.append = "yes";
  std::string data = "abc";
  const hr_array array{data.data(), 3, HR_TYPE_CHARACTER, 0, {}, {}};
  EXPECT_EQ(hr_write_array(path("x.unf").c_str(), &array, &options, &error_), 0);
  EXPECT_EQ(hr_write_array(path("x.unf").c_str(), &array, &options, &error_), 0);
  EXPECT_EQ(content(path("x.unf")), record_of("abc", {}) + record_of("abc", {}));
  options.record_marker = 8;
  EXPECT_EQ(hr_write_array(path("x.unf").c_str(), &array, &options, &error_), HR_TRUNCATED_RECORD);
  EXPECT_NE(std::strstr(error_.message, "record_marker=4"), nullptr) << error_.message;
}

}  // namespace
}  // namespace headrace
