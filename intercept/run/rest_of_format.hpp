// A statement whose first records have left goes on in the run time with the rest of its format.
#pragma once

#include <cstddef>
#include <string>

#include "format_program.hpp"

namespace headrace::run {

// What the format does from `step` on, with so many blanks of X put off, as a format of its own.
std::string rest_of_format(const format_program& program, const format_step* step,
                           std::size_t blanks);

}  // namespace headrace::run
