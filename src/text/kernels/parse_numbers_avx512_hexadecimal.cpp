// The AVX-512 tier of parse_hexadecimal for cells as format_hexadecimal writes them from 32 bits,
// 0x3F800000: eight cells are 88 bytes in two registers. Next: parse_numbers_avx512_block.hpp.
#if defined(__x86_64__)

#include <array>

#include "intrinsics.hpp"
#include "parse_numbers_avx512_block.hpp"

namespace headrace::avx512 {
namespace {

constexpr std::size_t cell_digits = 8;
constexpr std::size_t cell_bytes = 2 + cell_digits;
constexpr std::size_t cell_distance = cell_bytes + 1;  // with its delimiter
constexpr std::size_t group = 8;                       // cells in a register of digits

// Where the digits of eight cells stand in 128 bytes.
constexpr auto digit_places = [] {
  std::array<std::uint8_t, 64> places{};
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<std::uint8_t>(i / cell_digits * cell_distance + 2 + i % cell_digits);
  return places;
}();

// Where their 0 and x stand: those of the first half of the places first.
constexpr auto prefix_places = [] {
  std::array<std::uint8_t, 64> places{};
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<std::uint8_t>(i % (2 * group) / 2 * cell_distance + i % 2);
  return places;
}();

// Reads eight cells; false when one of them has another form.
HEADRACE_AVX512 inline bool read_cells(const char* text, std::uint32_t* values) noexcept {
  const __m512i low = _mm512_loadu_si512(text);
  const __m512i high = _mm512_castsi256_si512(
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + sizeof low)));
  const __m512i prefixes =
      _mm512_permutex2var_epi8(low, _mm512_loadu_si512(prefix_places.data()), high);
  const __m512i digits =
      _mm512_permutex2var_epi8(low, _mm512_loadu_si512(digit_places.data()), high);
  const __mmask64 is_other = _mm512_cmpneq_epi16_mask(prefixes, _mm512_set1_epi16('x' << 8 | '0'));

  const __m512i lower = _mm512_or_si512(digits, _mm512_set1_epi8(0x20));
  const __mmask64 is_letter =
      _mm512_cmplt_epu8_mask(_mm512_sub_epi8(lower, _mm512_set1_epi8('a')), _mm512_set1_epi8(6));
  const __mmask64 is_number = digits_of(digits);
  const __m512i low_bits = _mm512_and_si512(digits, _mm512_set1_epi8(0x0F));
  const __m512i nibbles = _mm512_mask_add_epi8(low_bits, is_letter, low_bits, _mm512_set1_epi8(9));
  // Two digits are a byte; the first of four bytes is the highest.
  const __m256i bytes =
      _mm512_cvtepi16_epi8(_mm512_maddubs_epi16(nibbles, _mm512_set1_epi16(0x0110)));
  const __m256i reversed = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(values), _mm256_shuffle_epi8(bytes, reversed));
  return is_other == 0 && (is_letter | is_number) == ~__mmask64{0};
}

// 64 fields without blanks, of the usual length and form.
HEADRACE_AVX512 inline bool read_block(const char* text, const std::uint32_t* ends,
                                       std::uint32_t* values) noexcept {
  __mmask16 other = 0;
  for (int i = 0; i < block_fields; i += 16) {
    const __m512i distance =
        _mm512_sub_epi32(_mm512_loadu_si512(ends + i), _mm512_loadu_si512(ends + i - 1));
    other |= _mm512_cmpneq_epi32_mask(distance, _mm512_set1_epi32(cell_distance));
  }
  if (other != 0) return false;
  const char* cell = text + ends[0] - cell_bytes;
  bool good = true;
  for (std::size_t i = 0; i < block_fields; i += group, cell += group * cell_distance)
    good &= read_cells(cell, values + i);
  return good;
}

}  // namespace

std::size_t parse_hexadecimal(const field_list& fields, std::size_t elem_len, void* values,
                              field_state& state) noexcept {
  if (elem_len != sizeof(std::uint32_t) ||
      reinterpret_cast<std::uintptr_t>(values) % alignof(std::uint32_t) != 0)
    return portable::parse_hexadecimal(fields, elem_len, values, state);
  state = field_state::good;
  auto* out = static_cast<std::uint32_t*>(values);
  field_list rest = fields;
  while (rest.first < fields.last) {
    const bool is_block = fields.last - rest.first >= block_fields;
    rest.last = is_block ? rest.first + block_fields : fields.last;
    if (!is_block || !read_block(rest.text, rest.ends + rest.first, out)) {
      const std::size_t stop = portable::parse_hexadecimal(rest, elem_len, out, state);
      if (stop != rest.last) return stop;
    }
    out += rest.last - rest.first;
    rest.first = rest.last;
  }
  return fields.last;
}

}  // namespace headrace::avx512

#endif
