// Integers, logicals, characters and bits through one data edit descriptor. Reals have a file of
// their own: edit_write_real.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../core/array_view.hpp"
#include "edit_format.hpp"

namespace headrace {

// All write one field and return its end; out has room for room_of(...) bytes.
// bytes: of the value. Gw counts as Iw, Lw or Aw.
std::size_t room_of(const edit_item& item, std::size_t bytes) noexcept;

char* put_integer(char* out, const edit_item& item, bool plus_sign, std::int64_t value) noexcept;
char* put_logical(char* out, const edit_item& item, bool value) noexcept;
char* put_characters(char* out, const edit_item& item, const char* text,
                     std::size_t bytes) noexcept;
// B, O and Z: the bits of a value of any type, at most 8 bytes of them.
char* put_bits(char* out, const edit_item& item, const edit_dialect& dialect, const char* value,
               std::size_t bytes) noexcept;

// Integers of 1, 2, 4 or 8 bytes; logicals are true when any bit is set.
std::int64_t load_integer(const char* value, std::size_t bytes) noexcept;
double load_real(const char* value, std::size_t bytes) noexcept;  // of 4 or 8 bytes

}  // namespace headrace
