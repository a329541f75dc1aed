// What was taken over and what was left, for `headrace run --stats`.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace::run
{

void count_hand_over(std::size_t bytes) noexcept;
// The run time reported an error of records that it was given later than the program wrote them.
void count_hidden_error() noexcept;
std::uint64_t hidden_errors() noexcept;
// Something that the user must be told. printf-like; at most 20 a process.
void note(const char *format, ...) noexcept __attribute__((format(printf, 1, 2)));
// Writes the file, if one is asked for.
void write_statistics(bool is_active, const char *why_not) noexcept;

}  // namespace headrace::run
