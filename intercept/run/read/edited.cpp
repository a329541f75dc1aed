// Formatted input: fields of a given width.
#include <cstring>
#include <string_view>

#include "../floating_point.hpp"
#include "reading.hpp"
#include "text/edit/edit_read_fields.hpp"

namespace headrace::run
{

// Of the format, for one more item. Null: the run time says why not, or the text ends.
const output_field *reading::next_field() noexcept
{
    for (;;) {
        switch (step_->kind) {
        case step_kind::field: return (step_++)->field;
        case step_kind::blanks:
            skipped_ += step_->count;
            ++step_;
            break;
        case step_kind::end_record:
            if (!next_line()) return nullptr;
            ++step_;
            break;
        case step_kind::colon: ++step_; break;
        case step_kind::again: step_ = program_->step(step_->count); break;
        case step_kind::end:
            if (program_->reverted() == nullptr || !next_line()) return nullptr;
            step_ = program_->reverted();
            break;
        default: return nullptr;
        }
    }
}

// The bytes of the field: fewer at the end of the line.
bool reading::take_field(std::size_t width, const char *&begin, const char *&end) noexcept
{
    if (!has_line()) return false;
    const char *p = at_;
    for (; skipped_ > 0; --skipped_) {
        if (*p == '\n' || (*p == '\r' && p[1] == '\n')) continue;
        if (*p == '\r') return false;
        ++p;
    }
    const auto left = static_cast<std::size_t>(end_ - p);
    const std::size_t most = width < left ? width : left;
    const auto *stop = static_cast<const char *>(std::memchr(p, '\n', most));
    if (stop != nullptr && stop > p && stop[-1] == '\r') --stop;
    begin = p;
    end = stop != nullptr ? stop : p + most;
    at_ = end;
    return std::memchr(begin, '\r', static_cast<std::size_t>(end - begin)) == nullptr;
}

namespace
{

bool is_real_field(edit_kind kind) noexcept { return kind >= edit_kind::fixed && kind <= edit_kind::general; }

// A variable keeps its value if the field is bad.
bool stored(field_state state, const std::uint64_t &value, std::size_t bytes, char *place) noexcept
{
    if (state != field_state::good) return false;
    std::memcpy(place, &value, bytes);  // little endian: its lowest bytes
    return true;
}

// What a field that is no text gives.
bool get_value(const output_field &field, int type, int kind, const char *begin, const char *end, char *place) noexcept
{
    const edit_kind edit = field.item.kind;
    const std::string_view text(begin, static_cast<std::size_t>(end - begin));
    const auto bytes = static_cast<std::size_t>(kind);
    std::uint64_t value = 0;
    // A comma ends a field early: an extension.
    if (text.find(',') != std::string_view::npos) return false;
    if (type == real_item && is_real_field(edit)) return get_edited_real(begin, end, field, kind, place);
    if (type == integer_item && (edit == edit_kind::integer || edit == edit_kind::general)) {
        const char *first = begin, *last = end;
        while (first < last && *first == ' ') ++first;
        while (last > first && last[-1] == ' ') --last;
        if (first < last && get_integer(first, last, kind, place)) return true;
        return stored(read_integer_field(text, false, bytes, &value), value, bytes, place);
    }
    if (type == integer_item && edit >= edit_kind::binary && edit <= edit_kind::hexadecimal) {
        const int bits = edit == edit_kind::binary ? 1 : edit == edit_kind::octal ? 3 : 4;
        return stored(read_radix_field(text, false, bits, bytes, &value), value, bytes, place);
    }
    if (type == logical_item && (edit == edit_kind::logical || edit == edit_kind::general)) {
        bool is_true = false;
        const field_state state = read_logical_field(text, is_true);
        value = is_true;
        return stored(state, value, bytes, place);
    }
    return false;
}

// A field that is longer than the variable gives its last characters.
void copy_text(const char *begin, const char *end, char *place, std::size_t bytes) noexcept
{
    auto length = static_cast<std::size_t>(end - begin);
    if (length > bytes) {
        begin = end - bytes;
        length = bytes;
    }
    if (length > 0) std::memcpy(place, begin, length);
    if (bytes > length) std::memset(place + length, ' ', bytes - length);
}

}  // namespace

bool reading::get_edited(int type, int kind, char *place, std::size_t bytes) noexcept
{
    const output_field *const field = next_field();
    if (field == nullptr || type == complex_item) return false;
    const edit_item &item = field->item;
    const bool is_text = type == character_item && (item.kind == edit_kind::character || item.kind == edit_kind::general);
    if (!is_text && (type == character_item || item.kind == edit_kind::character)) return false;
    std::size_t width = is_text && item.kind == edit_kind::character ? bytes : 0;
    if (item.width != absent) width = static_cast<std::size_t>(item.width);
    const char *begin, *end;
    if (width == 0 || !take_field(width, begin, end)) return false;
    if (is_text) copy_text(begin, end, place, bytes);
    else if (!get_value(*field, type, kind, begin, end, place)) return false;
    is_first_ = false;
    return true;
}

namespace
{

// An exponent that may be below the smallest number.
bool has_small_exponent(const char *begin, const char *end, int kind) noexcept
{
    const int limit = kind == 8 ? 280 : 20;
    for (const char *p = begin;
         (p = static_cast<const char *>(std::memchr(p, '-', static_cast<std::size_t>(end - p)))) != nullptr;) {
        int number = 0;
        for (++p; p < end && *p >= '0' && *p <= '9' && number < 10000; ++p) number = 10 * number + (*p - '0');
        if (number >= limit) return true;
    }
    return false;
}

// Values that raise flags of their own: subnormal ones, infinities, NaN, and those that are zero though they were written as less.
template <class Bits>
bool has_unusual(const char *values, std::size_t n, const char *begin, const char *end) noexcept
{
    bool has_zero = false;
    for (std::size_t i = 0; i < n; ++i) {
        Bits bits;
        std::memcpy(&bits, values + i * sizeof bits, sizeof bits);
        if (is_unusual(bits) || !is_finite(bits)) return true;
        has_zero = has_zero || bits << 1 == 0;
    }
    return has_zero && has_small_exponent(begin, end, sizeof(Bits));
}

bool has_unusual(int kind, const char *values, std::size_t n, const char *begin, const char *end) noexcept
{
    return kind == 8 ? has_unusual<std::uint64_t>(values, n, begin, end) : has_unusual<std::uint32_t>(values, n, begin, end);
}

}  // namespace

// Is a record to be read from its beginning on?
bool reading::begins_round() noexcept
{
    const format_step *step = step_;
    while (step->kind == step_kind::blanks) ++step;
    if (!is_first_ && step->kind == step_kind::end && program_->reverted() != nullptr && next_line()) step_ = program_->reverted();
    return skipped_ == 0 && (step_ == program_->first() || step_ == program_->reverted());
}

// Records that are all alike: as many values as they give, in blocks.
std::size_t reading::get_rows(int type, int kind, char *places, std::size_t n) noexcept
{
    const row_parser *const rows = program_->reads(type, kind);
    if (rows == nullptr || (floating_point_state() & inexact_flag) == 0 || !begins_round()) return 0;
    const kept_flags flags;
    const bool is_first = step_ == program_->first();
    const auto bytes = static_cast<std::size_t>(kind);
    std::size_t done = 0;
    while (n - done >= rows->values && has_line()) {
        const std::size_t records = static_cast<std::size_t>(end_ - at_) / rows->bytes;
        std::size_t wanted = (n - done) / rows->values;
        if (wanted > records) wanted = records;
        if (wanted > block_values / rows->values + 1) wanted = block_values / rows->values + 1;
        if (wanted == 0) break;
        char *const to = places + done * bytes;
        // Where the text has no value the program's variables keep theirs.
        const std::size_t all = wanted * rows->values * bytes;
        before_.clear();
        if (!before_.reserve(all)) break;
        std::memcpy(before_.data(), to, all);
        std::size_t good = rows->parse(at_, wanted * rows->values, to);
        good -= good % rows->values;
        std::memcpy(to + good * bytes, before_.data() + good * bytes, all - good * bytes);
        if (good == 0) break;
        const char *const behind = at_ + good / rows->values * rows->bytes;
        if (type == real_item && has_unusual(kind, to, good, at_, behind)) {
            std::memcpy(to, before_.data(), good * bytes);
            break;
        }
        at_ = behind;
        done += good;
        if (good < wanted * rows->values) break;
    }
    if (done == 0) return 0;
    // The last record is not ended: its trailing text belongs to it.
    --at_;
    step_ = program_->behind_field(is_first && done <= rows->values, rows->values - 1);
    is_first_ = false;
    return done;
}

}  // namespace headrace::run
