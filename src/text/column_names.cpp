#include "column_names.hpp"

#include <algorithm>

#include "../core/blanks.hpp"
#include "../core/lower_case.hpp"
#include "../core/name_text.hpp"
#include "../core/near_words.hpp"

namespace headrace {
namespace {

bool is_mark(std::string_view text) noexcept {
  return text == "//" || text == "#" || text == "%" || text == "!";
}

}  // namespace

void drop_mark(decoded_row& names, std::size_t columns, bool blanks_separate) {
  std::vector<std::string>& cells = names.cells;
  if (cells.empty() || names.quoted[0]) return;
  // Without rows a mark before a blank belongs to no column.
  if (columns == 0) columns = cells.size() - (blanks_separate ? 1 : 0);
  if (cells.size() > 1 && cells.size() == columns + 1 && is_mark(cells[0])) {
    cells.erase(cells.begin());
    names.quoted.erase(names.quoted.begin());
  }
  std::string& first = cells[0];
  if (first.size() > 1 && (first[0] == '#' || first[0] == '%'))
    first = trimmed(std::string_view(first).substr(1));
}

status find_column_name(const std::vector<std::string>& known, const std::string& name,
                        std::size_t& index) {
  const auto found = std::find(known.begin(), known.end(), name);
  index = static_cast<std::size_t>(found - known.begin());
  if (found != known.end() && std::find(found + 1, known.end(), name) == known.end()) return {};
  if (found != known.end())
    return status::failure(stat_code::column_unknown,
                           "several columns have the name " + shown(name))
        .advise("use the number of the column, from 1");
  if (known.empty())
    return status::failure(stat_code::column_unknown, "there is no column " + shown(name))
        .advise("the table has no columns");
  std::string near;
  for (const std::string& other : known)
    if (lower_case(other) == lower_case(name) ||
        !did_you_mean(lower_case(name), {lower_case(other)}).empty())
      near += (near.empty() ? "" : " or ") + shown(other);
  return status::failure(stat_code::column_unknown, "there is no column " + shown(name))
      .advise((near.empty() ? "" : "did you mean " + near + "? ") + "there are " +
              names_text(known));
}

}  // namespace headrace
