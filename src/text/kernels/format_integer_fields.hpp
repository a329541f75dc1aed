// The tiers of format_integer_fields and format_hexadecimal_fields. Contract: format_fields.hpp.
#pragma once

#include "format_fields.hpp"

namespace headrace {

// The most digits m of Iw.m and Zw.m that the vector tiers know.
inline constexpr int most_integer_digits = 20;
inline constexpr int most_hexadecimal_digits = 16;

#if defined(__x86_64__)
void write_integer_fields_avx512(const field_layout& layout, const std::int64_t* values,
                                 std::size_t n, char* out, const std::uint32_t* offsets) noexcept;
void write_hexadecimal_fields_avx512(const field_layout& layout, const std::uint64_t* values,
                                     std::size_t n, char* out,
                                     const std::uint32_t* offsets) noexcept;
#endif

}  // namespace headrace
