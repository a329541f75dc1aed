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

// The cell at the beginning of a text, and what follows its delimiter.
std::string take_cell(std::string_view& text, char delimiter, bool& more) {
  const auto delimits = [&](char c) { return c == delimiter || (delimiter == ' ' && c == '\t'); };
  std::string cell;
  std::size_t at = 0;
  while (at < text.size() && is_blank(text[at]) && !delimits(text[at])) ++at;
  if (at < text.size() && text[at] == '"') {
    for (++at; at < text.size(); ++at) {
      if (text[at] == '"' && (at + 1 == text.size() || text[at + 1] != '"')) break;
      at += text[at] == '"' ? 1 : 0;
      cell += text[at];
    }
    while (at < text.size() && !delimits(text[at])) ++at;
  } else {
    const std::size_t begin = at;
    while (at < text.size() && !delimits(text[at])) ++at;
    cell = trimmed(text.substr(begin, at - begin));
  }
  more = at < text.size();
  text.remove_prefix(std::min(text.size(), at + 1));
  return cell;
}

// Up to a comment, which does not begin inside of quotes.
std::string_view before_comment(std::string_view line, char comment) noexcept {
  bool quoted = false;
  if (comment == '\0') return line;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == comment && !quoted) return line.substr(0, i);
  }
  return line;
}

}  // namespace

void drop_mark(std::vector<std::string>& names, std::size_t columns) {
  if (names.size() > 1 && names.size() == columns + 1 && is_mark(names[0]))
    names.erase(names.begin());
  if (names.empty()) return;
  std::string& first = names[0];
  if (first.size() > 1 && (first[0] == '#' || first[0] == '%'))
    first = trimmed(std::string_view(first).substr(1));
}

std::vector<std::string> names_of_header(std::string_view line, char delimiter, char comment,
                                         std::size_t columns) {
  std::vector<std::string> names;
  line = before_comment(line, comment);
  if (delimiter == ' ') line = trimmed(line);
  for (bool more = true; more;) {
    std::string name = take_cell(line, delimiter, more);
    if (delimiter == ' ')
      while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    names.push_back(std::move(name));
  }
  drop_mark(names, columns);
  return names;
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
