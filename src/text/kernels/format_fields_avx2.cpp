// Reals into fields with AVX2: 64-bit arithmetic finds the digits (format_fields_scalar.hpp), byte
// permutations lay them out.
#if defined(__x86_64__)

#include <algorithm>

#include "format_avx2.hpp"
#include "format_fields_scalar.hpp"
#include "format_tiers.hpp"

namespace headrace {
namespace {

struct field_sources {
  text_source source[field_block];
  std::uint8_t before[field_block];
  bool slow[field_block];
};

// Sign and first digit in the two highest bytes.
HEADRACE_AVX2_INLINE std::uint64_t sign_and_first(const field_layout& layout, bool negative,
                                                  std::uint64_t first) noexcept {
  const unsigned char sign = sign_text(negative, layout.positive_sign);
  return ((first | '0') << 56) | (std::uint64_t{sign} << 48);
}

// Returns whether a field is slow.
HEADRACE_AVX2 bool find_parts(const field_layout& layout, const double* values, std::size_t n,
                              field_sources& fields) noexcept {
  const bool fixed = layout.edit.form == field_form::fixed;
  const bool general = layout.edit.is_general();
  const int count = layout.edit.significant();
  const auto exponent_form = static_cast<unsigned>(count) + 1;
  bool any_slow = false;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, values + i, sizeof bits);
    const field_parts parts =
        fixed ? fixed_parts(layout, bits) : exponential_parts(layout, bits, count);
    const std::uint64_t first = split_digits(fields.source[i], parts.known ? parts.digits : 0);
    fields.source[i].other = sign_and_first(layout, parts.negative, first);
    if (!fixed)
      fields.source[i].other |=
          layout.exponents[static_cast<std::size_t>(parts.exponent - lowest_field_exponent)];
    const unsigned before =
        general ? std::min(general_before(layout.edit, parts.exponent), exponent_form)
                : static_cast<unsigned>(parts.before);
    fields.before[i] = static_cast<std::uint8_t>(parts.known ? before : 0);
    fields.slow[i] = !parts.known;
    any_slow = any_slow || !parts.known;
  }
  return any_slow;
}

HEADRACE_AVX2 void place(const field_layout& layout, const field_sources& fields, std::size_t n,
                         char* out, const std::uint32_t* offsets) noexcept {
  const bool fixed = layout.edit.form == field_form::fixed;
  const int most = fixed ? most_digits : layout.edit.is_general() ? layout.edit.significant() : -1;
  for (std::size_t i = 0; i < n; ++i) {
    const field_bytes& bytes =
        fields.before[i] <= most ? layout.fixed_bytes[fields.before[i]] : layout.bytes;
    const __m256i text = _mm256_or_si256(lay_out(fields.source[i], load_bytes(bytes.index.data())),
                                         load_bytes(bytes.text.data()));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + offsets[i]), text);
  }
}

void place_slow(const field_layout& layout, const field_sources& fields, const double* values,
                std::size_t n, char* out, const std::uint32_t* offsets) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    if (!fields.slow[i]) continue;
    char* const field = out + offsets[i];
    write_field(layout.edit, values[i], field);
    std::memcpy(field + layout.edit.width, &layout.suffix,
                static_cast<std::size_t>(layout.suffix_length));
  }
}

}  // namespace

HEADRACE_AVX2 void format_fields_avx2(const field_layout& layout, const double* values,
                                      std::size_t n, char* out,
                                      const std::uint32_t* offsets) noexcept {
  field_sources fields;
  const bool any_slow = find_parts(layout, values, n, fields);
  if (n % 2 != 0) fields.source[n] = {};  // field_block is even
  for (std::size_t i = 0; i < n; i += 2) make_digits(fields.source + i);
  place(layout, fields, n, out, offsets);
  if (any_slow) place_slow(layout, fields, values, n, out, offsets);
}

}  // namespace headrace

#endif
