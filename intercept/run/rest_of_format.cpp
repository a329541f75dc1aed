#include "rest_of_format.hpp"

namespace headrace::run
{
namespace
{

const char *letters_of(edit_kind kind) noexcept
{
    switch (kind) {
    case edit_kind::integer: return "I";
    case edit_kind::binary: return "B";
    case edit_kind::octal: return "O";
    case edit_kind::hexadecimal: return "Z";
    case edit_kind::fixed: return "F";
    case edit_kind::exponent: return "E";
    case edit_kind::exponent_d: return "D";
    case edit_kind::scientific: return "ES";
    case edit_kind::engineering: return "EN";
    case edit_kind::general: return "G";
    case edit_kind::logical: return "L";
    default: return "A";
    }
}

std::string modes_text(const edit_modes &modes)
{
    std::string text = std::to_string(modes.scale) + "P,";
    text += modes.sign == '+' ? "SP," : modes.sign == '-' ? "SS," : "S,";
    if (modes.rounding != 's') {
        text += 'R';
        text += static_cast<char>(modes.rounding - 'a' + 'A');
        text += ',';
    }
    text += modes.decimal == ',' ? "DC," : "DP,";
    return text;
}

std::string field_text(const output_field &field)
{
    const edit_item &item = field.item;
    std::string text = modes_text(field.modes) + letters_of(item.kind);
    if (item.width != absent) text += std::to_string(item.width);
    if (item.digits != absent) text += '.' + std::to_string(item.digits);
    if (item.exponent != absent) text += 'E' + std::to_string(item.exponent);
    return text;
}

std::string quoted(const std::string &literal)
{
    std::string text = "'";
    for (const char c : literal) {
        text += c;
        if (c == '\'') text += c;
    }
    return text + "'";
}

void add(std::string &text, const std::string &part)
{
    if (!text.empty()) text += ',';
    text += part;
}

// The steps from `step` to the end of the round; an unlimited group ends it.
std::string steps_text(const format_program &program, const format_step *step)
{
    std::string text;
    for (;; ++step) {
        switch (step->kind) {
        case step_kind::field: add(text, field_text(*step->field)); break;
        case step_kind::text:
            if (!step->text->empty()) add(text, quoted(*step->text));
            break;
        case step_kind::blanks:
            if (step->count > 0) add(text, std::to_string(step->count) + "X");
            break;
        case step_kind::tab: add(text, "T" + std::to_string(step->count + 1)); break;
        case step_kind::end_record: add(text, "/"); break;
        case step_kind::colon: add(text, ":"); break;
        case step_kind::again: {
            std::string group;
            for (const format_step *one = program.step(step->count); one != step; ++one)
                if (one->kind == step_kind::field) add(group, field_text(*one->field));
                else if (one->kind == step_kind::text) add(group, one->text->empty() ? "''" : quoted(*one->text));
                else if (one->kind == step_kind::blanks) add(group, std::to_string(one->count) + "X");
                else if (one->kind == step_kind::tab) add(group, "T" + std::to_string(one->count + 1));
                else add(group, one->kind == step_kind::colon ? ":" : "/");
            add(text, "*(" + group + ")");
            return text;
        }
        case step_kind::end: return text;
        }
    }
}

}  // namespace

std::string rest_of_format(const format_program &program, const format_step *step, std::size_t blanks)
{
    std::string text;
    if (blanks > 0) add(text, std::to_string(blanks) + "X");
    const std::string here = steps_text(program, step);
    if (!here.empty()) add(text, here);
    // Behind the end the format goes on with its last group, in a new record.
    const format_step *const again = program.reverted();
    if (again != nullptr && (here.empty() || here.find("*(") == std::string::npos)) {
        add(text, ":,/,(" + steps_text(program, again) + ")");
    }
    return "(" + text + ")";
}

}  // namespace headrace::run
