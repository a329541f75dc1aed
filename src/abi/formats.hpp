// The table of file formats: names, endings, and which verb goes to which folder. Python and
// headrace_mpi ask it. Next: src/binary/raw.hpp.
#pragma once

#include <string>
#include <string_view>

#include "../core/array_info.hpp"
#include "../core/array_view.hpp"
#include "../core/settings.hpp"

namespace headrace {

// Options that only some binary formats have; a format names those that it takes.
enum option_use : unsigned {
  uses_append = 1U << 0,
  uses_byte_order = 1U << 1,
  uses_record_marker = 1U << 2,
  uses_record_length = 1U << 3,
  uses_record = 1U << 4,
  uses_checksum = 1U << 5,
  uses_name = 1U << 6,
  uses_compression = 1U << 7,
  states_byte_order = 1U << 8,  // byte_order= is for writing only
  takes_unsigned = 1U << 9,     // integers
  keeps_indices = 1U << 10,     // x(i, j) is x[i, j] in numpy
  is_converted = 1U << 11,      // of headrace_mpi alone, but `headrace convert` writes it
};

struct format {
  const char* name;
  const char* endings;  // separated by blanks, lower case
  status (*write)(const std::string& file, const array_view& array, const write_settings& settings);
  status (*read)(const std::string& file, const array_view& array, const read_settings& settings);
  // What the file says about its array; null if it says nothing.
  status (*describe)(const std::string& file, const read_settings& settings,
                     array_info& info) = nullptr;
  unsigned options = 0;   // of option_use
  bool is_text = false;   // the text options have a meaning, .gz and .zst compress it
  char delimiter = '\0';  // between the cells of a text
  // "HDF5 files are": of headrace_mpi alone, without functions here; null for the others
  const char* elsewhere = nullptr;
};

// The format of that name, or without a name the one of the file's ending. Case does not matter.
// Failures format_unknown, also for one of headrace_mpi alone, and argument_invalid for a slash
// behind the file.
status find_format(const std::string& file, const std::string& name, const format*& found);

// The one of the file's ending, which may be of headrace_mpi alone; null if there is none.
const format* format_by_ending(const std::string& file);

// ".h5 .hdf5" of "hdf5", nothing of a name that is none. For headrace_mpi.
const char* endings_of(std::string_view name) noexcept;

}  // namespace headrace
