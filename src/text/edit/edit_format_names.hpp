// The names of edit descriptors. Used by edit_format.cpp alone.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "edit_format.hpp"
#include "edit_format_tokens.hpp"

namespace headrace {

struct named_kind {
  std::string_view name;
  edit_kind kind;
};

inline constexpr std::array<named_kind, 12> data_descriptors{{
    {"I", edit_kind::integer},
    {"B", edit_kind::binary},
    {"O", edit_kind::octal},
    {"Z", edit_kind::hexadecimal},
    {"F", edit_kind::fixed},
    {"E", edit_kind::exponent},
    {"D", edit_kind::exponent_d},
    {"ES", edit_kind::scientific},
    {"EN", edit_kind::engineering},
    {"G", edit_kind::general},
    {"L", edit_kind::logical},
    {"A", edit_kind::character},
}};

struct named_mode {
  std::string_view name;
  edit_kind kind;
  int value;
};

inline constexpr std::array<named_mode, 13> modes{{
    {"S", edit_kind::sign, 's'},
    {"SP", edit_kind::sign, '+'},
    {"SS", edit_kind::sign, '-'},
    {"RU", edit_kind::rounding, 'u'},
    {"RD", edit_kind::rounding, 'd'},
    {"RZ", edit_kind::rounding, 'z'},
    {"RN", edit_kind::rounding, 'n'},
    {"RC", edit_kind::rounding, 'c'},
    {"RP", edit_kind::rounding, 'p'},
    {"BN", edit_kind::blank, 'n'},
    {"BZ", edit_kind::blank, 'z'},
    {"DC", edit_kind::decimal, ','},
    {"DP", edit_kind::decimal, '.'},
}};

inline constexpr std::array<named_kind, 3> tabs{{
    {"T", edit_kind::tab},
    {"TL", edit_kind::tab_left},
    {"TR", edit_kind::tab_right},
}};

template <class Table>
auto entry_of(const Table& table, const format_token& token) {
  const auto end = token.kind == token_kind::name ? table.end() : table.begin();
  const auto found =
      std::find_if(table.begin(), end, [&](const auto& entry) { return entry.name == token.text; });
  return found == end ? nullptr : &*found;
}

}  // namespace headrace
