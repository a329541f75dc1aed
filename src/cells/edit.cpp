#include "edit.hpp"

#include <algorithm>

#include "../core/shared_work.hpp"

namespace headrace {
namespace {

// Calls visit(cell text) for all cells, row by row, until it returns false.
template <class Visit>
void for_each_cell(const cell_array& cells, Visit visit) {
  std::string scratch;
  for (const cell_block& block : cells.blocks())
    for (std::size_t i = 0; i < block.count(); ++i)
      if (!visit(cells.text(block, i, scratch), i)) return;
}

// Characters, not bytes, as a terminal shows them.
std::size_t width_of(std::string_view text) noexcept {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  return width;
}

std::string replace_from_end(std::string_view text, std::string_view match, std::string_view by) {
  std::vector<std::size_t> places;
  for (std::size_t end = text.size(); end >= match.size();) {
    const std::size_t at = text.rfind(match, end - match.size());
    if (at == std::string_view::npos) break;
    places.push_back(at);
    end = at;
  }
  std::string result;
  std::size_t done = 0;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    result.append(text.substr(done, *place - done)).append(by);
    done = *place + match.size();
  }
  return result.append(text.substr(done));
}

status edit_block(const cell_array& cells, const cell_block& block, const cell_edit& edit,
                  cell_block& edited) {
  block_builder builder(block.columns, cells.separator);
  std::string scratch;
  for (std::size_t i = 0; i < block.count(); ++i) {
    edit(cells.text(block, i, scratch), builder.text());
    builder.end_cell();
    if (builder.text().size() > largest_block_text) return bad_row(row_trouble::too_long);
  }
  return builder.finish(edited);
}

}  // namespace

std::string replace_all(std::string_view text, std::string_view match, std::string_view by,
                        bool back) {
  if (match.empty()) return std::string(text);
  if (back) return replace_from_end(text, match, by);
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = text.find(match, done)) != std::string_view::npos;) {
    result.append(text.substr(done, at - done)).append(by);
    done = at + match.size();
  }
  return result.append(text.substr(done));
}

std::uint64_t count_matches(std::string_view text, std::string_view match) noexcept {
  if (match.empty()) return 0;
  std::uint64_t count = 0;
  for (std::size_t at = 0; (at = text.find(match, at)) != std::string_view::npos; ++count)
    at += match.size();
  return count;
}

status edit_cells(cell_array& cells, const cell_edit& edit, int threads) {
  std::vector<cell_block> edited(cells.blocks().size());
  first_failure failure;
  share_out(thread_count(threads), edited.size(), [&](std::size_t i, int) {
    status one = edit_block(cells, cells.blocks()[i], edit, edited[i]);
    if (!one.ok()) failure.add(i, std::move(one));
  });
  if (status s = failure.take(); !s.ok()) return s;
  for (std::size_t i = 0; i < edited.size(); ++i) cells.replace_block(i, std::move(edited[i]));
  cells.decoding = {};
  return {};
}

status set_cell(cell_array& cells, std::size_t row, std::size_t column, std::string_view text) {
  const std::size_t number = cells.block_of(row);
  const cell_block& block = cells.blocks()[number];
  const std::size_t wanted = (row - block.first_row) * cells.columns() + column;
  std::size_t cell = 0;
  cell_block edited;
  status result = edit_block(
      cells, block,
      [&](std::string_view old, std::string& out) { out += cell++ == wanted ? text : old; },
      edited);
  if (result.ok()) cells.replace_block(number, std::move(edited));
  return result;
}

status split_text(std::string_view text, std::string_view separator, cell_array& cells) {
  block_builder builder(1);
  std::vector<cell_block> blocks;
  const auto finish = [&] {
    blocks.emplace_back();
    return builder.finish(blocks.back());
  };
  while (true) {
    const std::size_t length = separator.empty() ? text.npos : text.find(separator);
    builder.add(text.substr(0, length));
    if (length == std::string_view::npos) break;
    text.remove_prefix(length + separator.size());
    if (builder.text().size() < usual_block_text) continue;
    if (status s = finish(); !s.ok()) return s;
  }
  if (status s = finish(); !s.ok()) return s;
  return cells.append(std::move(blocks));
}

std::string join_cells(const cell_array& cells, std::string_view separator) {
  std::string text;
  text.reserve(cells.bytes());
  bool first = true;
  for_each_cell(cells, [&](std::string_view cell, std::size_t) {
    if (!first) text += separator;
    first = false;
    text += cell;
    return true;
  });
  return text;
}

std::uint64_t count_in_cells(const cell_array& cells, std::string_view match) {
  std::uint64_t count = 0;
  for_each_cell(cells, [&](std::string_view cell, std::size_t) {
    count += count_matches(cell, match);
    return true;
  });
  return count;
}

bool equal_cells(const cell_array& left, const cell_array& right) {
  if (left.rows() != right.rows() || (left.rows() > 0 && left.columns() != right.columns()))
    return false;
  std::string left_scratch;
  std::string right_scratch;
  for (std::size_t row = 0; row < left.rows(); ++row)
    for (std::size_t column = 0; column < left.columns(); ++column)
      if (left.text(row, column, left_scratch) != right.text(row, column, right_scratch))
        return false;
  return true;
}

std::string print_cells(const cell_array& cells) {
  std::vector<std::size_t> widths(cells.columns(), 0);
  for_each_cell(cells, [&](std::string_view cell, std::size_t i) {
    std::size_t& width = widths[i % cells.columns()];
    width = std::max(width, width_of(cell));
    return true;
  });
  std::string text;
  for_each_cell(cells, [&](std::string_view cell, std::size_t i) {
    const std::size_t column = i % cells.columns();
    text.append(widths[column] - width_of(cell) + (column == 0 ? 0 : 2), ' ');
    text += cell;
    if (column + 1 == cells.columns()) text += '\n';
    return true;
  });
  return text;
}

}  // namespace headrace
