// Dates and times of ISO 8601 as cells have them, and as seconds since an epoch. Next:
// times.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "../core/status.hpp"

namespace headrace {

// A point in time of the years 1 to 9999 (proleptic Gregorian calendar). Without an offset: UTC.
struct time_stamp {
  std::int64_t seconds = 0;  // since 1970-01-01T00:00:00Z, without leap seconds
  std::int32_t nanoseconds = 0;
  bool has_time = false;  // false: a date
};

// 2010-01, 2010-01-05, 2010-01-05T12:30, 2010-01-05 12:30:00.5, with Z, +01, +0130 or +01:30 behind
// a time; blanks around it do not count. False: something else, or no such date or time. Leap
// seconds, 24:00 and more than nine digits of a second are refused.
bool parse_time_stamp(std::string_view text, time_stamp& stamp) noexcept;

// The same for many texts in turn: quicker for the usual forms, and if a date is that of the
// text before.
class time_stamp_parser {
 public:
  bool parse(std::string_view text, time_stamp& stamp) noexcept;

 private:
  // The bytes 0 to 7 and 2 to 9 of the date that is known: at first those of no text.
  std::uint64_t first_ = 0xFF0000;
  std::uint64_t last_ = 0;
  std::int64_t seconds_ = 0;
};

// Seconds between two stamps: whole seconds and nanoseconds from 0 to 999999999 behind them.
struct time_span {
  std::int64_t seconds = 0;
  std::int32_t nanoseconds = 0;
};
time_span seconds_between(const time_stamp& epoch, const time_stamp& stamp) noexcept;

// The nearest real64 to a span.
double to_real(const time_span& span) noexcept;

// The span of some seconds, rounded to decimals (0 to 9) places of a second; -1: to the fewest that
// to_real() makes the same seconds of, or to 9 if none do. False: not finite, or beyond the years 1
// to 9999.
bool to_span(double seconds, int decimals, time_span& span) noexcept;

// Appends "2010-01-05T12:30:00Z", behind the point decimals digits; -1: as many as there are
// (nanoseconds end them). False: beyond the years 1 to 9999.
bool append_time_stamp(std::string& text, const time_stamp& epoch, const time_span& span,
                       int decimals);

// The same for many stamps in turn: a day is made once. put() needs longest_stamp bytes, and
// returns their end; null: beyond the years.
class time_stamp_writer {
 public:
  static constexpr std::size_t longest_stamp = 32;
  char* put(char* out, const time_stamp& epoch, const time_span& span, int decimals) noexcept;

 private:
  std::int64_t day_ = -1;  // since 0001-01-01
  char date_[16] = {};
};

// The epoch of an option since=.
status make_epoch(const std::string& since, time_stamp& epoch);

}  // namespace headrace
