// Progress functions of text_writer and text_reader through the C interface: what they are told,
// and that they end the work.
#include <thread>
#include <vector>

#include "headrace_rows.h"
#include "scratch.hpp"

namespace headrace {
namespace {

// What the progress functions were told: a C callback has no other way to its data.
std::vector<std::int64_t> told;  // NOLINT
bool total_told = false;         // NOLINT
std::thread::id teller;          // NOLINT

int remember(std::int64_t done, std::int64_t total) {
  told.push_back(done);
  total_told = total_told || total != 0;
  teller = std::this_thread::get_id();
  return 1;
}

int end_behind_a_megabyte(std::int64_t done, std::int64_t total) {
  remember(done, total);
  return done <= (1 << 20) ? 1 : 0;
}

class TextProgress : public Scratch {
 protected:
  void SetUp() override {
    Scratch::SetUp();
    told.clear();
    total_told = false;
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = static_cast<double>(i) / 7;
  }

  // Writes all values in two calls; the first failure.
  int write(const std::string& file, hr_progress progress, hr_write_options options = {}) {
    hr_text_writer writer = 0;
    const auto half = static_cast<std::ptrdiff_t>(values_.size() / 2);
    hr_array rows{values_.data(), 8, HR_TYPE_REAL, 2, {half, 1}, {8, 8}};
    int result = hr_text_writer_open(file.c_str(), &options, progress, &writer, &error_);
    for (int call = 0; call < 2 && result == 0; ++call) {
      rows.base = values_.data() + call * half;
      result = hr_text_writer_rows(writer, &rows, &error_);
    }
    hr_error late{};
    const int closed = hr_text_writer_close(&writer, &late);
    return result == 0 ? closed : result;
  }

  void expect_rising() const {
    for (std::size_t i = 1; i < told.size(); ++i) EXPECT_GE(told[i], told[i - 1]);
  }

  std::vector<double> values_ = std::vector<double>(300000);
  hr_error error_{};
};

TEST_F(TextProgress, AWriterTellsTheBytesOfTextInTheThreadOfTheCaller) {
  hr_write_options options{};
  for (const char* edit : {"", "(f20.12)", "(g0)", "*"})
    for (options.threads = 1; options.threads <= 3; ++options.threads) {
      told.clear();
      options.edit = edit;
      ASSERT_EQ(write(path("x.csv"), remember, options), 0) << error_.message;
      ASSERT_GE(told.size(), 2U);  // at the end of each call, at least
      expect_rising();
      EXPECT_EQ(told.back(), std::filesystem::file_size(path("x.csv"))) << edit;
      EXPECT_FALSE(total_told);
      EXPECT_EQ(teller, std::this_thread::get_id());
    }
}

TEST_F(TextProgress, CompressedAndAppendedTextCountsAsText) {
  const char* const name = "value";
  hr_write_options options{};
  options.header = &name;
  options.header_count = 1;
  ASSERT_EQ(write(path("x.csv"), remember, options), 0) << error_.message;
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path("x.csv")));
  EXPECT_EQ(told.back(), bytes);
  told.clear();
  options.append = "yes";
  ASSERT_EQ(write(path("x.csv"), remember, options), 0) << error_.message;
  EXPECT_EQ(told.back(), bytes - 6);  // without the header
  told.clear();
  options.append = nullptr;
  if (write(path("x.csv.gz"), remember, options) == HR_COMPRESSION_UNAVAILABLE)
    GTEST_SKIP() << "built without zlib";
  EXPECT_EQ(told.back(), bytes);
}

TEST_F(TextProgress, AnInterruptedWriterLeavesTheOldFile) {
  hr_write_options options{};
  for (const char* name : {"x.csv", "x.csv.gz", "x.dat"})
    for (options.threads = 1; options.threads <= 3; ++options.threads)
      for (const char* append : {"no", "yes"}) {
        options.append = append;
        options.edit = std::string(name) == "x.dat" ? "(g0)" : nullptr;
        put(path(name), "");
        const int result = write(path(name), end_behind_a_megabyte, options);
        if (result == HR_COMPRESSION_UNAVAILABLE) continue;
        EXPECT_EQ(result, HR_INTERRUPTED) << error_.message;
        EXPECT_NE(std::string(error_.message).find("ended the writing"), std::string::npos);
        EXPECT_NE(std::string(error_.message).find(name), std::string::npos);
        EXPECT_EQ(content(path(name)), "");
        std::filesystem::remove(path(name));
        EXPECT_EQ(files(), 0U);
      }
}

TEST_F(TextProgress, AReaderTellsTheBytesOfCompressedText) {
  ASSERT_EQ(write(path("x.csv"), nullptr), 0) << error_.message;
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path("x.csv")));
  if (write(path("x.csv.gz"), nullptr) == HR_COMPRESSION_UNAVAILABLE)
    GTEST_SKIP() << "built without zlib";
  for (const char* name : {"x.csv", "x.csv.gz"}) {
    told.clear();
    total_told = false;
    hr_read_options options{};
    options.threads = 1;
    hr_text_reader reader = 0;
    ASSERT_EQ(hr_text_reader_open(path(name).c_str(), &options, remember, &reader, &error_), 0);
    const auto n = static_cast<std::ptrdiff_t>(values_.size());
    const hr_array rows{values_.data(), 8, HR_TYPE_REAL, 1, {n}, {8}};
    long long count = 0;
    EXPECT_EQ(hr_text_reader_rows(reader, &rows, &count, &error_), 0) << error_.message;
    EXPECT_EQ(hr_text_reader_close(&reader, &error_), 0) << error_.message;
    ASSERT_FALSE(told.empty());
    expect_rising();
    EXPECT_EQ(told.back(), bytes) << name;
    EXPECT_EQ(total_told, std::string(name) == "x.csv");
  }
}

}  // namespace
}  // namespace headrace
