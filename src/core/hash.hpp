// A short number for a text, the same on every machine (FNV-1a); no protection against anybody.
#pragma once

#include <cstdint>
#include <string_view>

namespace headrace {

inline std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char character : text) {
    hash ^= static_cast<unsigned char>(character);
    hash *= 0x100000001B3U;
  }
  return hash;
}

}  // namespace headrace
