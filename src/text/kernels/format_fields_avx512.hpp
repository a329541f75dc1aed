// What the AVX-512 kernels of fields share. Next: format_fields_avx512_exponential.cpp.
#pragma once

#if defined(__x86_64__)

#include <cstring>

#include "format_avx512.hpp"
#include "format_tiers.hpp"

namespace headrace {

inline constexpr int most_field_vectors = static_cast<int>(field_block / 8);

// E, ES, D, G and list-directed, 8 * vectors values.
void format_exponential_avx512(const field_layout& layout, const double* values, int vectors,
                               char* out, const std::uint32_t* offsets) noexcept;

HEADRACE_AVX512_INLINE void place_one(char* out, const field_bytes& bytes, __m256i row) noexcept {
  const __m256i index = _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes.index.data()));
  const __m256i text = _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes.text.data()));
  store_half(out, _mm256_or_si256(_mm256_permutexvar_epi8(index, row), text));
}

// Writes the fields that the kernels cannot: one bit a value.
inline void place_slow(const std::uint8_t* slow, int vectors, const double* values,
                       const field_layout& layout, char* out,
                       const std::uint32_t* offsets) noexcept {
  for (int v = 0; v < vectors; ++v)
    for (unsigned rest = slow[v]; rest != 0; rest &= rest - 1) {
      const int i = 8 * v + __builtin_ctz(rest);
      char* const field = out + offsets[i];
      write_field(layout.edit, values[i], field);
      std::memcpy(field + layout.edit.width, &layout.suffix,
                  static_cast<std::size_t>(layout.suffix_length));
    }
}

}  // namespace headrace

#endif
