// Hexadecimal text, 32 bytes of values at a time: 64 digits in one register, then byte permutations
// put them between "0x" and the separators.
#if defined(__x86_64__)

#include <array>

#include "format_avx512.hpp"
#include "format_tiers.hpp"

namespace headrace {
namespace {

constexpr std::size_t input_bytes = 32;
constexpr std::size_t register_bytes = 64;

// How 64 digits become the text of 32 / ElemLen values.
template <std::size_t ElemLen>
struct hexadecimal_layout {
  static constexpr std::size_t values = input_bytes / ElemLen;
  static constexpr std::size_t record = 2 * ElemLen + 3;
  static constexpr std::size_t text = values * record;
  static constexpr std::size_t pieces = (text + register_bytes - 1) / register_bytes;
  using bytes = std::array<std::uint8_t, pieces * register_bytes>;

  alignas(64) bytes digit{};      // the digit that comes here
  alignas(64) bytes constant{};   // "0x" where constants stand
  alignas(64) bytes separator{};  // the separator that comes here
  std::array<std::uint64_t, pieces> constants{};
  std::array<std::uint64_t, pieces> separators{};
  alignas(32) std::array<std::uint8_t, input_bytes> highest_first{};

  constexpr hexadecimal_layout() noexcept {
    for (std::size_t i = 0; i < text; ++i) {
      const std::size_t value = i / record;
      const std::size_t place = i % record;
      const std::uint64_t bit = std::uint64_t{1} << (i % register_bytes);
      if (place < 2) {
        constant[i] = place == 0 ? '0' : 'x';
        constants[i / register_bytes] |= bit;
      } else if (place == record - 1) {
        separator[i] = static_cast<std::uint8_t>(value);
        separators[i / register_bytes] |= bit;
      } else {
        digit[i] = static_cast<std::uint8_t>(value * 2 * ElemLen + place - 2);
      }
    }
    for (std::size_t i = 0; i < input_bytes; ++i)
      highest_first[i] =
          static_cast<std::uint8_t>(i / ElemLen * ElemLen + (ElemLen - 1 - i % ElemLen));
  }
};

template <std::size_t ElemLen>
constexpr hexadecimal_layout<ElemLen> layout_of{};

// 32 bytes to 64 digits, the upper half of each byte first.
HEADRACE_AVX512_INLINE __m512i digits_of(__m256i bytes) noexcept {
  const __m512i letters = _mm512_broadcast_i32x4(_mm_setr_epi8(
      '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'));
  const __m512i wide = _mm512_cvtepu8_epi16(bytes);
  const __m512i halves = _mm512_or_si512(_mm512_srli_epi16(wide, 4), _mm512_slli_epi16(wide, 8));
  return _mm512_shuffle_epi8(letters, _mm512_and_si512(halves, _mm512_set1_epi8(15)));
}

template <std::size_t ElemLen>
HEADRACE_AVX512 char* format_blocks(char* out, const char* values, std::size_t n,
                                    const char* separators) noexcept {
  constexpr const auto& layout = layout_of<ElemLen>;
  const __m256i order =
      _mm256_load_si256(reinterpret_cast<const __m256i*>(layout.highest_first.data()));
  constexpr auto all_separators = static_cast<__mmask32>((std::uint64_t{1} << layout.values) - 1);
  std::size_t done = 0;
  for (; done + layout.values <= n; done += layout.values, out += layout.text) {
    const __m256i bytes =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + done * ElemLen));
    const __m512i digits = digits_of(_mm256_permutexvar_epi8(order, bytes));
    const __m512i ends =
        _mm512_castsi256_si512(_mm256_maskz_loadu_epi8(all_separators, separators + done));
    for (std::size_t piece = 0; piece < layout.pieces; ++piece) {
      const std::size_t first = piece * register_bytes;
      __m512i text = _mm512_permutexvar_epi8(_mm512_load_si512(&layout.digit[first]), digits);
      text = _mm512_mask_mov_epi8(text, layout.constants[piece],
                                  _mm512_load_si512(&layout.constant[first]));
      text = _mm512_mask_permutexvar_epi8(text, layout.separators[piece],
                                          _mm512_load_si512(&layout.separator[first]), ends);
      _mm512_storeu_si512(out + first, text);
    }
  }
  return format_hexadecimal_portable(out, values + done * ElemLen, ElemLen, n - done,
                                     separators + done);
}

}  // namespace

char* format_hexadecimal_avx512(char* out, const void* values, std::size_t elem_len, std::size_t n,
                                const char* separators) noexcept {
  const char* const bytes = static_cast<const char*>(values);
  switch (elem_len) {
    case 1:
      return format_blocks<1>(out, bytes, n, separators);
    case 2:
      return format_blocks<2>(out, bytes, n, separators);
    case 4:
      return format_blocks<4>(out, bytes, n, separators);
    case 8:
      return format_blocks<8>(out, bytes, n, separators);
    default:
      return format_blocks<16>(out, bytes, n, separators);
  }
}

}  // namespace headrace

#endif
