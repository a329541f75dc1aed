// NumPy's files (.npy): a header that says type, shape and order, then the elements.
// Next: npy_header.hpp.
#pragma once

#include <string>

#include "../core/array_info.hpp"
#include "../core/array_view.hpp"
#include "../core/settings.hpp"

namespace headrace {

// Precondition of both: byte_count(array) has a value.
// Writes the file that numpy.save writes of the same array. An array whose bytes follow in element
// order has fortran_order True, one in C order False; sections are written in element order.
// Logicals of every length become numpy's of one byte (0 and 1); characters keep their blanks.
// Failure kind_unsupported for reals of 16 bytes, which numpy does not have.
status write_npy(const std::string& file, const array_view& array, const write_settings& settings);

// Reads a file of version 1, 2 or 3 in either order of bytes and of dimensions. Kind, shape and
// file size are checked before the array is touched: kind_mismatch, shape_mismatch,
// file_size_mismatch; header_damaged and kind_unsupported for other headers. Characters come as
// they are: numpy fills short ones with null bytes.
status read_npy(const std::string& file, const array_view& array, const read_settings& settings);

// Failures as above; FIFOs and devices are refused, because reading takes their bytes away.
status describe_npy(const std::string& file, const read_settings& settings, array_info& info);

}  // namespace headrace
