// Columns into records of fixed length. The kernels store up to column_reach bytes from the
// beginning of a field on: if that stays inside of the record, over text that comes later, they
// write into the records; the last columns go beside them and are copied.
#include "format_columns.hpp"

#include <algorithm>
#include <cstring>

#include "format_field_values.hpp"

namespace headrace {
namespace {

constexpr std::size_t column_reach = field_window + 8;

// n fields of one column, field i at out + i * pitch.
void write_fields(const column_place& column, std::size_t first, std::size_t n, char* out,
                  std::size_t pitch) noexcept {
  std::uint32_t offsets[field_block];
  for (std::size_t i = 0; i < n; ++i) offsets[i] = static_cast<std::uint32_t>(i * pitch);
  const auto* const values = static_cast<const char*>(column.values) + first * column.elem_len;
  field_writer(column.type, column.elem_len).write(*column.layout, values, n, out, offsets);
}

// n texts of length bytes, by a constant size if that is possible.
void copy_texts(const char* from, std::size_t from_pitch, char* to, std::size_t to_pitch,
                std::size_t length, std::size_t n) noexcept {
  if (length >= 8 && length <= 16) {
    const std::size_t last = length - 8;
    for (std::size_t i = 0; i < n; ++i, from += from_pitch, to += to_pitch) {
      char words[16];
      std::memcpy(words, from, 8);
      std::memcpy(words + 8, from + last, 8);
      std::memcpy(to, words, 8);
      std::memcpy(to + last, words + 8, 8);
    }
  } else if (length > 16 && length <= 32) {
    const std::size_t last = length - 16;
    for (std::size_t i = 0; i < n; ++i, from += from_pitch, to += to_pitch) {
      char words[32];
      std::memcpy(words, from, 16);
      std::memcpy(words + 16, from + last, 16);
      std::memcpy(to, words, 16);
      std::memcpy(to + last, words + 16, 16);
    }
  } else if (length == 1) {
    for (std::size_t i = 0; i < n; ++i) to[i * to_pitch] = from[i * from_pitch];
  } else {
    for (std::size_t i = 0; i < n; ++i, from += from_pitch, to += to_pitch)
      std::memcpy(to, from, length);
  }
}

std::size_t width_of(const column_place& column) noexcept {
  return column.layout == nullptr ? column.elem_len
                                  : static_cast<std::size_t>(column.layout->edit.width);
}

bool stays_inside(const column_place& column, std::size_t record_bytes) noexcept {
  return column.layout != nullptr && column.begin + column_reach <= record_bytes;
}

// The constant text before column c, or after the last.
void write_text_before(const column_record& record, std::size_t c, std::size_t n,
                       char* out) noexcept {
  const std::size_t begin =
      c == 0 ? 0 : record.columns[c - 1].begin + width_of(record.columns[c - 1]);
  const std::size_t end = c == record.count ? record.bytes : record.columns[c].begin;
  if (begin < end) copy_texts(record.image + begin, 0, out + begin, record.bytes, end - begin, n);
}

// A column whose stores would reach beyond its field where other text stands already.
void write_exactly(const column_place& column, std::size_t first, std::size_t n, char* out,
                   std::size_t pitch) noexcept {
  if (column.layout == nullptr) {
    const auto* const values = static_cast<const char*>(column.values) + first * column.elem_len;
    return copy_texts(values, column.elem_len, out + column.begin, pitch, column.elem_len, n);
  }
  char texts[field_block * field_window + column_reach];
  write_fields(column, first, n, texts, field_window);
  copy_texts(texts, field_window, out + column.begin, pitch, width_of(column), n);
}

// At most field_block records.
void write_block(const column_record& record, std::size_t first, std::size_t n,
                 char* out) noexcept {
  for (std::size_t c = 0; c < record.count; ++c)
    if (stays_inside(record.columns[c], record.bytes))
      write_fields(record.columns[c], first, n, out + record.columns[c].begin, record.bytes);
  for (std::size_t c = 0; c <= record.count; ++c) write_text_before(record, c, n, out);
  for (std::size_t c = 0; c < record.count; ++c)
    if (!stays_inside(record.columns[c], record.bytes))
      write_exactly(record.columns[c], first, n, out, record.bytes);
}

}  // namespace

void format_columns(const column_record& record, std::size_t n, char* out) noexcept {
  for (std::size_t first = 0; first < n; first += field_block)
    write_block(record, first, std::min(field_block, n - first), out + first * record.bytes);
}

}  // namespace headrace
