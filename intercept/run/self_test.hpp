// Does the loaded run time write what we write? Asked once, at the first statement.
#pragma once

#include "run_time.hpp"

namespace headrace::run {

// Finds the dialect of the run time, and compares some hundred values. Null, or what is wrong.
const char* test_run_time(const run_time& real) noexcept;

}  // namespace headrace::run
