// Turns the bytes of words round: big endian to little endian and back.
#pragma once

#include <cstddef>

#include "settings.hpp"

namespace headrace {

// Copies words of word_bytes (1, 2, 4, 8 or 16; others byte by byte) with their bytes reversed. to
// and from may be the same place, otherwise they do not overlap.
void swap_bytes(char* to, const char* from, std::size_t words, std::size_t word_bytes) noexcept;

// True when words of that order must be turned round for this machine.
bool is_swapped(byte_order order) noexcept;

}  // namespace headrace
