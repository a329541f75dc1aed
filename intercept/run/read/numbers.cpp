// Numbers as text, with the flags of the floating-point state that strtod leaves for the run time.
#include <cstring>
#include <string>
#include <string_view>

#include "../floating_point.hpp"
#include "reading.hpp"
#include "text/edit/edit_read_fields.hpp"
#include "text/kernels/parse_numbers_scalar.hpp"

namespace headrace::run
{
namespace
{

// Is significand * 10^power a number of so many bits? Of normal numbers.
bool is_exact(std::uint64_t significand, int power, int bits) noexcept
{
    if (significand == 0) return true;
    significand >>= __builtin_ctzll(significand);
    // 5^27 is the last power of five in 64 bits.
    constexpr int last = 27;
    std::uint64_t fives = 1;
    const int count = power < 0 ? -power : power;
    if (count > last) return false;
    for (int i = 0; i < count; ++i) fives *= 5;
    if (power < 0) {
        if (significand % fives != 0) return false;
        return (significand / fives) >> bits == 0;
    }
    const unsigned __int128 product = static_cast<unsigned __int128>(significand) * fives;
    return product >> bits == 0;
}

template <class Real>
constexpr int precision = sizeof(Real) == 8 ? 53 : 24;

// Subnormal numbers and infinities raise more flags, and so does what is rounded to the least normal number.
template <class Real>
bool is_ordinary(Real value) noexcept
{
    constexpr Real least = sizeof(Real) == 8 ? static_cast<Real>(2.2250738585072014e-308) : static_cast<Real>(1.17549435e-38f);
    constexpr Real most = sizeof(Real) == 8 ? static_cast<Real>(1.7976931348623157e308) : static_cast<Real>(3.40282347e38f);
    const Real magnitude = value < 0 ? -value : value;
    return value == 0 || (magnitude > least && magnitude <= most);
}

template <class Real>
bool get_parts(const scalar::decimal_parts &parts, char *place) noexcept
{
    Real value;
    // A number that is almost none becomes zero with flags.
    if (!scalar::round_parts(parts, value) || !is_ordinary(value) || (value == 0 && parts.significand != 0)) return false;
    if ((floating_point_state() & inexact_flag) == 0 && !is_exact(parts.significand, parts.power, precision<Real>)) raise_inexact();
    std::memcpy(place, &value, sizeof value);
    return true;
}

// More digits than fit a register.
template <class Real>
bool get_long(const char *begin, const char *end, char *place) noexcept
{
    if ((floating_point_state() & inexact_flag) == 0) return false;
    Real value;
    const kept_flags flags;
    if (parse_real(begin, end, number_style('.'), value) != field_state::good || !is_ordinary(value) || value == 0) return false;
    std::memcpy(place, &value, sizeof value);
    return true;
}

template <class Real>
bool get_any_edited(std::string_view text, const output_field &field, char *place) noexcept
{
    if ((floating_point_state() & inexact_flag) == 0) return false;
    read_modes modes;
    modes.scale = field.modes.scale;
    Real value;
    const kept_flags flags;
    try {
        std::string scratch;
        const int digits = field.item.digits == absent ? 0 : field.item.digits;
        if (read_real_field(text, digits, modes, scratch, value) != field_state::good || !is_ordinary(value)) return false;
    } catch (...) {
        return false;
    }
    if (value == 0 && text.find_first_of("123456789") != std::string_view::npos) return false;
    std::memcpy(place, &value, sizeof value);
    return true;
}

}  // namespace

bool get_plain_real(const char *begin, const char *end, int kind, char *place) noexcept
{
    scalar::decimal_parts parts;
    if (!scalar::read_decimal({begin, end}, number_style('.'), parts)) return false;
    return kind == 8 ? get_parts<double>(parts, place) : kind == 4 && get_parts<float>(parts, place);
}

bool get_plain_edited(const char *begin, const char *end, const output_field &field, int kind, char *place) noexcept
{
    while (begin < end && *begin == ' ') ++begin;
    while (end > begin && end[-1] == ' ') --end;
    scalar::decimal_parts parts;
    const bool is_plain = begin < end && scalar::read_decimal({begin, end}, number_style('.'), parts) &&
                          (parts.has_point || field.item.digits == absent || field.item.digits == 0) &&
                          (field.modes.scale == 0 || parts.has_exponent);
    if (!is_plain) return false;
    return kind == 8 ? get_parts<double>(parts, place) : kind == 4 && get_parts<float>(parts, place);
}

bool get_real(const char *begin, const char *end, int kind, char *place) noexcept
{
    scalar::decimal_parts parts;
    if (!scalar::read_decimal({begin, end}, number_style('.'), parts))
        return kind == 8 ? get_long<double>(begin, end, place) : kind == 4 && get_long<float>(begin, end, place);
    return kind == 8 ? get_parts<double>(parts, place) : kind == 4 && get_parts<float>(parts, place);
}

bool get_edited_real(const char *begin, const char *end, const output_field &field, int kind, char *place) noexcept
{
    if (get_plain_edited(begin, end, field, kind, place)) return true;
    const std::string_view text(begin, static_cast<std::size_t>(end - begin));
    if (text.find_first_not_of(' ') == std::string_view::npos) {
        std::memset(place, 0, static_cast<std::size_t>(kind));
        return true;
    }
    if (ends_early(text)) return false;
    return kind == 8 ? get_any_edited<double>(text, field, place) : kind == 4 && get_any_edited<float>(text, field, place);
}

bool get_integer(const char *begin, const char *end, int kind, char *place) noexcept
{
    std::int64_t value;
    if (!scalar::read_integer<std::int64_t>({begin, end}, value)) return false;
    if (kind < 8) {
        const std::int64_t limit = std::int64_t{1} << (8 * kind - 1);
        if (value < -limit || value >= limit) return false;
    }
    std::memcpy(place, &value, static_cast<std::size_t>(kind));  // little endian: its lowest bytes
    return true;
}

}  // namespace headrace::run
