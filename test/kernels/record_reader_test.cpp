// Reading records into arrays: next, back, by number, many at once; and finding out the dialect.
#include "binary/record_reader.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <numeric>
#include <random>

#include "amounts.hpp"
#include "record_reference.hpp"
#include "scratch.hpp"

namespace headrace {
namespace {

const record_dialect little4{4, byte_order::little, long_records::subrecords, false};
const record_dialect big4{4, byte_order::big, long_records::subrecords, false};
const record_dialect little8{8, byte_order::little, long_records::subrecords, false};
const record_dialect big8{8, byte_order::big, long_records::subrecords, false};
const std::vector<record_dialect> plain = {little4, big4, little8, big8};

template <class T>
array_view view_of(std::vector<T>& values, std::vector<std::ptrdiff_t> extents,
                   std::ptrdiff_t gap = 1) {
  array_view view{reinterpret_cast<char*>(values.data()), sizeof(T), type_class::integer,
                  static_cast<int>(extents.size())};
  std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(sizeof(T)) * gap;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    view.extent[d] = extents[d];
    view.stride[d] = stride;
    stride *= extents[d];
  }
  return view;
}

// Numbers as words of a byte order.
template <class T>
std::string words(T first, std::size_t count, byte_order order) {
  std::string data;
  for (std::size_t i = 0; i < count; ++i)
    data += reference_bytes(static_cast<std::uint64_t>(first) + i, sizeof(T), order);
  return data;
}

class RecordReader : public Scratch {
 protected:
  status open(const std::string& content, const std::vector<record_dialect>& dialects) {
    put(path("r.unf"), content);
    return reader_.open(path("r.unf"), dialects);
  }

  // The bytes of the next record; a negative status when there is none.
  std::int64_t next() {
    std::uint64_t bytes = 0;
    const status result = reader_.next_bytes(bytes);
    return result.ok() ? static_cast<std::int64_t>(bytes) : result.code();
  }

  record_reader reader_;
};

int code(const status& result) {
  return result.code();
}
int number(stat_code which) {
  return static_cast<int>(which);
}

TEST_F(RecordReader, ReadsEveryDialectAndOrder) {
  for (const record_dialect& dialect : all_dialects()) {
    const std::size_t limit = piece_limit_of(dialect, 10);
    ASSERT_TRUE(open(marked_record(words<std::int32_t>(1, 9, dialect.order), dialect, limit) +
                         marked_record("", dialect, limit) +
                         marked_record(words<std::int64_t>(-5, 3, dialect.order), dialect, limit),
                     {dialect})
                    .ok());
    std::vector<std::int32_t> small(9);
    std::vector<std::int64_t> wide(3);
    std::vector<char> none;
    EXPECT_EQ(next(), 36);
    ASSERT_TRUE(reader_.read(view_of(small, {3, 3})).ok());
    EXPECT_EQ(small.front(), 1);
    EXPECT_EQ(small.back(), 9);
    ASSERT_TRUE(reader_.read(view_of(none, {0})).ok());
    const status read = reader_.read(view_of(wide, {3}));
    ASSERT_TRUE(read.ok()) << read.message();
    EXPECT_EQ(wide, (std::vector<std::int64_t>{-5, -4, -3}));
    EXPECT_EQ(next(), -1);
  }
}

TEST_F(RecordReader, LeavesAnArrayOfAnotherSizeAlone) {
  ASSERT_TRUE(
      open(marked_record(words<std::int32_t>(1, 3, byte_order::little), little4, 100), {little4})
          .ok());
  std::vector<std::int32_t> four(4, -1);
  std::vector<std::int32_t> three(3, -1);
  const status result = reader_.read(view_of(four, {4}));
  EXPECT_EQ(code(result), number(stat_code::record_size_mismatch));
  EXPECT_NE(result.message().find("record 1 does not fit the array: expected 16 bytes (4 elements "
                                  "of 4 bytes), found 12 bytes"),
            std::string::npos)
      << result.message();
  EXPECT_EQ(four, std::vector<std::int32_t>(4, -1));
  EXPECT_EQ(code(reader_.read_many(view_of(four, {4, 1}))),
            number(stat_code::record_size_mismatch));
  EXPECT_EQ(four, std::vector<std::int32_t>(4, -1));
  EXPECT_TRUE(reader_.read(view_of(three, {3})).ok());
  EXPECT_EQ(three, (std::vector<std::int32_t>{1, 2, 3}));
}

TEST_F(RecordReader, ReadsIntoSections) {
  ASSERT_TRUE(
      open(marked_record(words<std::int32_t>(1, 3, byte_order::big), big4, 100), {big4}).ok());
  std::vector<std::int32_t> space(6, -1);
  ASSERT_TRUE(reader_.read(view_of(space, {3}, 2)).ok());
  EXPECT_EQ(space, (std::vector<std::int32_t>{1, -1, 2, -1, 3, -1}));
}

TEST_F(RecordReader, GoesForthAndBackAndToTheEnds) {
  for (const record_dialect& dialect : all_dialects()) {
    std::string content;
    for (std::size_t i = 1; i <= 20; ++i)
      content += marked_record(std::string(i, 'x'), dialect, piece_limit_of(dialect, 6));
    ASSERT_TRUE(open(content, {dialect}).ok());
    EXPECT_TRUE(reader_.skip(4).ok());
    EXPECT_EQ(next(), 5);
    EXPECT_EQ(reader_.next_number(), 5U);
    EXPECT_TRUE(reader_.skip(-3).ok());
    EXPECT_EQ(next(), 2);
    EXPECT_EQ(code(reader_.skip(-2)), number(stat_code::record_missing));
    EXPECT_EQ(code(reader_.skip(20)), number(stat_code::record_missing));
    EXPECT_EQ(next(), 2);
    EXPECT_TRUE(reader_.skip(19).ok());
    EXPECT_EQ(next(), -1);
    EXPECT_TRUE(reader_.skip(-1).ok());
    EXPECT_EQ(next(), 20);
    EXPECT_TRUE(reader_.go_to(1).ok());
    EXPECT_EQ(next(), 1);
    EXPECT_TRUE(reader_.go_to(21).ok());
    EXPECT_EQ(next(), -1);
    for (const std::int64_t wrong : {std::int64_t{22}, std::int64_t{0}, INT64_MIN, INT64_MAX})
      EXPECT_EQ(code(reader_.go_to(wrong)), number(stat_code::record_missing)) << wrong;
    EXPECT_EQ(code(reader_.skip(INT64_MIN)), number(stat_code::record_missing));
    EXPECT_EQ(code(reader_.skip(INT64_MAX)), number(stat_code::record_missing));
    EXPECT_EQ(reader_.next_number(), 21U);
    std::uint64_t count = 0;
    EXPECT_TRUE(reader_.count(count).ok());
    EXPECT_EQ(count, 20U);
  }
}

TEST_F(RecordReader, FindsAnyOfManyRecords) {
  // So many that the index keeps every fourth place only.
  std::mt19937 random(3);
  std::string content;
  std::vector<std::uint64_t> lengths;
  while (lengths.size() < 300000) {
    const std::string record = marked_record(std::string(random() % 4, 'x'), little4, 100);
    for (std::size_t n = random() % 50; n > 0; --n) {
      content += record;
      lengths.push_back(record.size() - 8);
    }
  }
  ASSERT_TRUE(open(content, {little4}).ok());
  for (int i = 0; i < 3000; ++i) {
    const std::size_t record = random() % lengths.size();
    ASSERT_TRUE(reader_.go_to(static_cast<std::int64_t>(record) + 1).ok());
    ASSERT_EQ(next(), static_cast<std::int64_t>(lengths[record]));
  }
  std::uint64_t count = 0;
  EXPECT_TRUE(reader_.count(count).ok());
  EXPECT_EQ(count, lengths.size());
  ASSERT_TRUE(reader_.go_to(static_cast<std::int64_t>(lengths.size()) + 1).ok());
  EXPECT_TRUE(reader_.skip(-200000).ok());
  EXPECT_EQ(next(), static_cast<std::int64_t>(lengths[lengths.size() - 200000]));
}

TEST_F(RecordReader, ReadsManyRecordsAsOneArray) {
  for (const record_dialect& dialect : plain)
    for (const std::size_t per_record : {1U, 2U, 3U, 4U, 6U, 8U, 13U, 5000U, 9000U}) {
      const std::size_t records = per_record > 100 ? 20 : 40000 / one_of(8);
      std::string content = marked_record("first", dialect, 100);
      for (std::size_t i = 0; i < records; ++i)
        content += marked_record(words<std::int32_t>(static_cast<std::int32_t>(i * per_record),
                                                     per_record, dialect.order),
                                 dialect, 1000000);
      ASSERT_TRUE(open(content + marked_record("last", dialect, 100), {dialect}).ok());
      ASSERT_TRUE(reader_.skip(1).ok());
      std::vector<std::int32_t> expected(records * per_record);
      std::iota(expected.begin(), expected.end(), 0);
      std::vector<std::int32_t> values(expected.size(), -1);
      const auto extent = static_cast<std::ptrdiff_t>(records);
      const status read =
          reader_.read_many(view_of(values, {static_cast<std::ptrdiff_t>(per_record), extent}));
      ASSERT_TRUE(read.ok()) << read.message();
      EXPECT_EQ(values, expected);
      EXPECT_EQ(next(), 4);
      EXPECT_EQ(reader_.next_number(), records + 2);
      // Every second place of a larger array.
      ASSERT_TRUE(reader_.go_to(2).ok());
      std::vector<std::int32_t> space(2 * expected.size(), -1);
      ASSERT_TRUE(
          reader_.read_many(view_of(space, {static_cast<std::ptrdiff_t>(per_record), extent}, 2))
              .ok());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(space[2 * i], expected[i]);
        ASSERT_EQ(space[2 * i + 1], -1);
      }
    }
}

TEST_F(RecordReader, ReadsManyRecordsOfSeveralPieces) {
  for (const record_dialect& dialect : all_dialects()) {
    std::string content;
    std::mt19937 random(5);
    for (std::int32_t i = 0; i < 5000; ++i)
      content += marked_record(words<std::int32_t>(2 * i, 2, dialect.order), dialect,
                               piece_limit_of(dialect, i > 2000 && random() % 9 == 0 ? 3 : 8));
    ASSERT_TRUE(open(content, {dialect}).ok());
    std::vector<std::int32_t> values(10000, -1);
    const status read = reader_.read_many(view_of(values, {2, 5000}));
    ASSERT_TRUE(read.ok()) << read.message();
    for (std::int32_t i = 0; i < 10000; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], i);
  }
}

TEST_F(RecordReader, ReadsManyOrNone) {
  std::string content;
  for (int i = 0; i < 40000; ++i) content += marked_record("abcdefgh", big8, 100);
  std::vector<std::int64_t> values(40001, -1);
  ASSERT_TRUE(open(content, {big8}).ok());
  status result = reader_.read_many(view_of(values, {40001}));
  EXPECT_EQ(code(result), -1);
  EXPECT_NE(result.message().find("expected 40001, found 40000"), std::string::npos);
  EXPECT_EQ(values, std::vector<std::int64_t>(40001, -1));
  EXPECT_EQ(reader_.next_number(), 1U);
  // A longer one among them.
  ASSERT_TRUE(open(content + marked_record("abc", big8, 100) + content, {big8}).ok());
  result = reader_.read_many(view_of(values, {40001}));
  EXPECT_EQ(code(result), number(stat_code::record_size_mismatch));
  EXPECT_NE(result.message().find("record 40001 "), std::string::npos) << result.message();
  EXPECT_EQ(reader_.next_number(), 1U);
  // A damaged one.
  content[24 * 30000 + 23] = 9;
  ASSERT_TRUE(open(content, {big8}).ok());
  result = reader_.read_many(view_of(values, {40000}));
  EXPECT_EQ(code(result), number(stat_code::record_marker_damaged));
  EXPECT_NE(result.message().find("byte " + std::to_string(24 * 30000 + 16)), std::string::npos)
      << result.message();
  EXPECT_EQ(next(), 8);
  EXPECT_EQ(reader_.next_number(), 1U);
}

TEST_F(RecordReader, ReadsRecordsWithoutBytes) {
  std::string content;
  for (int i = 0; i < 1000; ++i) content += marked_record("", little4, 100);
  ASSERT_TRUE(open(content, {little4}).ok());
  std::vector<std::int32_t> none;
  EXPECT_TRUE(reader_.read_many(view_of(none, {0, 600})).ok());
  EXPECT_EQ(reader_.next_number(), 601U);
  EXPECT_TRUE(reader_.read_many(view_of(none, {5, 0})).ok());
  EXPECT_EQ(reader_.next_number(), 601U);
  EXPECT_EQ(code(reader_.read_many(view_of(none, {0, 401}))), -1);
}

TEST_F(RecordReader, ReadsUpToTheDamage) {
  std::string content;
  for (int i = 0; i < 9; ++i) content += marked_record("abcd", little4, 100);
  content[5 * 12] = 5;
  ASSERT_TRUE(open(content, {little4}).ok());
  std::uint64_t count = 0;
  const status counted = reader_.count(count);
  EXPECT_EQ(code(counted), number(stat_code::record_marker_damaged)) << counted.message();
  EXPECT_NE(counted.message().find("r.unf"), std::string::npos);
  EXPECT_EQ(count, 5U);
  EXPECT_TRUE(reader_.go_to(5).ok());
  EXPECT_EQ(next(), 4);
  EXPECT_EQ(code(reader_.go_to(7)), number(stat_code::record_marker_damaged));
  EXPECT_EQ(reader_.next_number(), 5U);
  EXPECT_TRUE(reader_.skip(1).ok());
  EXPECT_EQ(next(), number(stat_code::record_marker_damaged));
  EXPECT_TRUE(reader_.skip(-5).ok());
  EXPECT_EQ(next(), 4);
}

TEST_F(RecordReader, TellsWherePiecesLie) {
  for (const record_dialect& dialect : all_dialects()) {
    std::string content;
    for (std::size_t i = 0; i < 30; ++i)
      content += marked_record(std::string(i, 'x'), dialect, piece_limit_of(dialect, 7));
    const reference_file truth = reference_walk(content, dialect);
    ASSERT_TRUE(open(content, {dialect}).ok());
    std::vector<record_part> all;
    std::vector<record_part> parts;
    for (std::int64_t first = 1;; first = static_cast<std::int64_t>(all.back().number) + 1) {
      const status located = reader_.locate(first, 11, parts);
      ASSERT_TRUE(located.ok()) << located.message();
      if (parts.empty()) break;
      // The last may be cut: it comes again, whole.
      const std::uint64_t last = parts.back().number;
      const std::size_t whole = truth.records[last - 1].pieces.size();
      std::size_t told = 0;
      for (const record_part& part : parts) told += part.number == last ? 1 : 0;
      if (told < whole)
        while (!parts.empty() && parts.back().number == last) parts.pop_back();
      ASSERT_FALSE(parts.empty());
      all.insert(all.end(), parts.begin(), parts.end());
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < truth.records.size(); ++i)
      for (const auto& [offset, bytes] : truth.records[i].pieces) {
        ASSERT_LT(at, all.size());
        EXPECT_EQ(all[at].number, i + 1);
        EXPECT_EQ(all[at].offset, offset);
        EXPECT_EQ(all[at++].bytes, bytes);
      }
    EXPECT_EQ(at, all.size());
    EXPECT_EQ(reader_.next_number(), 1U);
    EXPECT_EQ(code(reader_.locate(0, 5, parts)), number(stat_code::record_missing));
    EXPECT_EQ(code(reader_.locate(32, 5, parts)), number(stat_code::record_missing));
  }
}

TEST_F(RecordReader, FindsOutTheDialect) {
  for (const record_dialect& dialect : plain) {
    std::string content;
    for (std::size_t i = 1; i < 9; ++i) content += marked_record(std::string(i, 'x'), dialect, 100);
    for (const std::size_t lost : {0U, 3U}) {
      const status found = open(content.substr(0, content.size() - lost), plain);
      ASSERT_TRUE(found.ok()) << found.message();
      EXPECT_EQ(reader_.dialect().marker_bytes, dialect.marker_bytes);
      EXPECT_EQ(reader_.dialect().order, dialect.order);
    }
  }
}

TEST_F(RecordReader, SaysWhatItTriedWhenNoDialectOrMoreThanOneFits) {
  const auto refused = [&](const std::string& content) {
    const status result = open(content, plain);
    EXPECT_EQ(code(result), number(stat_code::record_marker_damaged)) << result.message();
    for (const char* const tried :
         {"record_marker=4, byte_order=\"little\"", "record_marker=4, byte_order=\"big\"",
          "record_marker=8, byte_order=\"little\"", "record_marker=8, byte_order=\"big\""})
      EXPECT_NE(result.message().find(tried), std::string::npos) << result.message();
    return result.message();
  };
  EXPECT_NE(refused("neither records nor markers").find("no byte order"), std::string::npos);
  EXPECT_NE(refused(std::string(64, '\0')).find("more than one"), std::string::npos);
  // A hidden tie: the length is the same in both orders.
  const std::string same = marked_record(std::string(0x01010101, 'x'), little4, SIZE_MAX);
  EXPECT_NE(refused(same).find("record_marker=4, byte_order=\"big\" fits"), std::string::npos);
  EXPECT_NE(refused("\1").find("no byte order"), std::string::npos);
  EXPECT_TRUE(open("", plain).ok());
  EXPECT_EQ(next(), -1);
}

TEST_F(RecordReader, RefusesWhatIsNoFile) {
  EXPECT_EQ(code(reader_.open(path("missing"), {little4})), ENOENT);
  EXPECT_EQ(code(reader_.open(directory_.string(), {little4})), EISDIR);
  EXPECT_EQ(code(reader_.open("", {little4})), number(stat_code::file_name_empty));
  EXPECT_EQ(code(reader_.open("/dev/null", {little4})), number(stat_code::argument_invalid));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const status pipe = reader_.open(path("pipe"), {little4});
  EXPECT_EQ(code(pipe), number(stat_code::argument_invalid));
  EXPECT_NE(pipe.message().find("copy it to a file first"), std::string::npos);
  put(path("secret"), "x");
  ::chmod(path("secret").c_str(), 0);
  // The superuser may read everything.
  if (::geteuid() != 0) {
    EXPECT_EQ(code(reader_.open(path("secret"), {little4})), EACCES);
  }
}

TEST_F(RecordReader, TellsOfAFileThatShrinks) {
  std::string content;
  for (int i = 0; i < 3; ++i)
    content += marked_record(std::string(1000000, 'x'), little4, SIZE_MAX);
  ASSERT_TRUE(open(content, {little4}).ok());
  std::vector<char> record(1000000, '?');
  std::vector<char> all(3000000, '?');
  EXPECT_EQ(next(), 1000000);
  std::filesystem::resize_file(path("r.unf"), 500000);
  EXPECT_EQ(code(reader_.read(view_of(record, {1000000}))),
            number(stat_code::file_changed_while_reading));
  EXPECT_EQ(code(reader_.read_many(view_of(all, {1000000, 3}))),
            number(stat_code::file_changed_while_reading));
  EXPECT_EQ(code(reader_.go_to(3)), number(stat_code::file_changed_while_reading));
  EXPECT_EQ(reader_.next_number(), 1U);
}

}  // namespace
}  // namespace headrace
