#include "text_rows.hpp"

#include <algorithm>
#include <cstring>

#include "cell_times.hpp"
#include "kernels/parse_one.hpp"

namespace headrace {
namespace {

constexpr std::size_t longest_excerpt = 40;

// Where a cell has another type than the array: often 1.5 among integers.
std::string advice_for(std::string_view cell, const row_rules& rules) {
  const char decimal = rules.settings.text.decimal;
  const std::string advice = "check the delimiter=, header= and columns= of the file";
  double value = 0;
  time_stamp stamp;
  const auto is_real = [&](number_style style) {
    return parse_real(cell.data(), cell.data() + cell.size(), style, value) == field_state::good;
  };
  if (rules.parser->is_integer && is_real(decimal))
    return advice + ", or read it into a real array";
  if (parse_time_stamp(cell, stamp))
    return advice + "; dates are read by tables, as texts or with since= as seconds";
  if (is_real(decimal == '.' ? ',' : '.'))
    return advice + ", and its decimal=\"" + decimal + "\": the cell has the other sign";
  if (is_real({decimal, true}))
    return advice + "; an exponent has e or d here, edit=\"*\" reads the others, too";
  return advice;
}

}  // namespace

std::string excerpt(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string shown = "\"";
  for (const char c : text.substr(0, longest_excerpt)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 32 && byte < 127)
      shown += c;
    else
      shown += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
  }
  return shown + (text.size() > longest_excerpt ? "...\"" : "\"");
}

status row_rules::prepare_missing(type_class type) {
  using outcome = missing_words::outcome;
  const missing_words words = parse_missing(settings.missing, settings.text.decimal);
  missing_texts = words.texts;
  missing = missing_values(type, parser->elem_len);
  std::string value;
  const char decimal = settings.text.decimal;
  const bool is_hexadecimal_text = settings.text.number == "hex";
  for (const std::string& text : missing_texts) {
    const std::string& spelled =
        parser->is_integer && !is_hexadecimal_text ? integer_text(text, decimal) : text;
    const bool is_value = parser->parse_text(spelled, value);
    if (is_value) missing.add(value.data());
    texts_first |= is_value && type == type_class::logical;
    if (!is_hexadecimal_text) numbers.add(text, decimal);
  }
  if (words.becomes == outcome::nan) replacement = nan_of(type, parser->elem_len);
  if (words.becomes != outcome::value) return {};
  if (parser->parse_text(words.value, replacement)) return {};
  return status::failure(stat_code::option_unknown,
                         "missing=" + excerpt(words.value) + " is no value of the array")
      .expected(std::string("\"error\", \"nan\" or ") + parser->expected +
                    ", then texts that stand for a missing value",
                excerpt(settings.missing))
      .advise("say first what it becomes: missing=\"" +
              std::string(nan_of(type, parser->elem_len).empty() ? "error," : "nan,") +
              words.value + "\"");
}

std::size_t row_rules::replace_values(char* values, std::size_t count) const noexcept {
  const std::size_t elem_len = parser->elem_len;
  for (std::size_t i = missing.find(values, 0, count); i < count;
       i = missing.find(values, i + 1, count)) {
    if (replacement.empty()) return i;
    std::memcpy(values + i * elem_len, replacement.data(), elem_len);
  }
  return count;
}

status row_block::find(text_block& block, const row_rules& rules) {
  text_ = block.text;
  bytes_ = block.bytes;
  continues_ = block.continues;
  unfinished_ = block.unfinished;
  rows_ = 0;
  next_line_ = 0;
  map_ = {};
  if (bytes_ == 0) return {};
  const std::size_t entries = bytes_ + 64;
  ends_.reserve((entries + 16) * sizeof(std::uint32_t));
  line_fields_.reserve(entries * sizeof(std::uint32_t));
  // 16 entries in front hold ends[-1] and keep the map aligned.
  map_.ends = reinterpret_cast<std::uint32_t*>(ends_.data()) + 16;
  map_.ends[-1] = UINT32_MAX;
  map_.line_fields = reinterpret_cast<std::uint32_t*>(line_fields_.data());
  const field_style style{rules.settings.text.delimiter, rules.settings.text.decimal};
  const char special[2] = {'"', rules.settings.comment};
  find_fields(text_, bytes_, style, special, map_);
  line_trouble trouble;
  if (map_.has_special || block.begin != line_state::plain) {
    trouble = blank_out(block.text, bytes_, {style.delimiter, rules.settings.comment}, block.begin,
                        unfinished_);
    find_fields(text_, bytes_, style, special, map_);
  }
  if (!trouble && style.delimiter == ' ') trouble = find_lone_return(text_, bytes_);
  std::uint32_t before = 0;
  for (std::size_t line = 0; line < map_.lines; ++line) {
    rows_ += map_.line_fields[line] != before ? 1 : 0;
    before = map_.line_fields[line];
  }
  trouble_ = {};
  if (trouble) note(trouble);
  return {};
}

// Notes the line of what is wrong, and how many rows end before it.
void row_block::note(const line_trouble& trouble) noexcept {
  trouble_ = trouble;
  trouble_line_ = static_cast<std::size_t>(std::count(text_, trouble.at, '\n'));
  trouble_row_ = 0;
  for (std::size_t line = 0; line < trouble_line_ && line < map_.lines; ++line)
    trouble_row_ += cells_of(line) > 0 ? 1 : 0;
}

status row_block::describe_trouble(const row_rules& rules, const row_position& position) const {
  const auto place = static_cast<std::size_t>(trouble_.at - text_);
  return trouble_.describe()
      .in_file(rules.file)
      .at_line(position.lines + trouble_line_ + 1, column_of(trouble_line_, place, position));
}

std::size_t row_block::line_begin(std::size_t line) const noexcept {
  const char* p = text_;
  for (; line > 0; --line)
    p = static_cast<const char*>(
            std::memchr(p, '\n', bytes_ - static_cast<std::size_t>(p - text_))) +
        1;
  return static_cast<std::size_t>(p - text_);
}

void row_block::pass(row_position& position) const noexcept {
  if (unfinished_) {
    position.cells += map_.fields;
    position.bytes += bytes_;
    return;
  }
  // A line that ends here without a cell of its own may end a row.
  const bool ends_row = continues_ && position.cells > 0 && cells_of(0) == 0;
  position.rows += rows_ + (ends_row ? 1 : 0);
  position.lines += map_.lines;
  position.cells = 0;
  position.bytes = 0;
}

// Where the first cell too many begins, or where the line of a row that is too short ends. cells:
// of the row, up to the end of this line or block.
std::size_t row_block::wrong_place(std::size_t line, std::size_t cells,
                                   std::size_t columns) const noexcept {
  const std::size_t end = cells_before(line + 1);
  if (cells > columns) {
    const std::size_t too_many = std::min(cells - columns, cells_of(line));
    return static_cast<std::size_t>(field_text(text_, map_.ends, end - too_many).data() - text_);
  }
  const char* const last = text_ + (cells_of(line) > 0 ? map_.ends[end - 1] : line_begin(line));
  const auto* const feed = static_cast<const char*>(
      std::memchr(last, '\n', bytes_ - static_cast<std::size_t>(last - text_)));
  return static_cast<std::size_t>(feed - text_) - (feed > text_ && feed[-1] == '\r' ? 1 : 0);
}

// From 1, in the file.
std::size_t row_block::column_of(std::size_t line, std::size_t place,
                                 const row_position& position) const noexcept {
  return place - line_begin(line) + 1 + (line == 0 ? static_cast<std::size_t>(position.bytes) : 0);
}

status row_block::wrong_length(std::size_t line, std::size_t cells, const row_rules& rules,
                               const row_position& position) const {
  const std::size_t columns = rules.file_columns;
  const std::size_t place = wrong_place(line, cells, columns);
  return status::failure(stat_code::row_length, "a row has the wrong number of columns")
      .expected(std::to_string(columns),
                std::to_string(cells) + (ends_line(line) ? "" : " or more"))
      .in_file(rules.file)
      .at_line(position.lines + line + 1, column_of(line, place, position))
      .advise("check the delimiter= and that line");
}

// line: where to begin, and then where the next row may begin.
status row_block::check_lengths(std::size_t count, const row_rules& rules,
                                const row_position& position, std::size_t& line) const {
  for (std::size_t rows = 0; rows < count && line < map_.lines; ++line) {
    const std::size_t cells = cells_of(line);
    if (cells == 0) continue;
    ++rows;
    if (cells != rules.file_columns) return wrong_length(line, cells, rules, position);
  }
  return {};
}

status row_block::explain(std::size_t field, field_state state, const row_rules& rules,
                          const row_position& position) const {
  const std::string_view cell = field_text(text_, map_.ends, field);
  const auto offset = static_cast<std::size_t>(cell.data() - text_);
  // An empty cell's text begins behind it; its end is certainly in its line.
  const std::size_t place = cell.empty() ? map_.ends[field] : offset;
  const auto line = static_cast<std::size_t>(std::count(text_, text_ + place, '\n'));
  const std::size_t column = column_of(line, place, position);
  const auto at = [&](status failure) {
    return std::move(failure).in_file(rules.file).at_line(position.lines + line + 1, column);
  };
  if (state == field_state::empty || rules.stands_for_missing(cell))
    return at(status::failure(stat_code::missing_value, "a value is missing")
                  .expected(rules.parser->expected, excerpt(cell))
                  .advise(rules.parser->is_integer
                              ? "missing=\"-1\" or another integer says what it becomes"
                              : "missing=\"nan\" reads it as NaN, missing= with a value as that"));
  if (cell.find('\0') != std::string_view::npos)
    return at(null_byte().expected("text", excerpt(cell)));
  if (state == field_state::too_large)
    return at(status::failure(stat_code::number_out_of_range, "a number is out of range")
                  .expected(std::string(rules.parser->expected) + " of " +
                                bytes_text(rules.parser->elem_len),
                            excerpt(cell))
                  .advise("read into a larger kind"));
  return at(status::failure(stat_code::bad_number, "a cell has another type than the array")
                .expected(rules.parser->expected, excerpt(cell))
                .advise(advice_for(cell, rules)));
}

status row_block::convert_run(std::size_t first, std::size_t last, const row_rules& rules,
                              const row_position& position, char* values) const {
  if (rules.texts_first) return convert_each(first, last, rules, position, values);
  const cell_parser& parser = *rules.parser;
  for (std::size_t field = first; field < last; ++field) {
    field_state state = field_state::good;
    char* const to = values + (field - first) * parser.elem_len;
    const std::size_t begin = field;
    field = parser.parse(text_, map_.ends, field, last, to, state);
    if (!rules.missing.empty()) {
      const std::size_t at = rules.replace_values(to, field - begin);
      if (begin + at < field) return explain(begin + at, field_state::empty, rules, position);
    }
    if (state == field_state::good) return {};
    if (rules.replacement.empty() || !rules.stands_for_missing(field_text(text_, map_.ends, field)))
      return explain(field, state, rules, position);
    std::memcpy(values + (field - first) * parser.elem_len, rules.replacement.data(),
                parser.elem_len);
  }
  return {};
}

status row_block::convert_each(std::size_t first, std::size_t last, const row_rules& rules,
                               const row_position& position, char* values) const {
  const std::size_t elem_len = rules.parser->elem_len;
  for (std::size_t field = first; field < last; ++field, values += elem_len) {
    const std::string_view text = cell(field);
    field_state state = field_state::empty;
    if (!rules.is_missing_cell(text))
      rules.parser->parse(text_, map_.ends, field, field + 1, values, state);
    if (state == field_state::good) continue;
    if (rules.replacement.empty() || !rules.stands_for_missing(text))
      return explain(field, state, rules, position);
    std::memcpy(values, rules.replacement.data(), elem_len);
  }
  return {};
}

status row_block::convert(std::size_t count, const row_rules& rules, const row_position& position,
                          char* values) {
  if (count == 0) return {};
  const std::size_t begin = next_line_;
  if (status s = check_lengths(count, rules, position, next_line_); !s.ok()) return s;
  const std::size_t width = rules.file_columns;
  const std::size_t field = begin == 0 ? 0 : map_.line_fields[begin - 1];
  if (rules.columns.empty())
    return convert_run(field, field + count * width, rules, position, values);
  const std::size_t first = field / width;
  for (std::size_t row = first; row < first + count; ++row)
    for (std::size_t c = 0; c < rules.columns.size();) {
      std::size_t run = 1;  // neighbours go together
      while (c + run < rules.columns.size() && rules.columns[c + run] == rules.columns[c] + run)
        ++run;
      const std::size_t cell = row * width + rules.columns[c];
      if (status s = convert_run(cell, cell + run, rules, position, values); !s.ok()) return s;
      values += run * rules.parser->elem_len;
      c += run;
    }
  return {};
}

}  // namespace headrace
