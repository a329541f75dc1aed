// Lines of plain numbers, many at once.
#include "list_read_blocks.hpp"

#include <algorithm>
#include <cstring>

#include "../kernels/number_types.hpp"

namespace headrace {
namespace {

constexpr std::size_t block_bytes = 32768;
constexpr std::size_t most_lines_to_leave = 4096;

// The lines that end within block_bytes, or the first alone.
std::string_view one_block(std::string_view lines) noexcept {
  if (lines.size() <= block_bytes) return lines;
  std::size_t last = lines.rfind('\n', block_bytes - 1);
  if (last == std::string_view::npos) last = lines.find('\n', block_bytes);
  return lines.substr(0, last + 1);
}

// What separates the fields of the first line.
char delimiter_of(std::string_view lines, char decimal, bool takes_semicolons) noexcept {
  const std::string_view line = lines.substr(0, lines.find('\n'));
  if (takes_semicolons && line.find(';') != std::string_view::npos) return ';';
  return decimal != ',' && line.find(',') != std::string_view::npos ? ',' : ' ';
}

// A carriage return that ends no line.
bool has_lone_return(std::string_view lines) noexcept {
  for (std::size_t at = lines.find('\r'); at != std::string_view::npos;
       at = lines.find('\r', at + 1))
    if (lines[at + 1] != '\n') return true;  // the last byte is a line feed
  return false;
}

std::size_t count_lines(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

list_block_reader::list_block_reader(text_cursor& cursor, const array_view& array, char decimal,
                                     const edit_dialect& dialect)
    : cursor_(cursor),
      type_(array.type),
      elem_len_(array.elem_len),
      decimal_(decimal),
      takes_semicolons_(decimal == ',' || !dialect.has(edit_feature::strict_separators)),
      takes_points_(decimal != ',' || !dialect.has(edit_feature::strict_decimal)),
      takes_lone_returns_(!dialect.has(edit_feature::strict_separators)) {}

bool list_block_reader::read_lines(element_walker& elements) {
  if (type_ != type_class::real && type_ != type_class::integer) return false;
  if (lines_to_leave_ > 0) {
    --lines_to_leave_;
    return false;
  }
  bool any = false;
  while (!elements.at_end()) {
    const std::string_view lines = cursor_.complete_lines();
    if (lines.empty()) break;
    const std::uint64_t line = cursor_.line();
    const bool plain = read_block(one_block(lines), elements);
    any = any || cursor_.line() != line;
    if (plain) {
      patience_ = 1;
      continue;
    }
    lines_to_leave_ = patience_ - 1;
    patience_ = any ? 1 : std::min(2 * patience_, most_lines_to_leave);
    break;
  }
  return any;
}

// False when a line was left over.
bool list_block_reader::read_block(std::string_view lines, element_walker& elements) {
  if (!takes_lone_returns_ && has_lone_return(lines)) return false;
  if (!takes_points_ && lines.find('.') != std::string_view::npos) return false;
  if (ends_.size() < lines.size() + 65) {
    ends_.resize(lines.size() + 65);
    line_fields_.resize(lines.size() + 64);
  }
  ends_[0] = ~std::uint32_t(0);
  map_.ends = ends_.data() + 1;
  map_.line_fields = line_fields_.data();
  field_style style;
  style.delimiter = delimiter_of(lines, decimal_, takes_semicolons_);
  style.decimal = decimal_;
  const char none[2] = {0, 0};
  find_fields(lines.data(), lines.size(), style, none, map_);

  if (map_.fields == 0) return false;
  std::size_t wanted = map_.fields;
  wanted = std::min(wanted, elements.left());
  const std::size_t good = parse(lines, wanted);
  if (good == wanted) {
    store(good, elements);
    cursor_.skip_lines(lines.size(), map_.lines);
    return true;
  }
  // Only whole lines count: the exact reader begins at the beginning of a line.
  const std::uint32_t* const line =
      std::upper_bound(map_.line_fields, map_.line_fields + map_.lines, good);
  const auto whole_lines = static_cast<std::size_t>(line - map_.line_fields);
  if (whole_lines == 0) return false;
  const std::size_t fields = map_.line_fields[whole_lines - 1];
  if (fields == 0) return false;
  store(fields, elements);
  const std::size_t bytes = lines.find('\n', map_.ends[fields - 1]) + 1;
  cursor_.skip_lines(bytes, count_lines(lines.substr(0, bytes)));
  return false;
}

// Into a buffer: kernels may write more than the good values.
std::size_t list_block_reader::parse(std::string_view lines, std::size_t fields) {
  if (values_.size() < fields * elem_len_ + parse_padding)
    values_.resize(fields * elem_len_ + parse_padding);
  return with_number(type_, elem_len_, [&](auto number) {
    field_state state = field_state::good;
    return parse_fields(lines.data(), map_.ends, 0, fields, {decimal_, true},
                        reinterpret_cast<decltype(number)*>(values_.data()), state);
  });
}

void list_block_reader::store(std::size_t count, element_walker& elements) const noexcept {
  const char* from = values_.data();
  while (count > 0) {
    const std::size_t run = std::min(count, elements.left_in_run());
    std::memcpy(elements.element(), from, run * elem_len_);
    elements.advance(run);
    from += run * elem_len_;
    count -= run;
  }
}

}  // namespace headrace
