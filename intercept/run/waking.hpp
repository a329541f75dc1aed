// The start costs about as much as some hundred statements of the run time, so a process of few statements would lose by it: until
// it has run so many, or for some time, the run time does them all, and no site is made and no run time tested.
#pragma once

#include <cstdint>

namespace headrace::run
{

extern int is_awake_flag;
// Are statements taken over?
inline bool is_awake() noexcept { return __builtin_expect(__atomic_load_n(&is_awake_flag, __ATOMIC_RELAXED), 1); }
// At the start of the process.
void begin_to_wait() noexcept;
// A statement begins that could be taken over. False: it is one of the first.
bool wakes_up() noexcept;
// Another one is left, of a line that is met for the first time.
void count_first_statement() noexcept;
// How many were.
std::uint64_t first_statements() noexcept;

}  // namespace headrace::run
