#include "times.hpp"

#include <charconv>
#include <cmath>
#include <cstring>

#include "../core/blanks.hpp"
#include "kernels/parse_numbers_scalar.hpp"
#include "kernels/parse_one.hpp"

namespace headrace {
namespace {

constexpr std::int64_t day_seconds = 86400;
constexpr std::int32_t second_nanoseconds = 1000000000;
constexpr int fraction_digits = 9;
constexpr std::int64_t first_second = -62135596800;  // 0001-01-01T00:00:00Z
constexpr std::int64_t last_second = 253402300799;   // 9999-12-31T23:59:59Z

// Days since 1970-01-01 of a date, and back (H. Hinnant, "chrono-compatible low-level date
// algorithms": years begin in March, eras have 400 years).
std::int64_t days_of(int year, int month, int day) noexcept {
  const int y = year - (month <= 2 ? 1 : 0);
  const int era = y / 400;  // y is not negative here
  const int year_of_era = y - era * 400;
  const int day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return std::int64_t{era} * 146097 + day_of_era - 719468;
}

struct civil_date {
  int year, month, day;
};

civil_date date_of(std::int64_t days) noexcept {
  const std::int64_t shifted = days + 719468;  // not negative from the year 1 on
  const auto era = static_cast<int>(shifted / 146097);
  const auto day_of_era = static_cast<int>(shifted - std::int64_t{era} * 146097);
  const int year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int month_from_march = (5 * day_of_year + 2) / 153;
  const int month = month_from_march + (month_from_march < 10 ? 3 : -9);
  const int day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

int days_in(int year, int month) noexcept {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// What is left of a text.
struct scanner {
  const char* p;
  const char* end;

  bool at_end() const noexcept { return p == end; }
  bool next_is(char c) const noexcept { return p < end && *p == c; }
  bool take(char c) noexcept {
    if (!next_is(c)) return false;
    ++p;
    return true;
  }
  // Exactly so many digits.
  bool number(int digits, int& value) noexcept {
    value = 0;
    if (end - p < digits) return false;
    for (int i = 0; i < digits; ++i, ++p) {
      if (!is_digit(*p)) return false;
      value = value * 10 + (*p - '0');
    }
    return true;
  }
};

bool take_date(scanner& text, std::int64_t& days, bool& has_day) noexcept {
  int year = 0;
  int month = 0;
  int day = 1;
  if (!text.number(4, year) || !text.take('-') || !text.number(2, month)) return false;
  has_day = text.take('-');
  if (has_day && !text.number(2, day)) return false;
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in(year, month)) return false;
  days = days_of(year, month, day);
  return true;
}

// Digits behind the decimal sign.
bool take_fraction(scanner& text, std::int32_t& nanoseconds) noexcept {
  nanoseconds = 0;
  int digits = 0;
  for (; !text.at_end() && is_digit(*text.p) && digits < fraction_digits; ++text.p, ++digits)
    nanoseconds = nanoseconds * 10 + (*text.p - '0');
  if (digits == 0) return false;
  for (; digits < fraction_digits; ++digits) nanoseconds *= 10;
  while (text.next_is('0')) ++text.p;
  return true;
}

bool take_time(scanner& text, time_stamp& stamp) noexcept {
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!text.number(2, hour) || !text.take(':') || !text.number(2, minute)) return false;
  if (text.take(':')) {
    if (!text.number(2, second)) return false;
    if ((text.take('.') || text.take(',')) && !take_fraction(text, stamp.nanoseconds)) return false;
  }
  if (hour > 23 || minute > 59 || second > 59) return false;
  stamp.seconds += hour * 3600 + minute * 60 + second;
  return true;
}

// Z, +01, +0130, +01:30 or nothing.
bool take_offset(scanner& text, time_stamp& stamp) noexcept {
  if (text.at_end() || text.take('Z')) return true;
  const bool ahead = text.next_is('+');
  if (!text.take('+') && !text.take('-')) return false;
  int hour = 0;
  int minute = 0;
  if (!text.number(2, hour)) return false;
  const bool colon = text.take(':');
  if ((colon || !text.at_end()) && !text.number(2, minute)) return false;
  if (hour > 23 || minute > 59) return false;
  const int offset = hour * 3600 + minute * 60;
  stamp.seconds += ahead ? -offset : offset;
  return true;
}

// HH:MM:SS, all at once; false: something else, or no time of a day.
bool take_clock(const char* p, std::int64_t& seconds) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const std::uint64_t digits = scalar::load_eight(p) ^ 0x30303A30303A3030;
  const std::uint64_t wrong = ((digits + 0x76 * ones) | digits) & 0x80 * ones;
  if ((wrong | (digits & 0x0000FF0000FF0000)) != 0) return false;
  const auto two = [&](int at) {
    return static_cast<int>((digits >> 8 * at & 15) * 10 + (digits >> (8 * at + 8) & 15));
  };
  if (two(0) > 23 || two(3) > 59 || two(6) > 59) return false;
  seconds = two(0) * 3600 + two(3) * 60 + two(6);
  return true;
}

char* put_number(char* out, int value, int digits) noexcept {
  for (int i = digits; i-- > 0; value /= 10) out[i] = static_cast<char>('0' + value % 10);
  return out + digits;
}

char* put_fraction(char* out, std::int32_t nanoseconds, int decimals) noexcept {
  int digits = fraction_digits;
  if (decimals < 0)
    for (; digits > 0 && nanoseconds % 10 == 0; --digits) nanoseconds /= 10;
  else
    for (; digits > decimals; --digits) nanoseconds /= 10;
  if (digits == 0) return out;
  *out = '.';
  return put_number(out + 1, nanoseconds, digits);
}

}  // namespace

bool parse_time_stamp(std::string_view text, time_stamp& stamp) noexcept {
  text = trimmed(text);
  stamp = {};
  scanner rest{text.data(), text.data() + text.size()};
  std::int64_t days = 0;
  bool has_day = false;
  if (!take_date(rest, days, has_day)) return false;
  stamp.seconds = days * day_seconds;
  if (rest.at_end()) return true;
  stamp.has_time = true;
  if (!has_day || !(rest.take('T') || rest.take(' '))) return false;
  if (!take_time(rest, stamp) || !take_offset(rest, stamp)) return false;
  return rest.at_end() && stamp.seconds >= first_second && stamp.seconds <= last_second;
}

bool time_stamp_parser::parse(std::string_view text, time_stamp& stamp) noexcept {
  constexpr std::size_t date = 10;
  constexpr std::size_t date_and_time = 19;
  const bool has_date = text.size() >= date;
  const char* const p = text.data();
  if (!has_date || (text.size() > date && text.size() < date_and_time))
    return parse_time_stamp(text, stamp);
  const std::uint64_t first = scalar::load_eight(p);
  const std::uint64_t last = scalar::load_eight(p + 2);
  if (first != first_ || last != last_) {
    if (!parse_time_stamp(text.substr(0, date), stamp) || stamp.has_time || p[7] != '-')
      return parse_time_stamp(text, stamp);
    first_ = first;
    last_ = last;
    seconds_ = stamp.seconds;
  }
  stamp = {seconds_, 0, false};
  if (text.size() == date) return true;
  const bool usual =
      text.size() == date_and_time || (text.size() == date_and_time + 1 && p[date_and_time] == 'Z');
  std::int64_t seconds = 0;
  if (!usual || (p[date] != 'T' && p[date] != ' ') || !take_clock(p + date + 1, seconds))
    return parse_time_stamp(text, stamp);
  stamp.seconds += seconds;
  stamp.has_time = true;
  return true;
}

time_span seconds_between(const time_stamp& epoch, const time_stamp& stamp) noexcept {
  time_span span{stamp.seconds - epoch.seconds, stamp.nanoseconds - epoch.nanoseconds};
  if (span.nanoseconds < 0) {
    span.nanoseconds += second_nanoseconds;
    --span.seconds;
  }
  return span;
}

double to_real(const time_span& span) noexcept {
  if (span.nanoseconds == 0) return static_cast<double>(span.seconds);  // below 2^53
  const bool negative = span.seconds < 0;
  const std::int64_t whole = negative ? -span.seconds - 1 : span.seconds;
  const std::int32_t part = negative ? second_nanoseconds - span.nanoseconds : span.nanoseconds;
  char text[48];
  char* end = std::to_chars(text, text + 24, whole).ptr;
  *end++ = '.';
  std::int32_t rest = part;
  for (int i = fraction_digits; i-- > 0; rest /= 10) end[i] = static_cast<char>('0' + rest % 10);
  double value = 0;
  parse_real(text, end + fraction_digits, '.', value);
  return negative ? -value : value;
}

bool to_span(double seconds, int decimals, time_span& span) noexcept {
  constexpr double most = 1e12;
  if (!(std::fabs(seconds) < most)) return false;
  const auto all = static_cast<std::int64_t>(seconds);
  if (static_cast<double>(all) == seconds) return span = {all, 0}, true;
  // Correctly rounded digits: a product with 10^9 would round twice. Without decimals the shortest
  // that read back, unless they go below a nanosecond.
  char text[48];
  char* const limit = text + sizeof text;
  const double size = std::fabs(seconds);
  constexpr auto fixed = std::chars_format::fixed;
  std::int64_t whole = 0;
  const char* end = text;
  const char* point = text;
  if (decimals < 0) {
    const auto shortest = std::to_chars(text, limit, size, fixed);
    end = shortest.ptr;
    if (shortest.ec == std::errc()) point = std::from_chars(text, end, whole).ptr;
  }
  if (decimals >= 0 || point == text || end - point > fraction_digits + 1) {
    end = std::to_chars(text, limit, size, fixed, decimals < 0 ? fraction_digits : decimals).ptr;
    point = std::from_chars(text, end, whole).ptr;
  }
  std::int32_t part = 0;
  if (point < end) {
    scanner fraction{point + 1, end};
    take_fraction(fraction, part);
  }
  const bool negative = std::signbit(seconds);
  span = {negative ? -whole : whole, part};
  if (negative && part != 0) span = {-whole - 1, second_nanoseconds - part};
  return true;
}

status make_epoch(const std::string& since, time_stamp& epoch) {
  if (parse_time_stamp(since, epoch)) return {};
  return status::failure(stat_code::option_unknown, "since=\"" + since + "\" is no date")
      .advise(
          "give a date or time of ISO 8601, such as \"1970-01-01\" or \"2000-01-01T12:00:00Z\"");
}

char* time_stamp_writer::put(char* out, const time_stamp& epoch, const time_span& span,
                             int decimals) noexcept {
  std::int64_t seconds = 0;
  if (__builtin_add_overflow(epoch.seconds, span.seconds, &seconds)) return nullptr;
  std::int32_t nanoseconds = epoch.nanoseconds + span.nanoseconds;
  if (nanoseconds >= second_nanoseconds) {
    nanoseconds -= second_nanoseconds;
    ++seconds;
  }
  if (seconds < first_second || seconds > last_second) return nullptr;
  const std::int64_t shifted = seconds - first_second;
  const std::int64_t day = shifted / day_seconds;
  const auto rest = static_cast<int>(shifted % day_seconds);
  if (day != day_) {
    const civil_date date = date_of(day + first_second / day_seconds);
    put_number(date_, date.year, 4);
    date_[4] = '-';
    put_number(date_ + 5, date.month, 2);
    date_[7] = '-';
    put_number(date_ + 8, date.day, 2);
    date_[10] = 'T';
    day_ = day;
  }
  std::memcpy(out, date_, sizeof date_);
  put_number(out + 11, rest / 3600, 2);
  out[13] = ':';
  put_number(out + 14, rest / 60 % 60, 2);
  out[16] = ':';
  put_number(out + 17, rest % 60, 2);
  out += 19;
  if (nanoseconds != 0 || decimals > 0) out = put_fraction(out, nanoseconds, decimals);
  *out = 'Z';
  return out + 1;
}

bool append_time_stamp(std::string& text, const time_stamp& epoch, const time_span& span,
                       int decimals) {
  char stamp[time_stamp_writer::longest_stamp];
  const char* const end = time_stamp_writer().put(stamp, epoch, span, decimals);
  if (end == nullptr) return false;
  text.append(stamp, static_cast<std::size_t>(end - stamp));
  return true;
}

}  // namespace headrace
