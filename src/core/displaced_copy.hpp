// When a processor copies slowly to an address a few bytes behind the one it copies from. Used by
// file_reader.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace {

// By how many bytes a large read from an offset of a file should miss its address, to be moved back
// by as many; 0 if the system copies fast. The system copies page by page with the processor's
// string instruction (rep movsb). On AMD's processors it takes three to four times as long if the
// address lies 1 to 15 bytes behind the offset, of 4096, and longer than elsewhere up to 63: a
// record begins at byte 4 of a file, and ALLOCATE gives arrays that begin 16 bytes behind a page.
std::size_t displacement_of(const char* to, std::uint64_t offset) noexcept;
// The same on a processor that has this weakness.
std::size_t slow_displacement(std::uintptr_t to, std::uint64_t offset) noexcept;

// Moves bytes from to + away to to, away at most 64. Never by the string instruction.
void move_back(char* to, std::size_t away, std::size_t bytes) noexcept;

}  // namespace headrace
