// The subset of Fortran's namelist input that a .meta file is made of. Next: meta_entry.hpp gives
// its groups a meaning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../core/status.hpp"

namespace headrace {

struct namelist_value {
  bool is_text = false;
  std::string text;  // without delimiters and trailing blanks
  std::int64_t number = 0;
  std::int64_t repeat = 1;  // 3*0 stands for three values
};

// key = value, value, ...
struct namelist_item {
  std::string key;  // lower case
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::vector<namelist_value> values;
};

// &name ... /
struct namelist_group {
  std::string name;  // lower case
  std::uint64_t line = 0;
  std::vector<namelist_item> items;
};

// Finds the groups of that name; others, and comments from ! on, are skipped. Values are integers
// and texts between quotes, which may go on in the next line as Fortran writes long ones.
// Failure header_damaged with line and column, the file is not named. Never more memory than a
// multiple of the text's bytes.
status find_groups(std::string_view text, std::string_view name,
                   std::vector<namelist_group>& groups);

// The text between quotes, as namelist input reads it.
std::string quoted(std::string_view text);

}  // namespace headrace
