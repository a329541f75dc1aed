// Dates and times of ISO 8601: what is one, seconds and back. Python's datetime is the reference of
// test/python/library/test_text_dates.py.
#include "text/times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "amounts.hpp"
#include "headrace_tables.h"
#include "scratch.hpp"

namespace headrace {
namespace {

time_stamp stamp_of(const std::string& text) {
  time_stamp stamp;
  EXPECT_TRUE(parse_time_stamp(text, stamp)) << text;
  return stamp;
}

TEST(CellTimes, ReadsDatesTimesAndOffsets) {
  const struct {
    const char* text;
    std::int64_t seconds;
    std::int32_t nanoseconds;
  } cases[] = {
      {"1970-01-01", 0, 0},
      {"1970-01", 0, 0},
      {" 2010-01-05\r", 1262649600, 0},
      {"2010-01-05T12:30", 1262694600, 0},
      {"2010-01-05 12:30:15", 1262694615, 0},
      {"2010-01-05T12:30:00.5Z", 1262694600, 500000000},
      {"2010-01-05T12:30:00,000000001Z", 1262694600, 1},
      {"2010-01-05T12:30:00.1234567890", 1262694600, 123456789},
      {"2010-01-05T12:30:00+01:00", 1262691000, 0},
      {"2010-01-05T12:30+0130", 1262689200, 0},
      {"2010-01-05T12:30-05", 1262712600, 0},
      {"0001-01-01", -62135596800, 0},
      {"9999-12-31T23:59:59.999999999Z", 253402300799, 999999999},
      {"2000-02-29", 951782400, 0},
      {"1969-12-31T23:59:59.25Z", -1, 250000000},
  };
  for (const auto& one : cases) {
    const time_stamp stamp = stamp_of(one.text);
    EXPECT_EQ(stamp.seconds, one.seconds) << one.text;
    EXPECT_EQ(stamp.nanoseconds, one.nanoseconds) << one.text;
    EXPECT_EQ(stamp.has_time, std::strchr(one.text, ':') != nullptr) << one.text;
  }
}

TEST(CellTimes, RefusesWhatIsNoDateOrTime) {
  for (const char* text : {"2010",
                           "201001",
                           "20100105",
                           "2010-1-5",
                           "2010-13",
                           "2010-00",
                           "2010-02-30",
                           "1900-02-29",
                           "2010-04-31",
                           "2010-01-00",
                           "0000-01-01",
                           "10000-01-01",
                           "2010-01T12:00",
                           "2010-01-05T",
                           "2010-01-05T24:00",
                           "2010-01-05T23:59:60Z",
                           "2010-01-05T12:60",
                           "2010-01-05T1:30",
                           "2010-01-05T12",
                           "2010-01-05T12:30Z1",
                           "2010-01-05T12:30+",
                           "2010-01-05T12:30+24:00",
                           "2010-01-05T12:30+01:60",
                           "2010-01-05T12:30+1",
                           "2010-01-05T12:30:00.",
                           "2010-01-05T12:30:00.Z",
                           "2010-01-05T12:30:00.1234567891",
                           "2010-01-05  12:30",
                           "2010-01-05t12:30",
                           "2010-01-05Z",
                           "2010-01-05T12:30 Z",
                           "0001-01-01T00:00+00:01",
                           "9999-12-31T23:59-00:01",
                           "1974Q1",
                           "12:30",
                           "5/1/2010",
                           "2010-W01-1",
                           "-2010-01-05",
                           "+2010-01-05",
                           "2010-01-05x",
                           "",
                           " "}) {
    time_stamp stamp;
    EXPECT_FALSE(parse_time_stamp(text, stamp)) << text;
  }
}

TEST(CellTimes, EveryDayOfTheCalendarFollowsTheOneBefore) {
  const time_stamp epoch = stamp_of("1970-01-01");
  std::int64_t days = stamp_of("0001-01-01").seconds / 86400;
  const std::int64_t last = stamp_of("9999-12-31").seconds / 86400;
  EXPECT_EQ(last - days, 3652058);
  std::string before;
  const auto step = static_cast<std::int64_t>(one_of(29));
  for (; days <= last; days += days < last ? std::min(step, last - days) : 1) {
    std::string text;
    ASSERT_TRUE(append_time_stamp(text, epoch, {days * 86400, 0}, -1));
    ASSERT_GT(text, before);
    ASSERT_EQ(stamp_of(text).seconds, days * 86400) << text;
    ASSERT_EQ(stamp_of(text.substr(0, 10)).seconds, days * 86400) << text;
    before = text;
  }
  std::string text;
  EXPECT_FALSE(append_time_stamp(text, epoch, {253402300800, 0}, -1));
  EXPECT_FALSE(append_time_stamp(text, epoch, {-62135596801, 0}, -1));
  EXPECT_FALSE(append_time_stamp(text, epoch, {std::numeric_limits<std::int64_t>::max(), 0}, -1));
}

TEST(CellTimes, RealsAreTheNearestOnes) {
  std::mt19937_64 random(11);
  const time_stamp epoch = stamp_of("1970-01-01");
  for (int i = 0; i < 100000; ++i) {
    time_stamp stamp;
    const auto range = std::int64_t{1} << (random() % 37);
    stamp.seconds = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range)) -
                    (random() % 2 == 0 ? range : 0);
    stamp.nanoseconds = static_cast<std::int32_t>(random() % 1000000000);
    char text[64];
    const bool negative = stamp.seconds < 0;
    const std::int64_t whole = negative ? -stamp.seconds - 1 : stamp.seconds;
    const std::int32_t part = negative ? 1000000000 - stamp.nanoseconds : stamp.nanoseconds;
    std::snprintf(text, sizeof text, "%s%lld.%09d", negative ? "-" : "",
                  static_cast<long long>(whole + part / 1000000000), part % 1000000000);
    const double seconds = to_real(seconds_between(epoch, stamp));
    ASSERT_EQ(seconds, std::strtod(text, nullptr)) << text;
    // And back, if a nanosecond is more than half a unit in the last place.
    time_span span;
    ASSERT_TRUE(to_span(seconds, -1, span));
    ASSERT_EQ(to_real(span), seconds) << text;
    if (std::fabs(seconds) > 2e6) continue;
    EXPECT_EQ(span.seconds, stamp.seconds) << text;
    EXPECT_EQ(span.nanoseconds, stamp.nanoseconds) << text;
  }
}

TEST(CellTimes, SecondsAreRoundedToDecimals) {
  const time_stamp epoch = stamp_of("2000-01-01T12:00:00Z");
  const struct {
    double seconds;
    int decimals;
    const char* text;
  } cases[] = {{0, -1, "2000-01-01T12:00:00Z"},       {0.5, -1, "2000-01-01T12:00:00.5Z"},
               {-0.5, -1, "2000-01-01T11:59:59.5Z"},  {59.96, 1, "2000-01-01T12:01:00.0Z"},
               {-0.04, 1, "2000-01-01T12:00:00.0Z"},  {1e-9, 9, "2000-01-01T12:00:00.000000001Z"},
               {0.25, 3, "2000-01-01T12:00:00.250Z"}, {0.75, 0, "2000-01-01T12:00:01Z"}};
  for (const auto& one : cases) {
    time_span span;
    std::string text;
    ASSERT_TRUE(to_span(one.seconds, one.decimals, span));
    ASSERT_TRUE(append_time_stamp(text, epoch, span, one.decimals));
    EXPECT_EQ(text, one.text);
  }
  time_span span;
  EXPECT_FALSE(to_span(HUGE_VAL, -1, span));
  EXPECT_FALSE(to_span(std::nan(""), -1, span));
  EXPECT_FALSE(to_span(1e300, -1, span));
}

// What a real64 holds of a time has fewer than nine digits far from the epoch.
TEST(CellTimes, SecondsHaveTheFewestDigitsThatReadBack) {
  std::mt19937_64 random(13);
  const time_stamp epoch = stamp_of("1970-01-01");
  const auto text_of = [&](double seconds) {
    time_span span;
    std::string text;
    EXPECT_TRUE(to_span(seconds, -1, span));
    EXPECT_TRUE(append_time_stamp(text, epoch, span, -1));
    return text;
  };
  for (const char* text :
       {"2010-01-05T12:30:00.1Z", "2010-01-05T12:30:00.12Z", "1969-12-31T23:59:59.9Z",
        "1901-02-03T04:05:06.789Z", "2262-04-11T23:47:16.8547Z", "1970-01-01T00:00:00.000000001Z",
        "2010-01-05T12:30:00Z", "9999-12-31T23:59:59.1Z", "0001-01-01T00:00:00.3Z"})
    EXPECT_EQ(text_of(to_real(seconds_between(epoch, stamp_of(text)))), text);
  EXPECT_EQ(text_of(1e-12), "1970-01-01T00:00:00Z");
  EXPECT_EQ(text_of(5e-324), "1970-01-01T00:00:00Z");
  EXPECT_EQ(text_of(1.0000000006), "1970-01-01T00:00:01.000000001Z");
  for (int i = 0; i < 100000; ++i) {
    const double size = std::ldexp(1.0 + static_cast<double>(random() >> 12) * 0x1p-52,
                                   static_cast<int>(random() % 13) + 23);
    const double seconds = random() % 2 == 0 || size > 6e10 ? size : -size;
    time_span span;
    ASSERT_TRUE(to_span(seconds, -1, span));
    ASSERT_EQ(to_real(span), seconds);
    int digits = 9;
    for (std::int32_t rest = span.nanoseconds; digits > 0 && rest % 10 == 0; rest /= 10) --digits;
    time_span shorter;
    ASSERT_TRUE(digits == 0 || to_span(seconds, digits - 1, shorter));
    ASSERT_TRUE(digits == 0 || to_real(shorter) != seconds) << seconds << " has " << digits;
  }
}

class TableTimes : public Scratch {
 protected:
  void SetUp() override {
    Scratch::SetUp();
    put(path("t.csv"),
        "day,month,time,both,quarter\n"
        "2010-01-05,2010-01,2010-01-05T12:30:00.5Z,2010-01-05,1974Q1\n"
        ",2010-02,2010-01-05 12:30+01:00,2010-01-05T01:00,1974Q2\n");
    ASSERT_EQ(hr_table_read(path("t.csv").c_str(), &table_, nullptr, &error_), 0) << error_.message;
  }
  void TearDown() override {
    EXPECT_EQ(hr_table_close(&table_, nullptr), 0);
    Scratch::TearDown();
  }

  std::string type_of(const char* name) {
    hr_text text{nullptr, 0};
    EXPECT_EQ(hr_table_column_type(table_, name, 0, &text, &error_), 0) << error_.message;
    std::string type(text.bytes, text.length);
    hr_text_free(&text);
    return type;
  }

  template <class T>
  int get(const char* name, T* values, int type, const char* since, const char* missing = nullptr) {
    const hr_array array{values, sizeof(T), type, 1, {2}, {sizeof(T)}};
    hr_text_style style{};
    style.since = since;
    style.missing = missing;
    error_ = {};
    return hr_table_get(table_, name, 0, &array, &style, &error_);
  }

  bool said(const char* text) const { return std::strstr(error_.message, text) != nullptr; }

  hr_table table_ = 0;
  hr_error error_{};
};

TEST_F(TableTimes, ColumnTypesSayDateAndTimestamp) {
  EXPECT_EQ(type_of("day"), "date");
  EXPECT_EQ(type_of("month"), "date");
  EXPECT_EQ(type_of("time"), "timestamp");
  EXPECT_EQ(type_of("both"), "timestamp");
  EXPECT_EQ(type_of("quarter"), "character");
}

TEST_F(TableTimes, ColumnsBecomeSecondsSinceAnEpoch) {
  double seconds[2];
  std::int64_t whole[2];
  ASSERT_EQ(get("time", seconds, HR_TYPE_REAL, "2010-01-05"), 0) << error_.message;
  EXPECT_EQ(seconds[0], 45000.5);
  EXPECT_EQ(seconds[1], 41400);
  ASSERT_EQ(get("month", whole, HR_TYPE_INTEGER, "1970-01-01"), 0) << error_.message;
  EXPECT_EQ(whole[0], 1262304000);
  EXPECT_EQ(whole[1], 1264982400);
  ASSERT_EQ(get("day", whole, HR_TYPE_INTEGER, "2010-01-06T00:00+01:00", "-1"), 0)
      << error_.message;
  EXPECT_EQ(whole[0], -82800);
  EXPECT_EQ(whole[1], -1);
  EXPECT_EQ(get("day", whole, HR_TYPE_INTEGER, "1970-01-01"), HR_MISSING_VALUE);
  ASSERT_EQ(get("day", seconds, HR_TYPE_REAL, "1970-01-01", "nan"), 0) << error_.message;
  EXPECT_TRUE(std::isnan(seconds[1]));
}

TEST_F(TableTimes, WhatIsNoTimeIsNamed) {
  double seconds[2];
  std::int64_t whole[2];
  float small[2];
  EXPECT_EQ(get("quarter", seconds, HR_TYPE_REAL, "1970-01-01"), HR_BAD_NUMBER);
  EXPECT_TRUE(
      said("(quarter): a cell has another type than the array: expected a date or time, found "
           "\"1974Q1\""))
      << error_.message;
  EXPECT_EQ(get("time", whole, HR_TYPE_INTEGER, "1970-01-01"), HR_NUMBER_OUT_OF_RANGE);
  EXPECT_TRUE(said("fraction of a second")) << error_.message;
  EXPECT_EQ(get("time", small, HR_TYPE_REAL, "1970-01-01"), HR_KIND_UNSUPPORTED);
  EXPECT_EQ(get("time", seconds, HR_TYPE_REAL, "2010-02-30"), HR_OPTION_UNKNOWN);
  EXPECT_TRUE(said("since=\"2010-02-30\" is no date")) << error_.message;
}

TEST_F(TableTimes, SecondsBecomeColumns) {
  double seconds[] = {1262694600.5, std::nan("")};
  hr_array array{seconds, 8, HR_TYPE_REAL, 1, {2}, {8}};
  hr_text_style style{};
  style.since = "1970-01-01";
  hr_table table = 0;
  ASSERT_EQ(hr_table_put(&table, "t", &array, &style, &error_), 0) << error_.message;
  ASSERT_EQ(hr_table_write(path("u.csv").c_str(), table, nullptr, &error_), 0) << error_.message;
  EXPECT_EQ(content(path("u.csv")), "t\n2010-01-05T12:30:00.5Z\n\"\"\n");
  seconds[0] = 1e15;
  EXPECT_EQ(hr_table_put(&table, "t", &array, &style, &error_), HR_NUMBER_OUT_OF_RANGE);
  style.fmt = "z";
  EXPECT_EQ(hr_table_put(&table, "t", &array, &style, &error_), HR_OPTION_UNKNOWN);
  style.fmt = nullptr;
  array.elem_len = 4;
  EXPECT_EQ(hr_table_put(&table, "t", &array, &style, &error_), HR_KIND_UNSUPPORTED);
  EXPECT_EQ(hr_table_close(&table, nullptr), 0);
}

}  // namespace
}  // namespace headrace
