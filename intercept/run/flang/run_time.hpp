// The run time of LLVM flang behind the functions that gfortran's has: a parameter block begins a statement, items follow.
#pragma once

#include "../run_time.hpp"

namespace headrace::run
{

// That of the object with this address inside. Null: it has none that is linked in, or some call to it goes past us.
const run_time *flang_run_time_of(const void *address) noexcept;

// Was one found in this process, and is it good?
bool has_flang_run_time() noexcept;

}  // namespace headrace::run
