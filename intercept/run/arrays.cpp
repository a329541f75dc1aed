// Array sections in an output list.
#include <cstring>

#include "bytes/bytes.hpp"
#include "first.hpp"
#include "floating_point.hpp"
#include "frame.hpp"
#include "run.h"
#include "section.hpp"
#include "straight/straight.hpp"

namespace headrace::run
{
namespace
{

void pack(const section &one, char *to) noexcept
{
    if (one.contiguous == one.total) {
        std::memcpy(to, one.base, one.total * one.bytes);
        return;
    }
    section_walk walk(one);
    for (std::size_t i = 0; i < one.total; ++i, walk.next(), to += one.bytes) std::memcpy(to, walk.place(), one.bytes);
}

// The highest bit says whether a value is zero, subnormal, infinite or no number.
template <class Bits, class Word>
Word out_of_the_ordinary(Word bits) noexcept
{
    constexpr Bits one = Bits{1} << (sizeof(Bits) == 8 ? 52 : 23);
    constexpr Bits all_but_sign = static_cast<Bits>(~Bits{0}) >> 1;
    const Word size = bits & all_but_sign;
    return (size - one) | (size + one);
}

// Copies to `to` unless it is null, and says whether every value is an ordinary number.
template <class Bits, bool copies>
bool are_ordinary(const char *from, std::size_t n, char *to) noexcept
{
    typedef Bits vector __attribute__((vector_size(16)));
    constexpr std::size_t lanes = sizeof(vector) / sizeof(Bits);
    vector found{};
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        vector bits;
        std::memcpy(&bits, from + i * sizeof(Bits), sizeof bits);
        if (copies) std::memcpy(to + i * sizeof(Bits), &bits, sizeof bits);
        found |= out_of_the_ordinary<Bits>(bits);
    }
    Bits unusual = found[0] | found[1] | found[lanes - 2] | found[lanes - 1];
    for (; i < n; ++i) {
        Bits bits;
        std::memcpy(&bits, from + i * sizeof bits, sizeof bits);
        if (copies) std::memcpy(to + i * sizeof bits, &bits, sizeof bits);
        unusual |= out_of_the_ordinary<Bits>(bits);
    }
    return unusual >> (8 * sizeof(Bits) - 1) == 0;
}

template <class Bits>
bool are_usual(const char *values, std::size_t n, bool &has_finite) noexcept
{
    for (std::size_t i = 0; i < n; ++i) {
        Bits bits;
        std::memcpy(&bits, values + i * sizeof bits, sizeof bits);
        if (is_unusual(bits)) return false;
        has_finite |= is_finite(bits);
    }
    return true;
}

template <class Bits>
bool are_finite(const char *values, std::size_t n) noexcept
{
    for (std::size_t i = 0; i < n; ++i) {
        Bits bits;
        std::memcpy(&bits, values + i * sizeof bits, sizeof bits);
        if (!is_finite(bits)) return false;
    }
    return true;
}

// finite: infinities and NaN are unusual, too.
template <class Bits>
bool has_unusual(const section &one, bool finite, bool &has_finite) noexcept
{
    const std::size_t parts = one.bytes / sizeof(Bits);
    const auto are_good = [finite, &has_finite](const char *values, std::size_t n) {
        return are_usual<Bits>(values, n, has_finite) && (!finite || are_finite<Bits>(values, n));
    };
    if (one.contiguous == one.total) {
        if (!are_ordinary<Bits, false>(one.base, one.total * parts, nullptr)) return !are_good(one.base, one.total * parts);
        has_finite = true;
        return false;
    }
    section_walk walk(one);
    for (std::size_t i = 0; i < one.total; ++i, walk.next())
        if (!are_good(walk.place(), parts)) return true;
    return false;
}

bool has_unusual(const section &one, frame &to) noexcept
{
    if (one.type != real_item && one.type != complex_item) return false;
    const bool is_flang = to.real->is_flang;
    const bool found = one.kind == 8 ? has_unusual<std::uint64_t>(one, is_flang, to.has_finite_reals)
                                     : has_unusual<std::uint32_t>(one, is_flang, to.has_finite_reals);
    return found && (is_flang || !formats_unusual(to));
}

// False: a value raises flags in the run time.
template <class Bits>
bool copy_reals(const char *from, std::size_t n, char *to, bool &has_finite) noexcept
{
    if (__builtin_expect(!are_ordinary<Bits, true>(from, n, to), 0)) return are_usual<Bits>(to, n, has_finite);
    has_finite = true;
    return true;
}

// The common case: a vector of numbers that are what the site has every time. False: nothing happened.
bool keeps_vector(frame &to, const array_descriptor &from, int kind) noexcept
{
    const value_column &column = *to.column;
    const array_dimension &dimension = from.dimension[0];
    const auto n = static_cast<std::uint64_t>(dimension.upper - dimension.lower + 1);
    if (from.rank != 1 || dimension.stride != 1 || n - 1 >= column.alike) return false;
    if (from.type != column.type || kind != column.kind || from.element_bytes != column.bytes) return false;
    char *const row = to.row + column.offset;
    if (from.type == real_item || from.type == complex_item) {
        const std::size_t parts = from.type == complex_item ? 2 * n : n;
        bool &has_finite = to.has_finite_reals;
        if (kind == 8 ? !copy_reals<std::uint64_t>(from.base, parts, row, has_finite)
                      : !copy_reals<std::uint32_t>(from.base, parts, row, has_finite))
            return false;
    } else if (from.type == integer_item || from.type == logical_item) {
        std::memcpy(row, from.base, n * column.bytes);
    } else {
        return false;
    }
    to.column += n;
    return true;
}

// The values are those that the site has every time.
bool goes_into_row(frame &to, const section &one) noexcept
{
    const row_shape &shape = *to.shape;
    if (one.total > static_cast<std::size_t>(shape.end() - to.column)) return false;
    for (std::size_t i = 0; i < one.total; ++i) {
        const value_column &column = to.column[i];
        if (column.type != one.type || column.kind != one.kind || column.bytes != one.bytes) return false;
    }
    if (one.total > 0) pack(one, to.row + to.column->offset);
    to.column += one.total;
    return true;
}

constexpr std::size_t most_logged = std::size_t{128} << 10;  // bytes of values

// For what the run time must do again, or is compared.
bool log_section(frame &to, const section &one) noexcept
{
    if (to.mode == frame_mode::counted) return true;
    char *const place = to.log.add_array(one.type, one.kind, one.total, one.bytes);
    if (place == nullptr) return false;
    pack(one, place);
    return true;
}

constexpr std::size_t most_checked = 256;  // values of a long section

// The first values of a long section stand for all of it: what is compared is short.
bool begins_as_the_run_time_writes(frame &to, const section &one) noexcept
{
    const std::size_t before = to.log.size();
    char *const place = to.log.add_array(one.type, one.kind, most_checked, one.bytes);
    if (place == nullptr) return true;
    section_walk walk(one);
    for (std::size_t i = 0; i < most_checked; ++i, walk.next()) std::memcpy(place + i * one.bytes, walk.place(), one.bytes);
    const kept_flags flags;
    growing<char> scratch;
    statement_text text;
    text.begin(&scratch, to.where->program);
    bool is_whole = true;
    for (std::size_t i = 0; i <= before && is_whole; ++i) {
        const logged_item &item = to.log[i];
        is_whole =
            text.put_values(item.type, item.kind, to.log.values(item), item.count, item.bytes, [](std::size_t) { return true; });
    }
    const bool is_same = !is_whole || !text.end() || is_as_the_run_time_writes(to, text.text(), text.bytes(), text.ended_records());
    give_memory(scratch.data());
    to.log.drop_last();
    return is_same;
}

bool put_section(frame &to, const section &one) noexcept
{
    const kept_flags flags;
    // A descriptor that does not take the values shows in the first two rounds of the format: then the
    // run time must have the whole section.
    const format_program *const program = to.where->program;
    const std::size_t safe = program == nullptr ? 0 : program->fields_in(true) + program->fields_in(false);
    const auto let_go = [&to, safe](std::size_t done) { return done < safe || let_records_go(to); };
    if (one.contiguous == one.total) return to.text.put_values(one.type, one.kind, one.base, one.total, one.bytes, let_go);
    // Packed in pieces that are whole rows of most formats.
    growing<char> packed;
    if (one.total * one.bytes <= most_logged && packed.reserve(one.total * one.bytes)) {
        pack(one, packed.extend(one.total * one.bytes));
        const bool is_done = to.text.put_values(one.type, one.kind, packed.data(), one.total, one.bytes, let_go);
        give_memory(packed.data());
        return is_done;
    }
    section_walk walk(one);
    for (std::size_t i = 0; i < one.total; ++i, walk.next()) {
        if (!to.text.put(one.type, one.kind, walk.place(), one.bytes)) return false;
        if (i % 2048 == 2047 && !let_go(i + 1)) return false;
    }
    return true;
}

}  // namespace
}  // namespace headrace::run

using namespace headrace::run;

int run_keeps_vector(const void *block, const void *descriptor, int kind)
{
    thread_frames &here = frames_here();
    frame &one = here.frames[0];
    if (one.block != block || here.depth != 1) return 0;
    if (one.mode == frame_mode::bytes) return moves_short_vector(one, *static_cast<const array_descriptor *>(descriptor), kind);
    if (one.mode != frame_mode::rows) return 0;
    return keeps_vector(one, *static_cast<const array_descriptor *>(descriptor), kind);
}

int run_puts_array(block_common *block, const void *descriptor, int kind, std::int64_t length)
{
    frame *to = current_frame_of(block);
    if (to == nullptr) return 0;
    const section one = section_of(*static_cast<const array_descriptor *>(descriptor), kind, length);
    if (to->mode == frame_mode::puts_several && puts_section_of_several(*to, one)) return 1;
    to = writing_frame_of(block);
    if (to == nullptr) return 0;
    if (to->mode == frame_mode::left) return to->values += one.total, 0;
    if (one.total == 0) return 1;
    if (to->mode == frame_mode::bytes) return moves_section(*to, one);
    if (to->mode == frame_mode::counted) remember_place(*to);
    if (!is_handled(one)) {
        give_back(*to, "an array of a type that is not handled", true);
        return 0;
    }
    if (one.contiguous == one.total && is_part_of_its_variable(*to, one.base, one.total * one.bytes)) {
        give_back(*to, part_of_variable, true);
        return 0;
    }
    if (to->mode == frame_mode::waits && !is_taken_over_with(*to, one.total)) return 0;
    if (has_unusual(one, *to)) {
        give_back(*to, unusual_number(*to), false);
        return 0;
    }
    if (to->mode == frame_mode::rows) {
        if (goes_into_row(*to, one)) return 1;
        if (!rows_to_text(*to)) {
            give_back(*to, "no memory", false);
            return 0;
        }
    }
    if (to->is_checked && one.total * one.bytes > most_logged) {
        if (!begins_as_the_run_time_writes(*to, one)) {
            give_back(*to, "its text differs from the run time's", true);
            return 0;
        }
        to->is_checked = false;
    }
    if (!put_section(*to, one)) {
        give_back_item(*to);
        return 0;
    }
    // Afterwards: of a section whose text has left nothing needs to be kept.
    if (!log_section(*to, one)) to->log_is_whole = false;
    to->values += one.total;
    if (to->to == nullptr) copy_internal(*to);
    else let_records_go(*to);
    if (to->mode == frame_mode::text && to->log_is_whole) gave_back_what_is_too_long(*to);
    return 1;
}
