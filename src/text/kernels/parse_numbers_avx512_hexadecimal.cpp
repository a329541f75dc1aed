// The AVX-512 tier of parse_hexadecimal for cells as format_hexadecimal writes them: 0x and all
// digits of an element, 0x3F800000. 64 digits stand in two registers. Next:
// parse_numbers_avx512_block.hpp.
#if defined(__x86_64__)

#include <array>

#include "intrinsics.hpp"
#include "parse_numbers_avx512_block.hpp"

namespace headrace::avx512 {
namespace {

constexpr std::size_t group_digits = 64;
constexpr std::size_t group_bytes = group_digits / 2;

// Cells of elements of ElemLen bytes, as many as have 64 digits.
template <std::size_t ElemLen>
struct cell_layout {
  static constexpr std::size_t digits = 2 * ElemLen;
  static constexpr std::size_t bytes = 2 + digits;
  static constexpr std::size_t distance = bytes + 1;  // with the delimiter
  static constexpr std::size_t group = group_digits / digits;
  static_assert(group * distance <= 2 * group_digits);
  using places = std::array<std::uint8_t, group_digits>;

  // Where the digits stand.
  static constexpr places digit = [] {
    places at{};
    for (std::size_t i = 0; i < at.size(); ++i)
      at[i] = static_cast<std::uint8_t>(i / digits * distance + 2 + i % digits);
    return at;
  }();

  // Where 0 and x stand, again and again.
  static constexpr places prefix = [] {
    places at{};
    for (std::size_t i = 0; i < at.size(); ++i)
      at[i] = static_cast<std::uint8_t>(i % (2 * group) / 2 * distance + i % 2);
    return at;
  }();

  // The first byte of a text is the highest of its element.
  static constexpr std::array<std::uint8_t, group_bytes> lowest_first = [] {
    std::array<std::uint8_t, group_bytes> at{};
    for (std::size_t i = 0; i < at.size(); ++i)
      at[i] = static_cast<std::uint8_t>(i / ElemLen * ElemLen + (ElemLen - 1 - i % ElemLen));
    return at;
  }();
};

// Reads a group of cells; false when one of them has another form.
template <class Layout>
HEADRACE_AVX512 inline bool read_cells(const char* text, char* values) noexcept {
  const __m512i low = _mm512_loadu_si512(text);
  constexpr std::size_t rest = Layout::group * Layout::distance - sizeof low;
  const __m512i high = rest <= sizeof low / 2
                           ? _mm512_castsi256_si512(_mm256_loadu_si256(
                                 reinterpret_cast<const __m256i*>(text + sizeof low)))
                           : _mm512_loadu_si512(text + sizeof low);
  const __m512i prefixes =
      _mm512_permutex2var_epi8(low, _mm512_loadu_si512(Layout::prefix.data()), high);
  const __m512i digits =
      _mm512_permutex2var_epi8(low, _mm512_loadu_si512(Layout::digit.data()), high);
  const __mmask64 is_other = _mm512_cmpneq_epi16_mask(prefixes, _mm512_set1_epi16('x' << 8 | '0'));

  const __m512i lower = _mm512_or_si512(digits, _mm512_set1_epi8(0x20));
  const __mmask64 is_letter =
      _mm512_cmplt_epu8_mask(_mm512_sub_epi8(lower, _mm512_set1_epi8('a')), _mm512_set1_epi8(6));
  const __mmask64 is_number = digits_of(digits);
  const __m512i low_bits = _mm512_and_si512(digits, _mm512_set1_epi8(0x0F));
  const __m512i nibbles = _mm512_mask_add_epi8(low_bits, is_letter, low_bits, _mm512_set1_epi8(9));
  // Two digits are a byte.
  const __m256i bytes =
      _mm512_cvtepi16_epi8(_mm512_maddubs_epi16(nibbles, _mm512_set1_epi16(0x0110)));
  const __m256i order =
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(Layout::lowest_first.data()));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(values), _mm256_permutexvar_epi8(order, bytes));
  return is_other == 0 && (is_letter | is_number) == ~__mmask64{0};
}

// 64 fields without blanks, of the usual length and form.
template <class Layout>
HEADRACE_AVX512 inline bool read_block(const char* text, const std::uint32_t* ends,
                                       char* values) noexcept {
  __mmask16 other = 0;
  for (int i = 0; i < block_fields; i += 16) {
    const __m512i distance =
        _mm512_sub_epi32(_mm512_loadu_si512(ends + i), _mm512_loadu_si512(ends + i - 1));
    other |= _mm512_cmpneq_epi32_mask(distance, _mm512_set1_epi32(Layout::distance));
  }
  if (other != 0) return false;
  const char* cell = text + ends[0] - Layout::bytes;
  bool good = true;
  for (std::size_t i = 0; i < block_fields; i += Layout::group) {
    good &= read_cells<Layout>(cell, values);
    cell += Layout::group * Layout::distance;
    values += group_bytes;
  }
  return good;
}

template <std::size_t ElemLen>
HEADRACE_AVX512 std::size_t parse_cells(const field_list& fields, char* values,
                                        field_state& state) noexcept {
  state = field_state::good;
  field_list rest = fields;
  while (rest.first < fields.last) {
    const bool is_block = fields.last - rest.first >= block_fields;
    rest.last = is_block ? rest.first + block_fields : fields.last;
    if (!is_block || !read_block<cell_layout<ElemLen>>(rest.text, rest.ends + rest.first, values)) {
      const std::size_t stop = portable::parse_hexadecimal(rest, ElemLen, values, state);
      if (stop != rest.last) return stop;
    }
    values += (rest.last - rest.first) * ElemLen;
    rest.first = rest.last;
  }
  return fields.last;
}

}  // namespace

std::size_t parse_hexadecimal(const field_list& fields, std::size_t elem_len, void* values,
                              field_state& state) noexcept {
  char* const bytes = static_cast<char*>(values);
  switch (elem_len) {
    case 2:
      return parse_cells<2>(fields, bytes, state);
    case 4:
      return parse_cells<4>(fields, bytes, state);
    case 8:
      return parse_cells<8>(fields, bytes, state);
    case 16:
      return parse_cells<16>(fields, bytes, state);
    default:
      return portable::parse_hexadecimal(fields, elem_len, values, state);
  }
}

}  // namespace headrace::avx512

#endif
