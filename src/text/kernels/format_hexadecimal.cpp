// Hexadecimal text of any values: choice of the tier, and the portable tier.
#include "format_hexadecimal.hpp"
#include "../../core/cpu.hpp"
#include "few_values.hpp"
#include "format_digits.hpp"
#include "format_numbers.hpp"

namespace headrace {
namespace {

// The eight hexadecimal digits of a word, the highest in the lowest byte.
inline std::uint64_t hexadecimal_text(std::uint32_t value) noexcept {
  std::uint64_t spread = __builtin_bswap32(value);
  spread = (spread | (spread << 16)) & 0x0000FFFF0000FFFFU;
  spread = (spread | (spread << 8)) & 0x00FF00FF00FF00FFU;
  const std::uint64_t digits = ((spread >> 4) | (spread << 8)) & 0x0F0F0F0F0F0F0F0FU;
  const std::uint64_t letters = ((digits + 0x0606060606060606U) >> 4) & 0x0101010101010101U;
  return digits + eight_zeros + letters * ('A' - '9' - 1);
}

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

#if defined(__x86_64__)

char* format_hexadecimal(char* out, const void* values, std::size_t elem_len, std::size_t n,
                         const char* separators) noexcept {
  if (n > few_values && current_tier() == simd_tier::avx512)
    return format_hexadecimal_avx512(out, values, elem_len, n, separators);
  return format_hexadecimal_portable(out, values, elem_len, n, separators);
}

#else

char* format_hexadecimal(char* out, const void* values, std::size_t elem_len, std::size_t n,
                         const char* separators) noexcept {
  return format_hexadecimal_portable(out, values, elem_len, n, separators);
}

#endif

}  // namespace headrace
