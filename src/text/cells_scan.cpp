#include "cells_scan.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/parse_numbers.hpp"

namespace headrace {
namespace {

using what = scan_problem::what;

// Larger blocks are single long rows; they need not be fast.
constexpr std::size_t largest_fast_block = std::size_t{64} << 20;

struct row_outcome {
  const char* next = nullptr;  // after the row; null: it does not end, or is wrong
  const char* trouble = nullptr;
  what kind = what::none;
};

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r';
}

// The byte after a quoted cell, which begins at p.
const char* after_quoted(const char* p, const char* end, char quote, row_outcome& outcome) {
  const char* const begin = p++;
  while (true) {
    const auto left = static_cast<std::size_t>(end - p);
    p = static_cast<const char*>(std::memchr(p, quote, left));
    if (p == nullptr || p + 1 == end) {
      outcome = {nullptr, begin, what::open_quote};
      return nullptr;
    }
    if (p[1] != quote) return p + 1;
    p += 2;
  }
}

bool ends_cell(const char* p, const char* end, const row_rule& rule) noexcept {
  if (*p == '\r' && p + 1 < end && p[1] == '\n') return true;
  return *p == '\n' || *p == rule.column_separator[0] || (rule.blanks_separate && is_blank(*p)) ||
         (rule.comment != '\0' && *p == rule.comment);
}

const char* after_plain(const char* p, const char* end, const row_rule& rule) noexcept {
  const char separator = rule.column_separator[0];
  const char comment = rule.comment == '\0' ? '\n' : rule.comment;
  if (rule.blanks_separate) {
    while (p < end && *p != '\n' && !is_blank(*p) && *p != comment) ++p;
  } else {
    while (p < end && *p != '\n' && *p != separator && *p != comment) ++p;
  }
  return p;
}

const char* after_line(const char* p, const char* end) noexcept {
  const void* const feed = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
  return feed == nullptr ? nullptr : static_cast<const char*>(feed) + 1;
}

const char* skip_blanks(const char* p, const char* end) noexcept {
  while (p < end && is_blank(*p)) ++p;
  return p;
}

// One row of a simple text: cell(begin, end) for each of its cells, which end at separators.
template <class Cell>
row_outcome scan_row(const char* p, const char* end, const row_rule& rule, Cell cell) {
  row_outcome outcome;
  while (p < end) {
    const char* const begin = p;
    if (rule.blanks_separate) p = skip_blanks(p, end);
    if (rule.quote != '\0' && p < end && *p == rule.quote) {
      p = after_quoted(p, end, rule.quote, outcome);
      if (p == nullptr) return outcome;
      if (!ends_cell(p, end, rule)) return {nullptr, p, what::text_after_quote};
      if (*p == '\r' && !rule.blanks_separate) ++p;
    } else {
      p = after_plain(p, end, rule);
    }
    if (p == end) break;
    cell(begin, p);
    const char* following = rule.blanks_separate ? skip_blanks(p, end) : p;
    if (following == end) break;
    if (*following == '\n') return {following + 1};
    if (rule.comment != '\0' && *following == rule.comment) return {after_line(following, end)};
    ++p;
  }
  return outcome;
}

// True for lines that are no rows.
bool is_skipped(const char* p, const char* end, const row_rule& rule, bool blank_is_row) noexcept {
  if (rule.raw) return *p == '\n' && !blank_is_row;
  p = skip_blanks(p, end);
  return p < end && (*p == '\n' || (rule.comment != '\0' && *p == rule.comment));
}

std::uint64_t lines_in(const char* begin, const char* end) noexcept {
  return static_cast<std::uint64_t>(std::count(begin, end, '\n'));
}

// The careful way: any rule, any text. Rows move towards the beginning over what is skipped.
class careful_scan {
 public:
  careful_scan(const row_rule& rule, std::size_t columns, scan_workspace& space, cell_block& block)
      : rule_(rule),
        columns_(columns),
        ends_(space.ends),
        block_(block),
        begin_(block.text.data()),
        end_(begin_ + block.bytes),
        out_(begin_) {
    ends_.assign(1, UINT32_MAX);
    block_.rows = 0;
    block_.skips.clear();
  }

  scan_problem scan() {
    scan_problem problem;
    for (const char* p = begin_; p < end_ && problem.kind == what::none;) {
      if (is_skipped(p, end_, rule_, columns_ == 1))
        p = skip_line(p);
      else
        p = take_row(p, problem);
    }
    block_.bytes = static_cast<std::size_t>(out_ - begin_);
    block_.lines = line_;
    return problem;
  }

 private:
  const char* skip_line(const char* p) {
    if (block_.skips.empty() || block_.skips.back().before_row != block_.rows)
      block_.skips.push_back({static_cast<std::uint32_t>(block_.rows), skipped_});
    block_.skips.back().lines = ++skipped_;
    ++line_;
    return after_line(p, end_);
  }

  const char* take_row(const char* p, scan_problem& problem) {
    const std::size_t before = ends_.size();
    const char* last = p;
    const row_outcome row = scan_row(p, end_, rule_, [&](const char*, const char* cell_end) {
      ends_.push_back(static_cast<std::uint32_t>(out_ - begin_ + (cell_end - p)));
      last = cell_end;
    });
    const std::size_t cells = ends_.size() - before;
    // Before the row moves over itself.
    const std::uint64_t lines = row.next == nullptr ? 0 : lines_in(p, row.next);
    if (row.next == nullptr) {
      fail(problem, row.kind, p, row.trouble == nullptr ? p : row.trouble);
    } else if (cells != columns_) {
      fail(problem, what::row_length, p, last);
      problem.found = cells;
    } else {
      const auto length = static_cast<std::size_t>(last - p);
      if (out_ != p) std::memmove(out_, p, length);
      out_ += length;
      *out_++ = '\n';
      ++block_.rows;
    }
    line_ += lines;
    return row.next;
  }

  void fail(scan_problem& problem, what kind, const char* row, const char* at) const {
    // Rows before may have moved, this one has not: its line begins behind a line feed or at p.
    problem.kind = kind;
    const char* line_begin = at;
    while (line_begin > begin_ && line_begin[-1] != '\n') --line_begin;
    problem.column = static_cast<std::uint64_t>(at - line_begin);
    problem.line = line_ + lines_in(row, at);
  }

  const row_rule& rule_;
  std::size_t columns_;
  std::vector<std::uint32_t>& ends_;
  cell_block& block_;
  char* begin_;
  char* end_;
  char* out_;
  std::uint64_t line_ = 0;
  std::uint32_t skipped_ = 0;
};

// Separators of any length: each becomes one byte.
scan_problem scan_separated(const row_rule& rule, std::size_t columns, scan_workspace& space,
                            cell_block& block) {
  std::string_view text(block.text.data(), block.bytes);
  char* const begin = block.text.data();
  char* out = begin;
  space.ends.assign(1, UINT32_MAX);
  scan_problem problem;
  block.rows = 0;
  while (!text.empty()) {
    std::string_view row = text.substr(0, text.find(rule.row_separator));
    text.remove_prefix(row.size() + rule.row_separator.size());
    std::size_t cells = 0;
    for (bool more = true; more; ++cells) {
      const std::size_t length = row.find(rule.column_separator);
      more = length != std::string_view::npos;
      const std::string_view cell = row.substr(0, length);
      if (!cell.empty()) std::memmove(out, cell.data(), cell.size());
      out += cell.size();
      space.ends.push_back(static_cast<std::uint32_t>(out - begin));
      *out++ = more ? rule.column_separator[0] : '\n';
      if (more) row.remove_prefix(length + rule.column_separator.size());
    }
    if (cells != columns) {
      problem = {what::row_length, block.rows, 0, cells};
      break;
    }
    ++block.rows;
  }
  block.bytes = static_cast<std::size_t>(out - begin);
  block.lines = block.rows;
  return problem;
}

void give_ends(const std::uint32_t* ends, scan_workspace& space, cell_block& block) {
  space.found_ends = ends;
  if (space.sets_ends) block.set_ends(ends);
}

bool find_plain(const row_rule& rule, char separator, cell_block& block, field_map& map) {
  const char special[2] = {rule.quote, rule.comment};
  find_fields(block.text.data(), block.bytes, {separator, '.'}, special, map);
  block.lines = map.lines;
  return !map.has_special;
}

bool find_quoted(const row_rule& rule, cell_block& block, field_map& map) {
  quoted_map quoted;
  quoted.fields = map;
  find_quoted_fields(block.text.data(), block.bytes,
                     {rule.column_separator[0], rule.quote, rule.comment}, quoted);
  map = quoted.fields;
  block.lines = quoted.line_feeds;
  return quoted.is_sound && !quoted.is_open;
}

// The usual way: false when the text has anything that the careful way should look at.
bool scan_fast(const row_rule& rule, std::size_t columns, scan_workspace& space,
               cell_block& block) {
  if (block.bytes > largest_fast_block) return false;
  const char separator = rule.blanks_separate ? ' ' : rule.column_separator[0];
  if (!rule.blanks_separate && (separator == ' ' || separator == '\n')) return false;
  if (space.room < block.bytes + 64) {
    space.room = block.bytes + block.bytes / 4 + 64;
    space.fields.reset(new std::uint32_t[space.room + 1]);
    space.line_fields.reset(new std::uint32_t[space.room]);
  }
  space.fields[0] = UINT32_MAX;
  field_map map;
  map.ends = space.fields.get() + 1;
  map.line_fields = space.line_fields.get();
  const bool quoted = rule.quote != '\0' && !rule.blanks_separate &&
                      std::memchr(block.text.data(), rule.quote, block.bytes) != nullptr;
  if (!(quoted ? find_quoted(rule, block, map) : find_plain(rule, separator, block, map)))
    return false;
  if (map.fields != map.lines * columns) return false;
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < map.lines; ++k)
    wrong |= map.line_fields[k] ^ static_cast<std::uint32_t>((k + 1) * columns);
  if (wrong != 0) return false;
  block.rows = map.lines;
  give_ends(space.fields.get(), space, block);
  return true;
}

// The first carriage return outside of quotes that does not end the row; null when there is none.
const char* lone_return(const char* p, const char* end, const row_rule& rule) noexcept {
  bool quoted = false;
  if (rule.raw) return nullptr;
  for (; p < end; ++p) {
    if (rule.quote != '\0' && *p == rule.quote) quoted = !quoted;
    if (*p == '\r' && !quoted && *skip_blanks(p, end) != '\n') return p;
  }
  return nullptr;
}

}  // namespace

std::size_t complete_rows(const char* text, std::size_t bytes, const row_rule& rule,
                          std::size_t& open_quote) {
  open_quote = bytes;
  const std::string_view all(text, bytes);
  if (rule.quote == '\0' || all.find(rule.quote) == std::string_view::npos) {
    const std::size_t last = all.rfind(rule.row_separator);
    return last == std::string_view::npos ? 0 : last + rule.row_separator.size();
  }
  if (rule.simple() && !rule.blanks_separate && bytes <= largest_fast_block) {
    quoted_map quoted;
    find_quoted_fields(text, bytes, {rule.column_separator[0], rule.quote, rule.comment}, quoted);
    if (quoted.is_sound) {
      if (quoted.is_open) open_quote = quoted.rows_end;
      return quoted.rows_end;
    }
  }
  const char* const end = text + bytes;
  for (const char* p = text; p < end;) {
    const auto done = static_cast<std::size_t>(p - text);
    if (is_skipped(p, end, rule, false)) {
      p = after_line(p, end);
      if (p == nullptr) return done;
      continue;
    }
    const row_outcome row = scan_row(p, end, rule, [](const char*, const char*) {});
    if (row.kind == what::open_quote) open_quote = static_cast<std::size_t>(row.trouble - text);
    // What is wrong with a row is told when its cells are looked at.
    p = row.kind == what::text_after_quote ? after_line(row.trouble, end) : row.next;
    if (p == nullptr) return done;
  }
  return bytes;
}

std::size_t first_row(const char* text, std::size_t bytes, const row_rule& rule,
                      std::vector<std::string>& cells, std::uint64_t& lines,
                      scan_problem& problem) {
  const char* const end = text + bytes;
  const char* p = text;
  while (p != nullptr && p < end && is_skipped(p, end, rule, false)) p = after_line(p, end);
  if (p == nullptr || p == end) return 0;
  cell_array decoder;
  decoder.decoding = {rule.raw, rule.quote, rule.blanks_separate};
  lines = lines_in(text, p);
  std::vector<std::string_view> raw;
  const row_outcome row = scan_row(p, end, rule, [&](const char* cell, const char* cell_end) {
    raw.emplace_back(cell, static_cast<std::size_t>(cell_end - cell));
  });
  if (row.next == nullptr) {
    problem.kind = row.kind;
    problem.line = lines;
    problem.column = row.trouble == nullptr ? 0 : static_cast<std::uint64_t>(row.trouble - p);
    return 0;
  }
  // One row is all there is: its carriage returns are meant to end lines.
  const char* const lone = row.next == end ? lone_return(p, end, rule) : nullptr;
  if (lone != nullptr) {
    problem = {what::lone_return, lines, static_cast<std::uint64_t>(lone - p), 0};
    return 0;
  }
  lines = lines_in(text, row.next);
  std::string scratch;
  for (std::size_t i = 0; i < raw.size(); ++i)
    cells.emplace_back(decoder.decoded(raw[i], i + 1 == raw.size(), scratch));
  return static_cast<std::size_t>(row.next - text);
}

scan_problem scan_block(const row_rule& rule, std::size_t columns, scan_workspace& space,
                        cell_block& block) {
  block.columns = columns;
  if (!rule.raw) {
    const void* const nul = std::memchr(block.text.data(), '\0', block.bytes);
    if (nul != nullptr) {
      const char* const at = static_cast<const char*>(nul);
      const char* line = at;
      while (line > block.text.data() && line[-1] != '\n') --line;
      return {what::nul, lines_in(block.text.data(), at), static_cast<std::uint64_t>(at - line)};
    }
  }
  if (rule.simple() && scan_fast(rule, columns, space, block)) return {};
  scan_problem problem = rule.simple() ? careful_scan(rule, columns, space, block).scan()
                                       : scan_separated(rule, columns, space, block);
  if (problem.kind == what::none) give_ends(space.ends.data(), space, block);
  return problem;
}

}  // namespace headrace
