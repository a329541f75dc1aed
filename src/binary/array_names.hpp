// Arrays in messages ("real64 (3, 4)"), and whether an array in a file fits the one in memory.
#pragma once

#include <cstddef>
#include <string>

#include "../core/array_info.hpp"
#include "../core/array_view.hpp"
#include "../core/status.hpp"

namespace headrace {

// "int32", "real64", "complex(real32)", "logical(4)", "character(12)"; 16 bytes: "real(16 bytes)",
// because the kinds 10 and 16 of gfortran have the same length.
std::string type_name(type_class type, std::size_t elem_len);

// "(3, 4)" in Fortran's order of dimensions; "scalar" for array rank 0.
std::string shape_name(int array_rank, const std::ptrdiff_t* extent);

// "real64 (3, 4)"
std::string array_name(const array_view& array);
// As above; "24 bytes" when the file knows bytes only.
std::string array_name(const array_info& info);

// Failure kind_mismatch or shape_mismatch, with the array in memory as expected and the one in the
// file as found, when they are not the same; an untyped file is asked for its number of bytes.
// The file is not named. Precondition: byte_count(array) has a value.
status check_fits(const array_view& array, const array_info& info);

}  // namespace headrace
