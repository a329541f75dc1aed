// Unformatted sequential files (.unf, .seq), what Fortran writes with FORM="UNFORMATTED": an array
// is a record. Next: record_writer.hpp and record_reader.hpp, which do the work.
#pragma once

#include <string>

#include "../core/array_info.hpp"
#include "../core/array_view.hpp"
#include "../core/settings.hpp"

namespace headrace {

// Precondition of write and read: byte_count(array) has a value.

// A new file with one record, whole or not at all, or with replace_mode::append one more record
// behind those of an old file, which must end with a whole one of the same markers and byte order
// (truncated_record). A failure leaves the old file as it was; a killed program leaves its records
// and perhaps the beginning of a longer one, which readers refuse.
status write_sequential(const std::string& file, const array_view& array,
                        const write_settings& settings);

// Reads the record of that number, without a number the only one. A failure before the first byte
// is read leaves the array untouched: record_missing; argument_invalid for a file with several
// records and no number, and for FIFOs and devices; record_size_mismatch; with the offset
// record_marker_damaged and truncated_record.
status read_sequential(const std::string& file, const array_view& array,
                       const read_settings& settings);

// The bytes of that record, and where they begin unless they lie in several pieces.
status describe_sequential(const std::string& file, const read_settings& settings,
                           array_info& info);

}  // namespace headrace
