#include "formats.hpp"

namespace headrace::run
{

// What was compared over random and edge values (test/run/flang). flang rounds a half of F with no digits up, G and EN have other
// forms there, and with a width of zero it leaves the zero before the point out. G0 is listed.cpp's.
static const char *why_left(const edit_item &item, int &scale) noexcept
{
    switch (item.kind) {
    case edit_kind::integer:
        if (item.width < 0) return "an integer without a width";
        return item.digits == 0 ? "I with no digits" : nullptr;
    case edit_kind::fixed:
        if (item.width < 1 || item.digits < 1) return "F with a width of zero or no digits";
        return scale != 0 ? "F with a scale factor" : nullptr;
    case edit_kind::exponent:
    case edit_kind::exponent_d:
        if (item.width < 1 || item.digits < 1 || item.exponent == 0) return "E with a width of zero or no digits";
        return scale != 0 && scale != 1 ? "E with a scale factor above 1" : nullptr;
    case edit_kind::scientific:
        if (item.width < 1 || item.digits < 1 || item.exponent == 0) return "ES with a width of zero or no digits";
        return scale != 0 && scale != 1 ? "ES with a scale factor above 1" : nullptr;
    case edit_kind::general:
        if (item.width != 0 || item.digits != absent || item.exponent != absent) return "G with a width or digits";
        return scale != 0 ? "G with a scale factor" : nullptr;
    case edit_kind::character: return item.width == 0 ? "A with a width of zero" : nullptr;
    case edit_kind::logical: return item.width < 1 ? "L with a width of zero" : nullptr;
    case edit_kind::literal: return item.literal.find('\n') != std::string::npos ? "a line feed in the format" : nullptr;
    case edit_kind::scale: scale = item.value; return nullptr;
    case edit_kind::skip:
    case edit_kind::slash:
    case edit_kind::colon:
    case edit_kind::group_begin:
    case edit_kind::group_end: return nullptr;
    default: return "an edit descriptor that is not taken over of flang";
    }
}

const char *why_left_to_flang(const format_program &program) noexcept
{
    int scale = 0;
    for (const edit_item &item : program.format().items)
        if (const char *const reason = why_left(item, scale)) return reason;
    return nullptr;
}

}  // namespace headrace::run
