// What list-directed output and G0 of LLVM flang make of one number.
#pragma once

#include <cstddef>

namespace headrace::run
{

inline constexpr std::size_t flang_longest_number = 128;

// Its characters, without the blank in front; 0: the run time must say it. out: flang_longest_number bytes.
std::size_t flang_listed_number(int type, int kind, const char *value, char *out) noexcept;
// The same of a real under G0.
std::size_t flang_general_real(int kind, const char *value, char *out) noexcept;

}  // namespace headrace::run
