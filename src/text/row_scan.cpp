#include "row_scan.hpp"

#include <algorithm>

namespace headrace {
namespace {

// The byte after a quoted cell, which begins at p; null: it does not end.
const char* after_quoted(const char* p, const char* end, char quote) noexcept {
  for (++p;; p += 2) {
    p = static_cast<const char*>(std::memchr(p, quote, static_cast<std::size_t>(end - p)));
    if (p == nullptr || p + 1 == end) return nullptr;
    if (p[1] != quote) return p + 1;
  }
}

bool ends_cell(const char* p, const char* end, const row_rule& rule) noexcept {
  if (*p == '\r' && p + 1 < end && p[1] == '\n') return true;
  return *p == '\n' || *p == rule.column_separator[0] || (rule.blanks_separate && is_blank(*p)) ||
         (rule.comment != '\0' && *p == rule.comment);
}

// The inside of a quoted cell without blanks around it: a quote in it is doubled.
std::string_view unquoted(std::string_view text, char quote, std::string& scratch) {
  text.remove_prefix(1);
  if (!text.empty() && text.back() == quote) text.remove_suffix(1);
  if (text.find(quote) == std::string_view::npos) return text;
  scratch.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    scratch += text[i];
    if (text[i] == quote) ++i;
  }
  return scratch;
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

row_rule row_rule::of_text(char delimiter, char quote, char comment) {
  row_rule rule;
  rule.column_separator = std::string(1, delimiter);
  rule.quote = quote;
  rule.comment = comment;
  rule.blanks_separate = delimiter == ' ';
  rule.raw = false;
  return rule;
}

std::string_view decode_cell(std::string_view raw, const cell_decoding& decoding, bool last_of_row,
                             std::string& scratch) {
  if (decoding.raw) return raw;
  if (decoding.trims_ends) raw = trimmed(raw);
  // The carriage return of a line end \r\n.
  if (decoding.ends_rows && last_of_row && !raw.empty() && raw.back() == '\r') raw.remove_suffix(1);
  return is_quoted(raw, decoding.quote) ? unquoted(trimmed(raw), decoding.quote, scratch) : raw;
}

bool is_quoted(std::string_view raw, char quote) noexcept {
  if (quote == '\0') return false;
  const char* const end = raw.data() + raw.size();
  const char* const first = skip_blanks(raw.data(), end);
  return first < end && *first == quote;
}

bool is_skipped(const char* p, const char* end, const row_rule& rule, bool blank_is_row) noexcept {
  if (rule.raw) return *p == '\n' && !blank_is_row;
  p = skip_blanks(p, end, rule);
  return p < end && (*p == '\n' || (rule.comment != '\0' && *p == rule.comment));
}

const char* after_line(const char* p, const char* end) noexcept {
  const void* const feed = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
  return feed == nullptr ? nullptr : static_cast<const char*>(feed) + 1;
}

std::uint64_t lines_in(const char* begin, const char* end) noexcept {
  return static_cast<std::uint64_t>(std::count(begin, end, '\n'));
}

const char* after_cell(const char* p, const char* end, const row_rule& rule, row_outcome& outcome) {
  const char* const first = rule.raw ? p : skip_blanks(p, end, rule);
  if (rule.blanks_separate) p = first;
  if (rule.quote == '\0' || first == end || *first != rule.quote) {
    const char comment = rule.comment == '\0' ? '\n' : rule.comment;
    const char separator = rule.column_separator[0];
    if (rule.blanks_separate)
      while (p < end && *p != '\n' && !is_blank(*p) && *p != comment) ++p;
    else
      while (p < end && *p != '\n' && *p != separator && *p != comment) ++p;
    return p;
  }
  const char* const begin = first;
  p = after_quoted(first, end, rule.quote);
  if (p == nullptr) return outcome = {nullptr, begin, row_trouble::open_quote}, nullptr;
  if (rule.blanks_separate && ends_cell(p, end, rule)) return p;
  // Blanks behind the quote do not count.
  while (p < end && is_blank(*p) && !ends_cell(p, end, rule)) ++p;
  if (p == end) return outcome = {nullptr, begin, row_trouble::open_quote}, nullptr;
  if (!ends_cell(p, end, rule))
    return outcome = {nullptr, p, row_trouble::text_after_quote}, nullptr;
  return *p == '\r' ? p + 1 : p;
}

std::size_t first_row(std::string_view text, const row_rule& rule, decoded_row& found,
                      std::uint64_t& lines, scan_problem& problem) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* p = begin;
  while (p != nullptr && p < end && is_skipped(p, end, rule, false)) p = after_line(p, end);
  if (p == nullptr || p == end) return 0;
  lines = lines_in(begin, p);
  std::vector<std::string_view> raw;
  const row_outcome row = scan_row(p, end, rule, [&](const char* cell, const char* cell_end) {
    raw.emplace_back(cell, static_cast<std::size_t>(cell_end - cell));
  });
  // One row is all there is: its carriage returns are meant to end lines.
  const char* const lone = row.next == end ? lone_return(p, end, rule) : nullptr;
  if (row.next == nullptr || lone != nullptr) {
    const char* const at = lone != nullptr ? lone : row.trouble == nullptr ? p : row.trouble;
    problem = {lone != nullptr ? row_trouble::lone_return : row.kind, lines,
               static_cast<std::uint64_t>(at - p), 0};
    return 0;
  }
  lines = lines_in(begin, row.next);
  std::string scratch;
  const cell_decoding decoding{rule.raw, rule.quote, true, true};
  found = {};
  for (std::size_t i = 0; i < raw.size(); ++i) {
    found.cells.emplace_back(decode_cell(raw[i], decoding, i + 1 == raw.size(), scratch));
    found.quoted.push_back(!rule.raw && is_quoted(raw[i], rule.quote));
  }
  return static_cast<std::size_t>(row.next - begin);
}

}  // namespace headrace
