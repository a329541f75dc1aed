// The short way of a WRITE whose values are kept, when nothing is out of the ordinary: a third of the time of the long
// one, which has the reasons (write.cpp).
#include <cstring>

#include "floating_point.hpp"
#include "frame.hpp"
#include "run.h"
#include "settings.hpp"
#include "straight/straight.hpp"

namespace headrace::run
{
namespace
{

constexpr std::uint32_t error_flags = block_has_err | block_has_iostat | block_has_iomsg;
constexpr std::uint32_t ordinary_flags =
    block_outcome_mask | error_flags | transfer_list_directed | transfer_format | transfer_flang;

bool has_other_advance(const transfer_block &block, const row_shape &shape) noexcept
{
    if (__builtin_expect((block.flags & transfer_advance) == 0, 1)) return shape.record_goes_on();
    return advance_of(block) != (shape.record_goes_on() ? advance::no : advance::yes);
}

// The run time's, as it was before: however it ends, nothing changes, but that what it writes may not be in the file yet.
int left_at_once(thread_frames &here, unit &to, transfer_block *block) noexcept
{
    to.reader.was_moved();
    here.depth = 1;
    become_left(here.frames[0], block, block->unit);
    here.frames[0].is_settled = true;
    return -1;
}

// The frame as the long way leaves it, but for the row.
void make_frame(frame &one, const transfer_block &block, unit &to, site &where, const row_shape &shape) noexcept
{
    one.shape = &shape;
    one.row_block = unit::block_of(shape);
    one.to = &to;
    one.where = &where;
    one.real = to.real;
    one.mode = frame_mode::rows;
    one.is_partial = shape.record_goes_on();
    one.rest = nullptr;
    to.file = block.file;
    to.line = block.line;
}

// The values of the statement come. All else in the frame is known.
__attribute__((always_inline)) inline int begin_row(thread_frames &here, transfer_block &block, char *row) noexcept
{
    here.depth = 1;
    frame &one = here.frames[0];
    one.row = row;
    one.block = &block;
    one.is_checked = false;
    one.has_finite_reals = false;
    one.column = one.shape->begin();
    one.to->owner = this_thread_identity();
    const std::uint32_t flags = block.flags;
    if (flags & block_has_iostat) *block.iostat = 0;
    block.flags = flags & ~block_outcome_mask;
    return 1;
}

__attribute__((noinline)) int begins_at_other_site(transfer_block *block, unit *to, unit_state of_unit) noexcept
{
    thread_frames &here = frames_here();
    frame &one = here.frames[0];
    const std::uint32_t flags = block->flags;
    // flang tells of errors and of ADVANCE= only later: its family looks how the statement ends.
    const bool may_be_left = of_unit == unit_state::unknown && (flags & transfer_flang) != 0;
    if ((of_unit != unit_state::ours && !may_be_left) || (flags & ~(ordinary_flags | transfer_advance)) != 0) return 0;
    site *const where = recent_site_of(*block);
    if (where == nullptr) return 0;
    const bool is_text_left = __builtin_expect(to->texts_to_leave > 0, 0) && of_unit == unit_state::ours;
    if (is_text_left || !where->keeps_values()) {
        // With an error the program may go on behind an unfinished record: the long way sees how it ends.
        if ((flags & (error_flags | transfer_advance)) != 0 || !is_single_threaded() || to->has_waiting()) return 0;
        if (is_text_left ? chosen.statistics[0] != '\0' : where->state() != site_state::left) return 0;
        if (is_text_left) {
            to->is_text_to_be_left();
        } else {
            where->count_left();
            if (chosen.statistics[0] == '\0') to->leaves_one_more();
        }
        return left_at_once(here, *to, block);
    }
    // Libraries have threads, of a BLAS for example, that do no I/O: the short way is good for programs with threads, too.
    const row_shape &shape = *where->shape();  // another thread may learn another one
    if (may_be_left || has_other_advance(*block, shape) || !is_as_by_default(floating_point_state()) || !lock_unit_at_once(*to))
        return 0;
    if (to->output.is_output()) to->output.begins_statement();
    const bool is_same = one.mode == frame_mode::rows && one.where == where && one.to == to;
    char *row = nullptr;
    // Another thread may have had the unit in between.
    const bool is_ours = to->state.load(std::memory_order_relaxed) == unit_state::ours && !to->reader.is_reading();
    if (is_ours && !(to->has_waiting() && to->is_old()) && where->real.load(std::memory_order_relaxed) == to->real) {
        make_frame(one, *block, *to, *where, shape);
        if (to->takes_rows_of(shape)) row = to->next_row(shape, one.row_block);
    }
    if (row == nullptr) {
        unlock_unit(*to);
        return 0;
    }
    if (is_same) to->begin_quick_rows(*where, one.row_block);
    return begin_row(here, *block, row);
}

// A part of a record whose other parts are the run time's.
bool goes_on_with_part(const unit &to, const transfer_block &block) noexcept
{
    constexpr std::uint32_t known = block_outcome_mask | transfer_list_directed | transfer_format;
    return (block.flags & ~known) == transfer_advance && does_not_advance(block) && to.descriptor >= 0 && !to.has_waiting() &&
           !to.reader.is_reading() && is_single_threaded();
}

// What is the run time's costs little more than without us: a function of its own, that keeps no registers.
__attribute__((noinline)) int begins_elsewhere(transfer_block *block) noexcept
{
    thread_frames &here = frames_here();
    if (here.depth != 0) return 0;
    if (block->flags & transfer_internal) return begins_straight(here, block, direction::write);
    unit *const to = known_unit(block->unit);
    if (to == nullptr) return 0;
    const unit_state of_unit = to->state.load(std::memory_order_acquire);
    // However it ends, nothing changes, but for READ that comes.
    if (of_unit == unit_state::left || of_unit == unit_state::resting ||
        (of_unit == unit_state::unknown && goes_on_with_part(*to, *block))) {
        if (chosen.statistics[0] != '\0' || to->reader.is_at_record()) return 0;
        to->reader.was_moved();
        if (of_unit == unit_state::resting) to->rests();
        return -1;
    }
    return begins_at_other_site(block, to, of_unit);
}

__attribute__((always_inline)) inline int end_row(thread_frames &here, frame &one) noexcept
{
    if (one.has_finite_reals && one.shape->has_general_reals()) raise_inexact();
    if (__builtin_expect(one.to->is_locked, 0)) release(*one.to);
    else one.to->owner.release(nullptr);
    here.depth = 0;
    return 1;
}

__attribute__((noinline)) int ends_elsewhere(frame &one) noexcept
{
    unit &to = *one.to;
    to.keep_quick_rows();
    if (to.each_record || !to.has_waiting() || to.is_wanted.load(std::memory_order_relaxed)) return 0;
    const std::size_t bytes = to.waiting_bytes + one.shape->text_bytes();
    if (bytes >= chosen.batch_bytes || (to.output.is_followed() && to.output.is_emptied_by(bytes))) return 0;
    to.keep_row(*one.where, one.row_block);
    return end_row(frames_here(), one);
}

}  // namespace
}  // namespace headrace::run

using namespace headrace::run;

// Where the last statement of this thread was: no call, so that no register needs to be kept.
int run_write_begins_again(block_common *common)
{
    auto *const block = reinterpret_cast<transfer_block *>(common);
    thread_frames &here = frames_here();
    const frame &last = here.frames[0];
    if (here.depth != 0 || last.mode != frame_mode::rows || !is_single_threaded()) return begins_elsewhere(block);
    const unit &to = *last.to;
    const site &where = *last.where;
    if (to.quick.left == 0 || to.quick.where != &where || to.number != block->unit || !where.may_be_of(*block, direction::write) ||
        !where.goes_on() || (block->flags & ~ordinary_flags) != to.quick.advance ||
        to.state.load(std::memory_order_acquire) != unit_state::ours || !is_as_by_default(floating_point_state()))
        return begins_elsewhere(block);
    if (__builtin_expect(to.quick.advance != 0, 0) && advance_of(*block) != advance::no) return begins_elsewhere(block);
    return begin_row(here, *block, to.quick.next);
}

int run_write_ends_again(block_common *common)
{
    thread_frames &here = frames_here();
    frame &one = here.frames[0];
    if (here.depth != 1 || one.block != reinterpret_cast<transfer_block *>(common)) return 0;
    if (one.mode == frame_mode::puts_one || one.mode == frame_mode::puts_several) return ends_straight(here);
    if (one.mode == frame_mode::left && one.is_settled) {
        here.depth = 0;
        return -1;
    }
    if (one.mode != frame_mode::rows || !one.has_all_columns() || one.is_checked) return 0;
    unit &to = *one.to;
    if (to.quick.left == 0 || to.quick.next != one.row) return ends_elsewhere(one);
    --to.quick.left;
    to.quick.next += to.quick.row_bytes;
    return end_row(here, one);
}
