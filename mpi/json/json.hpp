// JSON, by RapidJSON: a reader that bounds what it takes, and the texts of values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../src/core/status.hpp"

namespace headrace {

struct json_value {
  enum class kind : std::uint8_t { null, boolean, number, text, list, object };

  kind what = kind::null;
  bool truth = false;
  std::string text;                // of a text, in UTF-8; the characters of a number as they stand
  std::vector<json_value> items;   // of a list, or the values of an object
  std::vector<std::string> names;  // of an object's values, no two alike

  bool is(kind wanted) const noexcept { return what == wanted; }
  // Null when this is no object or has no such name.
  const json_value* find(std::string_view name) const noexcept;
  // The text of a text, nothing for other kinds.
  std::string text_or_empty() const { return is(kind::text) ? text : std::string(); }
  // False when it is no integer (without point and exponent) or does not fit.
  bool integer(std::int64_t& number) const noexcept;
  // Any number; also the texts "NaN", "Infinity" and "-Infinity", as Zarr writes them.
  bool real(double& number) const noexcept;
};

// One value and nothing after it. The bare words NaN, Infinity and -Infinity are numbers: Python
// writes them. Failure header_damaged with line and column: no JSON, names that occur twice, nested
// deeper than 64, more than 32 MiB or 500,000 values.
status parse_json(
    std::string_view text, json_value& value,
    const char* advice =
        "the store is damaged, or something else has this name: copy or write it again");

// A value as text; numbers as they stood.
std::string json_text(const json_value& value);
// A text in quotation marks. Precondition: is_utf8(text).
std::string json_text(std::string_view text);
// The shortest text that reads back as the same number, with a point or an exponent; "NaN" and
// "Infinity" in quotation marks.
template <class Real>
std::string json_real(Real number);
// "[1, 2]"
std::string json_list(const std::vector<std::string>& items);
std::string json_list(const std::vector<std::int64_t>& numbers);

}  // namespace headrace
