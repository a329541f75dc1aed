// The vector way of crc32c.cpp. Method: Gopal and others, "Fast CRC computation for generic
// polynomials using PCLMULQDQ", Intel 2009, in registers of 512 bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace {

inline constexpr std::size_t crc32c_remainder = 64;
inline constexpr std::size_t crc32c_group = 16384;

// Whether this processor has the carry-less multiplication of 512 bits.
bool can_fold_crc32c() noexcept;

// Folds whole groups of lanes, of which there is at least one, into 64 bytes that have the same
// remainder: their checksum, begun with 0, is that of the groups begun with crc. Not inverted.
// Returns how many bytes the groups have.
std::size_t fold_crc32c(std::uint32_t crc, const char* data, std::size_t bytes,
                        char* remainder) noexcept;

}  // namespace headrace
