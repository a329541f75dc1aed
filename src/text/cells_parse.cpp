#include "cells_parse.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <mutex>

#include "../core/buffer.hpp"
#include "../core/threads.hpp"
#include "cells_parse_batch.hpp"
#include "cells_value.hpp"
#include "kernels/parse_one.hpp"
#include "text_matrix.hpp"

namespace headrace {
namespace {

constexpr std::size_t cells_at_once = 4096;
constexpr std::size_t short_cell = 32;
static_assert(short_cell <= parse_padding);
constexpr std::size_t largest_tile = std::size_t{1} << 20;
constexpr std::size_t largest_copy = std::size_t{64} << 20;  // of cells, but for the last of them

// What one thread needs.
struct workspace {
  buffer tile;
  std::vector<std::uint32_t> pattern;  // ends of equally long cells
  buffer copy;                         // cells of a range, one after another
  std::vector<std::uint32_t> copy_ends;
  std::string scratch;
};

struct problem {
  cell_state state = cell_state::good;
  std::size_t row = 0;
  std::size_t column = 0;  // of the cells, not of the range
};

class cell_parsing {
 public:
  cell_parsing(const cell_array& cells, const cell_range& range, const parse_style& style,
               const array_view& array)
      : cells_(cells),
        range_(range),
        style_(style),
        matrix_(array),
        type_{array.type, array.elem_len},
        stand_ins_(array.type, array.elem_len) {
    whole_rows_ = range.first_column == 0 && range.columns == cells.columns();
    markers_are_wrong_ = are_markers_wrong();
  }

  // The value of an empty cell; a failure when its text is none.
  status prepare_missing() {
    missing_.assign(type_.elem_len, '\0');
    style_.find_numbers();
    if (!style_.as_seconds) add_stand_ins();
    if (style_.missing == parse_style::missing_rule::nan) return prepare_nan();
    if (style_.missing != parse_style::missing_rule::value) return {};
    parse_style plain = style_;
    plain.missing = parse_style::missing_rule::error;
    plain.as_seconds = false;
    if (parse_cell(style_.missing_value, type_, plain, missing_.data()) == cell_state::good)
      return {};
    return status::failure(stat_code::option_unknown,
                           "missing=\"" + style_.missing_value + "\" is no " + name_of_type(type_))
        .advise("say first what an empty cell becomes, \"error\"" +
                std::string(is_real() ? ", \"nan\" or a number: missing=\"nan,"
                                      : " or such a value: missing=\"0,") +
                style_.missing_value + "\", or read into an array that takes it");
  }

  // The cells of one block that belong to the range, up to the first problem.
  void parse(const cell_block& block, workspace& space, problem& found) const {
    const std::size_t last = std::min(block.first_row + block.rows, range_.first_row + range_.rows);
    std::size_t row = std::max(block.first_row, range_.first_row);
    const std::size_t row_bytes = std::max<std::size_t>(1, range_.columns * type_.elem_len);
    const std::size_t together = std::max<std::size_t>(1, largest_tile / row_bytes);
    while (row < last && found.state == cell_state::good) {
      const std::size_t rows = std::min(together, last - row);
      parse_rows(block, row, rows, space, found);
      row += rows;
    }
  }

  status describe(const problem& found,
                  const std::function<std::string(std::size_t)>& name_of_column) const {
    std::string scratch;
    const std::string_view text = cells_.text(found.row, found.column, scratch);
    const std::string name = name_of_column ? name_of_column(found.column) : "";
    const std::string place = "row " + std::to_string(found.row + 1) + ", column " +
                              std::to_string(cells_.first_column + found.column + 1) +
                              (name.empty() ? "" : " (" + name + ")");
    return cells_.at_cell(failure(found.state, text, place), found.row, found.column);
  }

 private:
  bool is_number() const noexcept {
    return type_.type != type_class::character && type_.type != type_class::logical;
  }

  bool is_real() const noexcept {
    return type_.type == type_class::real || type_.type == type_class::complex;
  }

  // Texts that stand for an empty cell and are numbers do so in every spelling.
  void add_stand_ins() {
    parse_style plain = style_;
    plain.missing = parse_style::missing_rule::error;
    std::string value(type_.elem_len, '\0');
    const bool integers = type_.type == type_class::integer && !style_.hexadecimal;
    for (const std::string& text : style_.missing_texts) {
      const std::string& spelled = integers ? integer_text(text, style_.decimal) : text;
      if (is_number() && parse_cell(spelled, type_, plain, value.data()) == cell_state::good)
        stand_ins_.add(value.data());
    }
  }

  // Markers are looked for where a cell is wrong, if none of them could be a value.
  bool are_markers_wrong() const {
    if (!style_.has_markers()) return true;
    std::vector<std::string> markers = style_.missing_texts;
    if (style_.usual_markers)
      markers.insert(markers.end(), std::begin(usual_missing), std::end(usual_missing));
    parse_style plain = style_;
    plain.missing_texts.clear();
    plain.usual_markers = false;
    std::string value(type_.elem_len, '\0');
    return std::all_of(markers.begin(), markers.end(), [&](const std::string& marker) {
      return marker.empty() || parse_cell(marker, type_, plain, value.data()) == cell_state::wrong;
    });
  }

  // Kernels skip blanks and carriage returns themselves; quotes they do not know.
  bool as_they_lie(const cell_block& block) const noexcept {
    const cell_decoding& decoding = cells_.decoding;
    if (!whole_rows_ || !markers_are_wrong_) return false;
    if (decoding.raw) return true;
    const bool plain = decoding.quote == '\0' || !block.may_have_quotes;
    const bool exact = !decoding.ends_rows && !decoding.trims_ends;
    return plain && (exact || (is_number() && !style_.has_markers()));
  }

  status prepare_nan() {
    if (!is_real())
      return status::failure(stat_code::option_unknown,
                             "missing=\"nan\" is no value of " + name_of_type(type_))
          .advise("read a real array, or give a value such as missing=\"-1\"");
    missing_ = nan_of(type_.type, type_.elem_len);
    return {};
  }

  void parse_rows(const cell_block& block, std::size_t row, std::size_t rows, workspace& space,
                  problem& found) const {
    char* tile = matrix_.in_place(row - range_.first_row);
    if (tile == nullptr) {
      space.tile.reserve(rows * range_.columns * type_.elem_len);
      tile = space.tile.data();
    }
    const std::size_t first = (row - block.first_row) * cells_.columns();
    if (as_they_lie(block))
      parse_in_place(block, first, rows * range_.columns, space, tile, found);
    else
      parse_copies(block, row, rows, space, tile, found);
    if (tile == space.tile.data() && found.state == cell_state::good)
      matrix_.scatter(row - range_.first_row, rows, tile);
  }

  // Cells first to first + n - 1 of the block.
  void parse_in_place(const cell_block& block, std::size_t first, std::size_t n, workspace& space,
                      char* values, problem& found) const {
    if (block.ends) {
      const std::size_t at =
          parse_run(block.text.data(), block.ends.get() + 1, first, first + n, values, found.state);
      if (found.state != cell_state::good) locate(block, at, found);
      return;
    }
    const std::size_t pitch = std::size_t{block.width} + 1;
    const std::size_t chunk =
        std::max<std::size_t>(1, std::min(cells_at_once, (std::size_t{1} << 30) / pitch));
    make_pattern(space, block.width, chunk);
    for (std::size_t done = 0; done < n; done += chunk) {
      const std::size_t count = std::min(chunk, n - done);
      const std::size_t at =
          parse_run(block.text.data() + (first + done) * pitch, space.pattern.data() + 1, 0, count,
                    values + done * type_.elem_len, found.state);
      if (found.state != cell_state::good) return locate(block, first + done + at, found);
    }
  }

  static void make_pattern(workspace& space, std::uint32_t width, std::size_t cells) {
    if (space.pattern.size() > cells && space.pattern[1] == width) return;
    space.pattern.resize(cells + 1);
    space.pattern[0] = UINT32_MAX;
    for (std::size_t k = 1; k <= cells; ++k) space.pattern[k] = space.pattern[k - 1] + width + 1;
  }

  // Empty cells get their value here. Returns the first cell that is a problem, or last.
  std::size_t parse_run(const char* text, const std::uint32_t* ends, std::size_t first,
                        std::size_t last, char* values, cell_state& state) const {
    std::size_t at = first;
    while (true) {
      const std::size_t begin = at - first;
      at = parse_batch(text, ends, at, last, type_, style_, values + begin * type_.elem_len, state);
      if (!stand_ins_.empty())
        if (const std::size_t stopped = replace(values, begin, at - first); stopped < at - first) {
          state = cell_state::empty;
          return first + stopped;
        }
      if (at == last) return last;
      const bool is_refused = state == cell_state::wrong || state == cell_state::too_large;
      if (is_refused && style_.has_markers() && stands_for_empty(text, ends, at))
        state = cell_state::empty;
      if (state != cell_state::empty || style_.missing == parse_style::missing_rule::error)
        return at;
      std::memcpy(values + (at - first) * type_.elem_len, missing_.data(), type_.elem_len);
      state = cell_state::good;
      if (++at == last) return last;
    }
  }

  // Gives values that stand for an empty cell its value; the first that may not be empty, or last.
  std::size_t replace(char* values, std::size_t first, std::size_t last) const noexcept {
    for (std::size_t i = stand_ins_.find(values, first, last); i < last;
         i = stand_ins_.find(values, i + 1, last)) {
      if (style_.missing == parse_style::missing_rule::error) return i;
      std::memcpy(values + i * type_.elem_len, missing_.data(), type_.elem_len);
    }
    return last;
  }

  bool stands_for_empty(const char* text, const std::uint32_t* ends, std::size_t at) const {
    const std::uint32_t begin = *(ends + at - 1) + 1;  // ends[-1] exists
    return style_.stands_for_empty({text + begin, ends[at] - begin});
  }

  void locate(const cell_block& block, std::size_t cell, problem& found) const {
    found.row = block.first_row + cell / cells_.columns();
    found.column = cell % cells_.columns();
  }

  // Decodes cells into a text of their own, which the kernels can parse.
  void parse_copies(const cell_block& block, std::size_t row, std::size_t rows, workspace& space,
                    char* values, problem& found) const {
    const std::size_t n = rows * range_.columns;
    for (std::size_t done = 0; done < n;) {
      const std::size_t count = copy_cells(block, row, done, n, space);
      const std::size_t at =
          parse_run(space.copy.data() + parse_padding, space.copy_ends.data() + 1, 0, count,
                    values + done * type_.elem_len, found.state);
      if (found.state != cell_state::good)
        return locate(block, cell_number(block, row, done + at), found);
      done += count;
    }
  }

  // The i-th cell of the range from a row on, as a number within its block.
  std::size_t cell_number(const cell_block& block, std::size_t row, std::size_t i) const noexcept {
    const std::size_t row_in_block = row - block.first_row + i / range_.columns;
    return row_in_block * cells_.columns() + range_.first_column + i % range_.columns;
  }

  // As many cells as make a batch; returns their number.
  std::size_t copy_cells(const cell_block& block, std::size_t row, std::size_t from, std::size_t n,
                         workspace& space) const {
    const std::size_t last = std::min(n, from + cells_at_once);
    space.copy.reserve(cells_at_once * 32 + 2 * parse_padding);
    space.copy_ends.resize(cells_at_once + 1);
    space.copy_ends[0] = UINT32_MAX;
    const std::size_t gap = cells_.columns() - range_.columns;
    std::size_t cell = cell_number(block, row, from);
    std::size_t until_gap = range_.columns - from % range_.columns;
    std::size_t used = parse_padding;
    std::size_t i = from;
    for (; i < last && used < largest_copy; ++i, ++cell) {
      used = copy_cell(block, cell, used, space);
      space.copy_ends[i - from + 1] = static_cast<std::uint32_t>(used - parse_padding);
      space.copy.data()[used++] = ',';
      if (--until_gap > 0) continue;
      until_gap = range_.columns;
      cell += gap;
    }
    return i - from;
  }

  std::size_t copy_cell(const cell_block& block, std::size_t cell, std::size_t used,
                        workspace& space) const {
    std::string_view text = block.raw(cell);
    const bool plain = cells_.is_plain(text);
    if (!plain) text = cells_.text(block, cell, space.scratch);
    if (style_.has_markers() && style_.is_marker(text)) text = {};
    if (used + text.size() + short_cell + parse_padding > space.copy.capacity())
      space.copy.reserve(used + text.size() + short_cell + parse_padding, used);
    char* const out = space.copy.data() + used;
    // A copy of known length is quicker; the padding of the block makes it safe.
    if (plain && text.size() <= short_cell && !text.empty())
      std::memcpy(out, text.data(), short_cell);
    else if (!text.empty())
      std::memcpy(out, text.data(), text.size());
    return used + text.size();
  }

  status failure(cell_state state, std::string_view text, const std::string& place) const {
    const std::string type = name_of_type(type_);
    switch (state) {
      case cell_state::empty:
        return status::failure(stat_code::missing_value, place + ": the cell is empty")
            .advise("say with missing= what it stands for");
      case cell_state::too_large:
        return status::failure(stat_code::number_out_of_range,
                               place + ": " + shown(text) + " does not fit " + type)
            .advise("read an array of a larger kind, or one of characters");
      case cell_state::too_long:
        return status::failure(stat_code::number_out_of_range,
                               place + ": the text " + shown(text) + " does not fit " + type)
            .expected("at most " + bytes_text(type_.elem_len), bytes_text(text.size()))
            .advise("read an array of longer characters");
      case cell_state::has_fraction:
        return status::failure(stat_code::number_out_of_range,
                               place + ": " + shown(text) + " has a fraction of a second")
            .advise("read a real array");
      default:
        return wrong_cell(text, place, type);
    }
  }

  status wrong_cell(std::string_view text, const std::string& place,
                    const std::string& type) const {
    const auto failure = [&](const std::string& what, const char* advice) {
      return status::failure(stat_code::bad_number, place + ": " + shown(text) + " is no " + what)
          .advise(advice);
    };
    time_stamp stamp;
    if (style_.as_seconds)
      return failure("date or time",
                     "ISO 8601 has 2010-01, 2010-01-05 and 2010-01-05T12:30:00Z; correct the cell, "
                     "or read the column as characters");
    if (is_number() && parse_time_stamp(text, stamp))
      return failure(type,
                     "read the column as characters, or with since=\"1970-01-01\" as seconds");
    double value = 0;
    const auto is_real = [&](number_style style) {
      return is_number() &&
             parse_real(text.data(), text.data() + text.size(), style, value) == field_state::good;
    };
    if (is_real(style_.decimal == '.' ? ',' : '.'))
      return failure(type,
                     "decimal= says what the decimal sign of a cell is: this one has the other; "
                     "correct it, or read the column as characters");
    if (type_.type == type_class::integer && is_real(style_.decimal))
      return failure(type,
                     "read it into a real array, which takes numbers with a fraction or an "
                     "exponent; or correct the cell");
    if (is_real({style_.decimal, true}))
      return failure(type,
                     "a cell's exponent has e or d; correct the cell, or read the column as "
                     "characters");
    if (type_.type == type_class::logical)
      return failure(type,
                     "T, F, true and false are logicals; correct the cell, or read it into an "
                     "array of another type");
    return failure(type, "correct the cell, or read the column as characters");
  }

  const cell_array& cells_;
  cell_range range_;
  parse_style style_;
  text_matrix matrix_;
  value_type type_;
  std::string missing_;
  missing_values stand_ins_;
  bool whole_rows_ = false;
  bool markers_are_wrong_ = false;  // none is a value of the type
};

status check_kind(const parse_style& style, const value_type& type) {
  const bool complex = type.type == type_class::complex;
  const std::size_t part = complex ? type.elem_len / 2 : type.elem_len;
  const bool power_of_two = part == 1 || part == 2 || part == 4 || part == 8;
  if (style.as_seconds) return check_seconds_kind(type.type, type.elem_len);
  if (type.type == type_class::character || (type.type == type_class::logical && part <= 8))
    return {};
  if (style.hexadecimal && (power_of_two || part == 16)) return {};
  if (type.type == type_class::integer ? power_of_two : part == 4 || part == 8) return {};
  return status::failure(stat_code::kind_unsupported,
                         "there is no text form of numbers of " + bytes_text(part))
      .advise("read an array of real64 or int64, or use fmt=\"z\"");
}

// The problem that comes first in the cells, whichever thread finds one first.
class first_problem {
 public:
  void report(std::size_t block, const problem& found) {
    const std::lock_guard<std::mutex> lock(guard_);
    if (block >= block_) return;
    block_ = block;
    found_ = found;
  }
  bool comes_before(std::size_t block) {
    const std::lock_guard<std::mutex> lock(guard_);
    return block_ < block;
  }
  const problem& found() const noexcept { return found_; }

 private:
  std::mutex guard_;
  std::size_t block_ = SIZE_MAX;
  problem found_;
};

}  // namespace

status make_parse_style(const std::string& fmt, const std::string& decimal,
                        const std::string& imaginary, const std::string& missing,
                        parse_style& style, const std::string& since) {
  style = {};
  if (fmt.size() > 1 || (fmt.size() == 1 && std::strchr("izefgIZEFG", fmt[0]) == nullptr))
    return status::failure(stat_code::option_unknown, "there is no fmt=\"" + fmt + "\"")
        .advise("known are \"z\" for hexadecimal digits, and \"i\", \"e\", \"f\", \"g\"");
  style.hexadecimal = fmt == "z" || fmt == "Z";
  if (!decimal.empty() && decimal != "." && decimal != ",")
    return status::failure(stat_code::option_unknown, "there is no decimal=\"" + decimal + "\"")
        .advise("known are \".\" and \",\"");
  if (!decimal.empty()) style.decimal = decimal[0];
  style.imaginary = imaginary;
  style.as_seconds = !since.empty();
  if (style.as_seconds && style.hexadecimal) return no_hexadecimal_seconds();
  if (style.as_seconds)
    if (status s = make_epoch(since, style.epoch); !s.ok()) return s;
  missing_words words = parse_missing(missing, style.decimal);
  style.missing = words.becomes;
  style.missing_value = std::move(words.value);
  style.missing_texts = std::move(words.texts);
  style.usual_markers = !missing.empty();
  return {};
}

status parse_cells(const cell_array& cells, const cell_range& range, const parse_style& style,
                   int threads, const array_view& array,
                   const std::function<std::string(std::size_t)>& name_of_column) {
  if (status s = check_kind(style, {array.type, array.elem_len}); !s.ok()) return s;
  parse_style chosen = style;
  if (array.type == type_class::character) {  // their texts are what they are
    chosen.missing_texts.clear();
    chosen.usual_markers = false;
  }
  cell_parsing parsing(cells, range, chosen, array);
  if (status s = parsing.prepare_missing(); !s.ok()) return s;
  if (range.rows == 0 || range.columns == 0) return {};
  const std::size_t begin = cells.block_of(range.first_row);
  const std::size_t end = cells.block_of(range.first_row + range.rows - 1) + 1;
  std::atomic<std::size_t> next{begin};
  first_problem first;
  const int useful =
      static_cast<int>(std::min(end - begin, static_cast<std::size_t>(thread_count(threads))));
  run_threads(useful, [&](int) {
    workspace space;
    for (std::size_t i = next++; i < end && !first.comes_before(i); i = next++) {
      problem found;
      parsing.parse(cells.blocks()[i], space, found);
      if (found.state != cell_state::good) first.report(i, found);
    }
  });
  if (first.found().state == cell_state::good) return {};
  return parsing.describe(first.found(), name_of_column);
}

}  // namespace headrace
