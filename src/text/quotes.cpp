#include "quotes.hpp"

#include <cstring>

#include "../core/blanks.hpp"

namespace headrace {
namespace {

enum class change_to { blank, letter, hidden };

// Goes over a text byte by byte: change(p, to) where a byte has to become another.
class line_walk {
 public:
  line_walk(const quote_rule& rule, line_state begin) noexcept : rule_(rule), state_(begin) {}

  line_state state() const noexcept { return state_; }
  const line_trouble& trouble() const noexcept { return trouble_; }

  template <class Change>
  void go(const char* text, const char* end, Change change) noexcept {
    opened_ = text;  // where the quote began in an earlier piece
    for (const char* p = text; p < end; ++p) {
      if (*p == '\n')
        end_line(change);
      else if (state_ == line_state::comment)
        change(p, change_to::blank);
      else if (state_ == line_state::quoted)
        p = within_quotes(p, end, change);
      else
        outside(p, change);
    }
  }

 private:
  bool delimits(char c) const noexcept {
    return c == rule_.delimiter || (rule_.delimiter == ' ' && c == '\t');
  }

  void note(row_trouble kind, const char* at) noexcept {
    if (!trouble_) trouble_ = {kind, at};
  }

  template <class Change>
  void end_line(Change change) noexcept {
    if (state_ == line_state::quoted) note(row_trouble::open_quote, opened_);
    // A row, which has the trouble, even if the quote is alone.
    if (state_ == line_state::quoted && !has_text_) change(opened_, change_to::hidden);
    state_ = line_state::plain;
    at_begin_ = true;
    closed_ = false;
  }

  template <class Change>
  const char* within_quotes(const char* p, const char* end, Change change) noexcept {
    if (*p == '"' && p + 1 < end && p[1] == '"') {
      has_text_ = true;
      change(p, change_to::letter);  // a doubled quote is text
      change(p + 1, change_to::letter);
      return p + 1;
    }
    if (*p == '"') {
      change(p, has_text_ ? change_to::blank : change_to::hidden);
      state_ = line_state::plain;
      closed_ = true;
    } else if (delimits(*p)) {
      change(p, change_to::hidden);
    }
    has_text_ = has_text_ || !is_blank(*p);
    return p;
  }

  template <class Change>
  void outside(const char* p, Change change) noexcept {
    if (delimits(*p)) {
      at_begin_ = true;
      closed_ = false;
    } else if (rule_.comment != '\0' && *p == rule_.comment) {
      change(p, change_to::blank);
      state_ = line_state::comment;
    } else if (is_blank(*p)) {
      return;
    } else if (closed_) {
      note(row_trouble::text_after_quote, p);
    } else if (*p == '"' && at_begin_) {
      change(p, change_to::blank);
      state_ = line_state::quoted;
      has_text_ = false;
      opened_ = p;
      at_begin_ = false;
    } else {
      at_begin_ = false;
    }
  }

  quote_rule rule_;
  line_state state_;
  line_trouble trouble_;
  const char* opened_ = nullptr;
  bool at_begin_ = true;  // nothing of the cell yet
  bool closed_ = false;   // its quote was closed
  bool has_text_ = true;  // what is in its quotes is more than blanks
};

}  // namespace

line_trouble blank_out(char* text, std::size_t bytes, const quote_rule& rule, line_state begin,
                       bool unfinished, std::vector<hidden_byte>& hidden) {
  hidden.clear();
  if (bytes == 0) return {};
  line_walk walk(rule, begin);
  // The line feed of an unfinished text stands for a delimiter.
  walk.go(text, text + bytes - (unfinished ? 1 : 0), [&](const char* p, change_to to) {
    const auto at = static_cast<std::uint32_t>(p - text);
    if (to == change_to::hidden) hidden.push_back({at, *p == '"' ? ' ' : *p});
    text[at] = to == change_to::blank ? ' ' : '_';
  });
  return walk.trouble();
}

line_state state_behind(std::string_view piece, const quote_rule& rule, line_state begin) noexcept {
  if (begin == line_state::comment) return begin;
  if (piece.find('"') == std::string_view::npos &&
      (rule.comment == '\0' || piece.find(rule.comment) == std::string_view::npos))
    return begin;
  line_walk walk(rule, begin);
  walk.go(piece.data(), piece.data() + piece.size(), [](const char*, change_to) {});
  return walk.state();
}

line_trouble find_lone_return(const char* text, std::size_t bytes) noexcept {
  const char* const end = text + bytes;
  for (const char* p = text; p < end; ++p) {
    p = static_cast<const char*>(std::memchr(p, '\r', static_cast<std::size_t>(end - p)));
    if (p == nullptr) return {};
    const char* behind = p;
    while (behind < end && is_blank(*behind)) ++behind;
    if (behind < end && *behind != '\n') return {row_trouble::lone_return, p};
    p = behind;
  }
  return {};
}

}  // namespace headrace
