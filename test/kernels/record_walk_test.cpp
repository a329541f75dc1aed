// Going from marker to marker in every dialect, through whole, cut and damaged files.
#include "binary/record_walk.hpp"

#include <random>

#include "amounts.hpp"
#include "record_reference.hpp"
#include "scratch.hpp"

namespace headrace {
namespace {

std::string some_data(std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::string data(bytes, '\0');
  for (char& byte : data) byte = static_cast<char>(random());
  return data;
}

class RecordWalk : public Scratch {
 protected:
  void open(const std::string& content) {
    put(path("r.unf"), content);
    ASSERT_TRUE(file_.open(path("r.unf")).ok());
  }

  // Walks to the end or the damage and compares all records with the plainest walk.
  status walk(const std::string& content, const record_dialect& dialect,
              std::uint64_t* failed_at = nullptr) {
    open(content);
    const reference_file truth = reference_walk(content, dialect);
    record_walk walk(file_, dialect);
    record_extent record;
    std::size_t i = 0;
    for (; walk.next(record); ++i) {
      EXPECT_LT(i, truth.records.size());
      if (i >= truth.records.size()) break;
      expect_same(record, truth.records[i], i + 1);
    }
    EXPECT_EQ(i, truth.records.size());
    EXPECT_EQ(walk.failure().ok(), !truth.damaged) << walk.failure().message();
    if (failed_at != nullptr) *failed_at = walk.failed_at();
    return walk.failure();
  }

  static void expect_same(const record_extent& found, const reference_record& record,
                          std::size_t number) {
    EXPECT_EQ(found.number, number);
    EXPECT_EQ(found.begin, record.begin);
    EXPECT_EQ(found.end, record.end);
    EXPECT_EQ(found.bytes, record.data.size());
    EXPECT_EQ(found.pieces, record.pieces.size());
    EXPECT_EQ(found.offset, record.pieces.front().first);
  }

  static bool is_of_records(const status& failure) {
    return failure.code() == static_cast<int>(stat_code::truncated_record) ||
           failure.code() == static_cast<int>(stat_code::record_marker_damaged);
  }

  std::string message(const std::string& content, const record_dialect& dialect = {}) {
    return walk(content, dialect).message();
  }

  file_reader file_;
};

std::string small_file(const record_dialect& dialect) {
  const std::size_t limit = piece_limit_of(dialect, 8);
  std::string file;
  for (const std::size_t bytes : {5U, 0U, 20U, 8U, 8U, 1U})
    file += marked_record(some_data(bytes, static_cast<unsigned>(bytes)), dialect, limit);
  return file;
}

TEST_F(RecordWalk, PassesTheRecordsOfEveryDialect) {
  for (const record_dialect& dialect : all_dialects())
    EXPECT_TRUE(walk(small_file(dialect), dialect).ok());
}

TEST_F(RecordWalk, FindsTheMarkersThatGfortranWrites) {
  // -fmax-subrecord-length=32, 80 bytes in three pieces.
  const auto marker = [](std::int32_t value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  const std::string a(32, 'a');
  const std::string c(16, 'c');
  const std::string file = marker(-32) + a + marker(32) + marker(-32) + a + marker(-32) +
                           marker(16) + c + marker(-16) + marker(0) + marker(0);
  open(file);
  record_walk walk(file_, {});
  record_extent record;
  ASSERT_TRUE(walk.next(record)) << walk.failure().message();
  EXPECT_EQ(record.bytes, 80U);
  EXPECT_EQ(record.pieces, 3U);
  ASSERT_TRUE(walk.next(record));
  EXPECT_EQ(record.bytes, 0U);
  EXPECT_FALSE(walk.next(record));
  EXPECT_TRUE(walk.failure().ok());
}

TEST_F(RecordWalk, GoesBackByTheMarkersBehind) {
  for (const record_dialect& dialect : all_dialects()) {
    if (dialect.segmented) continue;
    const std::string content = small_file(dialect);
    const reference_file truth = reference_walk(content, dialect);
    open(content);
    record_walk walk(file_, dialect);
    record_extent record;
    ASSERT_TRUE(walk.skip(truth.records.size()));
    for (std::size_t i = truth.records.size(); i > 0; --i) {
      ASSERT_TRUE(walk.previous(record)) << walk.failure().message();
      EXPECT_EQ(record.number, i);
      EXPECT_EQ(record.begin, truth.records[i - 1].begin);
      EXPECT_EQ(record.bytes, truth.records[i - 1].data.size());
      EXPECT_EQ(record.offset, truth.records[i - 1].pieces.front().first);
    }
    EXPECT_FALSE(walk.previous(record));
    EXPECT_TRUE(walk.failure().ok());
  }
}

TEST_F(RecordWalk, StopsAtEveryTruncation) {
  for (const record_dialect& dialect : all_dialects()) {
    const std::string whole = small_file(dialect);
    const reference_file truth = reference_walk(whole, dialect);
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
      const status result = walk(whole.substr(0, bytes), dialect);
      if (result.ok()) continue;  // between two records: walk() has compared
      EXPECT_EQ(result.code(), static_cast<int>(stat_code::truncated_record)) << result.message();
      EXPECT_NE(result.message().find("byte "), std::string::npos);
    }
  }
}

TEST_F(RecordWalk, StopsAtEveryCorruptedByte) {
  std::size_t number = 0;
  for (const record_dialect& dialect : all_dialects()) {
    const std::string whole = small_file(dialect);
    for (std::size_t at = 0; at < whole.size(); ++at)
      for (const unsigned value : {0x00U, 0x01U, 0x7FU, 0x80U, 0xFFU}) {
        if (number++ % one_of(3) != 0) continue;
        std::string content = whole;
        content[at] = static_cast<char>(value);
        const status result = walk(content, dialect);
        if (!result.ok()) {
          EXPECT_TRUE(is_of_records(result)) << result.message();
        }
      }
  }
}

TEST_F(RecordWalk, BelievesNoLength) {
  for (const record_dialect& dialect : all_dialects())
    for (const char* const word : {"\x80\0\0\0\0\0\0\0", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
                                   "\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF", "\0\0\0\x80\0\0\0\x80",
                                   "\xF7\xFF\xFF\xFF\xFF\xFF\xFF\x7F", "\x80\0\0\0\x80\0\0\0"}) {
      const std::string eight(word, 8);
      for (const std::string& content : {eight + eight + eight, eight.substr(0, 4)}) {
        const status result = walk(content, dialect);
        EXPECT_TRUE(result.ok() || is_of_records(result)) << result.message();
      }
    }
}

TEST_F(RecordWalk, SaysWhereAndWhat) {
  const std::string good = marked_record("abc", {}, 100);
  std::uint64_t failed_at = 0;
  const status cut = walk(good + good.substr(0, 9), {}, &failed_at);
  EXPECT_EQ(failed_at, 11U);
  EXPECT_NE(cut.message().find("record 2 ends beyond the end of the file: behind its first marker: "
                               "expected 7 bytes, found 5 bytes, byte 11"),
            std::string::npos)
      << cut.message();
  std::string wrong = good;
  wrong[7] = 4;
  EXPECT_NE(message(good + wrong)
                .find("the markers before and behind record 2 differ: expected 3 "
                      "bytes, found 4 bytes, byte 18"),
            std::string::npos)
      << message(good + wrong);
}

TEST_F(RecordWalk, NamesTheDialectThatFits) {
  const record_dialect big{4, byte_order::big, long_records::subrecords, false};
  const record_dialect wide{8, byte_order::little, long_records::subrecords, false};
  const record_dialect little{4, byte_order::little, long_records::subrecords, false};
  EXPECT_NE(message(marked_record("abc", big, 100), little)
                .find("it fits with byte_order=\"big\": open it so"),
            std::string::npos);
  EXPECT_NE(message(marked_record("abcdefgh", wide, 100), little).find("with record_marker=8:"),
            std::string::npos);
  EXPECT_NE(message(marked_record("abc", little, 100) + marked_record("abc", big, 100), little)
                .find("from here on it fits with byte_order=\"big\""),
            std::string::npos);
  EXPECT_NE(message("no records at all").find("headrace inspect tells"), std::string::npos);
}

TEST_F(RecordWalk, PassesFilesOfManyWindows) {
  std::mt19937 random(7);
  for (const record_dialect& dialect : all_dialects()) {
    std::string content;
    const std::size_t most = dialect.segmented ? 60000 : 100000;
    while (content.size() < 1500000) {
      const std::size_t bytes = random() % 8 == 0 ? random() % most : random() % 30;
      const std::string data(bytes, 'x');
      for (std::size_t n = random() % 3 == 0 ? 1 + random() % 2000 : 1; n > 0; --n) {
        content += marked_record(data, dialect, piece_limit_of(dialect, 30000));
        if (bytes > 100) break;
      }
    }
    EXPECT_TRUE(walk(content, dialect).ok());
    const reference_file truth = reference_walk(content, dialect);
    record_walk steps(file_, dialect);
    for (std::size_t at = 0; at < truth.records.size();) {
      const std::size_t step = std::min<std::size_t>(1 + random() % 700, truth.records.size() - at);
      ASSERT_TRUE(steps.skip(step));
      at += step;
      ASSERT_EQ(steps.begin(), truth.records[at - 1].end);
    }
  }
}

// A file that is a hole but for a few bytes.
void put_sparse(const std::string& file, std::uint64_t size,
                const std::vector<std::pair<std::uint64_t, std::string>>& parts) {
  std::ofstream stream(file, std::ios::binary);
  for (const auto& [offset, bytes] : parts) {
    stream.seekp(static_cast<std::streamoff>(offset));
    stream << bytes;
  }
  stream.close();
  std::filesystem::resize_file(file, size);
}

TEST_F(RecordWalk, PassesRecordsOfManyGigabytes) {
  constexpr std::uint64_t three = std::uint64_t{3} << 30;
  constexpr auto longest = static_cast<std::uint64_t>(longest_piece);
  const byte_order big = byte_order::big;
  const auto of_flang = reference_bytes(three, 4, big);
  const auto going_on = reference_bytes(0 - longest, 4, big);
  const auto ends = reference_bytes(longest, 4, big);
  const auto rest = reference_bytes(three - longest, 4, big);
  const auto came = reference_bytes(longest - three, 4, big);
  const auto wide = reference_bytes(2 * three, 8, big);
  const struct {
    record_dialect dialect;
    std::uint64_t bytes;
    std::uint64_t size;
    std::vector<std::pair<std::uint64_t, std::string>> parts;
  } cases[] = {
      {{4, big, long_records::unsigned_marker, false},
       three,
       three + 8,
       {{0, of_flang}, {three + 4, of_flang}}},
      {{4, big, long_records::subrecords, false},
       three,
       three + 16,
       {{0, going_on}, {longest + 4, ends + rest}, {three + 12, came}}},
      {{8, big, long_records::subrecords, false},
       2 * three,
       2 * three + 16,
       {{0, wide}, {2 * three + 8, wide}}},
  };
  for (const auto& one : cases) {
    put_sparse(path("r.unf"), one.size, one.parts);
    ASSERT_TRUE(file_.open(path("r.unf")).ok());
    record_walk walk(file_, one.dialect);
    record_extent record;
    ASSERT_TRUE(walk.next(record)) << walk.failure().message();
    EXPECT_EQ(record.bytes, one.bytes);
    EXPECT_EQ(record.end, one.size);
    ASSERT_TRUE(walk.previous(record)) << walk.failure().message();
    EXPECT_EQ(record.bytes, one.bytes);
    EXPECT_EQ(record.begin, 0U);
  }
}

TEST_F(RecordWalk, FindsTheOneRecordThatDiffers) {
  // Equal records are checked many at a time.
  const record_dialect dialect{4, byte_order::big, long_records::subrecords, false};
  std::string content;
  for (int i = 0; i < 40000; ++i) content += marked_record("12345678", dialect, 100);
  for (const std::size_t record : {0U, 1U, 7U, 8U, 9U, 4095U, 16384U, 39999U})
    for (const std::size_t byte : {3U, 15U}) {
      std::string damaged = content;
      damaged[record * 16 + byte] = 9;
      open(damaged);
      record_walk walk(file_, dialect);
      EXPECT_FALSE(walk.skip(40000));
      EXPECT_EQ(walk.number(), record + 1);
      EXPECT_FALSE(walk.failure().ok());
    }
}

TEST_F(RecordWalk, TellsOfAFileThatShrinks) {
  std::string content;
  for (int i = 0; i < 100000; ++i) content += marked_record("12345678", {}, 100);
  open(content);
  record_walk walk(file_, {});
  ASSERT_TRUE(walk.skip(10));
  std::filesystem::resize_file(path("r.unf"), 160160);
  EXPECT_FALSE(walk.skip(99990));
  EXPECT_EQ(walk.failure().code(), static_cast<int>(stat_code::file_changed_while_reading));
  EXPECT_EQ(walk.number(), 10011U);
}

}  // namespace
}  // namespace headrace
