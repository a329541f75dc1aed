// Direct access files: records that are written anew, changed, added and read, and their bounds.
#include <sys/stat.h>

#include <cerrno>
#include <limits>
#include <thread>

#include "binary_fixture.hpp"

namespace headrace {
namespace {

class DirectFiles : public KilledPrograms {
 protected:
  static hr_write_options to_write(long long length, long long record = 0,
                                   const char* order = nullptr) {
    hr_write_options options{};
    options.record_length = length;
    options.record = record;
    options.byte_order = order;
    return options;
  }
  static hr_read_options to_read(long long length, long long record = 0,
                                 const char* order = nullptr) {
    hr_read_options options{};
    options.record_length = length;
    options.record = record;
    options.byte_order = order;
    return options;
  }
};

TEST_F(DirectFiles, KeepEveryKindInBothByteOrders) {
  for (const element_kind& kind : all_kinds)
    for (const char* order : {"little", "big"})
      for (const bool section : {false, true}) {
        const sample_array from(kind, {3, 4, 2}, section);
        sample_array to(kind, {3, 4, 2}, !section);
        const auto length = static_cast<long long>(5 * kind.elem_len);  // 24 elements: 5 records
        to.clear();
        ASSERT_EQ(write("x.da", from.view(), to_write(length, 0, order)), 0) << error_.message;
        const std::string bytes =
            order[0] == 'b' ? turned(from.elements(), kind.word) : from.elements();
        EXPECT_EQ(content(path("x.da")), bytes + std::string(kind.elem_len, '\0'));
        ASSERT_EQ(read("x.da", to.view(), to_read(length, 0, order)), 0) << error_.message;
        EXPECT_EQ(to.elements(), from.elements());
      }
}

TEST_F(DirectFiles, TheLastRecordIsFilledWithNullBytes) {
  for (const long long length : {24LL, 32LL, 1000LL, 3000000LL}) {
    ASSERT_EQ(write("x.direct", std::vector<double>{1, 2, 3}, to_write(length)), 0);
    EXPECT_EQ(content(path("x.direct")),
              bytes_of({1, 2, 3}) + std::string(static_cast<std::size_t>(length) - 24, '\0'));
  }
}

TEST_F(DirectFiles, ARecordLengthIsNeeded) {
  std::vector<double> values = {1, 2, 3};
  hr_array_info info{};
  EXPECT_EQ(write("x.da", values), HR_ARGUMENT_INVALID);
  EXPECT_TRUE(said("Intel's counts 4-byte words")) << error_.message;
  EXPECT_EQ(read("x.da", values), HR_ARGUMENT_INVALID);
  EXPECT_EQ(describe("x.da", info), HR_ARGUMENT_INVALID);
  EXPECT_EQ(write("x.da", values, to_write(-8)), HR_OPTION_UNKNOWN);
  EXPECT_EQ(write("x.raw", values, to_write(8)), HR_OPTION_UNKNOWN);
  EXPECT_EQ(files(), 0U);
}

TEST_F(DirectFiles, RecordsDoNotCutElements) {
  std::vector<double> values = {1, 2, 3};
  EXPECT_EQ(write("x.da", values, to_write(12)), HR_RECORD_SIZE_MISMATCH);
  EXPECT_TRUE(said("expected a multiple of 8 bytes, found 12 bytes")) << error_.message;
  EXPECT_EQ(read("x.da", values, to_read(12)), HR_RECORD_SIZE_MISMATCH);
  EXPECT_EQ(write("x.da", values, to_write(25)), 0) << error_.message;
  EXPECT_EQ(read("x.da", values, to_read(25)), 0) << error_.message;
}

TEST_F(DirectFiles, RecordsAreChangedAndTheOthersStay) {
  ASSERT_EQ(write("x.da", std::vector<double>{1, 2, 3, 4, 5, 6}, to_write(16)), 0);
  struct stat before {};
  struct stat after {};
  ASSERT_EQ(::stat(path("x.da").c_str(), &before), 0);
  ASSERT_EQ(write("x.da", std::vector<double>{7}, to_write(16, 2)), 0) << error_.message;
  ASSERT_EQ(::stat(path("x.da").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(content(path("x.da")), bytes_of({1, 2, 7, 0, 5, 6}));
  std::vector<double> found(3);
  EXPECT_EQ(read("x.da", found, to_read(16, 2)), 0) << error_.message;
  EXPECT_EQ(found, (std::vector<double>{7, 0, 5}));
}

TEST_F(DirectFiles, RecordsBehindTheEndAreAdded) {
  ASSERT_EQ(write("x.da", std::vector<double>{1, 2}, to_write(8, 1)), 0) << error_.message;
  ASSERT_EQ(write("x.da", std::vector<double>{5, 6}, to_write(8, 5)), 0) << error_.message;
  ASSERT_EQ(write("x.da", std::vector<double>{7, 8}, to_write(8, 6)), 0) << error_.message;
  EXPECT_EQ(content(path("x.da")), bytes_of({1, 2, 0, 0, 5, 7, 8}));
  ASSERT_EQ(write("x.da", std::vector<double>{9}, to_write(8)), 0);
  EXPECT_EQ(content(path("x.da")), bytes_of({9}));
}

TEST_F(DirectFiles, RecordsThatAreNotThereAreNamed) {
  ASSERT_EQ(write("x.da", std::vector<double>{1, 2, 3, 4}, to_write(16)), 0);
  std::vector<double> values(3, -1.0);
  EXPECT_EQ(read("x.da", values, to_read(16, 2)), HR_RECORD_MISSING);
  EXPECT_TRUE(said("expected records 2 to 3 of 16 bytes, found 2 records (32 bytes)"))
      << error_.message;
  EXPECT_EQ(read("x.da", values, to_read(8, 9)), HR_RECORD_MISSING);
  hr_array_info info{};
  EXPECT_EQ(describe("x.da", info, to_read(8, 5)), HR_RECORD_MISSING);
  constexpr long long most = std::numeric_limits<long long>::max();
  EXPECT_EQ(read("x.da", values, to_read(8, most)), HR_ARGUMENT_INVALID);
  EXPECT_EQ(write("x.da", values, to_write(most, 2)), HR_ARGUMENT_INVALID);
  EXPECT_EQ(describe("x.da", info, to_read(most, most)), HR_TRUNCATED_RECORD);
  EXPECT_EQ(values[0], -1.0);
}

TEST_F(DirectFiles, AFileThatIsCutWithinARecordIsRefused) {
  std::vector<double> values(2, -1.0);
  hr_array_info info{};
  for (std::size_t bytes = 0; bytes < 32; ++bytes) {
    put(path("x.da"), std::string(bytes, 'x'));
    EXPECT_EQ(read("x.da", values, to_read(16)), bytes == 0    ? HR_RECORD_MISSING
                                                 : bytes == 16 ? 0
                                                               : HR_TRUNCATED_RECORD)
        << bytes;
    if (bytes % 16 == 0) continue;
    EXPECT_TRUE(said("expected a multiple of 16 bytes, found " + std::to_string(bytes)));
    EXPECT_EQ(describe("x.da", info, to_read(16)), HR_TRUNCATED_RECORD);
    EXPECT_EQ(write("x.da", values, to_write(16, 1)), HR_TRUNCATED_RECORD);
    EXPECT_EQ(content(path("x.da")), std::string(bytes, 'x'));
  }
}

TEST_F(DirectFiles, EmptyArraysHaveNoRecords) {
  std::vector<double> none;
  hr_array_info info{};
  ASSERT_EQ(write("x.da", none, to_write(8)), 0) << error_.message;
  EXPECT_EQ(content(path("x.da")), "");
  EXPECT_EQ(read("x.da", none, to_read(8)), 0) << error_.message;
  EXPECT_EQ(describe("x.da", info, to_read(8)), 0) << error_.message;
  EXPECT_EQ(info.bytes, 0);
  ASSERT_EQ(write("x.da", std::vector<double>{1}, to_write(8)), 0);
  ASSERT_EQ(write("x.da", none, to_write(8, 1)), 0) << error_.message;
  EXPECT_EQ(content(path("x.da")), bytes_of({1}));
}

TEST_F(DirectFiles, DescribeTellsWhereTheRecordsLie) {
  hr_array_info info{};
  ASSERT_EQ(write("x.da", std::vector<double>{1, 2, 3, 4, 5, 6}, to_write(16)), 0);
  ASSERT_EQ(describe("x.da", info, to_read(16, 2, "big")), 0) << error_.message;
  EXPECT_EQ(info.type, 0);
  EXPECT_EQ(info.bytes, 32);
  EXPECT_EQ(info.data_offset, 16);
  EXPECT_EQ(info.big_endian, 1);
}

TEST_F(DirectFiles, ThreadsWriteTheirRecordsAtTheSameTime) {
  constexpr int count = 16;
  std::vector<std::thread> threads;
  for (int i = count; i > 0; --i)
    threads.emplace_back([&, i] {
      const std::vector<double> values(1000, i);
      const hr_array array = vector_of(values);
      const hr_write_options options = to_write(8000, i);
      EXPECT_EQ(hr_write_array(path("x.da").c_str(), &array, &options, nullptr), 0);
    });
  for (std::thread& thread : threads) thread.join();
  std::vector<double> found(1000 * count);
  ASSERT_EQ(read("x.da", found, to_read(8000)), 0) << error_.message;
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], static_cast<double>(i / 1000 + 1));
}

TEST_F(DirectFiles, GoThroughPipes) {
  ASSERT_EQ(::mkfifo(path("x.da").c_str(), 0600), 0);
  std::vector<double> values(2);
  std::thread writer([&] {
    const std::vector<double> four = {1, 2, 3, 4};
    const hr_array array = vector_of(four);
    const hr_write_options options = to_write(8, 1);
    EXPECT_EQ(hr_write_array(path("x.da").c_str(), &array, &options, nullptr), 0);
  });
  EXPECT_EQ(read("x.da", values, to_read(8, 3)), 0) << error_.message;
  writer.join();
  EXPECT_EQ(values, (std::vector<double>{3, 4}));
  EXPECT_EQ(write("x.da", values, to_write(8, 2)), ESPIPE);
}

TEST_F(DirectFiles, NamesThatCannotBeAreReported) {
  std::vector<double> values(3, 1.0);
  std::filesystem::create_directory(path("d.da"));
  for (const long long record : {0, 2}) {
    EXPECT_EQ(write(std::string(300, 'n') + ".da", values, to_write(8, record)), ENAMETOOLONG);
    EXPECT_EQ(write("d.da", values, to_write(8, record)), EISDIR);
    EXPECT_EQ(write("none/x.da", values, to_write(8, record)), ENOENT);
    EXPECT_EQ(read("d.da", values, to_read(8, record)), EISDIR);
    EXPECT_EQ(read("none.da", values, to_read(8, record)), ENOENT);
  }
  hr_write_options direct = to_write(8);
  direct.format = "direct";
  const hr_array array = vector_of(values);
  EXPECT_EQ(hr_write_array("/dev/full", &array, &direct, &error_), ENOSPC);
  EXPECT_EQ(files(), 1U);
}

TEST_F(DirectFiles, AKilledWriterLeavesTheOldFile) {
  const std::vector<double> old = {1.5, 2.5};
  ASSERT_EQ(write("x.da", old, to_write(8)), 0);
  ASSERT_TRUE(kill_growing([&] { write("x.da", endless_column(), to_write(8)); },
                           [&] { return temporary_bytes(); }));
  EXPECT_EQ(content(path("x.da")), bytes_of(old));
}

TEST_F(DirectFiles, AKilledWriterOfRecordsLeavesWholeRecordsAndTheOthers) {
  constexpr std::ptrdiff_t count = 100000000;  // 800 MB, of which little is written
  static double value = -1.0 / 3;
  const std::vector<double> old = {1.5, 2.5, 3.5, 4.5};
  ASSERT_EQ(write("x.da", old, to_write(16)), 0);
  const hr_array column{&value, 8, HR_TYPE_REAL, 1, {count}, {0}};
  const auto blocks = [&] {
    struct stat now {};
    return ::stat(path("x.da").c_str(), &now) == 0 ? static_cast<std::uintmax_t>(now.st_blocks)
                                                   : 0U;
  };
  ASSERT_TRUE(kill_growing([&] { write("x.da", column, to_write(16, 2)); }, blocks));
  EXPECT_EQ(std::filesystem::file_size(path("x.da")), 16U + 8U * count);
  std::vector<double> found(2);
  EXPECT_EQ(read("x.da", found, to_read(16, 1)), 0) << error_.message;
  EXPECT_EQ(found, (std::vector<double>{1.5, 2.5}));
}

TEST_F(DirectFiles, AFailureTakesBackWhatItAdded) {
  const std::vector<double> old = {1.5, 2.5};
  ASSERT_EQ(write("x.da", old, to_write(8)), 0);
  const std::vector<double> many(100000, 1.0);
  const pid_t process = ::fork();
  if (process == 0) {
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    const bool failed = write("x.da", many, to_write(8, 3)) == EFBIG &&
                        write("new.da", many, to_write(8, 1)) == EFBIG;
    ::_exit(failed ? 0 : 1);
  }
  int ended = 0;
  ASSERT_EQ(::waitpid(process, &ended, 0), process);
  EXPECT_TRUE(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
  EXPECT_EQ(content(path("x.da")), bytes_of(old));
  EXPECT_EQ(files(), 1U);
}

TEST_F(DirectFiles, EmptyArraysBehindTheEndChangeNothing) {
  const std::vector<double> old = {1.5, 2.5};
  const std::vector<double> nothing;
  ASSERT_EQ(write("x.da", old, to_write(8)), 0);
  EXPECT_EQ(write("x.da", nothing, to_write(8, 50)), 0) << error_.message;
  EXPECT_EQ(content(path("x.da")), bytes_of(old));
  EXPECT_EQ(write("new.da", nothing, to_write(8, 5)), 0) << error_.message;
  EXPECT_EQ(content(path("new.da")), "");
  EXPECT_EQ(files(), 2U);
}

TEST_F(DirectFiles, DescribeDoesNotWaitForTheWriterOfAPipe) {
  hr_array_info info{};
  ASSERT_EQ(::mkfifo(path("x.da").c_str(), 0600), 0);
  EXPECT_EQ(describe("x.da", info, to_read(8)), HR_ARGUMENT_INVALID);
  EXPECT_TRUE(said("has no size")) << error_.message;
}

}  // namespace
}  // namespace headrace
