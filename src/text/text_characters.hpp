// The cells of a text file as characters. Next: table_file.hpp.
#pragma once

#include <string>
#include <vector>

#include "../core/settings.hpp"
#include "table.hpp"

namespace headrace {

// Reads a whole file; stated receives the extents of a "# shape:" line. Refuses options that have
// no meaning for characters.
status read_character_table(const std::string& file, const read_settings& settings,
                            data_table& table, std::vector<std::size_t>& stated);

}  // namespace headrace
