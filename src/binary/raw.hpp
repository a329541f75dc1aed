// Raw files (.raw, .bin): the bytes of the elements in element order, nothing else.
#pragma once

#include <string>

#include "../core/array_info.hpp"
#include "../core/array_view.hpp"
#include "../core/settings.hpp"

namespace headrace {

// Precondition of both: byte_count(array) has a value.
status write_raw(const std::string& file, const array_view& array, const write_settings& settings);

// A file of another size than the array is the failure file_size_mismatch; the array is untouched
// then. FIFOs and devices have no size: as many bytes as the array holds are read.
status read_raw(const std::string& file, const array_view& array, const read_settings& settings);

// The number of bytes; a FIFO or device has none and is refused.
status describe_raw(const std::string& file, const read_settings& settings, array_info& info);

}  // namespace headrace
