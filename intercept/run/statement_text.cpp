#include "statement_text.hpp"

#include <cstring>

#include "field_kernels.hpp"
#include "flang/listed.hpp"
#include "text/edit/edit_write_values.hpp"
#include "text/kernels/format_field_values.hpp"

namespace headrace::run
{
namespace
{

struct list_fields {
    bool is_flang = false;
    edit_item logical;
    real_field single_part, whole_part;
    const field_layout *integers[9] = {};  // by kind, the blank in front included
    const field_layout *single = nullptr, *whole = nullptr;
};
list_fields *listed;

bool is_real_field(edit_kind kind) noexcept { return kind >= edit_kind::fixed && kind <= edit_kind::general; }
bool is_bit_field(edit_kind kind) noexcept { return kind >= edit_kind::binary && kind <= edit_kind::hexadecimal; }

// What gfortran accepts without an error; the rest is the run time's.
bool takes(edit_kind field, int type) noexcept
{
    switch (field) {
    case edit_kind::integer: return type == integer_item;
    case edit_kind::logical: return type == logical_item;
    case edit_kind::binary:
    case edit_kind::octal:
    case edit_kind::hexadecimal: return type == integer_item || type == real_item;
    case edit_kind::general: return true;
    case edit_kind::character: return type == character_item || !listed->is_flang;  // which ends a record at a byte of 10
    default: return type == real_item;
    }
}

}  // namespace

bool lists_as_flang() noexcept { return listed->is_flang; }

void make_list_fields(bool of_flang)
{
    auto *const made = new list_fields;
    made->is_flang = of_flang;
    for (const int kind : {1, 2, 4, 8}) made->integers[kind] = list_kernel_of(integer_item, kind).layout;
    made->single = list_kernel_of(real_item, 4).layout;
    made->whole = list_kernel_of(real_item, 8).layout;
    made->logical.kind = edit_kind::logical;
    made->logical.width = 1;
    const edit_modes modes;
    made->single_part = real_field::list_directed_part(modes, 4);
    made->whole_part = real_field::list_directed_part(modes, 8);
    listed = made;
}

void statement_text::begin(growing<char> *buffer, const format_program *program) noexcept
{
    buffer_ = buffer;
    program_ = program;
    step_ = program != nullptr ? program->first() : nullptr;
    begin_ = record_ = buffer->size();
    is_in_record_ = false;
    blanks_ = 0;
    is_first_ = true;
    was_characters_ = false;
    has_general_reals_ = program == nullptr && !listed->is_flang;
    ended_records_ = 0;
    looked_at = {};
    goes_on_ = false;
    failed_part_ = nullptr;
    column_ = 0;
}

bool statement_text::put_text(const char *text, std::size_t bytes) noexcept
{
    char *const place = room(bytes);
    if (place == nullptr) return false;
    std::memcpy(place, text, bytes);
    buffer_->extend(bytes);
    return true;
}

bool statement_text::put_blanks() noexcept
{
    if (blanks_ == 0) return true;
    char *const place = room(blanks_);
    if (place == nullptr) return false;
    std::memset(place, ' ', blanks_);
    buffer_->extend(blanks_);
    blanks_ = 0;
    return true;
}

// To the left only over blanks that wait; what overwrites text, or counts from the statement before, is the run time's.
bool statement_text::put_tab(std::size_t bytes) noexcept
{
    const std::size_t written = buffer_->size() - record_;
    // Those that wait may count twice in gfortran: (3x,t3) goes on at column 4, and (3x,t2) does so before gfortran 15.
    const bool is_to_the_left = bytes < written || bytes < blanks_;
    if (is_in_record_ || goes_on_) failed_part_ = "T in a record of several statements";
    else if (is_to_the_left) failed_part_ = "T to the left in the format";
    if (failed_part_ != nullptr) return false;
    blanks_ = bytes - written;
    return true;
}

bool statement_text::end_record() noexcept
{
    // gfortran writes some of these blanks after all in a statement with ADVANCE='NO': those of X, not those of T.
    if (goes_on_ && blanks_ > 0) {
        failed_part_ = "X before the end of a record with ADVANCE='NO'";
        return false;
    }
    blanks_ = 0;
    ++ended_records_;
    if (!put_text("\n", 1)) return false;
    record_ = buffer_->size();
    is_in_record_ = false;
    return true;
}

// Null: there is none, or no memory; both are the run time's.
const output_field *statement_text::next_field() noexcept
{
    for (;;) {
        const format_step &step = *step_;
        switch (step.kind) {
        case step_kind::field: ++step_; return put_blanks() ? step.field : nullptr;
        case step_kind::text:
            if (!put_blanks() || !put_text(step.text->data(), step.text->size())) return nullptr;
            ++step_;
            break;
        case step_kind::blanks:
            blanks_ += step.count;
            ++step_;
            break;
        case step_kind::tab:
            if (!put_tab(step.count)) return nullptr;
            ++step_;
            break;
        case step_kind::end_record:
            if (!end_record()) return nullptr;
            ++step_;
            break;
        case step_kind::colon: ++step_; break;
        case step_kind::again: step_ = program_->step(step.count); break;
        case step_kind::end:
            step_ = program_->reverted();
            if (step_ == nullptr || !end_record()) return nullptr;
            break;
        }
    }
}

bool statement_text::end(bool record_goes_on) noexcept
{
    if (program_ == nullptr) return true;
    for (;; ++step_) {
        switch (step_->kind) {
        case step_kind::text:
            if (!put_blanks() || !put_text(step_->text->data(), step_->text->size())) return false;
            break;
        case step_kind::blanks: blanks_ += step_->count; break;
        case step_kind::tab:
            if (!put_tab(step_->count)) return false;
            break;
        case step_kind::end_record:
            if (!end_record()) return false;
            break;
        case step_kind::again:
            // The steps of the group come once more; its first field ends the statement.
            step_ = program_->step(step_->count) - 1;
            break;
        default: return !record_goes_on || put_blanks();
        }
    }
}

bool statement_text::put_part(const output_field &field, int kind, const char *value) noexcept
{
    const double number = load_real(value, static_cast<std::size_t>(kind));
    if (const field_layout *const layout = kind == 4 ? field.single_layout : field.whole_layout) {
        char *const out = room(2 * field_window + 8);
        if (out == nullptr) return false;
        format_field(*layout, number, out);
        ends_at(out + layout->edit.width);
        return true;
    }
    const real_field &real = kind == 4 ? field.single : field.whole;
    char *const place = room(real.most_bytes());
    if (place == nullptr) return false;
    const char *const end = real.write(place, number);
    if (end == nullptr) return false;
    ends_at(end);
    return true;
}

bool statement_text::put_field(const output_field &field, int type, int kind, const char *value, std::size_t bytes) noexcept
{
    const edit_item &item = field.item;
    if (!takes(item.kind, type)) return false;
    if (type == real_item && item.kind == edit_kind::general && listed->is_flang) return put_general_by_flang(kind, value);
    if (type == real_item && is_real_field(item.kind)) {
        has_general_reals_ = has_general_reals_ || item.kind == edit_kind::general;
        return put_part(field, kind, value);
    }
    char *const place = room(room_of(item, bytes));
    if (place == nullptr) return false;
    const char *end;
    if (is_bit_field(item.kind)) end = put_bits(place, item, program_->dialect(), value, bytes);
    else if (item.kind == edit_kind::character || type == character_item) end = put_characters(place, item, value, bytes);
    else if (type == logical_item) end = put_logical(place, item, load_integer(value, bytes) != 0);
    else end = put_integer(place, item, field.modes.sign == '+', load_integer(value, bytes));
    ends_at(end);
    return true;
}

bool statement_text::put(int type, int kind, const char *value, std::size_t bytes) noexcept
{
    if (program_ == nullptr) return put_listed(type, kind, value, bytes);
    const output_field *field = next_field();
    if (field == nullptr) return false;
    if (type != complex_item) return put_field(*field, type, kind, value, bytes);
    if (!put_field(*field, real_item, kind, value, bytes / 2)) return false;
    field = next_field();
    return field != nullptr && put_field(*field, real_item, kind, value + bytes / 2, bytes / 2);
}

namespace
{

// (re,im) without blanks, at the right of its field.
char *put_complex(char *out, const char *value, int kind) noexcept
{
    const real_field &part = kind == 4 ? listed->single_part : listed->whole_part;
    const auto bytes = static_cast<std::size_t>(kind);
    char text[1024];
    char *end = text;
    *end++ = '(';
    end = part.write(end, load_real(value, bytes));
    *end++ = ',';
    end = part.write(end, load_real(value + bytes, bytes));
    *end++ = ')';
    const auto length = static_cast<std::size_t>(end - text);
    const std::size_t width = kind == 4 ? 35 : 53;
    const std::size_t blanks = width > length ? width - length : 0;
    std::memset(out, ' ', blanks);
    std::memcpy(out + blanks, text, length);
    return out + blanks + length;
}

}  // namespace

const field_layout *listed_layout(int type, int kind) noexcept
{
    if (listed->is_flang) return nullptr;
    if (type == integer_item) return listed->integers[kind];
    if (type == real_item) return kind == 4 ? listed->single : listed->whole;
    return nullptr;
}

bool statement_text::put_listed(int type, int kind, const char *value, std::size_t bytes) noexcept
{
    if (listed->is_flang) return put_listed_by_flang(type, kind, value, bytes);
    const bool is_text = type == character_item;
    const bool has_blank = is_first_ || !is_text || !was_characters_;
    char *place = room(is_text ? bytes + 1 : 1024);
    if (place == nullptr) return false;
    if (const field_layout *const layout = listed_layout(type, kind)) {
        if (type == real_item) format_field(*layout, load_real(value, bytes), place);
        else format_integer_field(*layout, load_integer(value, bytes), place);
        place += layout->edit.width;
    } else {
        if (has_blank) *place++ = ' ';
        if (is_text) {
            std::memcpy(place, value, bytes);
            place += bytes;
        } else if (type == logical_item) {
            place = put_logical(place, listed->logical, load_integer(value, bytes) != 0);
        } else if (type == complex_item) {
            place = put_complex(place, value, kind);
        } else {
            return false;
        }
    }
    is_first_ = false;
    was_characters_ = is_text;
    ends_at(place);
    return true;
}

// Numbers and logicals come into a new record if the line would become longer than flang's, characters are left then.
bool statement_text::put_listed_by_flang(int type, int kind, const char *value, std::size_t bytes) noexcept
{
    constexpr std::size_t longest_line = 79;
    const bool is_text = type == character_item;
    char text[flang_longest_number];
    std::size_t length = bytes;
    if (!is_text) {
        length = flang_listed_number(type, kind, value, text);
        if (length == 0) return false;
    }
    const bool has_blank = column_ == 0 || !is_text || !was_characters_;
    const std::size_t wanted = has_blank + length;
    const bool ends_line = column_ > 0 && column_ + wanted > longest_line;
    if (is_text ? column_ + wanted > longest_line : ends_line && type == logical_item) return false;
    char *place = room(wanted + 1);
    if (place == nullptr) return false;
    if (ends_line) {
        *place++ = '\n';
        ++ended_records_;
        column_ = 0;
    }
    if (has_blank) *place++ = ' ';
    std::memcpy(place, is_text ? value : text, length);
    ends_at(place + length);
    column_ += wanted;
    was_characters_ = is_text;
    return true;
}

bool statement_text::put_general_by_flang(int kind, const char *value) noexcept
{
    char *const place = room(flang_longest_number);
    const std::size_t length = place != nullptr ? flang_general_real(kind, value, place) : 0;
    if (length > 0) ends_at(place + length);
    return length > 0;
}

// A block of numbers at a time.
std::size_t statement_text::put_listed_block(int type, int kind, const char *values, std::size_t n, std::size_t bytes) noexcept
{
    const field_layout *const layout = program_ == nullptr ? listed_layout(type, kind) : nullptr;
    if (layout == nullptr || n < 2) return 0;
    const auto width = static_cast<std::size_t>(layout->edit.width);
    const std::size_t count = n < field_block ? n : field_block;
    char *const place = room(count * width + 2 * field_window);
    if (place == nullptr) return 0;
    std::uint32_t offsets[field_block];
    for (std::size_t i = 0; i < count; ++i) offsets[i] = static_cast<std::uint32_t>(i * width);
    const type_class of = type == integer_item ? type_class::integer : type_class::real;
    field_writer(of, bytes).write(*layout, values, count, place, offsets);
    is_first_ = false;
    was_characters_ = false;
    ends_at(place + count * width);
    return count;
}

// Whole rows can be formatted in blocks if nothing of the format was used yet.
const row_formatter *statement_text::rows_from_here(int type, int kind, std::size_t n) const noexcept
{
    if (program_ == nullptr || n < 2 || step_ != program_->first() || blanks_ > 0 || goes_on_) return nullptr;
    if (listed->is_flang && type == real_item && program_->has_general()) return nullptr;
    return program_->rows(type, kind);
}

bool statement_text::put_rows(const row_formatter &rows, const char *values, std::size_t n, bool more) noexcept
{
    char *const place = room((n / rows.values + 2) * rows.bytes + 256);
    if (place == nullptr) return false;
    ends_at(rows.format(place, values, n, more));
    return true;
}

// The end of the last record is taken off again: more items may follow.
bool statement_text::go_on_behind_rows(const row_formatter &rows, std::size_t n) noexcept
{
    const std::size_t last = (n - 1) % rows.values;
    ended_records_ += (n - 1) / rows.values;
    step_ = program_->behind_field(n <= rows.values, last);
    std::size_t taken = 1;
    std::size_t blanks = 0;
    for (const format_step *step = step_;; ++step) {
        if (step->kind == step_kind::text) {
            taken += blanks + step->text->size();
            blanks = 0;
        } else if (step->kind == step_kind::blanks) {
            blanks += step->count;
        } else {
            break;
        }
    }
    buffer_->resize_down(buffer_->size() - taken);
    return true;
}

}  // namespace headrace::run
