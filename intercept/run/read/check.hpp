// Values beside the run time's: the same text, read from internal records.
#pragma once

#include "../frame.hpp"
#include "../section.hpp"

namespace headrace::run
{

// So many values of a statement, at most.
inline constexpr std::size_t most_compared = 256;

// Some values were read. They are kept, and compared as soon as there are enough of them; then the frame is checked no more.
// False: they differ.
bool is_as_the_run_time_reads(frame &one, int type, int kind, const char *values, std::size_t n, std::size_t bytes) noexcept;
bool is_as_the_run_time_reads(frame &one, const section &values) noexcept;
// The statement has ended: all its records.
bool is_as_the_run_time_reads(frame &one) noexcept;

}  // namespace headrace::run
