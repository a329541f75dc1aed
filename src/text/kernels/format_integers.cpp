// Decimal integers: choice of the tier, and the portable tier. Next: format_integers_avx512.cpp.
#include "format_integers.hpp"

#include "../../core/cpu.hpp"
#include "few_values.hpp"
#include "format_integers_scalar.hpp"
#include "format_numbers.hpp"

namespace headrace {
namespace {

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
  if (n > few_values && current_tier() == simd_tier::avx512)
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
