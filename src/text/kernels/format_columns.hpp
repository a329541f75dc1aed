// Records of fixed length from columns: what WRITE(unit, '(i8,5f12.5)') makes of one statement in a
// loop, for many statements at once. Next: format_columns.cpp.
//
//   const column_place columns[] = {{layout of i8, type_class::integer, 4, i, 0},
//                                   {layout of f12.5, type_class::real, 8, x, 8}};
//   format_columns({columns, 2, image, 21}, n, out);
#pragma once

#include <cstddef>

#include "../../core/array_view.hpp"
#include "format_fields.hpp"

namespace headrace {

// One column: n values of its type, packed, each into its field of a record.
struct column_place {
  // Made with make_field_layout without suffix; null for characters, which are copied: the field is
  // as wide as they are.
  const field_layout* layout = nullptr;
  type_class type = type_class::real;  // real, integer or character
  std::size_t elem_len = 8;            // of a character value: its length
  const void* values = nullptr;
  std::size_t begin = 0;  // of the field in its record
};

// A record: columns in the order of their places, and constant text around them.
struct column_record {
  const column_place* columns = nullptr;
  std::size_t count = 0;
  // bytes characters: the constant text, anything where fields are, the line feed at the end.
  const char* image = nullptr;
  std::size_t bytes = 0;
};

// Writes n records: n * record.bytes bytes at out and none behind them. Fields that are too narrow
// for a value hold stars; no value is refused. Never allocates.
void format_columns(const column_record& record, std::size_t n, char* out) noexcept;

}  // namespace headrace
