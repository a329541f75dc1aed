// Options of the C interface to what the formats take. Next: ../core/settings.hpp.
#pragma once

#include <string>

#include "../../include/headrace.h"
#include "../core/settings.hpp"
#include "formats.hpp"

namespace headrace {

// Empty for a null pointer.
std::string text_of(const char* option);

// Unknown values, and text options for a format that is no text, are the failure option_unknown.
status convert(const hr_write_options& options, const format& file_format,
               write_settings& settings);
status convert(const hr_read_options& options, const format& file_format, read_settings& settings);

}  // namespace headrace
