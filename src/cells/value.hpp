// One value as text, in the styles that cells and str() know.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "../core/array_view.hpp"
#include "../core/status.hpp"
#include "../text/times.hpp"

namespace headrace {

struct value_style {
  // 'g': the shortest text that reads back as the same value, or `decimals` significant digits
  // 'e': 1.25e+00, 'f': 1.25, both exact or with `decimals` places, rounded correctly
  // 'i': integers, 'z': the bits as hexadecimal digits, '\0': 'i' or 'g'
  char form = '\0';
  int decimals = -1;        // -1: as many as it takes to read back the same value
  char decimal = '.';       // or ','
  std::string imaginary;    // complex numbers: empty: (1.5,-2.0), "j": 1.5-2.0j
  bool as_seconds = false;  // since the epoch: they become 2010-01-05T12:30:00Z, NaN nothing
  time_stamp epoch;
};

inline constexpr int most_decimals = 400;

// fmt: "i", "z", "e", "f", "g" or nothing; decimals: -1 or 0 to 400; decimal: ".", "," or nothing;
// since: the epoch of seconds, or nothing.
status make_value_style(const std::string& fmt, int decimals, const std::string& decimal,
                        const std::string& imaginary, value_style& style,
                        const std::string& since = "");

// What writing and reading have in common. epoch: of since.
status check_style(const std::string& fmt, const std::string& decimal, const std::string& since,
                   time_stamp& epoch);
// Seconds are real64 or int64.
status check_seconds_kind(type_class type, std::size_t elem_len);
// The failure of append_value.
status no_such_time();

// Refuses kinds that have no text (real128: only hexadecimal).
status check_value_kind(type_class type, std::size_t elem_len, bool hexadecimal);
// Refuses styles that a type does not have, and kinds that have no text (real128: only 'z').
status check_value_style(const value_style& style, type_class type, std::size_t elem_len);

// The span of some seconds, an int64 or a real64; is_time is false for NaN, which has no text.
// False: beyond the years 1 to 9999, perhaps.
bool seconds_of(const char* value, type_class type, const value_style& style, time_span& span,
                bool& is_time) noexcept;

// Appends one value, which has passed check_value_style. Characters lose their trailing blanks.
// False: seconds beyond the years 1 to 9999.
bool append_value(std::string& text, const char* value, type_class type, std::size_t elem_len,
                  const value_style& style);

}  // namespace headrace
