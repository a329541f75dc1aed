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

// The column of a table that is wanted as number c, from 0.
status find_wanted(const data_table& table, const read_settings& settings, std::size_t c,
                   std::size_t& index);

}  // namespace headrace
