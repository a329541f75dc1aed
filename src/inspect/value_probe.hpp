// What type bytes have. Next: value_cost.hpp says what values of each type look like.
#pragma once

#include <cstddef>
#include <vector>

#include "../../include/headrace_inspect.h"
#include "value_cost.hpp"

namespace headrace {

enum class probed_order { both, little, big };

// The value at bytes.
value_bits value_at(const unsigned char* bytes, int width, bool big) noexcept;

// All types, the most probable first. Bytes that fill no whole value are left out.
std::vector<hr_value_probe> probe_values(const unsigned char* bytes, std::size_t size,
                                         probed_order order);

// Of which items rows of equal length are made.
std::vector<hr_item> split_items(const unsigned char* bytes, std::size_t rows,
                                 std::size_t row_bytes, bool big);

}  // namespace headrace
