// Whether a run time was tested, and is good.
#pragma once

#include "run_time.hpp"

namespace headrace::run
{

// At the first statement that could be taken over: some hundred values both ways.
bool is_tested(const run_time &real) noexcept;
// Is it known how formats are taken apart? The first run time that is tested says so: if none was, that of the statement is.
bool is_dialect_known(const transfer_block &block, const void *caller) noexcept;

// An OPEN was good: for which directions it asked for nothing out of the ordinary, and its RECL=, or 0. real: null if it is not
// known.
void unit_was_opened(std::int32_t number, int directions, std::int64_t longest_record, const run_time *real) noexcept;

// What this process did is saved when it ends.
void process_has_statements() noexcept;

}  // namespace headrace::run
