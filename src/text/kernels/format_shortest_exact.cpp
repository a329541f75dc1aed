// The slow path of format_shortest: std::to_chars finds the digits, this lays them out.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "format_digits.hpp"
#include "format_shortest.hpp"

namespace headrace {
namespace {

char* append(char* out, const char* text, std::size_t length) noexcept {
  std::memcpy(out, text, length);
  return out + length;
}

char* fill_zeros(char* out, int count) noexcept {
  for (; count > 0; --count) *out++ = '0';
  return out;
}

// count digits whose first has the weight 10^exponent
char* lay_out(char* out, const char* digits, int count, int exponent) noexcept {
  const auto size = static_cast<std::size_t>(count);
  if (exponent < lowest_fixed || exponent > highest_fixed) {
    *out++ = digits[0];
    if (count > 1) {
      *out++ = '.';
      out = append(out, digits + 1, size - 1);
    }
    const std::uint64_t text = exponent_texts[static_cast<std::size_t>(exponent - lowest_exponent)];
    store_word(out, text);
    return out + (text >> 56);
  }
  if (exponent < 0) {
    out = fill_zeros(append(out, "0.", 2), -exponent - 1);
    return append(out, digits, size);
  }
  const int before = exponent + 1 < count ? exponent + 1 : count;
  out = append(out, digits, static_cast<std::size_t>(before));
  out = fill_zeros(out, exponent + 1 - before);
  *out++ = '.';
  if (before == count) return append(out, "0", 1);
  return append(out, digits + before, static_cast<std::size_t>(count - before));
}

}  // namespace

template <class Real>
char* shortest_exact(char* out, Real value) noexcept {
  if (std::isnan(value)) return append(out, "nan", 3);
  if (std::signbit(value)) *out++ = '-';
  value = std::fabs(value);
  if (std::isinf(value)) return append(out, "inf", 3);
  char text[40];
  const char* const end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const char* mark = text;
  while (*mark != 'e') ++mark;
  char digits[32];
  digits[0] = text[0];
  const int count = mark - text > 2 ? static_cast<int>(mark - text) - 1 : 1;
  std::memcpy(digits + 1, text + 2, static_cast<std::size_t>(count - 1));
  int exponent = 0;
  for (const char* p = mark + 2; p != end; ++p) exponent = exponent * 10 + (*p - '0');
  return lay_out(out, digits, count, mark[1] == '-' ? -exponent : exponent);
}

template char* shortest_exact(char*, double) noexcept;
template char* shortest_exact(char*, float) noexcept;

}  // namespace headrace
