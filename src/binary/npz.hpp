// NumPy's archives (.npz): a zip file whose members are .npy files. Next: zip_directory.hpp.
#pragma once

#include <string>

#include "../core/array_info.hpp"
#include "../core/array_view.hpp"
#include "../core/settings.hpp"

namespace headrace {

// All need zlib, for the checksums; without it compression_unavailable.
// Precondition of both: byte_count(array) has a value.

// Writes an archive of one array called name= (default: numpy's arr_0, arr_1, ...), stored or
// deflated; with append it joins those that the archive has. An array of a name that is there
// already is refused (argument_invalid). Otherwise as write_npy().
status write_npz(const std::string& file, const array_view& array, const write_settings& settings);

// Reads the array called name= ("x" or "x.npy"; default: the only one, else array_missing names
// them). Kind, shape and the sizes in the archive are checked before the array is touched, the
// checksum while it is filled (checksum_mismatch). Pipes and devices are refused: the directory of
// an archive stands at its end. Otherwise as read_npy().
status read_npz(const std::string& file, const array_view& array, const read_settings& settings);

// data_offset tells where the elements of a stored array stand; those that this library writes
// begin at a multiple of 64 bytes.
status describe_npz(const std::string& file, const read_settings& settings, array_info& info);

}  // namespace headrace
