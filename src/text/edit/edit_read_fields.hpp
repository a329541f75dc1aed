// The text of one field to a value, as formatted READ takes it: blanks within numbers, decimal
// points that are not written, scale factors. Next: ../kernels/parse_one.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "../kernels/parse_numbers.hpp"
#include "edit_write_modes.hpp"

namespace headrace {

using read_modes = edit_modes;

// F, E, EN, ES, D, G: digits is the d of the descriptor. text is a buffer to use again.
template <class Real>
field_state read_real_field(std::string_view field, int digits, const read_modes& modes,
                            std::string& text, Real& value);

// I, and G with integers. elem_len is 1, 2, 4 or 8. zeros: that many follow the field's digits.
field_state read_integer_field(std::string_view field, bool blank_zero, std::size_t elem_len,
                               void* value, std::size_t zeros = 0) noexcept;

// B, O, Z: bits is 1, 3 or 4.
field_state read_radix_field(std::string_view field, bool blank_zero, int bits,
                             std::size_t elem_len, void* value, std::size_t zeros = 0) noexcept;

// L, and G with logicals.
field_state read_logical_field(std::string_view field, bool& value) noexcept;

}  // namespace headrace
