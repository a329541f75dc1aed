// A Fortran format specification, taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/array_view.hpp"
#include "../../core/status.hpp"
#include "edit_dialect.hpp"

namespace headrace {

enum class edit_kind : std::uint8_t {
  // data edit descriptors
  integer,      // Iw[.m]
  binary,       // Bw[.m]
  octal,        // Ow[.m]
  hexadecimal,  // Zw[.m]
  fixed,        // Fw.d
  exponent,     // Ew.d[Ee]
  exponent_d,   // Dw.d
  scientific,   // ESw.d[Ee]
  engineering,  // ENw.d[Ee]
  general,      // Gw[.d[Ee]], G0, G0.d
  logical,      // Lw
  character,    // A, Aw
  // control edit descriptors
  literal,      // 'text', "text"
  skip,         // nX: value is n
  tab,          // Tn
  tab_left,     // TLn
  tab_right,    // TRn
  slash,        // /, r/
  colon,        // :
  sign,         // S, SP, SS: value is 's', '+', '-'
  scale,        // kP: value is k
  rounding,     // RU RD RZ RN RC RP: value is 'u', 'd', 'z', 'n', 'c', 'p'
  blank,        // BN, BZ: value is 'n', 'z'
  decimal,      // DC, DP: value is ',', '.'
  group_begin,  // r( or *(
  group_end,
};

inline constexpr int unlimited_repeat = -1;
inline constexpr int absent = -1;

struct edit_item {
  edit_kind kind{};
  int repeat = 1;           // of data descriptors, slashes and group_begin; unlimited_repeat for *
  int width = absent;       // w; 0 is w = 0
  int digits = absent;      // d or m
  int exponent = absent;    // e
  int value = 0;            // see edit_kind
  std::string literal;      // of a literal, quotes resolved
  std::size_t partner = 0;  // group_begin: index of its group_end, and the other way round
  std::size_t column = 0;   // of the first character in the format, from 1
};

struct edit_format {
  std::string text;              // as the user wrote it
  std::vector<edit_item> items;  // without the outermost parentheses
  std::size_t reversion = 0;     // index where format control goes on when the items are used up
  bool has_data = false;         // there is a data edit descriptor
  edit_dialect dialect;          // whose formats these are
};

inline bool is_real_kind(edit_kind kind) noexcept {
  return kind >= edit_kind::fixed && kind <= edit_kind::general;
}

// What gfortran writes: bits, L and A take any type, G knows the type.
bool takes_type(edit_kind kind, type_class type) noexcept;

// T or TL may go back in a record.
bool goes_back(const edit_format& format) noexcept;

// Takes a format with its parentheses apart, as the dialect's gfortran does. A failure
// (format_invalid) names the column and what is wrong; nothing is ever ignored. decimal: ',' as if
// DC stood in front.
status parse_edit_format(std::string_view text, edit_format& format, char decimal = '.',
                         const edit_dialect& dialect = {});

}  // namespace headrace
