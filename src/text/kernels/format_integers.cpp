// Decimal integers: choice of the tier, and the portable tier. Next: format_integers_avx512.cpp.
#include "format_integers.hpp"

#include "../../core/cpu.hpp"
#include "format_digits.hpp"
#include "format_numbers.hpp"

namespace headrace {
namespace {

// value < 10^8, without leading zeros
inline char* write_up_to_eight(char* out, std::uint64_t value) noexcept {
  const std::uint64_t digits = eight_digits(value);
  const int zeros = __builtin_ctzll(digits | (std::uint64_t{1} << 56)) >> 3;
  store_word(out, (digits | eight_zeros) >> (8 * zeros));
  return out + 8 - zeros;
}

inline char* write_all_eight(char* out, std::uint64_t value) noexcept {
  store_word(out, eight_digits(value) | eight_zeros);
  return out + 8;
}

inline char* write_natural(char* out, std::uint64_t value) noexcept {
  constexpr std::uint64_t unit = 100000000;
  if (value < unit) return write_up_to_eight(out, value);
  const std::uint64_t upper = value / unit;
  if (upper < unit) {
    out = write_up_to_eight(out, upper);
  } else {
    out = write_up_to_eight(out, upper / unit);
    out = write_all_eight(out, upper % unit);
  }
  return write_all_eight(out, value % unit);
}

template <class Integer>
char* format_each(char* out, const Integer* values, std::size_t n,
                  const char* separators) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t value = values[i];
    *out = '-';
    out += value < 0;
    const auto bits = static_cast<std::uint64_t>(value);
    out = write_natural(out, value < 0 ? 0 - bits : bits);
    *out++ = separators[i];
  }
  return out;
}

}  // namespace

char* format_integers_portable(char* out, const std::int8_t* values, std::size_t n,
                               const char* separators) noexcept {
  return format_each(out, values, n, separators);
}

char* format_integers_portable(char* out, const std::int16_t* values, std::size_t n,
                               const char* separators) noexcept {
  return format_each(out, values, n, separators);
}

char* format_integers_portable(char* out, const std::int32_t* values, std::size_t n,
                               const char* separators) noexcept {
  return format_each(out, values, n, separators);
}

char* format_integers_portable(char* out, const std::int64_t* values, std::size_t n,
                               const char* separators) noexcept {
  return format_each(out, values, n, separators);
}

namespace {

#if defined(__x86_64__)
template <class Integer>
char* format_best(char* out, const Integer* values, std::size_t n,
                  const char* separators) noexcept {
  if (current_tier() == simd_tier::avx512)
    return format_integers_avx512(out, values, n, separators);
  return format_integers_portable(out, values, n, separators);
}
#else
template <class Integer>
char* format_best(char* out, const Integer* values, std::size_t n,
                  const char* separators) noexcept {
  return format_integers_portable(out, values, n, separators);
}
#endif

}  // namespace

char* format_integers(char* out, const std::int8_t* values, std::size_t n,
                      const char* separators) noexcept {
  return format_best(out, values, n, separators);
}

char* format_integers(char* out, const std::int16_t* values, std::size_t n,
                      const char* separators) noexcept {
  return format_best(out, values, n, separators);
}

char* format_integers(char* out, const std::int32_t* values, std::size_t n,
                      const char* separators) noexcept {
  return format_best(out, values, n, separators);
}

char* format_integers(char* out, const std::int64_t* values, std::size_t n,
                      const char* separators) noexcept {
  return format_best(out, values, n, separators);
}

}  // namespace headrace
