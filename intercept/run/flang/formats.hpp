// Formats that flang and our kernels write alike.
#pragma once

#include "../format_program.hpp"

namespace headrace::run
{

// The reason why a statement of flang with this format is left to its run time; null: it is taken over.
const char *why_left_to_flang(const format_program &program) noexcept;

}  // namespace headrace::run
