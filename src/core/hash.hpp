// A short number for a text, the same on every machine (FNV-1a); no protection against anybody.
#pragma once

#include <cstdint>
#include <string_view>

namespace headrace {

// before: the hash of what stands in front of the text.
inline std::uint64_t hash_of(std::string_view text,
                             std::uint64_t before = 0xCBF29CE484222325U) noexcept {
  std::uint64_t hash = before;
  for (const char character : text) {
    hash ^= static_cast<unsigned char>(character);
    hash *= 0x100000001B3U;
  }
  return hash;
}

}  // namespace headrace
