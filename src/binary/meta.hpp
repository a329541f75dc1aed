// Pairs (.meta): a text that describes arrays, for people and for Fortran's namelist input, and
// files of their plain bytes, one for each type and kind. Next: meta_entry.hpp, the text.
//
//     &array
//       format_version = 1
//       name           = 'temperature'
//       type           = 'real64'
//       array_rank     = 2
//       shape          = 3, 1000
//       byte_order     = 'little'
//       data_file      = 'run.real64.bin'
//       offset         = 0
//       bytes          = 24000
//       crc32c         = 'e3069283'
//     /
#pragma once

#include <string>

#include "../core/array_info.hpp"
#include "../core/array_view.hpp"
#include "../core/settings.hpp"

namespace headrace {

// Precondition of write and read: byte_count(array) has a value.

// The name of an array that is written without name= is "array".
//
// Replacing writes new data files under new names (run.real64.bin, run.real64.1.bin, ...) and then
// the text, so that the old pair is whole until the new one is; the old data files are removed
// last. replace="in_place" overwrites both files instead. append="yes" puts the elements behind
// those of their kind and adds a group to the text, whose other content stays as it is, comments
// too; what a killed program left behind the described bytes is left out. A name that the text has
// already is refused (argument_invalid), also a description that cannot be understood
// (header_damaged). Of several programs that write one pair each waits for the others if the
// file system has locks.
status write_meta(const std::string& file, const array_view& array, const write_settings& settings);

// Failures leave the array untouched: array_missing with the names that there are, kind_mismatch,
// shape_mismatch, header_damaged, file_size_mismatch (data file too short). checksum_mismatch comes
// when the elements have been read. Without name= the file has to describe a single array.
status read_meta(const std::string& file, const array_view& array, const read_settings& settings);

status describe_meta(const std::string& file, const read_settings& settings, array_info& info);

}  // namespace headrace
