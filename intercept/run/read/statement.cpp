// READ: from the calls of the program to values. The run time does what is not plain, from the beginning of the statement.
// Next: reading.hpp, unit_reader.hpp.
#include <cstring>

#include "../blanks.hpp"
#include "../bytes/bytes.hpp"
#include "../first.hpp"
#include "../floating_point.hpp"
#include "../frame.hpp"
#include "../run.h"
#include "../section.hpp"
#include "../start.hpp"
#include "../statistics.hpp"
#include "../straight/straight.hpp"
#include "check.hpp"

namespace headrace::run
{
namespace
{

constexpr std::uint32_t error_flags =
    block_outcome_mask | block_has_err | block_has_end | block_has_eor | block_has_iostat | block_has_iomsg;
constexpr std::uint32_t plain_flags = error_flags | transfer_list_directed | transfer_format | transfer_internal;
constexpr std::uint32_t known_flags = plain_flags | transfer_advance | transfer_size;
constexpr std::uint32_t form_flags = transfer_list_directed | transfer_format;

constexpr const char *no_plain_value = "a value that is not plain, or the end of the text";

// It is ours from here on.
int take_over(frame &one, bool is_checked) noexcept
{
    one.mode = frame_mode::reads;
    one.values = 0;
    one.log.clear();
    one.is_checked = is_checked;
    one.values_from.keeps_text(is_checked);
    if (one.block->flags & block_has_iostat) *one.block->iostat = 0;
    one.block->flags &= ~block_outcome_mask;
    return 1;
}

// Where the statement stands in the source, if it is not left to the run time.
bool find_site(frame &one, const void *caller) noexcept
{
    if (!is_dialect_known(*one.block, caller)) return false;
    one.where = site_of(*one.block, direction::read);
    if (one.where == nullptr) return false;
    if (one.where->state() == site_state::left) {
        one.where->count_left();
        return false;
    }
    one.real = run_time_of_site(*one.where, caller);
    return one.real != nullptr && one.real->st_read != nullptr && is_tested(*one.real);
}

bool has_end_of_line(const char *text, std::size_t bytes) noexcept
{
    return std::memchr(text, '\n', bytes) != nullptr || std::memchr(text, '\r', bytes) != nullptr;
}

int begin_internal(frame &one, const void *caller) noexcept
{
    const transfer_block &block = *one.block;
    growing<char> &copy = frames_here().scratch[frames_here().depth - 1];
    if (!find_site(one, caller) || !begins_internal(one.values_from, block, one.where->program, copy)) return 0;
    return take_over(one, one.where->begins_check());
}

// The unit is locked.
int begin_external(frame &one, unit &from, const void *caller) noexcept
{
    // Another thread may have had the unit in between.
    if (!may_read(from) || from.has_waiting() || from.descriptor < 0 || !from.is_read_ahead) return 0;
    if (!find_site(one, caller) || one.real != from.real || !finds_columns(from.reader, *one.where, *one.block)) return 0;
    if (from.reader.is_reading()) from.reader.look_at_file();
    else if (!from.reader.begin(*from.real, from.number, from.descriptor)) return 0;
    if (!one.values_from.begin(from.reader, one.where->program)) return 0;
    if (!one.values_from.stays_in_record(*one.block)) return 0;
    from.state.store(unit_state::unknown, std::memory_order_release);
    one.to = &from;
    from.owner = this_thread_identity();
    return take_over(one, one.where->begins_check());
}

// reason: null if it is counted already.
int leave_external(frame &one, unit *from, const char *reason) noexcept
{
    run_open_begins();
    one.left_unit = one.block->unit;
    if (from == nullptr) return 0;
    if (reason != nullptr) count_left_statement(*one.block, direction::read, reason);
    if (from->owner == this_thread_identity()) {
        if (frame *const outer = frame_with(*from)) give_back(*outer, "its I/O list does I/O on the same unit", true);
        return 0;
    }
    lock_unit(*from);
    may_read(*from);
    from->hand_over_all(nullptr);
    if (from->real != nullptr) from->ends_ahead();
    unlock_unit(*from);
    return 0;
}

}  // namespace

bool begins_internal(reading &values, const transfer_block &block, const format_program *program, growing<char> &copy) noexcept
{
    // Longer ones are rare, and copied in vain.
    constexpr std::size_t longest = 8192;
    if (block.unit != internal_unit_number || block.internal_descriptor != nullptr || block.internal == nullptr ||
        block.internal_length < 0)
        return false;
    // As the run time does: a sign with nothing behind it is an error, a sign before blanks is zero.
    auto bytes = static_cast<std::size_t>(block.internal_length);
    if (program == nullptr || !program->has_slash()) bytes = bytes_without_blanks(block.internal, bytes);
    if (bytes > longest) return false;
    // What ends a line of a file is a character as others there.
    if (program != nullptr && has_end_of_line(block.internal, bytes)) return false;
    // List-directed, the run time takes a byte of 255 in a variable for the end.
    if (program == nullptr && std::memchr(block.internal, 0xff, bytes) != nullptr) return false;
    return values.begin(block.internal, bytes, copy, program);
}

void give_back_read(frame &one, const char *reason, bool for_good) noexcept
{
    if (for_good) one.where->leave(reason);
    one.where->was_given_back(reason);
    unit *const from = one.to;
    one.mode = frame_mode::left;
    one.is_settled = false;
    if (from != nullptr) {
        from->reader.end(*one.real, from->number);
        one.left_unit = from->number;
        one.to = nullptr;
        release(*from);
    }
    one.real->st_read(one.block);
    if (!one.values_from.done.replay(*one.real, one.block))
        note("%s:%d: no memory left; the items of a READ have the values of earlier ones", one.block->file,
             static_cast<int>(one.block->line));
}

bool finds_columns(const unit_reader &from, const site &where, const transfer_block &block) noexcept
{
    if (where.program == nullptr || !where.program->has_tab()) return true;
    return from.counts_columns() && advance_of(block) != advance::no;
}

void get_one_as_others(frame &one) noexcept
{
    const bool has_item = one.values == 1;
    one.values_from.done.clear();
    bool is_good = begins_internal(one.values_from, *one.block, one.where->program, frames_here().scratch[0]);
    take_over(one, false);
    if (has_item) {
        char again[8];
        is_good = is_good && one.values_from.get(one.item_type, one.item_kind, again, static_cast<std::size_t>(one.item_kind));
        is_good = one.values_from.done.add(one.item_type, one.item_kind, 0) && is_good;
        one.values = 1;
    }
    if (!is_good) give_back_read(one, no_plain_value, false);
}

}  // namespace headrace::run

using namespace headrace::run;

int run_read_begins(block_common *common, const void *caller)
{
    auto *const block = reinterpret_cast<transfer_block *>(common);
    frame *const one = push_frame(block);
    const std::uint32_t flags = block->flags;
    const bool is_internal = (flags & transfer_internal) != 0;
    if (one == nullptr) {
        if (!is_internal) run_before_unit(block->unit);
        return 0;
    }
    const bool is_known = (flags & ~known_flags) == 0 && (flags & form_flags) != 0 && advance_of(*block) != advance::other &&
                          is_as_by_default(floating_point_state());
    if (is_known && (flags & transfer_advance) == 0 && is_left_as_first(*block, direction::read))
        return is_internal ? 0 : leave_external(*one, unit_of(block->unit), nullptr);
    if (is_internal) return is_known && (flags & (transfer_advance | transfer_size)) == 0 ? begin_internal(*one, caller) : 0;
    unit *const from = unit_of(block->unit);
    if (from == nullptr) return 0;
    if (!is_known || !from->is_ordinary || !from->reads_plainly || from->descriptor < 0 || from->has_waiting() ||
        from->owner == this_thread_identity() || (frames_here().depth > 1 && is_in_statement_of(block->unit)))
        return leave_external(*one, from, why_left(is_known, *from));
    lock_unit(*from);
    const bool is_first = (flags & transfer_advance) == 0 && is_left_with_short_file(*block, *from);
    if (!is_first && begin_external(*one, *from, caller)) return 1;
    unlock_unit(*from);
    const bool is_counted = is_first || (one->where != nullptr && one->where->state() == site_state::left);
    return leave_external(*one, from, is_counted ? nullptr : why_left(is_known, *from));
}

namespace
{

// Of a character variable that is read into itself the run time sees the new text.
bool is_part_of_its_text(const frame &one, const char *place, std::size_t bytes) noexcept
{
    if (one.to != nullptr) return false;
    const char *const begin = one.block->internal;
    return place < begin + one.block->internal_length && begin < place + bytes;
}

}  // namespace

namespace
{

// As current_frame_of; one that began with one number in mind is as all others.
frame *reading_frame_of(const void *block) noexcept
{
    frame *const one = current_frame_of(block);
    if (one != nullptr && one->mode == frame_mode::gets_one) take_long_way(*one);
    return one;
}

}  // namespace

int run_gets_scalar(block_common *block, void *item, int type, int kind)
{
    frame *const one = current_frame_of(block);
    auto *const place = static_cast<char *>(item);
    if (one == nullptr) return 0;
    if (one->mode == frame_mode::gets_bytes) return moves_number(*one, place, type, kind);
    if (one->mode == frame_mode::gets_one && gets_one_item(*one, place, type, kind)) return 1;
    if (one->mode != frame_mode::reads) return 0;
    const auto bytes = static_cast<std::size_t>(type == complex_item ? 2 * kind : kind);
    if (kind <= 8 && !is_part_of_its_text(*one, place, bytes) && one->values_from.get(type, kind, place, bytes) &&
        one->values_from.done.add(type, kind, 0)) {
        ++one->values;
        if (!one->is_checked || is_as_the_run_time_reads(*one, type, kind, place, 1, bytes)) return 1;
    } else if (one->values_from.has_ended_record()) {
        return 1;  // it keeps its value
    }
    give_back_read(*one, no_plain_value, false);
    return 0;
}

int run_gets_characters(block_common *block, void *item, std::int64_t length)
{
    frame *const one = reading_frame_of(block);
    if (one == nullptr) return 0;
    auto *const place = static_cast<char *>(item);
    const std::size_t bytes = length > 0 ? static_cast<std::size_t>(length) : 0;
    if (one->mode == frame_mode::reads && !one->is_checked && one->values_from.get_line(place, bytes)) {
        ++one->values;
        if (one->values_from.done.add(character_item, 1, length)) return 1;
        give_back_read(*one, no_plain_value, false);
        return 0;
    }
    if (one->mode == frame_mode::gets_bytes) return moves_text(*one, place, bytes);
    if (one->mode != frame_mode::reads) return 0;
    if (!is_part_of_its_text(*one, place, bytes) && one->values_from.get(character_item, 1, place, bytes) &&
        one->values_from.done.add(character_item, 1, length)) {
        ++one->values;
        if (!one->is_checked || is_as_the_run_time_reads(*one, character_item, 1, place, 1, bytes)) return 1;
    } else if (one->values_from.has_ended_record()) {
        return 1;
    }
    give_back_read(*one, no_plain_value, false);
    return 0;
}

namespace
{

// Whole records first, which are compared.
bool get_values(frame &one, const section &to) noexcept
{
    auto *const places = const_cast<char *>(to.base);
    const std::size_t record = one.values_from.values_of_record();
    const std::size_t few = record == 0 ? to.total : (most_compared / record + 1) * record;
    if (!one.is_checked || to.total <= few) return one.values_from.get_values(to.type, to.kind, places, to.total, to.bytes);
    if (!one.values_from.get_values(to.type, to.kind, places, few, to.bytes)) return false;
    if (!is_as_the_run_time_reads(one, to.type, to.kind, places, few, to.bytes)) return false;
    return one.values_from.get_values(to.type, to.kind, places + few * to.bytes, to.total - few, to.bytes);
}

bool get_section(frame &one, const section &to) noexcept
{
    if (to.contiguous == to.total) return get_values(one, to);
    section_walk walk(to);
    for (std::size_t i = 0; i < to.total; ++i, walk.next())
        if (!one.values_from.get(to.type, to.kind, const_cast<char *>(walk.place()), to.bytes)) return false;
    return true;
}

}  // namespace

int run_gets_array(block_common *block, const void *descriptor, int kind, std::int64_t length)
{
    frame *const one = reading_frame_of(block);
    if (one == nullptr || (one->mode != frame_mode::reads && one->mode != frame_mode::gets_bytes)) return 0;
    const auto &given = *static_cast<const array_descriptor *>(descriptor);
    if (one->mode == frame_mode::gets_bytes && moves_short_vector(*one, given, kind)) return 1;
    const section to = section_of(given, kind, length);
    if (to.total == 0) return 1;
    if (one->mode == frame_mode::gets_bytes) return moves_section(*one, to);
    if (is_handled(to) && to.type != complex_item && !is_part_of_its_text(*one, to.first_byte(), to.all_bytes()) &&
        get_section(*one, to) && one->values_from.done.add(to.type, to.kind, to.type == character_item ? length : 0, to.total)) {
        one->values += to.total;
        if (!one->is_checked || is_as_the_run_time_reads(*one, to)) return 1;
    }
    give_back_read(*one, no_plain_value, false);
    return 0;
}

void run_leaves_read(block_common *block)
{
    frame *const one = reading_frame_of(block);
    if (one != nullptr && one->mode == frame_mode::gets_bytes)
        return give_back_read_bytes(*one, "an item of a type that is not handled");
    if (one != nullptr && one->mode == frame_mode::reads) give_back_read(*one, "an item of a type that is not handled", true);
}

int run_read_ends(block_common *block)
{
    frame *const one = reading_frame_of(block);
    if (one == nullptr) {
        if (frames_here().depth > deepest_frame) --frames_here().depth;
        return 0;
    }
    if (one->mode != frame_mode::reads) return 0;
    if (!one->values_from.end()) {
        give_back_read(*one, no_plain_value, false);
        return 0;
    }
    if (one->is_checked && !is_as_the_run_time_reads(*one)) {
        give_back_read(*one, "its values differ from the run time's", true);
        return 0;
    }
    std::uint64_t bytes = 0;
    if (unit *const from = one->to) {
        bytes = static_cast<std::uint64_t>(from->reader.passes_to(one->values_from.next()));
        one->values_from.tell_outcome(*one->block);
        release(*from);
    }
    if (one->values != 1) one->where->miss_one_item();
    one->where->count_taken(one->values, bytes);
    one->where->learn_read();
    pop_frame();
    return 1;
}

void run_left_read_ends(block_common *common)
{
    const auto *const block = reinterpret_cast<transfer_block *>(common);
    frame *const one = current_frame_of(block);
    if (one == nullptr) {
        drop_stale(block);
        return;
    }
    if (one->left_unit != INT32_MIN) {
        const std::uint32_t flags = block->flags;
        const bool is_good = (flags & block_outcome_mask) == 0 && (flags & ~plain_flags) == 0 && (flags & form_flags) != 0;
        unit_was_read(*one, is_good);
    }
    pop_frame();
}
