// Attributes in ADIOS2: those of an array are called <array>/<name>.
#pragma once

#include "calls.hpp"

namespace headrace {

std::string adios2_attribute_name(const std::string& array, const std::string& name);

status adios2_put_attribute(adios2_io* io, const std::string& file, const std::string& name,
                            const array_view& value);
status adios2_put_texts(adios2_io* io, const std::string& file, const std::string& name,
                        const std::vector<std::string>& texts);
status adios2_put_numbers(adios2_io* io, const std::string& file, const std::string& name,
                          const std::vector<std::int64_t>& numbers);

status adios2_get_attribute(adios2_io* io, const std::string& file, const std::string& name,
                            const array_view& value);
// Empty when there is none, or none of that type.
std::vector<std::string> adios2_get_texts(adios2_io* io, const std::string& name);
std::vector<std::int64_t> adios2_get_numbers(adios2_io* io, const std::string& name);

}  // namespace headrace
