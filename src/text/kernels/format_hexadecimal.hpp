// The tiers of format_hexadecimal. Contract: format_numbers.hpp.
#pragma once

#include <cstddef>

namespace headrace {

char* format_hexadecimal_portable(char* out, const void* values, std::size_t elem_len,
                                  std::size_t n, const char* separators) noexcept;
#if defined(__x86_64__)
char* format_hexadecimal_avx512(char* out, const void* values, std::size_t elem_len, std::size_t n,
                                const char* separators) noexcept;
#endif

}  // namespace headrace
