#include "append.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

#include "../core/compressed.hpp"
#include "../core/files.hpp"
#include "../core/name_text.hpp"
#include "../core/old_text.hpp"
#include "cell_parser.hpp"
#include "column_names.hpp"
#include "header.hpp"
#include "input.hpp"
#include "missing.hpp"
#include "read.hpp"

namespace headrace {
namespace {

// Two lines are nearly always within the first, and one within the last. Long titles and many of
// them may take more before the first row of values.
constexpr std::size_t first_bytes = std::size_t{4} << 10;
constexpr std::size_t more_bytes = std::size_t{64} << 10;
constexpr std::size_t most_bytes = std::size_t{4} << 20;
// So many lines of values that are not known as such are looked at: stars, bits, another type.
constexpr int most_lines = 32;

using row_cells = std::vector<std::string>;

std::string cells_text(const row_cells& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size() && i < 8; ++i)
    text += (i == 0 ? "" : ", ") + shown(cells[i], 20);
  return text + (cells.size() > 8 ? ", ..." : "");
}

std::string columns_text(std::size_t columns) {
  return std::to_string(columns) + (columns == 1 ? " column" : " columns");
}

bool is_logical(const std::string& cell) {
  char value[1];
  return cell_parser({type_class::logical, 1}, {}).parse(cell, value) == cell_state::good;
}

bool is_number_with(const std::string& cell, char decimal) {
  char value[16];
  cell_style style;
  style.decimal = decimal;
  const cell_state state = cell_parser({type_class::complex, 16}, style).parse(cell, value);
  return state == cell_state::good || state == cell_state::too_large;
}

std::string delimiter_text(char delimiter) {
  if (delimiter == '\t') return "a tab";
  if (delimiter == ' ') return "blanks";
  return std::string("\"") + delimiter + '"';
}

class appended_check {
 public:
  appended_check(const file_beginning& beginning, const appended_rows& rows)
      : lines_(beginning, row_rule::of_text(rows.text.delimiter, rows.quote)),
        looked_at_(beginning.text.size()),
        rows_(rows),
        hexadecimal_(rows.text.number == "hex"),
        decimal_(rows.text.decimal) {}

  // Of the text: whoever has the same bytes and more gets the same answer. 0: it needed them all.
  std::size_t bytes_used() const noexcept { return lines_.bytes_used(); }

  status run() {
    std::size_t mark = 0;
    if (status s = find_byte_order_mark(lines_.text(), "", mark); !s.ok()) return s;
    lines_.pass(mark);
    if (has_shape() && rows_.type != type_class::character) return stated_shape();
    row_cells first;
    if (!next(first)) {
      const bool has_line = lines_.text().find('\n') != std::string_view::npos;
      return rows_.names.empty() || !has_line ? status() : other_names(first);
    }
    if (!rows_.names.empty() && !has_names(first)) return other_names(first);
    if (rows_.type == type_class::character) return check_length(first);
    return check_numbers(first);
  }

  std::size_t columns() {
    row_cells first;
    if (has_shape() || !next(first)) return 0;
    row_cells cells = first;
    for (int line = 0; line < most_lines || !has_any_form(); ++line) {
      if (is_row_of_values(cells)) return cells.size();
      if (!next(cells)) break;
    }
    return first.size();
  }

  // Whether it is of no use to read on: a row of values lies here, or is not looked for.
  bool shows_rows() {
    if (rows_.type == type_class::character || has_any_form()) return true;
    if (has_shape()) return true;
    row_cells cells;
    while (next(cells))
      if (is_row_of_values(cells) || is_foreign_row(cells)) return true;
    return false;
  }

 private:
  bool has_shape() const noexcept {
    return lines_.text().substr(0, shape_mark.size()) == shape_mark;
  }

  // Stars and binary digits, too, can stand in the cells.
  bool has_any_form() const noexcept { return !rows_.text.number.empty() && !hexadecimal_; }

  bool is_value(const std::string& cell) const {
    // Bits of any size, and any number: integers are rows among reals, too.
    if (hexadecimal_) return is_hexadecimal(cell);
    return rows_.type == type_class::logical ? is_logical(cell) : is_number_with(cell, decimal_);
  }

  char other_sign() const noexcept { return decimal_ == '.' ? ',' : '.'; }

  // A value of another type or form, or with the other decimal sign.
  bool is_foreign(const std::string& cell) const {
    return !is_value(cell) &&
           (is_number_with(cell, '.') || is_number_with(cell, ',') || is_logical(cell) ||
            (cell.size() > 2 && (cell[1] == 'x' || cell[1] == 'X') && is_hexadecimal(cell)));
  }

  bool next(row_cells& cells) {
    decoded_row row;
    const bool found = lines_.next(row);
    cells = std::move(row.cells);
    return found;
  }

  // The names as a program that asks for them gets them: without blanks around them, without a
  // mark.
  bool has_names(const row_cells& cells) const {
    const auto same = [](const std::string& one, const std::string& other) {
      return trimmed(one) == trimmed(other);
    };
    decoded_row first{cells, std::vector<bool>(cells.size())};
    decoded_row wanted{rows_.names, std::vector<bool>(rows_.names.size())};
    drop_mark(first, rows_.columns, rows_.text.delimiter == ' ');
    drop_mark(wanted, rows_.columns, rows_.text.delimiter == ' ');
    return std::equal(first.cells.begin(), first.cells.end(), wanted.cells.begin(),
                      wanted.cells.end(), same);
  }

  // Values of which some are foreign.
  bool is_foreign_row(const row_cells& cells) const {
    bool any = false;
    for (const std::string& cell : cells) {
      if (is_foreign(cell))
        any = true;
      else if (!is_value(cell) && !is_missing(cell) && !is_lost_value(cell))
        return false;
    }
    return any;
  }

  // Of values: they leave no doubt. Integers do not say which decimal sign the file has.
  bool has_own_sign(const row_cells& cells) const {
    if (hexadecimal_ || rows_.type == type_class::logical) return true;
    return std::any_of(cells.begin(), cells.end(), [this](const std::string& cell) {
      return is_value(cell) && !is_number_with(cell, other_sign());
    });
  }

  bool has_other_sign(const row_cells& cells) const {
    return std::any_of(cells.begin(), cells.end(), [this](const std::string& cell) {
      return !is_value(cell) && is_number_with(cell, other_sign());
    });
  }

  // Values and missing ones, of which some are values.
  bool is_row_of_values(const row_cells& cells) const {
    bool any = false;
    for (const std::string& cell : cells) {
      if (is_value(cell))
        any = true;
      else if (!is_missing(cell))
        return false;
    }
    return any;
  }

  status check_length(const row_cells& cells) const {
    if (cells.size() == rows_.columns) return {};
    return status::failure(stat_code::row_length, "the rows do not fit those of the file")
        .expected(columns_text(cells.size()), std::to_string(rows_.columns))
        .advise("append rows with the columns of the file, and with its delimiter=");
  }

  // The first row of values has the columns of the file. Above it there may be names and titles.
  status check_numbers(const row_cells& first) {
    const bool any_form = has_any_form();
    row_cells cells = first;
    row_cells foreign;
    bool found = false;
    bool more = rows_.names.empty() || next(cells);  // the names have been compared
    const auto looks_on = [&](int line) {
      return line < most_lines || !(any_form || found || !foreign.empty());
    };
    for (int line = 0; more && looks_on(line); ++line) {
      if (is_row_of_values(cells)) {
        if (status s = check_length(cells); !s.ok() && !found && !any_form) return s;
        if (has_own_sign(cells)) return any_form ? check_length(first) : status();
        found = true;
        if (!has_other_sign(foreign)) foreign.clear();  // names such as "T" above numbers
      } else if (foreign.empty() && is_foreign_row(cells)) {
        foreign = cells;
      }
      more = next(cells);
    }
    if (!foreign.empty()) return foreign_cells(foreign);
    if (found && !any_form) return {};
    if (status s = check_length(first); !s.ok() || any_form)
      return s.ok() || any_form || lines_.whole() ? std::move(s) : hidden_rows();
    const auto is_name = [](const std::string& cell) {
      return is_missing(cell) || cell.find_first_of(",;|\t") == std::string::npos;
    };
    if (!rows_.names.empty() || std::all_of(first.begin(), first.end(), is_name)) return {};
    return status::failure(stat_code::bad_number, "the rows do not fit the cells of the file")
        .expected("numbers between " + delimiter_text(rows_.text.delimiter), cells_text(first))
        .advise("append rows with the delimiter= and decimal= of the file");
  }

  status hidden_rows() const {
    return status::failure(stat_code::row_length, "titles hide the rows of the file")
        .expected("a row of " + columns_text(rows_.columns) + " among its first lines",
                  "none in the first " + std::to_string(looked_at_ >> 10) + " KiB")
        .advise("shorten the titles, or append to a file without them");
  }

  status foreign_cells(const row_cells& cells) const {
    if (status s = check_length(cells); !s.ok()) return s;
    const std::string expected =
        rows_.type == type_class::logical ? "logicals"
        : hexadecimal_                    ? "hexadecimal digits"
                       : std::string("numbers with the decimal sign \"") + decimal_ + '"';
    return status::failure(stat_code::bad_number, "the rows do not fit the cells of the file")
        .expected(expected, cells_text(cells))
        .advise(
            "append rows with the type, delimiter=, decimal= and number= of the file; if these are "
            "names, give them as header=");
  }

  status other_names(const row_cells& first) const {
    const bool has_none = rows_.type != type_class::character && is_row_of_values(first);
    return status::failure(stat_code::column_unknown,
                           has_none ? "the file has no header" : "the file has other columns")
        .expected(cells_text(rows_.names), cells_text(first))
        .advise("append the columns of the file in their order, with its delimiter=");
  }

  static status stated_shape() {
    return status::failure(stat_code::shape_mismatch, "the file states the shape of its array")
        .advise(
            "rows appended here would not fit: write the whole array again, or into another file");
  }

  beginning_rows lines_;
  std::size_t looked_at_;
  const appended_rows& rows_;
  bool hexadecimal_;
  char decimal_;
};

std::ptrdiff_t count_lines(const std::string& text) noexcept {
  return std::count(text.begin(), text.end(), '\n');
}

bool same_cells(const appended_rows& one, const appended_rows& other) {
  return one.type == other.type && one.quote == other.quote &&
         one.text.delimiter == other.text.delimiter && one.text.decimal == other.text.decimal &&
         one.text.number == other.text.number;
}

// The rows that passed the check of a file lately, and what they were compared with. A log of each
// step comes to the same few files.
class checked_memory {
 public:
  // Whether the file begins as it did when such rows passed, and how many columns it said.
  status recall(const std::string& file, const file_writer& writer, const appended_rows& like,
                bool& is_known, std::size_t& columns) {
    const std::lock_guard<std::mutex> lock(guard_);
    is_known = false;
    const entry* const found = find(file);
    if (found == nullptr || !same_cells(found->rows, like) ||
        found->beginning.size() >= writer.old_bytes())
      return {};
    std::array<char, first_bytes> now;
    std::size_t have = 0;
    if (status s = writer.read_old(0, now.data(), found->beginning.size(), have); !s.ok()) return s;
    is_known = std::string_view(now.data(), have) == found->beginning;
    columns = found->columns;
    return {};
  }

  bool has_passed(const std::string& file, const appended_rows& rows) {
    const std::lock_guard<std::mutex> lock(guard_);
    const entry* const found = find(file);
    return found != nullptr && same_cells(found->rows, rows) &&
           found->rows.columns == rows.columns && found->rows.names == rows.names;
  }

  void remember(const std::string& file, const appended_rows& rows, std::string beginning,
                std::size_t columns) {
    if (beginning.size() > first_bytes) return;
    const std::lock_guard<std::mutex> lock(guard_);
    entry* place = find(file);
    if (place == nullptr) place = &entries_[next_++ % entries_.size()];
    *place = {file, rows, std::move(beginning), columns};
  }

 private:
  struct entry {
    std::string file;
    appended_rows rows;
    std::string beginning;
    std::size_t columns = 0;
  };

  entry* find(const std::string& file) {
    for (entry& one : entries_)
      if (one.file == file) return &one;
    return nullptr;
  }

  std::mutex guard_;
  std::array<entry, 16> entries_;
  std::size_t next_ = 0;
};

// Lives until the end, when other objects are destroyed that hold files.
checked_memory& checked_files() {
  static checked_memory& all = *new checked_memory;
  return all;
}

}  // namespace

status read_beginning(const file_writer& writer, const std::string& file, const appended_rows& rows,
                      file_beginning& beginning) {
  for (const std::size_t bytes : {first_bytes, more_bytes, most_bytes}) {
    if (status s = read_old_text(writer, file, bytes, beginning.text, beginning.whole); !s.ok())
      return s;
    if (beginning.whole) break;
    if (count_lines(beginning.text) < (bytes == first_bytes ? 2 : 1)) continue;
    if (bytes > first_bytes || appended_check(beginning, rows).shows_rows()) break;
  }
  return {};
}

bool beginning_rows::next(decoded_row& row) {
  row = {};
  std::uint64_t lines = 0;
  scan_problem problem;
  std::size_t bytes = first_row(text_, rule_, row, lines, problem);
  if (bytes == 0 || bytes == text_.size()) ran_out_ = true;
  if (bytes == 0 && whole_ && problem.kind == row_trouble::none && !text_.empty()) {
    last_line_ = std::string(text_) + '\n';  // it lacks its line feed
    text_ = {};
    bytes = first_row(last_line_, rule_, row, lines, problem);
    return bytes > 0;
  }
  pass(bytes);
  return bytes > 0;
}

status check_appended(const file_beginning& beginning, const appended_rows& rows) {
  return appended_check(beginning, rows).run();
}

status old_rows::look(const std::string& file, const file_writer& writer,
                      const appended_rows& like) {
  file_ = &file;
  writer_ = &writer;
  like_ = like;
  if (compression_of(file) == compression::none)
    if (status s = checked_files().recall(file, writer, like, is_known_, known_columns_); !s.ok())
      return s;
  return is_known_ ? status() : read();
}

status old_rows::read() {
  return read_beginning(*writer_, *file_, like_, beginning_);
}

std::size_t old_rows::columns() const {
  return is_known_ ? known_columns_ : appended_check(beginning_, like_).columns();
}

status old_rows::check(const appended_rows& rows) {
  if (is_known_ && checked_files().has_passed(*file_, rows)) return {};
  if (is_known_)
    if (status s = read(); !s.ok()) return s;
  is_known_ = false;
  appended_check check(beginning_, rows);
  if (status s = check.run(); !s.ok()) return std::move(s).in_file_once(*file_);
  appended_check count(beginning_, rows);
  const std::size_t columns = count.columns();
  const std::size_t bytes = std::max(check.bytes_used(), count.bytes_used());
  const bool is_certain = check.bytes_used() > 0 && count.bytes_used() > 0;
  if (is_certain && compression_of(*file_) == compression::none)
    checked_files().remember(*file_, rows, beginning_.text.substr(0, bytes), columns);
  return {};
}

}  // namespace headrace
