#include "scan.hpp"

#include <algorithm>
#include <cstring>

#include "../text/kernels/parse_numbers.hpp"

namespace headrace {
namespace {

// Larger blocks are single long rows; they need not be fast.
constexpr std::size_t largest_fast_block = std::size_t{64} << 20;

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
    for (const char* p = begin_; p < end_ && problem.kind == row_trouble::none;) {
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
    const char* surplus = nullptr;  // the first cell too many
    const row_outcome row = scan_row(p, end_, rule_, [&](const char* cell, const char* cell_end) {
      if (ends_.size() - before == columns_) surplus = cell;
      ends_.push_back(static_cast<std::uint32_t>(out_ - begin_ + (cell_end - p)));
      last = cell_end;
    });
    const std::size_t cells = ends_.size() - before;
    // Before the row moves over itself.
    const std::uint64_t lines = row.next == nullptr ? 0 : lines_in(p, row.next);
    if (row.next == nullptr) {
      fail(problem, row.kind, p, row.trouble == nullptr ? p : row.trouble);
    } else if (cells != columns_) {
      const bool returns = last > p && last[-1] == '\r';
      fail(problem, row_trouble::row_length, p,
           surplus != nullptr ? skip_blanks(surplus, last) : last - (returns ? 1 : 0));
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

  void fail(scan_problem& problem, row_trouble kind, const char* row, const char* at) const {
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
      problem = {row_trouble::row_length, block.rows, 0, cells};
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
  const bool quoted = block.may_have_quotes && !rule.blanks_separate;
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

}  // namespace

std::size_t complete_rows(const char* text, std::size_t bytes, const row_rule& rule) {
  const std::string_view all(text, bytes);
  if (rule.quote == '\0' || all.find(rule.quote) == std::string_view::npos) {
    const std::size_t last = all.rfind(rule.row_separator);
    return last == std::string_view::npos ? 0 : last + rule.row_separator.size();
  }
  if (rule.simple() && !rule.blanks_separate && bytes <= largest_fast_block) {
    quoted_map quoted;
    find_quoted_fields(text, bytes, {rule.column_separator[0], rule.quote, rule.comment}, quoted);
    if (quoted.is_sound) return quoted.rows_end;
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
    // What is wrong with a row is told when its cells are looked at.
    p = row.kind == row_trouble::text_after_quote ? after_line(row.trouble, end) : row.next;
    if (p == nullptr) return done;
  }
  return bytes;
}

scan_problem scan_block(const row_rule& rule, std::size_t columns, scan_workspace& space,
                        cell_block& block) {
  block.columns = columns;
  block.may_have_quotes =
      rule.quote != '\0' && std::memchr(block.text.data(), rule.quote, block.bytes) != nullptr;
  if (!rule.raw) {
    const void* const nul = std::memchr(block.text.data(), '\0', block.bytes);
    if (nul != nullptr) {
      const char* const at = static_cast<const char*>(nul);
      const char* line = at;
      while (line > block.text.data() && line[-1] != '\n') --line;
      return {row_trouble::null_byte, lines_in(block.text.data(), at),
              static_cast<std::uint64_t>(at - line)};
    }
  }
  if (rule.simple() && scan_fast(rule, columns, space, block)) return {};
  scan_problem problem = rule.simple() ? careful_scan(rule, columns, space, block).scan()
                                       : scan_separated(rule, columns, space, block);
  if (problem.kind == row_trouble::none) give_ends(space.ends.data(), space, block);
  return problem;
}

}  // namespace headrace
