// WRITE to a character variable with several items: each becomes text in the variable at once. Nothing is written that the run
// time would not have written by then, so the long way can take over at any item.
#include <string>

#include "../section.hpp"
#include "fields.hpp"
#include "straight.hpp"

namespace headrace::run
{
namespace
{

// The place of the next text in the variable; all of it fits, or the long way knows.
class variable_text
{
   public:
    explicit variable_text(const frame &one) noexcept : at_(one.several.place), end_(one.several.end) {}
    bool has_room(std::size_t bytes) const noexcept { return bytes <= static_cast<std::size_t>(end_ - at_); }
    bool put(const char *text, std::size_t bytes) noexcept
    {
        if (!has_room(bytes)) return false;
        copy_text(at_, text, bytes);
        at_ += bytes;
        return true;
    }
    bool put(const short_text &text) noexcept
    {
        if (!has_room(static_cast<std::size_t>(text.bytes))) return false;
        text.write(at_);
        at_ += text.bytes;
        return true;
    }
    bool put_blanks(std::size_t bytes) noexcept
    {
        if (!has_room(bytes)) return false;
        if (bytes > 0) fill_blanks(at_, bytes);
        at_ += bytes;
        return true;
    }
    void fill_rest() noexcept { fill_blanks(at_, static_cast<std::size_t>(end_ - at_)); }
    char *place() const noexcept { return at_; }

   private:
    char *at_;
    const char *const end_;
};

constexpr int widest = static_cast<int>(field_window);

bool is_straight_field(const output_field &field) noexcept
{
    switch (field.item.kind) {
    case edit_kind::character: return true;  // of any width: no copy of it is made
    case edit_kind::integer:
    case edit_kind::logical: return field.item.width <= widest && field.item.digits <= widest;
    default: return takes_reals(field) && field.item.width <= widest && field.item.digits <= widest;
    }
}

// What stands in the format before the next field, or behind the last item. Null: the long way knows.
template <bool is_end>
const format_step *pass_control(const format_program &program, const format_step *step, std::size_t &blanks,
                                variable_text &to) noexcept
{
    for (;;) {
        switch (step->kind) {
        case step_kind::field: return step;
        case step_kind::text:
            if (!to.put_blanks(blanks) || !to.put(step->text->data(), step->text->size())) return nullptr;
            blanks = 0;
            ++step;
            break;
        case step_kind::blanks:
            blanks += step->count;
            ++step;
            break;
        case step_kind::colon:
            if (is_end) return step;
            ++step;
            break;
        case step_kind::again: step = program.step(step->count); break;
        case step_kind::end: return is_end ? step : nullptr;
        default: return nullptr;
        }
    }
}

bool put_integer(variable_text &to, const output_field &field, const char *item, int kind) noexcept
{
    const bool is_plain = field.item.kind == edit_kind::integer || (field.item.kind == edit_kind::general && field.item.width <= 0);
    const std::int64_t value = load_whole(item, kind);
    if (is_plain && field.item.digits == absent && field.modes.sign != '+') {
        const short_text text = integer_text(field.item, value);
        if (text.bytes > 0) return to.put(text);
    }
    char place[most_field_bytes];
    const char *const end = headrace::put_integer(place, field.item, field.modes.sign == '+', value);
    return to.put(place, static_cast<std::size_t>(end - place));
}

// Long ones of F0.d and G0 are the long way's.
bool put_real(variable_text &to, const output_field &field, const char *item, int kind) noexcept
{
    char place[most_field_bytes > 640 ? most_field_bytes : 640];
    if (const field_layout *const layout = kind == 4 ? field.single_layout : field.whole_layout) {
        const text_part text = layout_text(layout, real_item, kind, item, place);
        return to.put(text.begin, text.bytes);
    }
    const real_field &real = kind == 4 ? field.single : field.whole;
    if (real.most_bytes() > sizeof place) return false;
    const kept_flags flags;
    const char *const end = real.write(place, load_real(item, static_cast<std::size_t>(kind)));
    return end != nullptr && to.put(place, static_cast<std::size_t>(end - place));
}

bool put_characters(variable_text &to, const edit_item &item, const char *text, std::size_t bytes) noexcept
{
    const std::size_t width = item.width > 0 ? static_cast<std::size_t>(item.width) : bytes;
    if (width <= bytes) return to.put(text, width);
    // Of a field that does not fit the run time writes nothing.
    return to.has_room(width) && to.put_blanks(width - bytes) && to.put(text, bytes);
}

bool put_logical(variable_text &to, const edit_item &item, const char *value, std::size_t bytes) noexcept
{
    char place[most_field_bytes];
    const char *const end = headrace::put_logical(place, item, load_integer(value, bytes) != 0);
    return to.put(place, static_cast<std::size_t>(end - place));
}

bool put_field(variable_text &to, const output_field &field, int type, int kind, const char *value, std::size_t bytes) noexcept
{
    const bool is_general = field.item.kind == edit_kind::general;
    switch (type) {
    case integer_item: return (is_general || field.item.kind == edit_kind::integer) && put_integer(to, field, value, kind);
    case real_item: return takes_reals(field) && put_real(to, field, value, kind);
    case character_item:
        return (is_general || field.item.kind == edit_kind::character) && put_characters(to, field.item, value, bytes);
    case logical_item: return (is_general || field.item.kind == edit_kind::logical) && put_logical(to, field.item, value, bytes);
    default: return false;
    }
}

bool put_listed(frame &one, variable_text &to, int type, int kind, const char *value, std::size_t bytes) noexcept
{
    const bool is_text = type == character_item;
    const bool has_blank = !is_text || !one.several.was_characters;
    one.several.was_characters = is_text;
    if (is_text) return to.put_blanks(has_blank) && to.put(value, bytes);
    if (type != integer_item && type != real_item) return false;
    char place[most_field_bytes];
    const text_part text = layout_text(listed_layout(type, kind), type, kind, value, place);
    one.several.has_general_reals = true;
    return text.bytes > 0 && to.put(text.begin, text.bytes);
}

// Subnormal numbers and a line feed are the long way's.
bool is_plain(frame &one, int type, int kind, const char *value, std::size_t bytes) noexcept
{
    if (type == character_item) return !has_line_feed(value, bytes);
    if (kind > 8) return false;
    return type != real_item || is_usual_real(value, kind, one.has_finite_reals);
}

bool put_item(frame &one, int type, int kind, const char *value, std::size_t bytes) noexcept
{
    variable_text to(one);
    if (!is_plain(one, type, kind, value, bytes)) return false;
    const format_program *const program = one.where->program;
    if (program == nullptr) {
        if (!put_listed(one, to, type, kind, value, bytes)) return false;
    } else {
        const format_step *const step = pass_control<false>(*program, one.several.step, one.several.blanks, to);
        if (step == nullptr || !to.put_blanks(one.several.blanks) || !put_field(to, *step->field, type, kind, value, bytes))
            return false;
        one.several.blanks = 0;
        one.several.step = step + 1;
        const bool is_general_real = type == real_item && step->field->item.kind == edit_kind::general;
        one.several.has_general_reals = one.several.has_general_reals || is_general_real;
    }
    char *const kept = one.log.add(type, kind, bytes);
    if (kept == nullptr) return false;
    copy_text(kept, value, bytes);
    one.several.place = to.place();
    ++one.values;
    return true;
}

}  // namespace

bool is_straight(const format_program *program) noexcept
{
    if (program == nullptr) return true;
    if (!program->is_handled() || program->has_slash() || program->has_tab()) return false;
    for (const format_step *step = program->first(); step->kind != step_kind::end && step->kind != step_kind::again; ++step) {
        if (step->kind == step_kind::field && !is_straight_field(*step->field)) return false;
        if (step->kind == step_kind::text && step->text->find('\n') != std::string::npos) return false;
    }
    return true;
}

void begin_several(frame &one) noexcept
{
    one.log.clear();
    one.several.step = one.where->program != nullptr ? one.where->program->first() : nullptr;
    one.several.place = one.block->internal;
    one.several.end = one.block->internal + one.block->internal_length;
    one.several.blanks = 0;
    one.several.was_characters = false;
    one.several.has_general_reals = false;
}

bool puts_one_of_several(frame &one, int type, int kind, const char *item, std::size_t bytes) noexcept
{
    if (!is_part_of_its_variable(one, item, bytes) && put_item(one, type, kind, item, bytes)) return true;
    take_long_way(one);
    return false;
}

bool puts_section_of_several(frame &one, const section &items) noexcept
{
    constexpr std::size_t most = 64;
    if (items.total == 0) return true;
    if (items.total > most || !is_handled(items) || items.type == complex_item ||
        is_part_of_its_variable(one, items.first_byte(), items.all_bytes()))
        return false;
    const auto state_before = one.several;
    section_walk walk(items);
    for (std::size_t i = 0; i < items.total; ++i, walk.next()) {
        if (put_item(one, items.type, items.kind, walk.place(), items.bytes)) continue;
        one.several = state_before;
        one.values -= i;
        for (; i > 0; --i) one.log.drop_last();
        return false;
    }
    return true;
}

bool ends_several(frame &one) noexcept
{
    variable_text to(one);
    const format_program *const program = one.where->program;
    std::size_t blanks = one.several.blanks;
    if (program != nullptr && pass_control<true>(*program, one.several.step, blanks, to) == nullptr) {
        take_long_way(one);
        return false;
    }
    const auto bytes = static_cast<std::size_t>(to.place() - one.block->internal);
    to.fill_rest();
    if (one.has_finite_reals && one.several.has_general_reals) raise_inexact();
    one.where->count_taken(one.values, bytes);
    return true;
}

}  // namespace headrace::run
