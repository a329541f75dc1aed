// The C interface of files of records: handles, options, and threads that share one.
#include "headrace_records.h"

#include <cerrno>
#include <thread>
#include <vector>

#include "record_reference.hpp"
#include "scratch.hpp"

namespace headrace {
namespace {

hr_array array_of(std::vector<double>& values, std::ptrdiff_t per_record, std::ptrdiff_t records) {
  hr_array array{};
  array.base = values.data();
  array.elem_len = sizeof(double);
  array.type = HR_TYPE_REAL;
  array.array_rank = 2;
  array.extent[0] = per_record;
  array.extent[1] = records;
  array.stride[0] = sizeof(double);
  array.stride[1] = per_record * static_cast<std::ptrdiff_t>(sizeof(double));
  return array;
}

class RecordFiles : public Scratch {
 protected:
  int open(const hr_record_options& options) {
    return hr_open_records(path("r.unf").c_str(), &options, &records_, &error_);
  }

  // Records of 1, 2, 3, ... numbers.
  void write(const hr_record_options& options, std::ptrdiff_t count) {
    ASSERT_EQ(open(options), 0) << error_.message;
    for (std::ptrdiff_t i = 1; i <= count; ++i) {
      std::vector<double> values(static_cast<std::size_t>(i), static_cast<double>(i));
      const hr_array array = array_of(values, i, 1);
      ASSERT_EQ(hr_write_record(records_, &array, &error_), 0) << error_.message;
    }
    ASSERT_EQ(hr_close_records(&records_, &error_), 0) << error_.message;
  }

  bool told(const char* part) const {
    return std::string(error_.message).find(part) != std::string::npos;
  }

  hr_record_file records_ = 0;
  hr_error error_{};
};

TEST_F(RecordFiles, ComeBackInEveryWrittenDialect) {
  for (const char* const order : {"native", "little", "big"})
    for (const int marker : {4, 8}) {
      hr_record_options options{};
      options.action = "write";
      options.byte_order = order;
      options.record_marker = marker;
      write(options, 5);
      hr_record_options guess{};
      guess.byte_order = "auto";
      ASSERT_EQ(open(guess), 0) << error_.message;
      int found = 0;
      int big = -1;
      EXPECT_EQ(hr_record_form(records_, &found, &big, &error_), 0);
      EXPECT_EQ(found, marker);
      EXPECT_EQ(big, std::string(order) == "big" ? 1 : 0);
      long long count = 0;
      long long next = 0;
      EXPECT_EQ(hr_count_records(records_, &count, &next, &error_), 0);
      EXPECT_EQ(count, 5);
      EXPECT_EQ(next, 1);
      EXPECT_EQ(hr_go_to_record(records_, 4, &error_), 0);
      std::vector<double> values(4);
      const hr_array array = array_of(values, 4, 1);
      EXPECT_EQ(hr_read_record(records_, &array, &error_), 0) << error_.message;
      EXPECT_EQ(values, std::vector<double>(4, 4.0));
      EXPECT_EQ(hr_close_records(&records_, &error_), 0);
    }
}

TEST_F(RecordFiles, KnowTheirHandles) {
  hr_record_options writing{};
  writing.action = "write";
  write(writing, 3);
  ASSERT_EQ(open({}), 0);
  hr_record_file copy = records_;
  long long bytes = 0;
  EXPECT_EQ(hr_next_record(copy, &bytes, &error_), 0);
  EXPECT_EQ(bytes, 8);
  std::vector<double> values(1);
  const hr_array array = array_of(values, 1, 1);
  EXPECT_EQ(hr_write_record(records_, &array, &error_), HR_ARGUMENT_INVALID);
  EXPECT_TRUE(told("open to be read"));
  EXPECT_EQ(hr_read_record(records_, nullptr, &error_), HR_ARGUMENT_INVALID);
  EXPECT_EQ(hr_next_record(records_, nullptr, &error_), HR_ARGUMENT_INVALID);
  EXPECT_EQ(hr_locate_records(records_, 1, 1, nullptr, nullptr, nullptr, nullptr, &error_),
            HR_ARGUMENT_INVALID);
  EXPECT_EQ(hr_close_records(&records_, &error_), 0);
  EXPECT_EQ(records_, 0);
  EXPECT_EQ(hr_close_records(&copy, &error_), HR_HANDLE_CLOSED);
  EXPECT_EQ(hr_read_record(copy, &array, &error_), HR_HANDLE_CLOSED);
  EXPECT_EQ(hr_skip_records(0, 1, &error_), HR_HANDLE_CLOSED);
  EXPECT_TRUE(told("never opened"));
  ASSERT_EQ(open(writing), 0);
  EXPECT_EQ(hr_next_record(records_, &bytes, &error_), HR_ARGUMENT_INVALID);
  EXPECT_TRUE(told("open to be written"));
  EXPECT_EQ(hr_close_records(&records_, &error_), 0);
  EXPECT_EQ(hr_open_records("r.unf", nullptr, nullptr, &error_), HR_ARGUMENT_INVALID);
  EXPECT_EQ(hr_open_records(nullptr, nullptr, &records_, &error_), HR_FILE_NAME_EMPTY);
  EXPECT_EQ(hr_open_records(path("none").c_str(), nullptr, &records_, &error_), ENOENT);
}

TEST_F(RecordFiles, RefuseOptionsThatMeanNothing) {
  put(path("r.unf"), "");
  const auto refused = [&](hr_record_options options, const char* part) {
    EXPECT_EQ(open(options), HR_OPTION_UNKNOWN) << error_.message;
    EXPECT_TRUE(told(part)) << error_.message;
    EXPECT_TRUE(told("r.unf")) << error_.message;
  };
  hr_record_options options{};
  options.action = "update";
  refused(options, "action=\"update\"");
  options = {};
  options.record_marker = 2;
  refused(options, "record_marker=\"2\"");
  options = {};
  options.byte_order = "middle";
  refused(options, "\"auto\"");
  options = {};
  options.record_type = "segmented";
  options.record_marker = 4;
  refused(options, "segmented records have no record_marker");
  options = {};
  options.sync = "file";
  refused(options, "sync=");
  options = {};
  options.action = "write";
  options.byte_order = "auto";
  refused(options, "for reading");
  options = {};
  options.action = "append";
  options.long_records = "unsigned";
  refused(options, "read, not written");
}

TEST_F(RecordFiles, TellWhereTheirBytesLie) {
  hr_record_options writing{};
  writing.action = "write";
  write(writing, 4);
  ASSERT_EQ(open({}), 0);
  long long number[8];
  long long offset[8];
  long long bytes[8];
  size_t count = 0;
  ASSERT_EQ(hr_locate_records(records_, 2, 8, number, offset, bytes, &count, &error_), 0);
  ASSERT_EQ(count, 3U);
  EXPECT_EQ(number[0], 2);
  EXPECT_EQ(offset[0], 8 + 8 + 4);
  EXPECT_EQ(bytes[2], 32);
  ASSERT_EQ(hr_locate_records(records_, 5, 8, number, offset, bytes, &count, &error_), 0);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(hr_locate_records(records_, 6, 8, number, offset, bytes, &count, &error_),
            HR_RECORD_MISSING);
  EXPECT_EQ(hr_close_records(&records_, &error_), 0);
}

TEST_F(RecordFiles, ServeThreadsOneAfterAnother) {
  const record_dialect dialect{4, byte_order::little, long_records::subrecords, false};
  std::string content;
  for (int i = 0; i < 4000; ++i) content += marked_record("12345678", dialect, 100);
  put(path("r.unf"), content);
  ASSERT_EQ(open({}), 0);
  std::vector<int> read(4, 0);
  std::vector<std::thread> threads;
  for (int& mine : read)
    threads.emplace_back([this, &mine] {
      std::vector<double> value(1);
      const hr_array array = array_of(value, 1, 1);
      while (hr_read_record(records_, &array, nullptr) == 0) ++mine;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(read[0] + read[1] + read[2] + read[3], 4000);
  EXPECT_EQ(hr_close_records(&records_, &error_), 0);
}

TEST_F(RecordFiles, SwapBytesInPlaceAndBeside) {
  for (const std::size_t word : {1U, 2U, 4U, 8U, 16U}) {
    std::string data = "0123456789abcdef0123456789abcdef";
    std::string expected = data;
    for (std::size_t at = 0; at < data.size(); at += word)
      for (std::size_t i = 0; i < word; ++i) expected[at + i] = data[at + word - 1 - i];
    std::string beside(data.size(), '?');
    hr_swap_bytes(beside.data(), data.data(), data.size() / word, word);
    EXPECT_EQ(beside, expected);
    hr_swap_bytes(data.data(), data.data(), data.size() / word, word);
    EXPECT_EQ(data, expected);
  }
}

TEST_F(RecordFiles, TellHowManyRecordsThereAreForAWrongNumber) {
  hr_record_options writing{};
  writing.action = "write";
  write(writing, 3);
  for (const long long number : {0LL, -1LL, 5LL}) {
    ASSERT_EQ(open({}), 0);
    EXPECT_EQ(hr_go_to_record(records_, number, &error_), HR_RECORD_MISSING);
    EXPECT_TRUE(told(("no record " + std::to_string(number)).c_str())) << error_.message;
    EXPECT_TRUE(told("from 1 to 4")) << error_.message;
    EXPECT_TRUE(told("has 3 records")) << error_.message;
    long long bytes = 0;
    EXPECT_EQ(hr_next_record(records_, &bytes, &error_), 0);
    EXPECT_EQ(bytes, 8);
    EXPECT_EQ(hr_close_records(&records_, &error_), 0);
  }
}

TEST_F(RecordFiles, TakeTheirWordsInEitherCase) {
  hr_record_options options{};
  options.action = "WRITE";
  options.byte_order = "Big_Endian";
  options.record_marker = 8;
  write(options, 2);
  options.action = "Read";
  for (const char* const order : {"BIG", "AUTO", "big_endian"}) {
    options.byte_order = order;
    ASSERT_EQ(open(options), 0) << error_.message;
    int big = 0;
    EXPECT_EQ(hr_record_form(records_, nullptr, &big, &error_), 0);
    EXPECT_EQ(big, 1);
    EXPECT_EQ(hr_close_records(&records_, &error_), 0);
  }
}

}  // namespace
}  // namespace headrace
