// What a .meta file says about one array. Next: meta_pair.hpp knows the files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/array_info.hpp"
#include "../core/status.hpp"

namespace headrace {

struct meta_entry {
  std::string name;
  std::string data_file;  // beside the .meta file, or below its directory
  array_info info;        // typed; info.file is the data file as it is opened
  std::optional<std::uint32_t> crc;
};

// All arrays of a .meta file, in its order. The file is not named in failures: header_damaged with
// line and column, kind_unsupported for a type that does not exist.
status parse_entries(std::string_view text, std::vector<meta_entry>& entries);

// The group of an array, as Fortran's namelist input and parse_entries read it.
std::string text_of_entry(const meta_entry& entry);

// 8 hexadecimal digits
std::string crc_text(std::uint32_t crc);

// Comments for the beginning of a file: what it is, and how Fortran reads it.
std::string first_lines();

// The array of that name, without one the only one; failure array_missing lists the names.
status find_entry(const std::vector<meta_entry>& entries, const std::string& name,
                  meta_entry& found);

// Refuses control characters and names that do not fit the description.
status check_name(const std::string& name);

}  // namespace headrace
