#include "format.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "../core/buffer.hpp"
#include "../core/shared_work.hpp"
#include "../text/format.hpp"
#include "../text/kernels/format_numbers.hpp"
#include "../text/kernels/parse_numbers.hpp"
#include "../text/kernels/parse_numbers_scalar.hpp"
#include "../text/matrix.hpp"

namespace headrace {
namespace {

constexpr std::size_t values_at_once = 4096;
constexpr std::size_t largest_tile = std::size_t{2} << 20;

// write is null: value by value.
number_kernel choose_kernel(type_class type, std::size_t elem_len, const value_style& style) {
  if ((type != type_class::integer && type != type_class::real) || style.as_seconds) return {};
  if (style.form == 'z') return hexadecimal_kernel(elem_len);
  const bool shortest = (style.form == 'g' || style.form == '\0') && style.decimals < 0;
  return type == type_class::integer || shortest ? shortest_kernel(type, elem_len)
                                                 : number_kernel{};
}

constexpr std::size_t text_slack = 64;  // pieces of texts may be written behind their end

std::size_t length_without_blanks(const char* value, std::size_t n) noexcept {
  constexpr std::uint64_t blanks = 0x2020202020202020;
  for (; n >= sizeof blanks; n -= sizeof blanks) {
    const std::uint64_t others = scalar::load_eight(value + n - sizeof blanks) ^ blanks;
    if (others != 0) return n - static_cast<std::size_t>(__builtin_clzll(others)) / 8;
  }
  while (n > 0 && value[n - 1] == ' ') --n;
  return n;
}

// Characters without their padding, in pieces that stay within the value.
char* put_characters_of(char* out, const char* value, std::size_t length) noexcept {
  constexpr std::size_t piece = 16;
  constexpr std::size_t half = piece / 2;
  std::size_t n = length_without_blanks(value, length);
  if (n > 0 && value[n - 1] == '\0') n = without_padding({value, n}).size();
  if (length >= piece) {
    for (std::size_t i = 0; i < n; i += piece) {
      const std::size_t at = std::min(i, length - piece);
      std::memcpy(out + at, value + at, piece);
    }
  } else if (length >= half) {
    std::memcpy(out, value, half);
    std::memcpy(out + length - half, value + length - half, half);
  } else {
    for (std::size_t i = 0; i < n; ++i) out[i] = value[i];
  }
  return out + n;
}

// What one thread needs.
struct workspace {
  buffer tile;
  std::string separators;
  buffer ends;
  buffer line_fields;
};

class cell_formatting {
 public:
  cell_formatting(const array_view& array, const value_style& style)
      : matrix_(array),
        type_(array.type),
        elem_len_(array.elem_len),
        style_(style),
        kernel_(choose_kernel(type_, elem_len_, style)) {
    if (style.as_seconds && type_ != type_class::character)
      longest_text_ = time_stamp_writer::longest_stamp;
    else if (type_ == type_class::character)
      longest_text_ = elem_len_;
    const std::size_t longest = std::max<std::size_t>(kernel_.longest, longest_text_);
    const std::size_t cell = (longest > 0 ? longest : 24) + 1;
    const std::size_t row_text = std::max<std::size_t>(1, matrix_.columns() * cell);
    const std::size_t row_values = std::max<std::size_t>(1, matrix_.columns() * elem_len_);
    rows_at_once_ = std::max<std::size_t>(1, largest_tile / row_values);
    // Whole cache lines of a column belong to one block, unless the rows are very long.
    const std::size_t usual = std::max<std::size_t>(1, usual_block_text / row_text);
    block_rows_ = row_text > usual_block_text / 2 ? usual : std::max<std::size_t>(usual, 32);
  }

  std::size_t blocks() const noexcept { return (matrix_.rows() + block_rows_ - 1) / block_rows_; }

  status format(std::size_t number, workspace& space, cell_block& block) const {
    const std::size_t first = number * block_rows_;
    block.rows = std::min(block_rows_, matrix_.rows() - first);
    block.columns = matrix_.columns();
    if (kernel_.write != nullptr) return by_kernel(first, space, block);
    const bool fits = block.count() * (longest_text_ + 1) + text_slack <= largest_block_text;
    if (longest_text_ > 0 && fits) return by_text(first, space, block);
    return by_value(first, space, block);
  }

 private:
  status by_kernel(std::size_t first, workspace& space, cell_block& block) const {
    const std::size_t room = block.count() * (kernel_.longest + 1) + format_slack;
    if (room > largest_block_text) return bad_row(row_trouble::too_long);
    block.text.allocate(room);
    char* out = block.text.data();
    const bool one_by_one = matrix_.columns() == 1 && !kernel_.equal;
    if (one_by_one) begin_ends(space, block);
    for (std::size_t done = 0; done < block.rows;) {
      const std::size_t rows = std::min(rows_at_once_, block.rows - done);
      const char* const values = tile_of(first + done, rows, space);
      out = one_by_one ? format_column(values, done, rows, out, space, block)
                       : format_rows(values, rows, out, space);
      done += rows;
    }
    block.bytes = static_cast<std::size_t>(out - block.text.data());
    block.text.shrink(block.bytes);
    if (kernel_.equal)
      block.width = static_cast<std::uint32_t>(kernel_.longest);
    else if (!one_by_one)
      find_ends(space, block);
    if (!kernel_.equal && style_.decimal != '.')
      std::replace(block.text.data(), block.text.data() + block.bytes, '.', style_.decimal);
    return {};
  }

  static void begin_ends(workspace& space, cell_block& block) {
    constexpr std::size_t most = values_at_once * (longest_real64 + 1) + 128;
    space.ends.reserve(most * sizeof(std::uint32_t));
    space.line_fields.reserve(most * sizeof(std::uint32_t));
    block.ends.reset(new std::uint32_t[block.rows + 1]);
    block.ends[0] = UINT32_MAX;
  }

  // One column, whose ends are found while its text is in the cache.
  char* format_column(const char* values, std::size_t first, std::size_t rows, char* out,
                      workspace& space, cell_block& block) const {
    constexpr char none[2] = {'\0', '\0'};
    auto* const ends = reinterpret_cast<std::uint32_t*>(space.ends.data());
    ends[0] = UINT32_MAX;
    space.separators.assign(values_at_once, '\n');
    for (std::size_t done = 0; done < rows; done += values_at_once) {
      const std::size_t count = std::min(values_at_once, rows - done);
      char* const begin = out;
      out = kernel_.write(out, values + done * elem_len_, count, space.separators.data());
      field_map map;
      map.ends = ends + 1;
      map.line_fields = reinterpret_cast<std::uint32_t*>(space.line_fields.data());
      find_fields(begin, static_cast<std::size_t>(out - begin), field_style{}, none, map);
      const auto base = static_cast<std::uint32_t>(begin - block.text.data());
      std::uint32_t* const to = block.ends.get() + 1 + first + done;
      for (std::size_t i = 0; i < count; ++i) to[i] = ends[i + 1] + base;
    }
    return out;
  }

  const char* tile_of(std::size_t first, std::size_t rows, workspace& space) const {
    if (const char* const values = matrix_.in_place(first)) return values;
    space.tile.reserve(rows * matrix_.columns() * elem_len_);
    matrix_.gather(first, rows, space.tile.data());
    return space.tile.data();
  }

  char* format_rows(const char* values, std::size_t rows, char* out, workspace& space) const {
    const std::size_t columns = matrix_.columns();
    const std::size_t n = rows * columns;
    for (std::size_t done = 0; done < n; done += values_at_once) {
      const std::size_t count = std::min(values_at_once, n - done);
      space.separators.assign(count, ',');
      for (std::size_t i = columns - 1 - done % columns; i < count; i += columns)
        space.separators[i] = '\n';
      out = kernel_.write(out, values + done * elem_len_, count, space.separators.data());
    }
    return out;
  }

  void find_ends(workspace& space, cell_block& block) const {
    constexpr std::size_t entry = sizeof(std::uint32_t);
    space.ends.reserve((block.bytes + 65) * entry);
    space.line_fields.reserve((block.bytes + 64) * entry);
    auto* const ends = reinterpret_cast<std::uint32_t*>(space.ends.data());
    ends[0] = UINT32_MAX;
    field_map map;
    map.ends = ends + 1;
    map.line_fields = reinterpret_cast<std::uint32_t*>(space.line_fields.data());
    const char none[2] = {'\0', '\0'};
    find_fields(block.text.data(), block.bytes, field_style{}, none, map);
    block.set_ends(ends);
  }

  // Characters and times, whose longest text is known.
  status by_text(std::size_t first, workspace& space, cell_block& block) const {
    block.text.allocate(block.count() * (longest_text_ + 1) + text_slack);
    space.ends.reserve((block.count() + 1) * sizeof(std::uint32_t));
    auto* end = reinterpret_cast<std::uint32_t*>(space.ends.data());
    *end++ = UINT32_MAX;
    char* const begin = block.text.data();
    char* out = begin;
    time_stamp_writer times;
    for (std::size_t done = 0; done < block.rows;) {
      const std::size_t rows = std::min(rows_at_once_, block.rows - done);
      const char* value = tile_of(first + done, rows, space);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = matrix_.columns(); k-- > 0; value += elem_len_) {
          out = put_text(out, value, times);
          if (out == nullptr) return no_such_time();
          *end++ = static_cast<std::uint32_t>(out - begin);
          *out++ = k == 0 ? '\n' : ',';
        }
      }
      done += rows;
    }
    block.bytes = static_cast<std::size_t>(out - begin);
    block.text.shrink(block.bytes);
    block.set_ends(reinterpret_cast<const std::uint32_t*>(space.ends.data()));
    return {};
  }

  char* put_text(char* out, const char* value, time_stamp_writer& times) const noexcept {
    if (type_ == type_class::character) return put_characters_of(out, value, elem_len_);
    time_span span;
    bool is_time = false;
    if (!seconds_of(value, type_, style_, span, is_time)) return nullptr;
    return is_time ? times.put(out, style_.epoch, span, style_.decimals) : out;
  }

  status by_value(std::size_t first, workspace& space, cell_block& block) const {
    block_builder builder(matrix_.columns());
    for (std::size_t done = 0; done < block.rows;) {
      const std::size_t rows = std::min(rows_at_once_, block.rows - done);
      const char* value = tile_of(first + done, rows, space);
      for (std::size_t i = 0; i < rows * matrix_.columns(); ++i, value += elem_len_) {
        if (type_ == type_class::character)
          builder.text() += without_padding({value, elem_len_});
        else if (!append_value(builder.text(), value, type_, elem_len_, style_))
          return no_such_time();
        builder.end_cell();
      }
      done += rows;
      if (builder.text().size() > largest_block_text) return bad_row(row_trouble::too_long);
    }
    return builder.finish(block);
  }

  text_matrix matrix_;
  type_class type_;
  std::size_t elem_len_;
  value_style style_;
  number_kernel kernel_;
  std::size_t longest_text_ = 0;  // of what no kernel formats; 0: not known
  std::size_t rows_at_once_ = 1;
  std::size_t block_rows_ = 1;
};

}  // namespace

status append_cells(const array_view& array, const value_style& style, int threads,
                    cell_array& cells) {
  if (status s = check_value_style(style, array.type, array.elem_len); !s.ok()) return s;
  if (element_count(array).value_or(0) == 0) return {};
  const cell_formatting formatting(array, style);
  std::vector<cell_block> blocks(formatting.blocks());
  const int most = thread_count(threads);
  std::vector<workspace> spaces(std::min(blocks.size(), static_cast<std::size_t>(most)));
  first_failure failure;
  std::atomic<bool> stopped{false};
  share_out(most, blocks.size(), [&](std::size_t i, int thread) {
    if (stopped) return;
    status formatted = formatting.format(i, spaces[static_cast<std::size_t>(thread)], blocks[i]);
    if (formatted.ok()) return;
    failure.add(i, std::move(formatted));
    stopped = true;
  });
  if (status s = failure.take(); !s.ok()) return s;
  return cells.append(std::move(blocks));
}

}  // namespace headrace
