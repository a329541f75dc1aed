// The kernels that write numbers once a tier: what format_shortest.cpp, format_integers.cpp,
// format_hexadecimal.cpp, format_fields.cpp and format_integer_fields.cpp choose from. Contracts:
// format_numbers.hpp and format_fields.hpp.
#pragma once

#include "../../core/cpu.hpp"
#include "format_fields.hpp"
#include "number_types.hpp"

namespace headrace {

// The most digits m of Iw.m and Zw.m that the vector tiers know.
inline constexpr int most_integer_digits = 20;
inline constexpr int most_hexadecimal_digits = 16;

template <class Real>
char* format_shortest_portable(char* out, const Real* values, std::size_t n,
                               const char* separators) noexcept;
template <class Integer>
char* format_integers_portable(char* out, const Integer* values, std::size_t n,
                               const char* separators) noexcept;
char* format_hexadecimal_portable(char* out, const void* values, std::size_t elem_len,
                                  std::size_t n, const char* separators) noexcept;
void format_fields_portable(const field_layout& layout, const double* values, std::size_t n,
                            char* out, const std::uint32_t* offsets) noexcept;

#if defined(__x86_64__)

template <class Real>
char* format_shortest_avx2(char* out, const Real* values, std::size_t n,
                           const char* separators) noexcept;
void format_fields_avx2(const field_layout& layout, const double* values, std::size_t n, char* out,
                        const std::uint32_t* offsets) noexcept;

template <class Real>
HEADRACE_AVX512 char* format_shortest_avx512(char* out, const Real* values, std::size_t n,
                                             const char* separators) noexcept;
template <class Integer>
HEADRACE_AVX512 char* format_integers_avx512(char* out, const Integer* values, std::size_t n,
                                             const char* separators) noexcept;
char* format_hexadecimal_avx512(char* out, const void* values, std::size_t elem_len, std::size_t n,
                                const char* separators) noexcept;
void format_fields_avx512(const field_layout& layout, const double* values, std::size_t n,
                          char* out, const std::uint32_t* offsets) noexcept;
void write_integer_fields_avx512(const field_layout& layout, const std::int64_t* values,
                                 std::size_t n, char* out, const std::uint32_t* offsets) noexcept;
void write_hexadecimal_fields_avx512(const field_layout& layout, const std::uint64_t* values,
                                     std::size_t n, char* out,
                                     const std::uint32_t* offsets) noexcept;
char* format_packed_avx512(const field_layout& layout, const double* values, std::size_t n,
                           const char* separators, char* out) noexcept;

#endif

}  // namespace headrace
