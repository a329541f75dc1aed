// List-directed input: plain values between blanks, line ends and single commas.
#include <array>
#include <cstring>

#include "reading.hpp"

namespace headrace::run
{
namespace
{

enum : unsigned char { in_real = 1, in_integer = 2, ends_value = 4, ends_word = 8, is_letter = 16 };

constexpr std::array<unsigned char, 256> make_classes()
{
    std::array<unsigned char, 256> classes{};
    for (int c = '0'; c <= '9'; ++c) classes[static_cast<std::size_t>(c)] = in_real | in_integer;
    for (const char c : {'+', '-'}) classes[static_cast<std::size_t>(c)] = in_real | in_integer;
    for (const char c : {'.', 'e', 'E', 'd', 'D'}) classes[static_cast<std::size_t>(c)] |= in_real;
    for (const char c : {' ', '\t', '\n', ',', '\r'}) classes[static_cast<std::size_t>(c)] |= ends_value | ends_word;
    for (const char c : {'/', ';', '*', '"', '\'', '!'}) classes[static_cast<std::size_t>(c)] |= ends_word;
    for (int c = 'a'; c <= 'z'; ++c)
        classes[static_cast<std::size_t>(c)] |= is_letter, classes[static_cast<std::size_t>(c - 32)] |= is_letter;
    classes['_'] |= is_letter;
    return classes;
}
constexpr std::array<unsigned char, 256> classes = make_classes();

inline bool is(char c, unsigned char what) noexcept { return (classes[static_cast<unsigned char>(c)] & what) != 0; }
// A carriage return alone is no end of a line.
inline bool is_end(const char *p) noexcept { return is(*p, ends_value) && (*p != '\r' || p[1] == '\n'); }

// The first blank, comma or control character from p on. Precondition: there is one, and 8 bytes behind it.
inline const char *next_separator(const char *p) noexcept
{
    constexpr std::uint64_t ones = 0x0101010101010101, highs = ones << 7;
    for (;; p += 8) {
        std::uint64_t word;
        std::memcpy(&word, p, sizeof word);
        const std::uint64_t commas = word ^ ones * ',';
        // A borrow may mark a byte wrongly, but none before the first.
        const std::uint64_t found = (((word - ones * 0x21) & ~word) | ((commas - ones) & ~commas)) & highs;
        if (found != 0) return p + __builtin_ctzll(found) / 8;
    }
}

}  // namespace

// Goes to the beginning of the next value: over blanks, ends of lines, and one comma.
bool reading::find_listed() noexcept
{
    bool may_be_comma = !is_first_;
    for (;;) {
        if (!has_line()) return false;
        const char *p = at_;
        while (p < end_ && (*p == ' ' || *p == '\t' || (*p == '\r' && p[1] == '\n'))) ++p;
        at_ = p;
        if (p == end_) continue;
        if (*p == ',' && may_be_comma) {
            may_be_comma = false;
            ++at_;
        } else if (*p == '\n') {
            // A comma on the next line stands for another null value.
            may_be_comma = false;
            ++at_;
        } else {
            return true;
        }
    }
}

bool reading::get_word(char *place, std::size_t bytes) noexcept
{
    const char *begin = at_, *end = at_;
    const char quote = *at_;
    if (quote == '\'' || quote == '"') {
        ++begin;
        const auto length = static_cast<std::size_t>(end_ - begin);
        const auto *const line = static_cast<const char *>(std::memchr(begin, '\n', length));
        if (line == nullptr) return false;
        end = static_cast<const char *>(std::memchr(begin, quote, static_cast<std::size_t>(line - begin)));
        // A quote twice is one in the text; a text over lines is rare.
        if (end == nullptr || !is_end(end + 1)) return false;
        at_ = end + 1;
    } else {
        if (!is(*at_, is_letter)) return false;
        while (!is(*end, ends_word)) ++end;
        if (!is_end(end)) return false;
        at_ = end;
    }
    const auto length = static_cast<std::size_t>(end - begin);
    const std::size_t used = length < bytes ? length : bytes;
    if (used > 0) std::memcpy(place, begin, used);
    if (bytes > used) std::memset(place + used, ' ', bytes - used);
    return true;
}

bool reading::get_listed_logical(int kind, char *place) noexcept
{
    const char *p = at_;
    const char letter = static_cast<char>(*p | 0x20);
    if ((letter != 't' && letter != 'f') || !is_end(p + 1)) return false;
    at_ = p + 1;
    std::memset(place, 0, static_cast<std::size_t>(kind));
    *place = letter == 't';
    return true;
}

bool reading::get_listed(int type, int kind, char *place, std::size_t bytes) noexcept
{
    if (!find_listed()) return false;
    const char *const begin = at_;
    const char *p = begin;
    switch (type) {
    case integer_item:
        while (is(*p, in_integer)) ++p;
        if (!is_end(p) || !get_integer(begin, p, kind, place)) return false;
        at_ = p;
        break;
    case real_item:
        p = next_separator(begin);
        if (is_end(p) && get_plain_real(begin, p, kind, place)) {
            at_ = p;
            break;
        }
        p = begin;
        while (is(*p, in_real)) ++p;
        if (!is_end(p) || !get_real(begin, p, kind, place)) return false;
        at_ = p;
        break;
    case logical_item:
        if (!get_listed_logical(kind, place)) return false;
        break;
    case character_item:
        if (!get_word(place, bytes)) return false;
        break;
    default: return false;
    }
    is_first_ = false;
    return true;
}

}  // namespace headrace::run
