// WRITE: from the calls of the program to text or kept values. The run time does what is not handled, from the beginning
// of the statement. Next: write_ends.cpp, unit.cpp, statement_text.cpp.
#include <cstring>

#include "bytes/bytes.hpp"
#include "first.hpp"
#include "floating_point.hpp"
#include "frame.hpp"
#include "run.h"
#include "settings.hpp"
#include "start.hpp"
#include "statistics.hpp"
#include "straight/straight.hpp"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

namespace headrace::run
{

namespace
{

constexpr std::size_t text_kept_whole = std::size_t{256} << 10;

// May a WRITE of the run time fail in the middle of its record, and the program go on? The record that follows has bytes of those
// before it, as far as the failed one came: they go alone.
unit::alone if_it_may_fail(const transfer_block &block, const site *where) noexcept
{
    const bool goes_on = (block.flags & (block_has_err | block_has_iostat)) != 0;
    if (!goes_on || (block.flags & transfer_format) == 0) return unit::alone::none;
    const bool is_first = where != nullptr && where->left.load(std::memory_order_relaxed) <= 1;
    return is_first ? unit::alone::from_longest : unit::alone::last;
}

// ---- the beginning ----

void begin_text(frame &one, growing<char> *buffer) noexcept
{
    one.mode = frame_mode::text;
    one.buffer = buffer;
    one.text.begin(buffer, one.where->program);
    one.log.clear();
    one.log_is_whole = true;
}

bool begin_rows(frame &one) noexcept
{
    const row_shape *const shape = one.where->shape();
    if (!one.to->takes_rows_of(*shape) || shape->record_goes_on() != one.is_partial) return false;
    one.shape = shape;
    one.row_block = unit::block_of(*shape);
    one.row = one.to->next_row(*shape, one.row_block);
    if (UNLIKELY(one.row == nullptr)) return false;
    one.column = shape->begin();
    one.mode = frame_mode::rows;
    return true;
}

int leave_external(frame &one, unit *to, bool is_known) noexcept
{
    run_open_begins();
    one.left_unit = one.block->unit;
    if (to == nullptr) return 0;
    count_left_statement(*one.block, direction::write, why_left(is_known, *to));
    if (to->state.load(std::memory_order_relaxed) == unit_state::resting) to->rests();
    to->reader.was_moved();
    if (to->has_waiting() || to->is_ahead() || to->is_held_by_another()) {
        lock_unit(*to);
        to->moves();
        to->hand_over_all(nullptr, if_it_may_fail(*one.block, nullptr));
        if (to->real != nullptr) to->ends_ahead();
        unlock_unit(*to);
    }
    return 0;
}

// The unit is locked. 1: it is ours from here on.
int begin_external(frame &one, unit &to, const void *caller) noexcept
{
    // Another thread may have had the unit in between.
    if (UNLIKELY(to.state.load(std::memory_order_relaxed) != unit_state::ours || to.reader.is_reading())) return 0;
    // Behind a part of a record of its own the run time would have to do the rest, too.
    const bool is_part = (one.block->flags & transfer_advance) != 0 || to.is_partial;
    if (!to.has_waiting() && to.is_text_to_be_left()) {
        count_left_statement(*one.block, direction::write, "few records come between statements of another kind");
        return 0;
    }
    if (!is_part && is_left_as_first(*one.block, direction::write)) return 0;
    if (!is_part && begins_to_wait(one, to, caller)) return 1;
    return begins_at_its_site(one, to, caller) ? 1 : 0;
}

int begin_internal(frame &one, const void *caller) noexcept
{
    transfer_block &block = *one.block;
    if (block.unit != internal_unit_number || block.internal_descriptor != nullptr || block.internal == nullptr) return 0;
    if (is_left_as_first(block, direction::write) || !is_dialect_known(block, caller)) return 0;
    one.where = site_of(block);
    if (one.where == nullptr) return 0;
    if (one.where->state() == site_state::left) {
        one.where->count_left();
        return 0;
    }
    one.real = run_time_of_site(*one.where, caller);
    if (one.real == nullptr || !is_tested(*one.real)) return 0;
    one.values = 0;
    one.copied = 0;
    one.is_partial = false;
    one.has_finite_reals = false;
    one.is_checked = one.where->begins_check();
    growing<char> &scratch = frames_here().scratch[frames_here().depth - 1];
    scratch.clear();
    begin_text(one, &scratch);
    if (block.flags & block_has_iostat) *block.iostat = 0;
    block.flags &= ~block_outcome_mask;
    return 1;
}

// The same thread in a statement of ours on this unit: what happens then is the run time's to say.
bool is_recursive(unit &to) noexcept
{
    if (LIKELY(to.owner != this_thread_identity())) return false;
    frame *const outer = frame_with(to);
    if (outer != nullptr) give_back(*outer, "its I/O list does I/O on the same unit", true);
    return true;
}

}  // namespace

bool begins_at_its_site(frame &one, unit &to, const void *caller) noexcept
{
    if (UNLIKELY(!is_tested(*to.real))) {
        to.state.store(unit_state::left, std::memory_order_release);
        return false;
    }
    one.where = site_of(*one.block);
    if (UNLIKELY(one.where == nullptr)) return false;
    const site_state state = one.where->state();
    to.keep_quick_rows();
    if (UNLIKELY(to.longest_record != 0) && (one.block->flags & (block_has_err | block_has_iostat)) != 0)
        to.record_by_record = true;
    if (UNLIKELY((one.block->flags & transfer_advance) != 0) && advance_of(*one.block) == advance::other) return false;  // an error
    if (state == site_state::rows) one.where->find_next_check();
    if (UNLIKELY(state == site_state::left)) {
        one.where->count_left();
        return false;
    }
    // A process may have several run times, each with units of its own under the same numbers.
    if (UNLIKELY(run_time_of_site(*one.where, caller) != to.real)) {
        one.where->count_left("another run time has its unit");
        return false;
    }
    if (to.output.is_output() && one.mode != frame_mode::waits) to.output.begins_statement();
    if (to.has_waiting() && coarse_now() - to.since > unit::oldest) to.hand_over_all(nullptr);
    one.is_partial = UNLIKELY((one.block->flags & transfer_advance) != 0) && does_not_advance(*one.block);
    if (UNLIKELY(to.longest_record != 0) && (one.is_partial || to.is_partial)) {
        one.where->count_left("ADVANCE='NO' in a file with RECL=");
        return false;
    }
    one.to = &to;
    one.real = to.real;
    one.values = 0;
    one.has_finite_reals = false;
    one.is_checked = one.where->begins_check();
    to.file = one.block->file;
    to.line = one.block->line;
    if (state != site_state::rows || !begin_rows(one)) {
        if (!to.settle()) return false;
        begin_text(one, &to.text);
        if (one.is_partial) one.text.goes_on();
        if (to.is_partial) one.text.begins_in_record();
    }
    to.owner = this_thread_identity();
    if (one.block->flags & block_has_iostat) *one.block->iostat = 0;
    one.block->flags &= ~block_outcome_mask;
    return true;
}

}  // namespace headrace::run

using namespace headrace::run;

int run_write_begins(block_common *common, const void *caller)
{
    auto *const block = reinterpret_cast<transfer_block *>(common);
    frame *const one = push_frame(block);
    const std::uint32_t flags = block->flags;
    const bool is_internal = (flags & transfer_internal) != 0;
    if (UNLIKELY(one == nullptr)) {
        if (!is_internal) run_before_unit(block->unit);
        return 0;
    }
    const bool is_known = is_known_write(flags) && is_as_by_default(floating_point_state());
    if (is_internal) return is_known ? begin_internal(*one, caller) : 0;
    unit *const to = unit_of(block->unit);
    if (to == nullptr) return 0;
    if (!is_known || to->state.load(std::memory_order_acquire) != unit_state::ours || to->reader.is_reading() ||
        is_recursive(*to) || (frames_here().depth > 1 && is_in_statement_of(block->unit)))
        return leave_external(*one, to, is_known);
    lock_unit(*to);
    if (LIKELY(begin_external(*one, *to, caller))) return 1;
    one->to = nullptr;
    to->moves();
    to->hand_over_all(nullptr, if_it_may_fail(*block, one->where));
    to->reader.was_moved();
    if (to->real != nullptr) to->ends_ahead();
    unlock_unit(*to);
    one->left_unit = block->unit;
    return 0;
}

// ---- items ----

namespace headrace::run
{
namespace
{

template <class Bits>
bool takes_real(frame &one, const char *item) noexcept
{
    Bits bits;
    std::memcpy(&bits, item, sizeof bits);
    if (LIKELY(!is_unusual(bits))) {
        one.has_finite_reals = one.has_finite_reals || is_finite(bits);
        return is_finite(bits) || !one.real->is_flang;  // which has words of its own for the others
    }
    return formats_unusual(one) && !one.real->is_flang;
}

// False for what raises flags in the run time.
bool takes_real(frame &one, const char *item, int kind) noexcept
{
    return kind == 8 ? takes_real<std::uint64_t>(one, item) : takes_real<std::uint32_t>(one, item);
}

}  // namespace

void remember_place(frame &one) noexcept
{
    one.step_before = one.text.next_step();
    one.blanks_before = one.text.blanks_put_off();
    one.bytes_before = one.text.bytes();
}

void copy_internal(frame &one) noexcept
{
    const std::size_t bytes = one.text.bytes();
    const auto room = static_cast<std::size_t>(one.block->internal_length);
    if (bytes > room) return;  // an error
    std::memcpy(one.block->internal + one.copied, one.text.text() + one.copied, bytes - one.copied);
    one.copied = bytes;
}

bool gave_back_what_is_too_long(frame &one) noexcept
{
    const std::size_t bytes = one.text.bytes();
    if (one.to == nullptr) {
        if (LIKELY(bytes <= static_cast<std::size_t>(one.block->internal_length))) return false;
        give_back(one, "its text does not fit the variable", false);
        return true;
    }
    if (LIKELY(one.to->longest_record == 0) ||
        one.to->has_room_for(one.text.text(), bytes, one.text.ended_records(), one.text.looked_at))
        return false;
    one.to->record_by_record = true;
    give_back(one, "a record longer than RECL=", false);
    return true;
}

bool let_records_go(frame &one) noexcept
{
    if (one.to == nullptr || one.text.bytes() < text_kept_whole || one.to->longest_record != 0) return true;
    // What comes next depends on what is in the record, if T counts from its beginning, and in list-directed output of flang.
    if (one.where->program != nullptr ? one.where->program->has_tab() : one.real->is_flang) return true;
    one.is_checked = false;
    unit &to = *one.to;
    const char *const text = to.text.data();
    const std::size_t used = to.text.size();
    // Something stays of a record that goes on.
    const auto *const last = static_cast<const char *>(memrchr(text, '\n', used - (one.is_partial ? 1 : 0)));
    if (last == nullptr) return true;
    const auto whole = static_cast<std::size_t>(last + 1 - text);
    to.hand_over_begin(whole, one.is_partial);
    std::memmove(to.text.data(), text + whole, used - whole);
    to.text.resize_down(used - whole);
    one.text.text_left(whole);
    one.mode = frame_mode::counted;
    one.log.clear();
    one.log_is_whole = false;
    return true;
}

namespace
{

bool put_text(statement_text &text, int type, int kind, const char *value, std::size_t bytes) noexcept
{
    const kept_flags flags;
    return text.put(type, kind, value, bytes);
}

// Does the value become text? Otherwise the run time did not see it yet, but all before it.
int put_value(frame &one, int type, int kind, const char *value, std::size_t bytes) noexcept
{
    if (one.mode == frame_mode::text && !one.log.add(type, kind, value, bytes)) {
        give_back(one, "no memory", false);
        return 0;
    }
    if (UNLIKELY(one.mode == frame_mode::counted)) remember_place(one);
    if (UNLIKELY(!put_text(one.text, type, kind, value, bytes))) {
        if (one.mode == frame_mode::text) one.log.drop_last();
        give_back_item(one);
        return 0;
    }
    ++one.values;
    if (one.to == nullptr) copy_internal(one);
    else let_records_go(one);
    // An implied DO ends at an error of its item.
    if (one.mode == frame_mode::text && gave_back_what_is_too_long(one)) return 1;
    if (UNLIKELY(one.text.bytes() > longest_statement && one.real->is_flang)) give_back(one, "a long statement", true);
    return 1;
}

// The value is what the site has at this place every time, or it becomes text.
inline int keep_or_put(frame &one, int type, int kind, const char *value, std::size_t bytes) noexcept
{
    if (UNLIKELY(one.mode != frame_mode::rows)) return put_value(one, type, kind, value, bytes);
    const value_column *const column = one.column;
    if (LIKELY(column->type == type && column->kind == kind && column->bytes == bytes)) {
        std::memcpy(one.row + column->offset, value, bytes);
        one.column = column + 1;
        return 1;
    }
    if (rows_to_text(one)) return put_value(one, type, kind, value, bytes);
    give_back(one, "no memory", false);
    return 0;
}

}  // namespace
}  // namespace headrace::run

namespace headrace::run
{

void put_one_as_text(frame &one) noexcept
{
    const bool has_item = one.values == 1;
    growing<char> &scratch = frames_here().scratch[0];
    scratch.clear();
    begin_text(one, &scratch);
    one.values = 0;
    one.copied = 0;
    if (!has_item) {
        one.has_finite_reals = false;
        return;
    }
    const auto bytes = static_cast<std::size_t>(one.item_kind);
    if (!put_value(one, one.item_type, one.item_kind, one.item, bytes))
        pass(*one.real, one.block, one.item_type, one.item_kind, one.item, bytes);
}

void put_several_as_text(frame &one) noexcept
{
    growing<char> &scratch = frames_here().scratch[0];
    scratch.clear();
    one.mode = frame_mode::text;
    one.buffer = &scratch;
    one.text.begin(&scratch, one.where->program);
    one.log_is_whole = true;
    for (std::size_t i = 0; i < one.log.size(); ++i) {
        const logged_item &item = one.log[i];
        if (!put_text(one.text, item.type, item.kind, one.log.values(item), item.bytes))
            return give_back(one, "an item that its edit descriptor does not take", false);
    }
}

bool is_part_of_its_variable(const frame &one, const char *item, std::size_t bytes) noexcept
{
    if (one.to != nullptr) return false;
    const char *const begin = one.block->internal;
    return item < begin + one.block->internal_length && begin < item + bytes;
}

frame *writing_frame_of(const void *block) noexcept
{
    frame *const one = current_frame_of(block);
    if (one != nullptr && (one->mode == frame_mode::puts_one || one->mode == frame_mode::puts_several)) take_long_way(*one);
    return one;
}

}  // namespace headrace::run

int run_puts_scalar(block_common *block, const void *item, int type, int kind)
{
    frame *const one = current_frame_of(block);
    if (one == nullptr) return 0;
    if (one->mode == frame_mode::bytes) return moves_number(*one, const_cast<char *>(static_cast<const char *>(item)), type, kind);
    const auto bytes = static_cast<std::size_t>(type == complex_item ? 2 * kind : kind);
    if (one->mode == frame_mode::waits && !is_taken_over_with(*one, 1)) return 0;
    if (one->mode == frame_mode::puts_one && puts_one_item(*one, static_cast<const char *>(item), type, kind)) return 1;
    if (one->mode == frame_mode::puts_several && puts_one_of_several(*one, type, kind, static_cast<const char *>(item), bytes))
        return 1;
    if (one->mode == frame_mode::left) return ++one->values, 0;
    if (UNLIKELY(kind > 8)) {
        if (one->mode == frame_mode::counted) remember_place(*one);
        give_back(*one, "an item of a kind above 8", true);
        return 0;
    }
    if (type == real_item || type == complex_item) {
        const auto *const part = static_cast<const char *>(item);
        if (UNLIKELY(!takes_real(*one, part, kind) || (type == complex_item && !takes_real(*one, part + kind, kind)))) {
            if (one->mode == frame_mode::counted) remember_place(*one);
            give_back(*one, unusual_number(*one), false);
            return 0;
        }
    }
    return keep_or_put(*one, type, kind, static_cast<const char *>(item), bytes);
}

int run_puts_characters(block_common *block, const void *item, std::int64_t length)
{
    const std::size_t bytes = length > 0 ? static_cast<std::size_t>(length) : 0;
    frame *one = current_frame_of(block);
    if (one != nullptr && one->mode == frame_mode::puts_several &&
        puts_one_of_several(*one, character_item, 1, static_cast<const char *>(item), bytes))
        return 1;
    one = writing_frame_of(block);
    if (one == nullptr) return 0;
    if (one->mode == frame_mode::left) return ++one->values, 0;
    if (one->mode == frame_mode::bytes) return moves_text(*one, const_cast<char *>(static_cast<const char *>(item)), bytes);
    if (one->mode == frame_mode::waits && !is_taken_over_with(*one, 1)) return 0;
    if (UNLIKELY(is_part_of_its_variable(*one, static_cast<const char *>(item), bytes))) {
        give_back(*one, part_of_variable, true);
        return 0;
    }
    return keep_or_put(*one, character_item, 1, static_cast<const char *>(item), bytes);
}

void run_leaves_statement(block_common *block)
{
    frame *const one = writing_frame_of(block);
    if (one != nullptr && one->mode == frame_mode::counted) remember_place(*one);
    if (one != nullptr && one->mode != frame_mode::left) give_back(*one, "an item of a type that is not handled", true);
}
