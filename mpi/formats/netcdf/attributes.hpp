// An attribute, to and from a scalar or a contiguous array of rank 1.
#pragma once

#include "file.hpp"

namespace headrace::netcdf {

// variable: of_file for one of the file
status put_attribute(library_file& file, int variable, const std::string& name,
                     const array_view& value);
status get_attribute(library_file& file, int variable, const std::string& name,
                     const array_view& value);

}  // namespace headrace::netcdf
