// Hexadecimal text of any values: choice of the tier, and the portable tier.
#include "format_digits.hpp"
#include "format_numbers.hpp"
#include "format_tiers.hpp"

namespace headrace {
namespace {

// Bytes of an element that is not a whole number of words.
inline char* write_bytes(char* out, const unsigned char* bytes, std::size_t count) noexcept {
  for (std::size_t i = count; i-- > 0; out += 2) {
    const std::uint64_t two = hexadecimal_text(std::uint32_t{bytes[i]} << 24);
    std::memcpy(out, &two, 2);
  }
  return out;
}

template <std::size_t ElemLen>
char* format_portable(char* out, const unsigned char* values, std::size_t n,
                      const char* separators) noexcept {
  for (std::size_t i = 0; i < n; ++i, values += ElemLen) {
    std::memcpy(out, "0x", 2);
    out += 2;
    if constexpr (ElemLen < 4) {
      out = write_bytes(out, values, ElemLen);
    } else {
      for (std::size_t word = ElemLen; word > 0; word -= 4, out += 8) {
        std::uint32_t part = 0;
        std::memcpy(&part, values + word - 4, 4);
        store_word(out, hexadecimal_text(part));
      }
    }
    *out++ = separators[i];
  }
  return out;
}

}  // namespace

char* format_hexadecimal_portable(char* out, const void* values, std::size_t elem_len,
                                  std::size_t n, const char* separators) noexcept {
  const auto* const bytes = static_cast<const unsigned char*>(values);
  switch (elem_len) {
    case 1:
      return format_portable<1>(out, bytes, n, separators);
    case 2:
      return format_portable<2>(out, bytes, n, separators);
    case 4:
      return format_portable<4>(out, bytes, n, separators);
    case 8:
      return format_portable<8>(out, bytes, n, separators);
    default:
      return format_portable<16>(out, bytes, n, separators);
  }
}

char* format_hexadecimal(char* out, const void* values, std::size_t elem_len, std::size_t n,
                         const char* separators) noexcept {
#if defined(__x86_64__)
  if (n > few_values && current_tier() == simd_tier::avx512)
    return format_hexadecimal_avx512(out, values, elem_len, n, separators);
#endif
  return format_hexadecimal_portable(out, values, elem_len, n, separators);
}

}  // namespace headrace
