#include "value.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "../text/kernels/format_numbers.hpp"

namespace headrace {
namespace {

constexpr int most_time_decimals = 9;
// 309 digits before the point of the largest real64, the sign, the point and the decimals.
constexpr std::size_t longest_fixed = 309 + 2 + most_decimals + 16;

template <class T>
T value_at(const char* bytes) noexcept {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::int64_t integer_at(const char* bytes, std::size_t elem_len) noexcept {
  switch (elem_len) {
    case 1:
      return value_at<std::int8_t>(bytes);
    case 2:
      return value_at<std::int16_t>(bytes);
    case 4:
      return value_at<std::int32_t>(bytes);
    default:
      return value_at<std::int64_t>(bytes);
  }
}

template <class T>
char* real_digits(char* begin, char* end, T value, const value_style& style) {
  const int exact = std::numeric_limits<T>::max_digits10 - 1;
  switch (style.form) {
    case 'e':
      return std::to_chars(begin, end, value, std::chars_format::scientific,
                           style.decimals < 0 ? exact : style.decimals)
          .ptr;
    case 'f':
      return style.decimals < 0
                 ? std::to_chars(begin, end, value, std::chars_format::fixed).ptr
                 : std::to_chars(begin, end, value, std::chars_format::fixed, style.decimals).ptr;
    default:
      return std::to_chars(begin, end, value, std::chars_format::general, style.decimals).ptr;
  }
}

template <class T>
void append_real(std::string& text, const char* bytes, const value_style& style) {
  const T value = value_at<T>(bytes);
  char digits[longest_fixed];
  char* end = digits;
  if (std::isnan(value) || ((style.form == 'g' || style.form == '\0') && style.decimals < 0))
    end = format_shortest(digits, &value, 1, "") - 1;  // without the separator
  else
    end = real_digits(digits, digits + sizeof digits, value, style);
  for (const char* c = digits; c < end; ++c) text += *c == '.' ? style.decimal : *c;
}

void append_hexadecimal(std::string& text, const char* bytes, std::size_t elem_len) {
  char digits[2 * 16 + 3 + format_slack];
  char* const end = format_hexadecimal(digits, bytes, elem_len, 1, "");
  text.append(digits, static_cast<std::size_t>(end - digits) - 1);
}

void append_number(std::string& text, const char* bytes, type_class type, std::size_t elem_len,
                   const value_style& style) {
  if (style.form == 'z')
    append_hexadecimal(text, bytes, elem_len);
  else if (type == type_class::integer)
    text += std::to_string(integer_at(bytes, elem_len));
  else if (elem_len == 4)
    append_real<float>(text, bytes, style);
  else
    append_real<double>(text, bytes, style);
}

void append_complex(std::string& text, const char* bytes, std::size_t elem_len,
                    const value_style& style) {
  const std::size_t half = elem_len / 2;
  const bool pair = style.imaginary.empty();
  if (pair) text += '(';
  append_number(text, bytes, type_class::real, half, style);
  if (pair) text += style.decimal == ',' ? ';' : ',';
  std::string imaginary;
  append_number(imaginary, bytes + half, type_class::real, half, style);
  if (!pair && imaginary.front() != '-' && imaginary.front() != '+') text += '+';
  text += imaginary + (pair ? ")" : style.imaginary);
}

bool append_seconds(std::string& text, const char* bytes, type_class type,
                    const value_style& style) {
  time_span span;
  bool is_time = false;
  if (!seconds_of(bytes, type, style, span, is_time)) return false;
  return !is_time || append_time_stamp(text, style.epoch, span, style.decimals);
}

status unknown_option(const std::string& what, const std::string& advice) {
  return status::failure(stat_code::option_unknown, what).advise(advice);
}

}  // namespace

status check_style(const std::string& fmt, const std::string& decimal, const std::string& since,
                   time_stamp& epoch) {
  const std::string_view known = "izefgIZEFG";
  if (fmt.size() > 1 || (fmt.size() == 1 && known.find(fmt[0]) == std::string_view::npos))
    return unknown_option("there is no fmt=\"" + fmt + "\"",
                          "known are \"i\", \"z\", \"e\", \"f\" and \"g\"");
  if (!decimal.empty() && decimal != "." && decimal != ",")
    return unknown_option("there is no decimal=\"" + decimal + "\"", "known are \".\" and \",\"");
  if (since.empty()) return {};
  if (fmt == "z" || fmt == "Z")
    return unknown_option("fmt=\"z\" has no meaning beside since=", "leave one of them out");
  return make_epoch(since, epoch);
}

status make_value_style(const std::string& fmt, int decimals, const std::string& decimal,
                        const std::string& imaginary, value_style& style,
                        const std::string& since) {
  style = {};
  if (status s = check_style(fmt, decimal, since, style.epoch); !s.ok()) return s;
  if (!fmt.empty()) style.form = static_cast<char>(fmt[0] | 0x20);
  if (decimals < -1 || decimals > most_decimals)
    return unknown_option("decimals=" + std::to_string(decimals) + " is out of range",
                          "it may be 0 to " + std::to_string(most_decimals));
  style.decimals = decimals;
  if (!decimal.empty()) style.decimal = decimal[0];
  style.imaginary = imaginary;
  style.as_seconds = !since.empty();
  if (style.as_seconds && decimals > most_time_decimals)
    return unknown_option("decimals=" + std::to_string(decimals) + " is out of range",
                          "a second has 0 to 9 of them");
  return {};
}

status check_value_kind(type_class type, std::size_t elem_len, bool hexadecimal) {
  const bool integer = type == type_class::integer;
  const std::size_t part = type == type_class::complex ? elem_len / 2 : elem_len;
  const bool power = part == 1 || part == 2 || part == 4 || part == 8;
  if (type == type_class::character || type == type_class::logical) return {};
  if (hexadecimal ? power || part == 16 : integer ? power : part == 4 || part == 8) return {};
  return status::failure(stat_code::kind_unsupported,
                         "there is no text form of numbers of " + bytes_text(part))
      .advise("use an array of real64 or int64, or fmt=\"z\"");
}

status check_value_style(const value_style& style, type_class type, std::size_t elem_len) {
  const bool integer = type == type_class::integer;
  const bool real = type == type_class::real || type == type_class::complex;
  if (style.as_seconds) return check_seconds_kind(type, elem_len);
  if (integer && std::string_view("ef").find(style.form) != std::string_view::npos)
    return unknown_option(std::string("integers have no fmt=\"") + style.form + "\"",
                          "they have \"i\" and \"z\"");
  if (real && style.form == 'i')
    return unknown_option("real and complex numbers have no fmt=\"i\"",
                          "they have \"g\", \"e\", \"f\" and \"z\"");
  return check_value_kind(type, elem_len, style.form == 'z');
}

status check_seconds_kind(type_class type, std::size_t elem_len) {
  if ((type == type_class::real || type == type_class::integer) && elem_len == 8) return {};
  if (type == type_class::character) return {};
  return status::failure(stat_code::kind_unsupported, "seconds since an epoch are real64 or int64")
      .advise("pass an array of real64 or int64, or leave since= out");
}

status no_such_time() {
  return status::failure(stat_code::number_out_of_range, "a number of seconds is not a time")
      .expected("seconds since since= within the years 1 to 9999", "others")
      .advise("check since= and the unit of the array");
}

bool seconds_of(const char* value, type_class type, const value_style& style, time_span& span,
                bool& is_time) noexcept {
  span = {};
  is_time = true;
  if (type == type_class::integer) {
    span.seconds = value_at<std::int64_t>(value);
    return true;
  }
  const auto seconds = value_at<double>(value);
  is_time = !std::isnan(seconds);
  return !is_time || to_span(seconds, style.decimals, span);
}

bool append_value(std::string& text, const char* value, type_class type, std::size_t elem_len,
                  const value_style& style) {
  if (style.as_seconds && type != type_class::character)
    return append_seconds(text, value, type, style);
  switch (type) {
    case type_class::integer:
    case type_class::real:
      append_number(text, value, type, elem_len, style);
      break;
    case type_class::complex:
      append_complex(text, value, elem_len, style);
      break;
    case type_class::logical:
      // Its lowest bit tells in every kind and with every compiler.
      text += (*value & 1) != 0 ? 'T' : 'F';
      break;
    case type_class::character: {
      const std::string_view characters(value, elem_len);
      text += characters.substr(0, characters.find_last_not_of(' ') + 1);
      break;
    }
  }
  return true;
}

}  // namespace headrace
