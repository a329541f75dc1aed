// The table of file formats: which verb goes to which folder. Next: src/binary/raw.hpp.
#pragma once

#include <string>

#include "../core/array_view.hpp"
#include "../core/settings.hpp"

namespace headrace {

struct format {
  const char* name;
  const char* endings;  // separated by blanks, lower case
  status (*write)(const std::string& file, const array_view& array, const write_settings& settings);
  status (*read)(const std::string& file, const array_view& array, const read_settings& settings);
  bool is_text = false;   // the text options have a meaning, .gz and .zst compress it
  char delimiter = '\0';  // between the cells of a text
};

// The format of that name, or without a name the one of the file's ending. Case does not matter.
status find_format(const std::string& file, const std::string& name, const format*& found);

}  // namespace headrace
