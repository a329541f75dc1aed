// The tiers of format_integers. Contract: format_numbers.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace {

char* format_integers_portable(char* out, const std::int8_t* values, std::size_t n,
                               const char* separators) noexcept;
char* format_integers_portable(char* out, const std::int16_t* values, std::size_t n,
                               const char* separators) noexcept;
char* format_integers_portable(char* out, const std::int32_t* values, std::size_t n,
                               const char* separators) noexcept;
char* format_integers_portable(char* out, const std::int64_t* values, std::size_t n,
                               const char* separators) noexcept;
#if defined(__x86_64__)
char* format_integers_avx512(char* out, const std::int8_t* values, std::size_t n,
                             const char* separators) noexcept;
char* format_integers_avx512(char* out, const std::int16_t* values, std::size_t n,
                             const char* separators) noexcept;
char* format_integers_avx512(char* out, const std::int32_t* values, std::size_t n,
                             const char* separators) noexcept;
char* format_integers_avx512(char* out, const std::int64_t* values, std::size_t n,
                             const char* separators) noexcept;
#endif

}  // namespace headrace
