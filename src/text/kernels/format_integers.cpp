// Decimal integers: choice of the tier, and the portable tier. Next: format_integers_avx512.cpp.
#include "format_tiers.hpp"

#include "format_integers_scalar.hpp"
#include "format_numbers.hpp"
#include "number_types.hpp"

namespace headrace {

template <class Integer>
char* format_integers_portable(char* out, const Integer* values, std::size_t n,
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

template <class Integer>
char* format_integers(char* out, const Integer* values, std::size_t n,
                      const char* separators) noexcept {
#if defined(__x86_64__)
  if (n > few_values && current_tier() == simd_tier::avx512)
    return format_integers_avx512(out, values, n, separators);
#endif
  return format_integers_portable(out, values, n, separators);
}

#define HEADRACE_INSTANTIATE(INTEGER)                                                       \
  template char* format_integers(char*, const INTEGER*, std::size_t, const char*) noexcept; \
  template char* format_integers_portable(char*, const INTEGER*, std::size_t, const char*) noexcept;
HEADRACE_FOR_INTEGERS(HEADRACE_INSTANTIATE)

}  // namespace headrace
