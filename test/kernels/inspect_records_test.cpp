// What hr_survey_records says of files of records, whole and damaged.
#include <cstring>
#include <vector>

#include "headrace_inspect.h"
#include "scratch.hpp"

namespace headrace {
namespace {

template <class Word>
std::string word(Word value, bool big = false) {
  std::string bytes(sizeof value, '\0');
  for (std::size_t k = 0; k < sizeof value; ++k)
    bytes[big ? sizeof value - 1 - k : k] =
        static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * k));
  return bytes;
}

template <class Word>
std::string record(const std::string& data, bool big = false) {
  const std::string marker = word(static_cast<Word>(data.size()), big);
  return marker + data + marker;
}

std::string record4(std::size_t bytes, bool big = false) {
  return record<std::int32_t>(std::string(bytes, 'x'), big);
}

class InspectRecords : public Scratch {
 protected:
  // The dialect that explains most of a file with this content.
  hr_record_survey survey(const std::string& text) {
    put(path("x.dat"), text);
    surveys_.resize(14);
    std::size_t count = 0;
    std::int64_t size = -1;
    hr_error error{};
    EXPECT_EQ(hr_survey_records(path("x.dat").c_str(), surveys_.data(), surveys_.size(), &count,
                                &size, &error),
              0)
        << error.message;
    EXPECT_EQ(size, static_cast<std::int64_t>(text.size()));
    surveys_.resize(count);
    return surveys_.empty() ? hr_record_survey{} : surveys_.front();
  }

  std::vector<hr_record_survey> surveys_;
};

TEST_F(InspectRecords, BothOrdersAndBothMarkersAreFound) {
  for (const bool big : {false, true}) {
    for (const int bytes : {4, 8}) {
      std::string file;
      for (std::size_t k = 1; k < 20; ++k)
        file += bytes == 4 ? record<std::int32_t>(std::string(7 * k, 'a'), big)
                           : record<std::int64_t>(std::string(7 * k, 'a'), big);
      const hr_record_survey found = survey(file);
      EXPECT_EQ(found.marker_bytes, bytes);
      EXPECT_EQ(found.big_endian, big);
      EXPECT_EQ(found.end, HR_SURVEY_WHOLE);
      EXPECT_EQ(found.stopped, -1);
      EXPECT_EQ(found.records, 19);
      EXPECT_EQ(found.shortest, 7);
      EXPECT_EQ(found.longest, 133);
      EXPECT_EQ(found.distinct, 19);
    }
  }
}

TEST_F(InspectRecords, LengthsThatRepeatAreToldOnce) {
  std::string file = record4(80) + record4(12);
  for (int k = 0; k < 401; ++k) file += record4(24) + record4(8) + record4(3276);
  const hr_record_survey found = survey(file);
  ASSERT_EQ(found.runs, 2);
  EXPECT_TRUE(found.runs_complete);
  EXPECT_EQ(found.run[0].times, 1);
  EXPECT_EQ(found.run[0].count, 2);
  EXPECT_EQ(found.run[1].times, 401);
  ASSERT_EQ(found.run[1].count, 3);
  EXPECT_EQ(found.run[1].length[0], 24);
  EXPECT_EQ(found.run[1].length[1], 8);
  EXPECT_EQ(found.run[1].length[2], 3276);
  EXPECT_EQ(found.length[0], 8);  // equal counts by length
  EXPECT_EQ(found.count[0], 401);
  EXPECT_EQ(found.records, 1205);
}

TEST_F(InspectRecords, ARepetitionThatEndsWithinItselfBeginsLater) {
  std::string file = record4(24);
  for (int k = 0; k < 30; ++k) file += record4(8) + record4(100) + record4(24);
  const hr_record_survey found = survey(file);
  ASSERT_EQ(found.runs, 2);
  EXPECT_EQ(found.run[0].length[0], 24);
  EXPECT_EQ(found.run[1].times, 30);
  EXPECT_EQ(found.run[1].length[0], 8);
}

TEST_F(InspectRecords, ManyEqualRecordsAndOneOtherAreCountedRight) {
  std::string file;
  for (int k = 0; k < 5000; ++k) file += record4(8);
  file += record4(9);
  for (int k = 0; k < 3000; ++k) file += record4(8);
  const hr_record_survey found = survey(file);
  EXPECT_EQ(found.records, 8001);
  EXPECT_EQ(found.count[0], 8000);
  EXPECT_EQ(found.count[1], 1);
  ASSERT_EQ(found.runs, 3);
  EXPECT_EQ(found.run[0].times, 5000);
  EXPECT_EQ(found.run[2].times, 3000);
}

TEST_F(InspectRecords, ShortRecordsThatRepeatAreCountedUpToTheOneThatDoesNot) {
  for (const bool wide : {false, true}) {
    const auto one = [&](std::size_t bytes) {
      return wide ? record<std::int64_t>(std::string(bytes, 'y')) : record4(bytes);
    };
    std::string file;
    for (int k = 0; k < 9000; ++k) file += one(8) + one(0) + one(16);
    file += one(8) + one(17);
    for (int k = 0; k < 500; ++k) file += one(8) + one(16);
    hr_record_survey found = survey(file);
    EXPECT_EQ(found.end, HR_SURVEY_WHOLE);
    EXPECT_EQ(found.records, 28002);
    EXPECT_EQ(found.pieces, 28002);
    EXPECT_EQ(found.empty, 9000);
    ASSERT_EQ(found.runs, 3);
    EXPECT_EQ(found.run[0].times, 9000);
    EXPECT_EQ(found.run[1].length[1], 17);
    EXPECT_EQ(found.run[2].times, 500);
    EXPECT_EQ(found.count[0], 9501);
    file[file.size() / 4] = static_cast<char>(~file[file.size() / 4]);
    found = survey(file);
    EXPECT_LE(found.records, 28002);
  }
}

TEST_F(InspectRecords, LengthsWithoutAPatternFillNoMemory) {
  std::string file;
  unsigned state = 1;
  for (int k = 0; k < 4000; ++k) {
    state = state * 1664525U + 1013904223U;
    file += record4(state >> 20);
  }
  const hr_record_survey found = survey(file);
  EXPECT_EQ(found.records, 4000);
  EXPECT_EQ(found.end, HR_SURVEY_WHOLE);
  EXPECT_FALSE(found.runs_complete);
  EXPECT_EQ(found.runs, HR_SURVEY_RUNS);
  EXPECT_EQ(found.distinct, 1024);
}

TEST_F(InspectRecords, SubrecordsAndHighBitsAreToldApart) {
  const auto piece = [](std::uint32_t front, int bytes, std::uint32_t behind) {
    return word(front) + std::string(static_cast<std::size_t>(bytes), 'p') + word(behind);
  };
  const auto minus = [](int n) { return static_cast<std::uint32_t>(-n); };
  hr_record_survey found = survey(record4(5) + piece(minus(32), 32, 32) +
                                  piece(minus(32), 32, minus(32)) + piece(16, 16, minus(16)));
  EXPECT_EQ(found.long_records, HR_RECORDS_SUBRECORDS);
  EXPECT_EQ(found.end, HR_SURVEY_WHOLE);
  EXPECT_EQ(found.records, 2);
  EXPECT_EQ(found.pieces, 4);
  EXPECT_EQ(found.longest, 80);
  const std::uint32_t high = 1U << 31;
  found = survey(record4(5) + piece(32 | high, 32, 32 | high) + piece(7, 7, 7 | high));
  EXPECT_EQ(found.long_records, HR_RECORDS_HIGH_BIT);
  EXPECT_EQ(found.records, 2);
  EXPECT_EQ(found.longest, 39);
}

TEST_F(InspectRecords, SegmentedRecordsAreFound) {
  std::string file;
  for (int k = 0; k < 9; ++k)
    file += word<std::int16_t>(9) + word<std::int16_t>(1) + "1234567 " + word<std::int16_t>(6) +
            word<std::int16_t>(2) + "abcd";
  const hr_record_survey found = survey(file);
  EXPECT_EQ(found.long_records, HR_RECORDS_SEGMENTED);
  EXPECT_EQ(found.records, 9);
  EXPECT_EQ(found.pieces, 18);
  EXPECT_EQ(found.length[0], 11);
}

TEST_F(InspectRecords, WhatIsMissingOfATruncatedRecordIsCounted) {
  std::string whole;
  for (int k = 0; k < 10; ++k) whole += record4(100);
  for (const std::size_t cut : {1U, 4U, 50U, 103U, 106U}) {
    const hr_record_survey found = survey(whole.substr(0, whole.size() - cut));
    EXPECT_EQ(found.rest, HR_REST_TRUNCATED) << cut;
    EXPECT_EQ(found.missing, static_cast<std::int64_t>(cut));
    EXPECT_EQ(found.records, 9);
    EXPECT_EQ(found.stopped, 9 * 108);
  }
}

TEST_F(InspectRecords, BytesBehindTheRecordsAreNoRecord) {
  const hr_record_survey found = survey(record4(20) + record4(20) + "# the end of run 17\n");
  EXPECT_EQ(found.records, 2);
  EXPECT_EQ(found.rest, HR_REST_UNKNOWN);
  EXPECT_EQ(found.bytes, 56);
}

TEST_F(InspectRecords, AChangeOfTheByteOrderIsFollowed) {
  std::string file;
  for (const bool big : {false, true, false})
    for (int k = 0; k < 6; ++k) file += record4(40, big);
  const hr_record_survey found = survey(file);
  EXPECT_EQ(found.rest, HR_REST_OTHER_ORDER);
  EXPECT_EQ(found.changes, 2);
  EXPECT_EQ(found.records, 6);
  EXPECT_EQ(found.resumed, 6 * 48);
  EXPECT_EQ(found.rest_records, 12);
  EXPECT_EQ(found.rest_end, static_cast<std::int64_t>(file.size()));
}

TEST_F(InspectRecords, AChangeOfTheMarkersIsFound) {
  std::string file = record4(40) + record4(40);
  for (int k = 0; k < 4; ++k) file += record<std::int64_t>(std::string(24, 'b'));
  EXPECT_EQ(survey(file).rest, HR_REST_OTHER_MARKER);
}

TEST_F(InspectRecords, RecordsGoOnBehindDamage) {
  std::string file;
  for (int k = 0; k < 6; ++k) file += record4(64);
  file += std::string(13, '\xff');
  for (int k = 0; k < 5; ++k) file += record4(64);
  const hr_record_survey found = survey(file);
  EXPECT_EQ(found.rest, HR_REST_RESUMES);
  EXPECT_EQ(found.records, 6);
  EXPECT_EQ(found.resumed, 6 * 72 + 13);
  EXPECT_EQ(found.rest_records, 5);
}

TEST_F(InspectRecords, DataThatHoldTheirOwnLengthAreNoEvidence) {
  std::string file;
  for (int k = 0; k < 30; ++k) file += word<std::int32_t>(4);
  const hr_record_survey found = survey(file);
  EXPECT_EQ(found.records, 10);
  EXPECT_EQ(found.echoed, found.checked);
}

TEST_F(InspectRecords, HostileLengthsEndTheWalkAtOnce) {
  for (const std::string& marker :
       {word<std::uint32_t>(0x7fffffff), word<std::uint32_t>(0xffffffff),
        word<std::uint64_t>(0x7fffffffffffffff), word<std::uint64_t>(0xffffffffffffffff),
        word<std::uint32_t>(0x80000000)}) {
    const hr_record_survey found = survey(marker + std::string(100, '\x7f'));
    EXPECT_EQ(found.records, 0);
    for (const hr_record_survey& one : surveys_) EXPECT_NE(one.end, HR_SURVEY_WHOLE);
  }
  EXPECT_EQ(survey("").records, 0);
  EXPECT_EQ(survey("x").records, 0);
}

TEST_F(InspectRecords, WhatIsNoFileIsRefused) {
  std::vector<hr_record_survey> surveys(14);
  std::size_t count = 0;
  hr_error error{};
  const auto ask = [&](const std::string& name) {
    return hr_survey_records(name.c_str(), surveys.data(), 14, &count, nullptr, &error);
  };
  EXPECT_EQ(ask(path("missing")), ENOENT);
  EXPECT_EQ(ask(directory_.string()), EISDIR);
  EXPECT_EQ(ask("/dev/null"), HR_ARGUMENT_INVALID);
  EXPECT_EQ(ask(""), HR_FILE_NAME_EMPTY);
  EXPECT_EQ(hr_survey_records("x", nullptr, 1, &count, nullptr, &error), HR_ARGUMENT_INVALID);
}

}  // namespace
}  // namespace headrace
