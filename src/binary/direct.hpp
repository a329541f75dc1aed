// Direct access files (.da, .direct): records of one length without markers, as Fortran writes them
// with ACCESS="DIRECT". Next: direct.cpp; core/files.hpp writes ranges of a file.
#pragma once

#include <string>

#include "../core/array_info.hpp"
#include "../core/array_view.hpp"
#include "../core/settings.hpp"

namespace headrace {

// record_length counts bytes, always: gfortran, LLVM flang and Intel with -assume byterecl count so
// in RECL=, Intel's default counts words of 4 bytes (RECL=10 is record_length=40).
//
// The elements follow each other through as many records as they need, from record= on (default 1).
// A record holds whole elements, so that it must be a multiple of one, or as long as the array at
// least. What the array leaves of its last record becomes null bytes, as gfortran writes them.
//
// Precondition of write and read: byte_count(array) has a value.

// Without record= a new file, whole or not at all (replace="in_place": over the old pages). With
// record= these records of the file are overwritten and the others stay; a file that ends before is
// extended, records between are null bytes. Programs may write different records of one file at the
// same time. A failure then leaves the first part of these records new and the rest old, a killed
// program also null bytes where the file was extended. The size of the file is a whole number of
// records at any moment; a file of another size is refused (truncated_record).
status write_direct(const std::string& file, const array_view& array,
                    const write_settings& settings);

// A file that lacks some of these records is the failure record_missing, one whose size is no
// whole number of records truncated_record; the array is untouched then. FIFOs and devices have no
// size: records are read from their beginning.
status read_direct(const std::string& file, const array_view& array, const read_settings& settings);

// The number of bytes from record= to the end.
status describe_direct(const std::string& file, const read_settings& settings, array_info& info);

}  // namespace headrace
