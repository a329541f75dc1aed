// The tiers of format_integers. Contract: format_numbers.hpp.
#pragma once

#include <cstddef>

#include "../../core/cpu.hpp"

namespace headrace {

template <class Integer>
char* format_integers_portable(char* out, const Integer* values, std::size_t n,
                               const char* separators) noexcept;
#if defined(__x86_64__)
template <class Integer>
HEADRACE_AVX512 char* format_integers_avx512(char* out, const Integer* values, std::size_t n,
                                             const char* separators) noexcept;
#endif

}  // namespace headrace
