#include "format_program.hpp"
#include "locks.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "blocks.hpp"
#include "field_kernels.hpp"

namespace headrace::run
{
namespace
{

constexpr std::size_t most_steps = 20000;
constexpr std::size_t most_programs = 4000;
constexpr std::size_t longest_joined_text = 4096;

bool takes_reals(edit_kind kind) noexcept { return kind >= edit_kind::fixed && kind <= edit_kind::general; }

}  // namespace

format_program::format_program(std::string text, const edit_dialect &dialect)
{
    if (!parse_edit_format(text, format_, '.', dialect).ok()) {
        format_.text = std::move(text);
        refuse("the format has an error, or an extension");
        return;
    }
    // A signed character of -1: gfortran's end of the text.
    if (format_.text.find('\xff') != std::string::npos) {
        refuse("byte 255 in the format, which ends it");
        return;
    }
    has_slash_ = format_.text.find('/') != std::string::npos;
    make_steps();
    if (is_handled()) find_fields();
}

bool format_program::refuse(const char *reason) noexcept
{
    if (reason_ == nullptr) reason_ = reason;
    return false;
}

namespace
{

// How many steps these items become, counted to the limit only: 10000(...) is common, and is never used up.
std::size_t steps_of(const edit_format &format, std::size_t first, std::size_t last)
{
    std::size_t total = 0;
    for (std::size_t i = first; i < last && total <= most_steps; ++i) {
        const edit_item &item = format.items[i];
        const std::size_t times = item.repeat > 1 ? static_cast<std::size_t>(item.repeat) : 1;
        if (item.kind == edit_kind::group_begin) {
            const std::size_t inside = steps_of(format, i + 1, item.partner);
            total += inside > most_steps / times ? most_steps + 1 : inside * times;
            i = item.partner;
        } else {
            total += times;
        }
    }
    return total;
}

}  // namespace

void format_program::make_steps()
{
    const std::size_t first_round = steps_of(format_, 0, format_.items.size());
    if (first_round > most_steps) {
        refuse("the format is too long");
        return;
    }
    constexpr std::size_t usual_steps = 64;  // repeated texts become one
    steps_.reserve(std::min(first_round + steps_of(format_, format_.reversion, format_.items.size()) + 2, usual_steps));
    edit_modes modes;
    bool has_field = false;
    if (!add_items(0, format_.items.size(), modes, has_field)) return;
    steps_.push_back({step_kind::end, 0, nullptr, nullptr});
    second_ = joins_from_ = steps_.size();
    const edit_modes before = modes;
    has_field = false;
    if (!add_items(format_.reversion, format_.items.size(), modes, has_field)) return;
    if (!(modes == before)) {
        refuse("the modes of the format change from round to round");
        return;
    }
    reverts_to_field_ = has_field;
    steps_.push_back({step_kind::end, 1, nullptr, nullptr});
}

bool format_program::add_items(std::size_t first, std::size_t last, edit_modes &modes, bool &has_field)
{
    for (std::size_t i = first; i < last; ++i) {
        const edit_item &item = format_.items[i];
        if (steps_.size() > most_steps) return refuse("the format is too long");
        if (item.kind == edit_kind::group_begin) {
            if (!add_group(i, modes, has_field)) return false;
            i = item.partner;
        } else if (item.kind <= edit_kind::character) {
            if (!add_fields(item, modes)) return false;
            has_field = true;
        } else if (!add_control(item, modes)) {
            return false;
        }
    }
    return true;
}

bool format_program::add_group(std::size_t begin, edit_modes &modes, bool &has_field)
{
    const edit_item &group = format_.items[begin];
    if (group.repeat != unlimited_repeat) {
        for (int round = 0; round < group.repeat; ++round)
            if (!add_items(begin + 1, group.partner, modes, has_field)) return false;
        return true;
    }
    bool inside = false;
    if (!add_items(begin + 1, group.partner, modes, inside)) return false;
    if (!inside) return refuse("an unlimited group without a data edit descriptor");
    const edit_modes before = modes;
    const auto again = static_cast<std::uint32_t>(steps_.size());
    joins_from_ = steps_.size();
    if (!add_items(begin + 1, group.partner, modes, inside)) return false;
    if (!(modes == before)) return refuse("the modes of the format change from round to round");
    steps_.push_back({step_kind::again, again, nullptr, nullptr});
    has_field = true;
    is_unlimited_ = true;
    return true;
}

namespace
{

// Formats have few different descriptors, and groups repeat theirs: one is kept for all. There is one dialect in a process.
using field_key = std::tuple<edit_kind, int, int, int, int, int, char, char, char>;
using field_table = std::map<field_key, output_field>;
field_table *fields;

const output_field *shared_field(const edit_item &item, const edit_modes &modes, const edit_dialect &dialect)
{
    if (fields == nullptr) fields = new field_table;
    const field_key key{item.kind,   item.width, item.digits,    item.exponent, item.value,
                        modes.scale, modes.sign, modes.rounding, modes.decimal};
    const auto known = fields->find(key);
    if (known != fields->end()) return &known->second;
    output_field field;
    field.item = item;
    field.modes = modes;
    if (takes_reals(item.kind)) {
        field.single = real_field(item, modes, 4, dialect);
        field.whole = real_field(item, modes, 8, dialect);
        const field_kernel single = kernel_of(item, modes, real_item, 4, dialect);
        const field_kernel whole = kernel_of(item, modes, real_item, 8, dialect);
        if (!single.is_packed) field.single_layout = single.layout;
        if (!whole.is_packed) field.whole_layout = whole.layout;
    }
    return &fields->emplace(key, std::move(field)).first->second;
}

}  // namespace

bool format_program::add_fields(const edit_item &item, const edit_modes &modes)
{
    // Its flags of the floating-point state depend on the value in ways of their own.
    if (item.kind == edit_kind::engineering) return refuse("EN in the format");
    if (item.repeat < 1 || steps_.size() + static_cast<std::size_t>(item.repeat) > most_steps)
        return refuse("the format is too long");
    const output_field *const field = shared_field(item, modes, format_.dialect);
    for (int i = 0; i < item.repeat; ++i) steps_.push_back({step_kind::field, 0, field, nullptr});
    return true;
}

bool format_program::add_control(const edit_item &item, edit_modes &modes)
{
    switch (item.kind) {
    case edit_kind::literal: add_text(item.literal); return true;
    case edit_kind::skip:
    case edit_kind::tab_right:
        steps_.push_back({step_kind::blanks, static_cast<std::uint32_t>(item.value), nullptr, nullptr});
        return true;
    case edit_kind::slash:
        for (int i = 0; i < item.repeat; ++i) steps_.push_back({step_kind::end_record, 0, nullptr, nullptr});
        return true;
    case edit_kind::colon: steps_.push_back({step_kind::colon, 0, nullptr, nullptr}); return true;
    case edit_kind::sign: modes.sign = static_cast<char>(item.value); return true;
    case edit_kind::scale: modes.scale = item.value; return true;
    case edit_kind::rounding: modes.rounding = static_cast<char>(item.value); return true;
    case edit_kind::decimal: modes.decimal = static_cast<char>(item.value); return true;
    case edit_kind::blank: return true;
    case edit_kind::tab:
        has_tab_ = true;
        steps_.push_back({step_kind::tab, static_cast<std::uint32_t>(item.value) - 1, nullptr, nullptr});
        return true;
    default: return refuse("TL in the format");
    }
}

// 103('-') and '|',6x,'|' are one text.
void format_program::add_text(const std::string &text)
{
    std::size_t before = steps_.size();
    std::size_t blanks = 0;
    while (before > joins_from_ && steps_[before - 1].kind == step_kind::blanks && blanks <= longest_joined_text)
        blanks += steps_[--before].count;
    const bool is_behind_text = before > joins_from_ && steps_[before - 1].kind == step_kind::text;
    if (!is_behind_text || steps_[before - 1].text->size() + blanks + text.size() > longest_joined_text) {
        steps_.push_back({step_kind::text, 0, nullptr, &text});
        return;
    }
    steps_.resize(before);
    format_step &joined = steps_.back();
    if (joined.text != joined_text_) {
        joined_texts_.push_front(*joined.text);
        joined.text = joined_text_ = &joined_texts_.front();
    }
    joined_text_->append(blanks, ' ').append(text);
}

void format_program::find_fields()
{
    for (std::size_t i = 0; i < steps_.size(); ++i)
        if (steps_[i].kind == step_kind::field) (i < second_ ? first_fields_ : later_fields_).push_back(i);
}

// Only if every round has the same fields: then a value's field follows from its number.
bool format_program::has_general() const noexcept
{
    for (const format_step &step : steps_)
        if (step.kind == step_kind::field && step.field->item.kind == edit_kind::general) return true;
    return false;
}

bool format_program::has_same_rounds() const noexcept
{
    return !is_unlimited_ && !first_fields_.empty() && first_fields_.size() == later_fields_.size();
}

namespace
{

struct row_kind {
    type_class type;
    std::size_t bytes;
};
constexpr row_kind kinds_of_rows[] = {
    {type_class::real, 4}, {type_class::real, 8}, {type_class::integer, 4}, {type_class::integer, 8}};

// -1: no kernel has it.
int index_of_rows(int type_code, int kind) noexcept
{
    if (type_code != real_item && type_code != integer_item) return -1;
    const type_class type = type_code == integer_item ? type_class::integer : type_class::real;
    for (int i = 0; i < static_cast<int>(std::size(kinds_of_rows)); ++i)
        if (kinds_of_rows[i].type == type && kinds_of_rows[i].bytes == static_cast<std::size_t>(kind)) return i;
    return -1;
}

}  // namespace

template <class Rows, class Make>
const Rows *format_program::of_kind(made_once<Rows> *kinds, int type_code, int kind, Make make) const noexcept
{
    const int index = index_of_rows(type_code, kind);
    if (index < 0 || !has_same_rounds()) return nullptr;
    return kinds[index].get([&] {
        auto rows = make(format_, kinds_of_rows[index].type, kinds_of_rows[index].bytes);
        if (rows && rows->values != first_fields_.size()) rows.reset();
        return rows;
    });
}

const row_formatter *format_program::rows(int type_code, int kind) const noexcept
{
    return of_kind(rows_, type_code, kind, make_row_formatter);
}

const row_parser *format_program::reads(int type_code, int kind) const noexcept
{
    return of_kind(reads_, type_code, kind, make_row_parser);
}

const char *format_program::why_not_read() const noexcept
{
    for (const edit_item &item : format_.items) {
        // An error of the whole format, whether or not it comes to this item.
        if (item.kind < edit_kind::logical && item.width == 0) return "a width of zero in a format for READ";
        switch (item.kind) {
        case edit_kind::literal: return "a text in a format for READ";
        case edit_kind::blank: return "BN or BZ in the format";
        case edit_kind::rounding: return "a rounding mode in the format";
        case edit_kind::decimal: return "DC or DP in the format";
        default: break;
        }
    }
    return nullptr;
}

namespace
{

using program_table = std::unordered_map<std::string_view, std::unique_ptr<format_program>>;
program_table *programs;
edit_dialect *dialect;

format_program *made(std::string_view text)
{
    if (programs == nullptr) programs = new program_table;
    const auto found = programs->find(text);
    if (found != programs->end()) return found->second.get();
    if (programs->size() >= most_programs) return nullptr;
    auto program = std::make_unique<format_program>(std::string(text), dialect ? *dialect : edit_dialect());
    format_program *const result = program.get();
    programs->emplace(std::string_view(result->text()), std::move(program));
    return result;
}

}  // namespace

const format_program *program_of(const char *text, std::size_t bytes) noexcept
{
    const locked hold(lock_of_formats);
    const format_program *result = nullptr;
    try {
        result = made({text, bytes});
    } catch (...) {
        // Without memory the run time formats.
    }
    return result;
}

void set_dialect(const edit_dialect &chosen) noexcept
{
    try {
        dialect = new edit_dialect(chosen);
    } catch (...) {
    }
}

#ifdef HEADRACE_FUZZ
void forget_programs() noexcept
{
    delete programs;
    programs = nullptr;
    delete fields;
    fields = nullptr;
}
#endif

}  // namespace headrace::run
