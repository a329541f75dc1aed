// The text of single fields, put together in registers if it is short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../floating_point.hpp"
#include "../statement_text.hpp"
#include "text/edit/edit_write_values.hpp"
#include "text/kernels/format_digits.hpp"

namespace headrace::run
{

inline constexpr std::uint64_t blank_word = 0x2020202020202020;
inline constexpr std::size_t most_field_bytes = 2 * field_window + 16;

// Copies n bytes. A call of memcpy costs more than most texts.
inline void copy_text(char *to, const char *from, std::size_t n) noexcept
{
    if (n >= 16) {
        for (std::size_t i = 0; i + 16 <= n; i += 16) std::memcpy(to + i, from + i, 16);
        std::memcpy(to + n - 16, from + n - 16, 16);
    } else if (n >= 8) {
        std::memcpy(to, from, 8);
        std::memcpy(to + n - 8, from + n - 8, 8);
    } else if (n >= 4) {
        std::memcpy(to, from, 4);
        std::memcpy(to + n - 4, from + n - 4, 4);
    } else {
        for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
    }
}

inline void fill_blanks(char *to, std::size_t n) noexcept
{
    constexpr std::size_t few = 128;
    if (n > few) {
        std::memset(to, ' ', n);
        return;
    }
    // From a register: what is loaded waits for n.
    using sixteen = char __attribute__((vector_size(16)));
    sixteen blanks = sixteen{} + ' ';
    if (n >= 16) {
        for (std::size_t i = 0; i + 16 <= n; i += 16) std::memcpy(to + i, &blanks, 16);
        std::memcpy(to + n - 16, &blanks, 16);
    } else if (n >= 8) {
        std::memcpy(to, &blank_word, 8);
        std::memcpy(to + n - 8, &blank_word, 8);
    } else if (n >= 4) {
        std::memcpy(to, &blank_word, 4);
        std::memcpy(to + n - 4, &blank_word, 4);
    } else {
        for (std::size_t i = 0; i < n; ++i) to[i] = ' ';
    }
}

// Is there one among n bytes? A call of memchr costs more than most texts.
inline bool has_line_feed(const char *text, std::size_t n) noexcept
{
    constexpr std::uint64_t ones = 0x0101010101010101;
    const auto has_one = [](std::uint64_t word) {
        const std::uint64_t zero_there = word ^ (ones * '\n');
        return ((zero_there - ones) & ~zero_there & (ones * 0x80)) != 0;
    };
    if (n > 16) return std::memchr(text, '\n', n) != nullptr;
    if (n >= 8) {
        std::uint64_t first, last;
        std::memcpy(&first, text, 8);
        std::memcpy(&last, text + n - 8, 8);
        return has_one(first) || has_one(last);
    }
    if (n >= 4) {
        std::uint32_t first, last;
        std::memcpy(&first, text, 4);
        std::memcpy(&last, text + n - 4, 4);
        return has_one(std::uint64_t{first} << 32 | last);
    }
    for (std::size_t i = 0; i < n; ++i)
        if (text[i] == '\n') return true;
    return false;
}

struct text_part {
    const char *begin;
    std::size_t bytes;  // 0: the long way knows
};

inline constexpr std::uint64_t hundred_million = 100000000;

// Up to 16 bytes of text, the first in the lowest byte: a text that was put together in memory is slow to load again.
struct short_text {
    wide_word text;
    int bytes;

    void write(char *to) const noexcept
    {
        const auto low = static_cast<std::uint64_t>(text);
        if (bytes >= 8) {
            store_word(to, low);
            store_word(to + bytes - 8, static_cast<std::uint64_t>(text >> 8 * (bytes - 8)));
        } else if (bytes >= 4) {
            const auto first = static_cast<std::uint32_t>(low), last = static_cast<std::uint32_t>(low >> 8 * (bytes - 4));
            std::memcpy(to, &first, 4);
            std::memcpy(to + bytes - 4, &last, 4);
        } else {
            for (int i = 0; i < bytes; ++i) to[i] = static_cast<char>(low >> 8 * i);
        }
    }
};

// I0 and Iw; no bytes: the long way knows.
inline short_text integer_text(const edit_item &item, std::int64_t value) noexcept
{
    constexpr int most = 16;
    constexpr std::uint64_t limit = hundred_million * hundred_million / 10;  // with a sign no more than that
    const std::uint64_t magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    if (magnitude >= limit || item.width > most) return {0, 0};
    const bool is_long = magnitude >= hundred_million;
    const std::uint64_t upper = is_long ? magnitude / hundred_million : magnitude;
    const std::uint64_t digits = eight_digits(upper);
    // Its first digit stands in the lowest byte.
    const int zeros = digits == 0 ? 7 : __builtin_ctzll(digits) / 8;
    short_text made = {(digits | eight_zeros) >> 8 * zeros, 8 - zeros};
    if (is_long) {
        made.text |= wide_word{eight_digits(magnitude - upper * hundred_million) | eight_zeros} << 8 * made.bytes;
        made.bytes += 8;
    }
    if (value < 0) {
        made.text = made.text << 8 | '-';
        ++made.bytes;
    }
    if (item.width <= 0) return made;
    const int blanks = item.width - made.bytes;
    if (blanks < 0) return {0, 0};
    constexpr wide_word all_blanks = wide_word{0x2020202020202020} << 64 | 0x2020202020202020;
    if (blanks > 0) made.text = made.text << 8 * blanks | all_blanks >> 8 * (most - blanks);
    return {made.text, item.width};
}

inline bool is_plain_integer_field(const output_field &field) noexcept
{
    return field.item.kind == edit_kind::integer && field.item.digits == absent && field.modes.sign != '+';
}

template <class Value>
inline Value load(const char *item) noexcept
{
    Value value;
    std::memcpy(&value, item, sizeof value);
    return value;
}

// Of kind 4 or 8. has_finite: is that, or one before, a number?
inline bool is_usual_real(const char *item, int kind, bool &has_finite) noexcept
{
    const auto look = [&has_finite](auto bits) {
        has_finite = has_finite || is_finite(bits);
        return !is_unusual(bits);
    };
    return kind == 8 ? look(load<std::uint64_t>(item)) : look(load<std::uint32_t>(item));
}

inline std::int64_t load_whole(const char *item, int kind) noexcept
{
    if (kind == 4) return load<std::int32_t>(item);
    return kind == 8 ? load<std::int64_t>(item) : load_integer(item, static_cast<std::size_t>(kind));
}

inline text_part layout_text(const field_layout *layout, int type, int kind, const char *item, char *place) noexcept
{
    if (layout == nullptr) return {nullptr, 0};
    if (type == integer_item) {
        format_integer_field(*layout, load_whole(item, kind), place);
    } else {
        const kept_flags flags;
        format_field(*layout, kind == 8 ? load<double>(item) : static_cast<double>(load<float>(item)), place);
    }
    return {place, static_cast<std::size_t>(layout->edit.width)};
}

inline bool takes_reals(const output_field &field) noexcept
{
    return field.item.kind >= edit_kind::fixed && field.item.kind <= edit_kind::general;
}

}  // namespace headrace::run
