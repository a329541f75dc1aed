#include <cstring>

#include "../first.hpp"
#include "../settings.hpp"
#include "../start.hpp"
#include "fields.hpp"
#include "straight.hpp"
#include "text/kernels/parse_numbers_scalar.hpp"

namespace headrace::run
{
namespace
{

constexpr std::uint32_t handled_flags = block_outcome_mask | block_has_err | block_has_end | block_has_eor | block_has_iostat |
                                        block_has_iomsg | transfer_list_directed | transfer_format | transfer_internal;

// ---- WRITE ----

inline text_part text_of(const frame &one, int type, int kind, const char *item, char *place) noexcept
{
    const output_field *const field = one.where->one_field;
    if (field == nullptr) return layout_text(listed_layout(type, kind), type, kind, item, place);
    if (type != real_item || !takes_reals(*field)) return {nullptr, 0};
    return layout_text(kind == 4 ? field->single_layout : field->whole_layout, type, kind, item, place);
}

inline bool is_plain_number(frame &one, const char *item, int type, int kind) noexcept
{
    if (kind > 8) return false;
    if (type == integer_item) return true;
    return type == real_item && is_usual_real(item, kind, one.has_finite_reals);
}

// Is the run time's arithmetic inexact for it?
bool has_general_real(const frame &one) noexcept
{
    if (!one.has_finite_reals) return false;
    return one.where->one_field == nullptr || one.where->one_field->item.kind == edit_kind::general;
}

void keep_item(frame &one, const char *item, int type, int kind) noexcept
{
    one.values = 1;
    one.item_type = type;
    one.item_kind = kind;
    // A copy of a length that is not known is a call.
    if (kind == 8) std::memcpy(one.item, item, 8);
    else if (kind == 4) std::memcpy(one.item, item, 4);
    else std::memcpy(one.item, item, static_cast<std::size_t>(kind));
}

// ---- READ ----

inline bool is_end_of_value(char c) noexcept { return c == ' ' || c == '\t' || c == ','; }

// How many of the bytes are decimal digits, from the first on.
inline int count_digits(std::uint64_t word) noexcept
{
    const std::uint64_t others = ((word & (word + 0x0606060606060606)) & 0xF0F0F0F0F0F0F0F0) ^ 0x3030303030303030;
    return others == 0 ? 8 : __builtin_ctzll(others) / 8;
}

constexpr std::ptrdiff_t word_bytes = 8;

// A field, in a text of at least eight bytes that ends at `text_end`.
struct field_in_text {
    const char *begin, *end, *text_end;

    // Eight bytes from p on, with blanks behind the end of the field.
    std::uint64_t word_at(const char *p) const noexcept
    {
        const std::ptrdiff_t left = end - p, readable = text_end - p;
        if (left <= 0) return blank_word;
        const std::uint64_t word = readable >= word_bytes
                                       ? scalar::load_eight(p)
                                       : scalar::load_eight(text_end - word_bytes) >> 8 * (word_bytes - readable);
        if (left >= word_bytes) return word;
        const std::uint64_t kept = (std::uint64_t{1} << 8 * left) - 1;
        return (word & kept) | (blank_word & ~kept);
    }
};

// An integer of up to eight digits behind blanks. Where it ends, or null: the long way knows.
inline const char *get_short_integer(const field_in_text &from, int kind, char *place) noexcept
{
    const char *p = from.begin;
    std::uint64_t word = from.word_at(p);
    while (word == blank_word && p < from.end) word = from.word_at(p += word_bytes);
    if (word == blank_word) return nullptr;
    const int blanks = __builtin_ctzll(word ^ blank_word) / 8;
    if (blanks > 0) word = from.word_at(p += blanks);
    const bool is_negative = (word & 0xFF) == '-';
    if (is_negative || (word & 0xFF) == '+') word = from.word_at(++p);
    const int digits = count_digits(word);
    if (digits == 0 || (digits == 8 && p + 8 < from.end && scalar::is_digit(p[8]))) return nullptr;
    // Zeros stand in front.
    const std::uint64_t whole = digits == 8 ? word : word << 8 * (8 - digits) | eight_zeros >> 8 * digits;
    const auto magnitude = static_cast<std::int64_t>(scalar::value_of_eight(whole));
    const std::int64_t value = is_negative ? -magnitude : magnitude;
    switch (kind) {
    case 4: std::memcpy(place, &value, 4); break;  // little endian: its lowest bytes
    case 8: std::memcpy(place, &value, 8); break;
    default:
        if (value < -(std::int64_t{1} << (8 * kind - 1)) || value >= std::int64_t{1} << (8 * kind - 1)) return nullptr;
        std::memcpy(place, &value, static_cast<std::size_t>(kind));
    }
    return p + digits;
}

bool get_listed_real(const char *p, const char *end, int kind, char *place) noexcept
{
    while (p < end && *p == ' ') ++p;
    const char *last = p;
    while (last < end && !is_end_of_value(*last)) ++last;
    // What is no number, and a repeat count, are the long way's.
    return p < last && get_plain_real(p, last, kind, place);
}

bool get_listed(const char *begin, const char *end, int type, int kind, char *place) noexcept
{
    if (type == real_item) return get_listed_real(begin, end, kind, place);
    alignas(8) char number[8];
    const char *const last = get_short_integer({begin, end, end}, kind, number);
    if (last == nullptr || (last < end && !is_end_of_value(*last))) return false;
    std::memcpy(place, number, static_cast<std::size_t>(kind));
    return true;
}

bool get_edited(const output_field &field, const char *begin, const char *end, int type, int kind, char *place) noexcept
{
    const edit_item &item = field.item;
    if (item.width <= 0) return false;
    const char *const last = item.width < end - begin ? begin + item.width : end;
    if (type == real_item) return takes_reals(field) && get_plain_edited(begin, last, field, kind, place);
    if (item.kind != edit_kind::integer) return false;
    alignas(8) char number[8];
    const char *p = get_short_integer({begin, last, end}, kind, number);
    if (p == nullptr) return false;
    while (p < last && *p == ' ') ++p;
    if (p < last) return false;
    std::memcpy(place, number, static_cast<std::size_t>(kind));
    return true;
}

}  // namespace

void take_long_way(frame &one) noexcept
{
    if (one.mode == frame_mode::puts_several) one.where->miss_several_items();
    else one.where->miss_one_item();
    if (one.mode == frame_mode::puts_one) put_one_as_text(one);
    else if (one.mode == frame_mode::puts_several) put_several_as_text(one);
    else get_one_as_others(one);
}

int begins_straight(thread_frames &here, transfer_block *block, direction does) noexcept
{
    if ((block->flags & ~handled_flags) != 0 || block->unit != internal_unit_number || block->internal_descriptor != nullptr ||
        block->internal == nullptr)
        return 0;
    site *where = recent_site_of(*block, does);
    // A variable with the format may have another text each time.
    if (where == nullptr && (block->flags & transfer_format) != 0 && !is_among_first(*block) &&
        is_dialect_known(*block, block->file)) {
        where = site_of(*block, does);
        if (where == nullptr && chosen.statistics[0] == '\0') return -1;  // it has too many formats
    }
    if (where == nullptr || where->state() != site_state::text || where->is_to_be_checked()) return 0;
    const bool is_one = where->takes_one_item();
    if (!is_one && (does != direction::write || !where->takes_several_items())) return 0;
    const run_time *const real = where->real.load(std::memory_order_relaxed);
    if (real == nullptr || !is_as_by_default(floating_point_state())) return 0;
    const frame_mode written = is_one ? frame_mode::puts_one : frame_mode::puts_several;
    become_ours(here, *block, does == direction::read ? frame_mode::gets_one : written, nullptr, *where, real);
    frame &one = here.frames[0];
    one.has_finite_reals = false;
    one.copied = 0;
    if (!is_one) begin_several(one);
    return 1;
}

bool puts_one_item(frame &one, const char *item, int type, int kind) noexcept
{
    const transfer_block &block = *one.block;
    const output_field *const field = one.where->one_field;
    const auto room = static_cast<std::size_t>(block.internal_length);
    if (one.values == 0 && type == integer_item && kind <= 8 && field != nullptr) {
        const short_text text = integer_text(field->item, load_whole(item, kind));
        if (is_plain_integer_field(*field) && text.bytes > 0 && static_cast<std::size_t>(text.bytes) <= room) {
            keep_item(one, item, type, kind);
            text.write(block.internal);
            one.copied = static_cast<std::size_t>(text.bytes);
            return true;
        }
    } else if (one.values == 0 && is_plain_number(one, item, type, kind)) {
        char place[most_field_bytes];
        const text_part text = text_of(one, type, kind, item, place);
        if (text.bytes != 0 && text.bytes <= room) {
            keep_item(one, item, type, kind);
            copy_text(block.internal, text.begin, text.bytes);
            one.copied = text.bytes;
            return true;
        }
    }
    take_long_way(one);
    return false;
}

bool gets_one_item(frame &one, char *item, int type, int kind) noexcept
{
    const transfer_block &block = *one.block;
    const char *const begin = block.internal, *const end = begin + block.internal_length;
    const bool is_number = (type == integer_item || type == real_item) && kind <= 8;
    // Of a character variable that is read into itself the run time sees the new text.
    const bool is_part = item < end && begin < item + kind;
    if (one.values == 0 && is_number && !is_part && block.internal_length >= word_bytes) {
        const output_field *const field = one.where->one_field;
        if (field == nullptr ? get_listed(begin, end, type, kind, item) : get_edited(*field, begin, end, type, kind, item)) {
            keep_item(one, item, type, kind);
            return true;
        }
    }
    take_long_way(one);
    return false;
}

bool ends_straight(thread_frames &here) noexcept
{
    frame &one = here.frames[0];
    if (one.mode == frame_mode::puts_several) {
        if (!ends_several(one)) return false;
        here.depth = 0;
        return true;
    }
    if (one.values != 1) {
        take_long_way(one);
        return false;
    }
    if (one.mode == frame_mode::puts_one) {
        const transfer_block &block = *one.block;
        fill_blanks(block.internal + one.copied, static_cast<std::size_t>(block.internal_length) - one.copied);
        if (has_general_real(one)) raise_inexact();
    }
    one.where->count_taken(1, one.copied);
    here.depth = 0;
    return true;
}

}  // namespace headrace::run
