// Files of records: every byte that record_writer writes, and what it refuses.
#include "binary/record_writer.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <thread>

#include "record_files.hpp"
#include "scratch.hpp"

namespace headrace {
namespace {

class RecordWriter : public Scratch {
 protected:
  // A file of one record for each string.
  void expect_written(const std::vector<std::string>& records, const record_dialect& dialect,
                      std::size_t limit = 0) {
    std::string expected;
    record_writer writer;
    ASSERT_EQ(writer.open(path("x"), replace_mode::whole, dialect).message(), "");
    writer.limit_pieces(limit);
    for (std::string data : records) {
      expected += record_of(data, dialect, limit);
      ASSERT_EQ(writer.write(characters_of(data)).message(), "");
    }
    ASSERT_EQ(writer.close().message(), "");
    EXPECT_TRUE(content(path("x")) == expected) << dialect.marker_bytes << " " << limit;
  }

  std::string written(const array_view& array, const record_dialect& dialect, bool many) {
    record_writer writer;
    EXPECT_EQ(writer.open(path("x"), replace_mode::whole, dialect).message(), "");
    EXPECT_EQ((many ? writer.write_many(array) : writer.write(array)).message(), "");
    EXPECT_EQ(writer.close().message(), "");
    return content(path("x"));
  }

  // write_many writes what write writes for each array(:, ..., i).
  void expect_each(const array_view& array) {
    const auto last = static_cast<std::size_t>(array.array_rank - 1);
    array_view record = array;
    --record.array_rank;
    for (const record_dialect& dialect : written_dialects()) {
      const std::string found = written(array, dialect, true);
      record.base = array.base;
      record_writer writer;
      ASSERT_EQ(writer.open(path("x"), replace_mode::whole, dialect).message(), "");
      for (std::ptrdiff_t i = 0; i < array.extent[last]; ++i, record.base += array.stride[last])
        ASSERT_EQ(writer.write(record).message(), "");
      ASSERT_EQ(writer.close().message(), "");
      EXPECT_TRUE(found == content(path("x")));
    }
  }
};

// As gfortran 12 writes with -fmax-subrecord-length=32: the markers of records of these bytes.
TEST_F(RecordWriter, WritesThePiecesOfGfortran) {
  const struct {
    std::size_t bytes;
    std::vector<int> markers;
  } records[] = {{0, {0, 0}},
                 {1, {1, 1}},
                 {31, {31, 31}},
                 {32, {32, 32}},
                 {33, {-32, 32, 1, -1}},
                 {64, {-32, 32, 32, -32}},
                 {65, {-32, 32, -32, -32, 1, -1}},
                 {80, {-32, 32, -32, -32, 16, -16}}};
  for (const record_dialect& dialect : written_dialects())
    for (const auto& record : records) {
      std::string data = sample_bytes(record.bytes);
      std::string expected;
      for (std::size_t i = 0; i < record.markers.size(); i += 2)
        expected += marker_bytes_of(record.markers[i], dialect) + data.substr(16 * i, 32) +
                    marker_bytes_of(record.markers[i + 1], dialect);
      EXPECT_EQ(expected, record_of(data, dialect, 32));
      expect_written({data}, dialect, 32);
    }
}

TEST_F(RecordWriter, WritesRecordsOfEverySize) {
  for (const record_dialect& dialect : written_dialects()) {
    std::vector<std::string> records;
    for (std::size_t bytes = 0; bytes < 100; ++bytes) records.push_back(sample_bytes(bytes));
    // Around the sizes from which on other ways are taken.
    for (const std::size_t edge : {16384, 65536, 262144})
      for (std::size_t bytes = edge - 9; bytes < edge + 9; ++bytes)
        records.push_back(sample_bytes(bytes, static_cast<unsigned>(bytes)));
    expect_written(records, dialect);
    expect_written(records, dialect, 1000);
  }
}

TEST_F(RecordWriter, TurnsWordsRoundButNotCharacters) {
  std::uint32_t words[4] = {0x01020304U, 0x05060708U, 0x090a0b0cU, 0x0d0e0f10U};
  const std::string ascending = "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10";
  record_dialect big;
  big.order = byte_order::big;
  array_view array{reinterpret_cast<char*>(words), 4, type_class::integer, 1, {4}, {4}};
  EXPECT_EQ(written(array, big, false), record_of(ascending, big));
  array = {reinterpret_cast<char*>(words), 8, type_class::complex, 1, {2}, {8}};
  EXPECT_EQ(written(array, big, false), record_of(ascending, big));
  array = {reinterpret_cast<char*>(words), 4, type_class::logical, 1, {4}, {4}};
  EXPECT_EQ(written(array, big, false), record_of(ascending, big));
  const std::string as_is(reinterpret_cast<const char*>(words), sizeof words);
  array = {reinterpret_cast<char*>(words), 16, type_class::character, 0, {}, {}};
  EXPECT_EQ(written(array, big, false), record_of(as_is, big));
}

TEST_F(RecordWriter, WritesManyRecordsAsOneAfterAnother) {
  std::vector<double> values(200000);
  std::iota(values.begin(), values.end(), 0.5);
  char* const base = reinterpret_cast<char*>(values.data());
  const type_class real = type_class::real;
  expect_each({base, 8, real, 1, {100000}, {8}});
  expect_each({base, 8, real, 1, {60000}, {24}});
  expect_each({base + 8 * 999, 8, real, 1, {1000}, {-8}});
  expect_each({base, 8, real, 2, {3, 20000}, {8, 24}});
  expect_each({base, 8, real, 2, {2, 20000}, {8, 24}});
  expect_each({base, 8, real, 2, {7, 2000}, {16, 112}});
  expect_each({base, 8, real, 2, {2048, 9}, {8, 16384}});     // small to the byte
  expect_each({base, 8, real, 2, {2049, 9}, {8, 16392}});     // and not any more
  expect_each({base, 8, real, 2, {20000, 10}, {8, 160000}});  // large
  expect_each({base, 8, real, 2, {10, 2000}, {16000, 8}});    // rows
  expect_each({base, 8, real, 3, {5, 4, 300}, {8, 40, 160}});
  expect_each({base, 4, type_class::integer, 1, {999}, {4}});
  expect_each({base, 1, type_class::integer, 1, {999}, {8}});
  expect_each({base, 16, type_class::complex, 1, {5000}, {16}});
  expect_each({base, 12, type_class::character, 1, {5000}, {12}});
  expect_each({base, 8, real, 2, {0, 1000}, {8, 0}});
  expect_each({nullptr, 0, type_class::character, 1, {1000}, {0}});
  expect_each({base, 8, real, 2, {5, 0}, {8, 40}});
}

TEST_F(RecordWriter, TakesAScalarAsOneRecord) {
  double value = 1.5;
  const array_view scalar{reinterpret_cast<char*>(&value), 8, type_class::real, 0, {}, {}};
  const std::string bytes(reinterpret_cast<const char*>(&value), 8);
  EXPECT_EQ(written(scalar, {}, true), record_of(bytes, {}));
}

TEST_F(RecordWriter, TakesARecordInParts) {
  const std::string data = sample_bytes(300000);
  for (const record_dialect& dialect : written_dialects())
    for (const std::size_t part : {7, 999, 65536, 300000}) {
      record_writer writer;
      ASSERT_TRUE(writer.open(path("x"), replace_mode::whole, dialect).ok());
      writer.limit_pieces(100000);
      ASSERT_TRUE(writer.begin(data.size()).ok());
      for (std::size_t done = 0; done < data.size(); done += part)
        ASSERT_TRUE(writer.put(data.data() + done, std::min(part, data.size() - done)).ok());
      ASSERT_TRUE(writer.end().ok());
      ASSERT_TRUE(writer.begin(0).ok() && writer.end().ok());
      ASSERT_TRUE(writer.close().ok());
      EXPECT_TRUE(content(path("x")) == record_of(data, dialect, 100000) + record_of("", dialect));
    }
}

TEST_F(RecordWriter, RefusesPartsThatAreNoRecord) {
  std::string data = "abc";
  const array_view array = characters_of(data);
  const int invalid = static_cast<int>(stat_code::argument_invalid);
  record_writer writer;
  EXPECT_EQ(writer.write(array).code(), invalid);
  ASSERT_TRUE(writer.open(path("x"), replace_mode::whole, {}).ok());
  EXPECT_EQ(writer.open(path("y"), replace_mode::whole, {}).code(), invalid);
  EXPECT_EQ(writer.put("a", 1).code(), invalid);
  EXPECT_EQ(writer.end().code(), invalid);
  ASSERT_TRUE(writer.begin(2).ok());
  EXPECT_EQ(writer.begin(1).code(), invalid);
  EXPECT_EQ(writer.write(array).code(), invalid);
  EXPECT_EQ(writer.write_many(array).code(), invalid);
  EXPECT_EQ(writer.put("abc", 3).code(), invalid);
  EXPECT_EQ(writer.end().code(), invalid);
  EXPECT_EQ(writer.close().code(), invalid);
  EXPECT_EQ(files(), 0U) << "a file without its end does not appear";
}

TEST_F(RecordWriter, AppearsWithCloseOnly) {
  std::string data = "new";
  put(path("x"), "old");
  {
    record_writer writer;
    ASSERT_TRUE(writer.open(path("x"), replace_mode::whole, {}).ok());
    ASSERT_TRUE(writer.write(characters_of(data)).ok());
    EXPECT_EQ(content(path("x")), "old");
  }
  EXPECT_EQ(content(path("x")), "old");
  EXPECT_EQ(files(), 1U);
  record_writer writer;
  ASSERT_TRUE(writer.open(path("x"), replace_mode::whole, {}, sync_mode::file).ok());
  ASSERT_TRUE(writer.close().ok());
  EXPECT_EQ(content(path("x")), "") << "no records";
  EXPECT_TRUE(writer.close().ok()) << "again";
}

TEST_F(RecordWriter, WritesOverAnOldFileInPlace) {
  std::string data = "new";
  put(path("x"), sample_bytes(1000));
  record_writer writer;
  ASSERT_TRUE(writer.open(path("x"), replace_mode::in_place, {}).ok());
  ASSERT_TRUE(writer.write(characters_of(data)).ok());
  ASSERT_TRUE(writer.close().ok());
  EXPECT_EQ(content(path("x")), record_of(data, {}));
}

TEST_F(RecordWriter, RefusesDialectsThatAreOnlyRead) {
  record_dialect dialects[4];
  dialects[0].longer = long_records::high_bit;
  dialects[1].longer = long_records::unsigned_marker;
  dialects[2].segmented = true;
  dialects[3].marker_bytes = 2;
  for (const record_dialect& dialect : dialects) {
    record_writer writer;
    EXPECT_EQ(writer.open(path("x"), replace_mode::whole, dialect).code(),
              static_cast<int>(stat_code::argument_invalid));
    EXPECT_FALSE(writer.is_open());
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(RecordWriter, RefusesNamesThatCannotBeWritten) {
  record_writer writer;
  EXPECT_EQ(writer.open(directory_.string(), replace_mode::whole, {}).code(), EISDIR);
  EXPECT_EQ(writer.open(directory_.string(), replace_mode::append, {}).code(), EISDIR);
  EXPECT_EQ(writer.open(path("no/x"), replace_mode::whole, {}).code(), ENOENT);
  const std::string long_name = path(std::string(300, 'n'));
  EXPECT_EQ(writer.open(long_name, replace_mode::whole, {}).code(), ENAMETOOLONG);
  EXPECT_EQ(writer.open("", replace_mode::whole, {}).code(),
            static_cast<int>(stat_code::file_name_empty));
  EXPECT_FALSE(writer.is_open());
}

TEST_F(RecordWriter, RefusesFilesWithoutPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may write read-only files";
  put(path("x"), "");
  ASSERT_EQ(::chmod(path("x").c_str(), 0400), 0);
  record_writer writer;
  EXPECT_EQ(writer.open(path("x"), replace_mode::whole, {}).code(), EACCES);
  EXPECT_EQ(writer.open(path("x"), replace_mode::append, {}).code(), EACCES);
}

TEST_F(RecordWriter, WritesIntoAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string data = sample_bytes(300000);
  std::string found;
  std::thread other([&] { found = content(path("pipe")); });
  record_writer writer;
  EXPECT_TRUE(writer.open(path("pipe"), replace_mode::append, {}).ok());
  std::string copy = data;
  EXPECT_TRUE(writer.write(characters_of(copy)).ok());
  EXPECT_TRUE(writer.write_many(characters_of(copy)).ok());
  EXPECT_TRUE(writer.close().ok());
  other.join();
  EXPECT_EQ(found.size(), data.size() + 8 + 9 * data.size());
  EXPECT_TRUE(found.substr(0, data.size() + 8) == record_of(data, {}));
}

TEST_F(RecordWriter, TellsThatADeviceIsFull) {
  std::string data = sample_bytes(1000);
  record_writer writer;
  ASSERT_TRUE(writer.open("/dev/full", replace_mode::whole, {}).ok());
  EXPECT_TRUE(writer.write(characters_of(data)).ok());
  EXPECT_EQ(writer.close().code(), ENOSPC);
  std::string large = sample_bytes(100000);
  ASSERT_TRUE(writer.open("/dev/full", replace_mode::whole, {}).ok());
  EXPECT_EQ(writer.write(characters_of(large)).code(), ENOSPC);
  EXPECT_EQ(writer.write(characters_of(data)).code(), ENOSPC) << "nothing more is written";
  EXPECT_EQ(writer.close().code(), ENOSPC);
}

}  // namespace
}  // namespace headrace
