// Blanks behind a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace headrace::run
{

inline std::size_t bytes_without_blanks(const char *text, std::size_t bytes) noexcept
{
    constexpr std::uint64_t blanks = 0x2020202020202020;
    std::uint64_t word;
    while (bytes >= sizeof word && (std::memcpy(&word, text + bytes - sizeof word, sizeof word), word == blanks))
        bytes -= sizeof word;
    while (bytes > 0 && text[bytes - 1] == ' ') --bytes;
    return bytes;
}

}  // namespace headrace::run
