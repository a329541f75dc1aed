// One number from one field: the cells of a text, and every form that gfortran's READ accepts. The
// slow path of the kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parse_numbers.hpp"

namespace headrace {

// [begin, end) is one field; blanks, tabs and carriage returns around it do not count. Correctly
// rounded. Overflow is too_large and leaves an infinity in value (gfortran's READ gives Infinity).
template <class Real>
field_state parse_real(const char* begin, const char* end, number_style style,
                       Real& value) noexcept;

// Stores the lowest elem_len bytes: 1, 2, 4 or 8.
void store_bits(std::uint64_t bits, std::size_t elem_len, void* value) noexcept;

// A sign and digits; elem_len is 1, 2, 4 or 8. Beyond the type's range: too_large.
field_state parse_integer(const char* begin, const char* end, std::size_t elem_len,
                          void* value) noexcept;

// T, F, .true., .false., true, false, Txyz ... as gfortran reads them.
field_state parse_logical(const char* begin, const char* end, bool& value) noexcept;

// Whole words only, as they stand in cells: T, true, .t., .true. and so on, in any case.
field_state parse_logical_word(const char* begin, const char* end, bool& value) noexcept;

// Digits with or without 0x, at most 2 * elem_len; elem_len up to 16. Bits in the machine's order.
field_state parse_hexadecimal_one(const char* begin, const char* end, std::size_t elem_len,
                                  void* value) noexcept;

}  // namespace headrace
