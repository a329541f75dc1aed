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
        case step_kind::tab:
            if (!take_tab(step_->count)) return nullptr;
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

// Where the text of the line ends; null: it is not known.
inline const char *reading::last_of_line() noexcept
{
    if (line_end_ == nullptr) line_end_ = static_cast<const char *>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
    const bool has_return = line_end_ != nullptr && from_ != nullptr && line_end_ > at_ && line_end_[-1] == '\r';
    return has_return ? line_end_ - 1 : line_end_;
}

// Behind the end of the line the run time has other columns.
bool reading::take_tab(std::size_t offset) noexcept
{
    if (!has_line() || tabs_from_ == nullptr || has_passed_end_) return false;
    const char *const last = last_of_line();
    if (last == nullptr || skipped_ > static_cast<std::size_t>(last - at_)) return false;
    const auto now = static_cast<std::size_t>(at_ - tabs_from_);
    skipped_ = offset > now ? offset - now : 0;
    if (offset < now) at_ = tabs_from_ + offset;
    return true;
}

// The bytes of the field: fewer at the end of the line.
bool reading::take_field(std::size_t width, const char *&begin, const char *&end) noexcept
{
    if (!has_line()) return false;
    if (stays_ || (from_ != nullptr && from_->has_lone_returns())) return take_field_by_byte(width, begin, end);
    const char *const last = last_of_line();
    if (last == nullptr) return take_field_by_byte(width, begin, end);
    const auto left = static_cast<std::size_t>(last - at_);
    const std::size_t passed = skipped_ < left ? skipped_ : left;
    if (skipped_ > left || width > left - passed) has_passed_end_ = true;
    skipped_ = 0;
    begin = at_ + passed;
    end = at_ = width < left - passed ? begin + width : last;
    return true;
}

// The same if the line may end in other ways, or ends the statement.
bool reading::take_field_by_byte(std::size_t width, const char *&begin, const char *&end) noexcept
{
    if (stays_ && counts_ && skipped_ > 0) return false;
    const char *p = at_;
    const bool skips = skipped_ > 0;
    for (; skipped_ > 0; --skipped_, ++p) {
        const bool is_end = *p == '\n' || (*p == '\r' && p[1] == '\n');
        if (stays_ ? is_end || *p == '\r' : *p == '\r' && !is_end) return false;
        if (is_end) break;
    }
    skipped_ = 0;
    const auto left = static_cast<std::size_t>(end_ - p);
    const std::size_t most = width < left ? width : left;
    const auto *const stop = static_cast<const char *>(std::memchr(p, '\n', most));
    if (stays_) {
        const char *const behind = stop != nullptr ? stop : p + most;
        if ((behind > p && behind[-1] == '\r') || (stop == nullptr ? left < width : !may_end_record_)) return false;
        if (stop != nullptr && skips) return false;
        has_ended_record_ = stop != nullptr;
        const auto read = static_cast<std::size_t>((stop != nullptr ? stop : p + most) - p);
        size_ += read;
        has_read_ = has_read_ || read > 0;
    }
    const char *last = stop != nullptr ? stop : p + most;
    if (stop != nullptr && last > p && last[-1] == '\r') --last;
    begin = p;
    end = at_ = last;
    return true;
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
    if (type == real_item && is_real_field(edit)) return get_edited_real(begin, end, field, kind, place);
    if (type == integer_item && (edit == edit_kind::integer || edit == edit_kind::general)) {
        const char *first = begin, *last = end;
        while (first < last && *first == ' ') ++first;
        while (last > first && last[-1] == ' ') --last;
        if (first < last && get_integer(first, last, kind, place)) return true;
        return !ends_early(text) && stored(read_integer_field(text, false, bytes, &value), value, bytes, place);
    }
    if (type == integer_item && edit >= edit_kind::binary && edit <= edit_kind::hexadecimal) {
        const int bits = edit == edit_kind::binary ? 1 : edit == edit_kind::octal ? 3 : 4;
        return !ends_early(text) && stored(read_radix_field(text, false, bits, bytes, &value), value, bytes, place);
    }
    if (type == logical_item && (edit == edit_kind::logical || edit == edit_kind::general)) {
        bool is_true = false;
        if (ends_early(text)) return false;
        const field_state state = read_logical_field(text, is_true);
        value = is_true;
        return stored(state, value, bytes, place);
    }
    return false;
}

// A field that is longer than the variable gives its last characters.
bool get_text(const char *begin, const char *end, const unit_reader *from, char *place, std::size_t bytes) noexcept
{
    auto length = static_cast<std::size_t>(end - begin);
    const bool is_internal = from == nullptr;
    if ((is_internal || from->has_lone_returns()) && std::memchr(begin, '\r', length) != nullptr) return false;
    // With -std=legacy a comma ends it in a character variable.
    if (is_internal && std::memchr(begin, ',', length) != nullptr) return false;
    if (length > bytes) {
        begin = end - bytes;
        length = bytes;
    }
    if (length > 0) std::memcpy(place, begin, length);
    if (bytes > length) std::memset(place + length, ' ', bytes - length);
    return true;
}

// No item finds a field here.
constexpr format_step nothing_more = {step_kind::text};

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
    if (!(is_text ? get_text(begin, end, from_, place, bytes) : get_value(*field, type, kind, begin, end, place))) {
        has_ended_record_ = false;
        return false;
    }
    if (is_text && width > bytes) has_longer_text_ = true;
    is_first_ = false;
    if (has_ended_record_) {
        step_ = &nothing_more;
        takes_rows_ = false;
    }
    return true;
}

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
    if (rows == nullptr || (floating_point_state() & inexact_flag) == 0) return 0;
    if ((from_ != nullptr && from_->has_lone_returns()) || !begins_round()) return 0;
    const bool is_first = step_ == program_->first();
    const auto bytes = static_cast<std::size_t>(kind);
    rows_ahead &ahead = from_ != nullptr ? from_->ahead : own_;
    std::size_t done = 0;
    while (n - done >= rows->values) {
        if (at_ == end_ && done > 0) {
            // The line feed before stays in memory: its record is not ended yet.
            --at_;
            const bool has_more = read_more();
            ++at_;
            if (!has_more) break;
        }
        if (!has_line()) break;
        // X must not pass over a carriage return.
        if (from_ != nullptr && from_->has_lone_returns()) break;
        const auto left = static_cast<std::size_t>(end_ - at_);
        const bool has_returns = from_ != nullptr && left > rows->bytes && at_[rows->bytes - 1] == '\r';
        const std::size_t record_bytes = rows->bytes + (has_returns ? 1 : 0);
        const std::size_t records = left / record_bytes;
        if (records == 0) break;
        const std::int64_t place = from_ != nullptr ? from_->place_of(at_) : 0;
        std::size_t taken = 0;
        if (from_ == nullptr) ahead.forget();
        const char *const values = ahead.take(*rows, type == real_item, bytes, at_, record_bytes, place, records,
                                              (n - done) / rows->values, from_ != nullptr, taken);
        if (values == nullptr) break;
        std::memcpy(places + done * bytes, values, taken * rows->values * bytes);
        at_ += taken * record_bytes;
        done += taken * rows->values;
    }
    if (done == 0) return 0;
    line_end_ = nullptr;
    // The last record is not ended: its trailing text belongs to it.
    --at_;
    step_ = program_->behind_field(is_first && done <= rows->values, rows->values - 1);
    is_first_ = false;
    return done;
}

}  // namespace headrace::run
