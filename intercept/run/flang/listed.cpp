// Reals: flang writes the decimal digits that the two ends of the interval have in common which reads back as the value, and one
// more between them. That is the shortest text, but not always the closest to the value.
//
// Source: flang/lib/Decimal/binary-to-decimal.cpp and flang/runtime/edit-output.cpp of LLVM 19, and its text of a million values.
#include "listed.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "../blocks.hpp"
#include "text/edit/edit_write_values.hpp"
#include "text/kernels/format_numbers.hpp"
#include "text/powers_of_ten.hpp"

namespace headrace::run
{
namespace
{

using wide = unsigned __int128;

// Of a positive real: significand * 2^exponent, 2^(bits - 1) <= significand.
struct binary {
    std::uint64_t significand;
    int exponent;
    bool is_power_of_two, is_at_an_end;  // of its kind's range
};

binary parts_of(double value) noexcept
{
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    const int biased = static_cast<int>(bits >> 52) & 0x7FF;
    const bool is_smallest = biased < 1 || (biased == 1 && fraction == 0),
               is_largest = bits << 1 == std::uint64_t{0xFFDFFFFFFFFFFFFE};
    return {fraction | std::uint64_t{1} << 52, biased - 1075, fraction == 0, is_smallest || is_largest};
}

binary parts_of(float value) noexcept
{
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const std::uint32_t fraction = bits & ((std::uint32_t{1} << 23) - 1);
    const int biased = static_cast<int>(bits >> 23) & 0xFF;
    const bool is_smallest = biased < 1 || (biased == 1 && fraction == 0), is_largest = bits << 1 == std::uint32_t{0xFEFFFFFE};
    return {fraction | std::uint32_t{1} << 23, biased - 150, fraction == 0, is_smallest || is_largest};
}

// As `scaled`, exactly, of what is not too large for it.
bool divided(std::uint64_t factor, int exponent, int power, std::uint64_t &whole, bool &is_whole) noexcept
{
    constexpr int most_bits = 127;
    const int zeros = __builtin_ctzll(factor);
    factor >>= zeros;
    exponent += zeros;
    if (exponent < 0 || power < -38 || 64 - __builtin_clzll(factor) + exponent > most_bits) return false;
    wide ten = 1;
    for (int i = power; i < 0; ++i) ten *= 10;
    const wide number = static_cast<wide>(factor) << exponent;
    whole = static_cast<std::uint64_t>(number / ten);
    is_whole = number % ten == 0;
    return true;
}

// floor(factor * 2^exponent * 10^power), and whether that is all of it. False: the powers of the table do not tell.
bool scaled(std::uint64_t factor, int exponent, int power, std::uint64_t &whole, bool &is_whole) noexcept
{
    constexpr int last_exact = 55;
    if (power < 0 && divided(factor, exponent, power, whole, is_whole)) return true;
    const wide_power &ten = powers_of_ten[static_cast<std::size_t>(power - lowest_power)];
    const wide low = static_cast<wide>(factor) * ten.low, high = static_cast<wide>(factor) * ten.high;
    const auto rest = static_cast<std::uint64_t>(low);
    const wide product = high + (low >> 64);
    const int shift = 63 - exponent_of_power(power) - exponent;  // of the product without `rest`
    if (shift < 48 || shift > 127) return false;
    whole = static_cast<std::uint64_t>(product >> shift);
    const wide fraction = product << (128 - shift);
    is_whole = fraction == 0 && rest == 0;
    if (power >= 0 && power <= last_exact) return true;
    // The powers are rounded down: what lies just below a whole number may be one.
    is_whole = false;
    return (fraction >> 80) != (wide{1} << 48) - 1;
}

struct decimal {
    char digits[24];
    int count;
    int exponent;  // of the first digit
};

// False: the run time must say it.
bool shortest(const binary &of, double value, decimal &result) noexcept
{
    if (of.is_at_an_end) return false;
    const int power = 17 - static_cast<int>(std::floor(std::ilogb(value) * 0.30102999566398119521));
    if (power < lowest_power || power > highest_power) return false;
    const std::uint64_t middle = 4 * of.significand;
    const int more = of.significand < std::uint64_t{1} << 24 ? 29 : 0;  // bits, for a product of the same length
    std::uint64_t least, most;
    bool least_is_whole, most_is_whole;
    if (!scaled((middle - (of.is_power_of_two ? 1 : 2)) << more, of.exponent - 2 - more, power, least, least_is_whole) ||
        !scaled((middle + 2) << more, of.exponent - 2 - more, power, most, most_is_whole))
        return false;
    if (most_is_whole) --most;  // the end itself is another value's, maybe
    if (most <= least) return false;
    int dropped = 0;
    for (; most / 10 != least / 10; ++dropped) most /= 10, least /= 10;
    most -= (most % 10 - least % 10) / 2;
    char reversed[24];
    int count = 0;
    for (; most > 0; most /= 10) reversed[count++] = static_cast<char>('0' + most % 10);
    for (int i = 0; i < count; ++i) result.digits[i] = reversed[count - 1 - i];
    result.count = count;
    result.exponent = count - 1 + dropped - power;
    while (result.count > 1 && result.digits[result.count - 1] == '0') --result.count;
    return true;
}

char *put(char *out, const char *text, int count) noexcept
{
    std::memcpy(out, text, static_cast<std::size_t>(count));
    return out + count;
}

char *put_zeros(char *out, int count) noexcept
{
    std::memset(out, '0', static_cast<std::size_t>(count));
    return out + count;
}

// .00123, 123., 12.3
char *put_fixed(char *out, const decimal &number) noexcept
{
    const int before = number.exponent + 1;
    if (before <= 0) {
        *out++ = '.';
        out = put_zeros(out, -before);
        return put(out, number.digits, number.count);
    }
    if (number.count <= before) {
        out = put(out, number.digits, number.count);
        out = put_zeros(out, before - number.count);
        *out++ = '.';
        return out;
    }
    out = put(out, number.digits, before);
    *out++ = '.';
    return put(out, number.digits + before, number.count - before);
}

char *put_exponent(char *out, int exponent, int least_digits) noexcept
{
    *out++ = 'E';
    *out++ = exponent < 0 ? '-' : '+';
    const int size = exponent < 0 ? -exponent : exponent;
    if (size >= 100) *out++ = static_cast<char>('0' + size / 100);
    if (size >= 10 || least_digits > 1) *out++ = static_cast<char>('0' + size / 10 % 10);
    *out++ = static_cast<char>('0' + size % 10);
    return out;
}

// 1.23E-05
char *put_scientific(char *out, const decimal &number) noexcept
{
    *out++ = number.digits[0];
    *out++ = '.';
    out = put(out, number.digits + 1, number.count - 1);
    return put_exponent(out, number.exponent, 2);
}

template <class Real>
constexpr int precision = sizeof(Real) == 8 ? 15 : 6;  // decimal digits, as flang counts them

// Whether a list has an exponent says the value with one digit: below 0.1, or more digits than the kind has.
template <class Real>
std::size_t put_listed(char *out, const decimal &number, double value) noexcept
{
    constexpr double smallest_fixed = 0.095, above_fixed = sizeof(Real) == 8 ? 9.5e14 : 9.5e5;
    const bool is_fixed = value >= smallest_fixed && value < above_fixed;
    return static_cast<std::size_t>((is_fixed ? put_fixed(out, number) : put_scientific(out, number)) - out);
}

// Of G0 the value with as many digits as the kind has says it: 0.123 to 123., or .123E-5
template <class Real>
std::size_t put_general(char *out, const decimal &number, double) noexcept
{
    constexpr int digits = precision<Real>;
    int nines = 0;
    while (nines < number.count && number.digits[nines] == '9') ++nines;
    if (nines >= digits && number.count > digits) return 0;  // it is rounded up to the next power of ten, maybe
    const int exponent = number.exponent + 1;
    char *end = out;
    if (exponent >= 0 && exponent <= digits) return static_cast<std::size_t>(put_fixed(out, number) - out);
    *end++ = '.';
    end = put(end, number.digits, number.count);
    return static_cast<std::size_t>(put_exponent(end, exponent, 1) - out);
}

template <class Real, std::size_t (*put_number)(char *, const decimal &, double)>
std::size_t real_text(const char *place, char *out) noexcept
{
    Real value;
    std::memcpy(&value, place, sizeof value);
    char *end = out;
    if (std::signbit(value)) *end++ = '-';
    value = std::fabs(value);
    if (value == 0) {
        *end++ = '0';
        *end++ = '.';
        return static_cast<std::size_t>(end - out);
    }
    decimal number;
    if (!std::isfinite(value) || !shortest(parts_of(value), static_cast<double>(value), number)) return 0;
    const std::size_t length = put_number(end, number, static_cast<double>(value));
    return length == 0 ? 0 : static_cast<std::size_t>(end - out) + length;
}

}  // namespace

std::size_t flang_listed_number(int type, int kind, const char *value, char *out) noexcept
{
    switch (type) {
    case integer_item: {
        const std::int64_t number = load_integer(value, static_cast<std::size_t>(kind));
        return static_cast<std::size_t>(format_integers(out, &number, 1, " ") - 1 - out);
    }
    case logical_item: *out = load_integer(value, static_cast<std::size_t>(kind)) != 0 ? 'T' : 'F'; return 1;
    case real_item:
        return kind == 8 ? real_text<double, put_listed<double>>(value, out) : real_text<float, put_listed<float>>(value, out);
    default: return 0;
    }
}

std::size_t flang_general_real(int kind, const char *value, char *out) noexcept
{
    return kind == 8 ? real_text<double, put_general<double>>(value, out) : real_text<float, put_general<float>>(value, out);
}

}  // namespace headrace::run
