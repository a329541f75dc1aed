// The checksum CRC-32C (Castagnoli, as in iSCSI, ext4 and Zarr).
#pragma once

#include <cstddef>
#include <cstdint>

namespace headrace {

// The checksum of what came before and these bytes; begin with 0. "123456789" gives 0xE3069283.
std::uint32_t crc32c(std::uint32_t before, const char* data, std::size_t bytes) noexcept;

}  // namespace headrace
