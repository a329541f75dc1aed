// What list-directed output of LLVM flang makes of one number.
#pragma once

#include <cstddef>

namespace headrace::run
{

inline constexpr std::size_t flang_longest_number = 128;

// Its characters, without the blank in front; 0: the run time must say it. out: flang_longest_number bytes.
std::size_t flang_listed_number(int type, int kind, const char *value, char *out) noexcept;

}  // namespace headrace::run
