#include "field_kernels.hpp"
#include "locks.hpp"

#include <memory>
#include <vector>

#include "blocks.hpp"

namespace headrace::run
{
namespace
{

constexpr std::size_t most_layouts = 512;

struct kept_layout {
    bool is_packed;
    field_layout layout;
};
std::vector<std::unique_ptr<kept_layout>> *layouts;

const field_layout *made(const field_edit &edit, bool is_packed)
{
    if (layouts == nullptr) layouts = new std::vector<std::unique_ptr<kept_layout>>;
    for (const auto &one : *layouts)
        if (one->is_packed == is_packed && one->layout.edit == edit) return &one->layout;
    if (layouts->size() >= most_layouts) return nullptr;
    auto one = std::make_unique<kept_layout>();
    one->is_packed = is_packed;
    const bool is_good = is_packed ? make_packed_layout(edit, one->layout) : make_field_layout(edit, "", 0, one->layout);
    if (!is_good) return nullptr;
    layouts->push_back(std::move(one));
    return &layouts->back()->layout;
}

const field_layout *layout_of(const field_edit &edit, bool is_packed)
{
    const locked hold(lock_of_layouts);
    const field_layout *result = nullptr;
    try {
        result = made(edit, is_packed);
    } catch (...) {
    }
    return result;
}

bool has_default_modes(const edit_modes &modes) noexcept
{
    return modes.sign != '+' && modes.decimal == '.' && (modes.rounding == 's' || modes.rounding == 'p');
}

bool edit_of_real(const edit_item &item, int scale, field_edit &edit) noexcept
{
    switch (item.kind) {
    case edit_kind::exponent:
    case edit_kind::exponent_d:
        edit.form = scale == 1 ? field_form::scientific : field_form::exponent;
        edit.letter = item.kind == edit_kind::exponent_d ? 'D' : 'E';
        edit.exponent_digits = item.exponent;
        return (scale == 0 || scale == 1) && item.digits > 0;
    case edit_kind::scientific:
        edit.form = field_form::scientific;
        edit.exponent_digits = item.exponent;
        return item.digits >= 0;
    case edit_kind::fixed: edit.form = field_form::fixed; return scale == 0 && item.digits >= 0;
    case edit_kind::general:
        edit.form = field_form::general;
        edit.exponent_digits = item.exponent;
        return scale == 0 && item.digits > 0;
    default: return false;
    }
}

// G0 and G0.d, with as many exponent digits as the dialect writes.
field_kernel packed_kernel(const edit_item &item, int kind, const edit_dialect &dialect)
{
    if (item.kind != edit_kind::general || item.exponent != absent) return {nullptr, false};
    field_edit edit;
    edit.form = field_form::general;
    edit.single = kind == 4;
    edit.digits = item.digits > 0 ? item.digits : kind == 4 ? 9 : 17;
    edit.exponent_digits = dialect.has(edit_feature::full_exponent) ? (kind == 4 ? 2 : 3) : 0;
    return {layout_of(edit, true), true};
}

}  // namespace

field_kernel kernel_of(const edit_item &item, const edit_modes &modes, int type, int kind, const edit_dialect &dialect)
{
    if (!has_default_modes(modes)) return {nullptr, false};
    field_edit edit;
    edit.width = item.width;
    edit.digits = item.digits;
    if (type == real_item) {
        if (item.width == 0 && modes.scale == 0) return packed_kernel(item, kind, dialect);
        edit.single = item.kind == edit_kind::general && kind == 4;
        if (item.width < 1 || !edit_of_real(item, modes.scale, edit)) return {nullptr, false};
        return {layout_of(edit, false), false};
    }
    if (type != integer_item || item.width < 1 || item.kind != edit_kind::integer) return {nullptr, false};
    edit.form = field_form::integer;
    if (item.digits == absent) edit.digits = 1;
    return {layout_of(edit, false), false};
}

field_kernel list_kernel_of(int type, int kind)
{
    const auto bytes = static_cast<std::size_t>(kind);
    if (type == real_item) return {layout_of(list_directed_real(bytes), false), false};
    if (type == integer_item) return {layout_of(list_directed_integer(bytes), false), false};
    return {nullptr, false};
}

}  // namespace headrace::run
