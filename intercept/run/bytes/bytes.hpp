// Statements without a format. A file of stream access has no records, so the bytes of many WRITE are the bytes of one: they wait
// in the unit's text, in the byte order of the file, and are handed over as characters, which no run time swaps. Of direct access:
// direct.hpp.
#pragma once

#include <cstddef>

#include "../frame.hpp"
#include "../section.hpp"

namespace headrace::run
{

// Of a unit that was just opened for stream or direct access, as the run time's INQUIRE says; none: its statements are the run
// time's.
byte_form byte_form_of(const unit &one) noexcept;
// What the run time knows of the size of its file; -1 if it does not.
std::int64_t file_bytes_of(const unit &one) noexcept;
// Nothing waits for it.
void set_byte_form(unit &one, byte_form form) noexcept;

// Items of a statement. 1: taken over; 0: the statement is the run time's from here on, and it goes on with this item.
int moves_number(frame &one, char *item, int type, int kind) noexcept;
int moves_text(frame &one, char *item, std::size_t bytes) noexcept;
int moves_section(frame &one, const section &items) noexcept;
// A few numbers one behind the other. 0: nothing happened.
int moves_short_vector(frame &one, const array_descriptor &from, int kind) noexcept;
// So many bytes more. False: the statement has become long, and waits in memory only, or there is no more memory.
bool makes_room(frame &one, std::size_t bytes) noexcept;
// The same of READ. False: the file has no more.
bool reads_on(frame &one, std::size_t bytes) noexcept;

// What waits, and what came of this statement, in one statement of the run time, which goes on with it.
void give_back_bytes(frame &one, const char *reason) noexcept;

// The same of READ.
void give_back_read_bytes(frame &one, const char *reason) noexcept;
// The statement was read from memory.
void end_read_bytes(frame &one) noexcept;

// n values of so many bytes in the other byte order.
void swap_values(char *to, const char *from, std::size_t n, std::size_t bytes) noexcept;
// Both directions: a statement without anything out of the ordinary.
inline constexpr std::uint32_t plain_byte_flags =
    block_outcome_mask | block_has_err | block_has_end | block_has_iostat | block_has_iomsg;
// Of one statement, beside what was read ahead: it may transfer more than there is memory for.
inline constexpr std::size_t most_kept_bytes = std::size_t{64} << 10;
// The statement is the run time's to its end, with those inside of it: what waits must be there before.
int leave_bytes(unit &of, transfer_block &block) noexcept;
// The site, if its statements may be taken over.
site *byte_site(const transfer_block &block, unit &of, direction does, const void *caller) noexcept;
// The innermost and only statement of this thread from here on. The unit is locked.
frame &begin_byte_frame(transfer_block &block, unit &of, site &where, frame_mode mode) noexcept;

// The same, if the last statement of this thread was there: most are. False: nothing happened.
inline bool begin_byte_frame_again(transfer_block &block, unit &of, direction does, frame_mode mode) noexcept
{
    thread_frames &here = frames_here();
    frame &one = here.frames[0];
    if (one.mode != mode || one.to != &of || here.depth != 0 || of.is_locked || !is_single_threaded()) return false;
    if (!one.where->may_be_of(block, does) || one.where->state() == site_state::left) return false;
    if (one.where->real.load(std::memory_order_relaxed) != of.real) return false;
    here.depth = 1;
    one.block = &block;
    one.is_swapped = of.bytes.load(std::memory_order_relaxed) == byte_form::swapped;  // it may be another file
    one.values = 0;
    one.bytes_passed = 0;
    of.owner = this_thread_identity();
    if (block.flags & block_has_iostat) *block.iostat = 0;
    block.flags &= ~block_outcome_mask;
    return true;
}
// No keyword but those of errors, and REC= for direct access.
inline bool is_plain(const transfer_block &block, const unit &of) noexcept
{
    const std::uint32_t flags = block.flags & ~plain_byte_flags;
    if (__builtin_expect(flags == 0, 1)) return of.direct.record_bytes() == 0;
    return flags == transfer_record && of.direct.record_bytes() != 0;
}
// Of direct access: is to be seen how it ends.
inline void watch(frame &one, unit &of) noexcept
{
    if (of.direct.record_bytes() == 0) return;
    of.direct.is_not_found(false);
    one.left_unit = of.number;
}
// Does an error not end the program, so that there is something to be seen?
inline bool is_watched(const transfer_block &block, const unit &of) noexcept
{
    constexpr std::uint32_t goes_on = block_has_err | block_has_end | block_has_iostat;
    return of.direct.record_bytes() != 0 && (block.flags & goes_on) != 0;
}
// Nothing waits, and the run time does it as it would alone: without a look at more.
inline bool leaves_at_once(transfer_block &block, unit &of) noexcept
{
    if (!is_single_threaded() || of.has_waiting() || of.is_ahead() || of.owner != nullptr) return false;
    thread_frames &here = frames_here();
    const bool is_to_be_seen = is_watched(block, of);
    if ((block.flags & transfer_defined) != 0 || (is_to_be_seen && here.depth != 0)) return false;
    const bool may_be_ours = is_plain(block, of);
    if (may_be_ours && of.bytes_to_leave == 0 && (block.line != of.left_line || block.file != of.left_file)) return false;
    if (may_be_ours && of.bytes_to_leave > 0) --of.bytes_to_leave;
    // A unit whose statements are left one after the other is the run time's until it is opened anew: no statement looks at it.
    constexpr std::uint32_t most = 1000;
    if (++of.left_in_a_row > most) {
        set_byte_form(of, byte_form::none);
    } else if (is_to_be_seen) {
        here.depth = 1;
        become_left(here.frames[0], &block, INT32_MIN);
        watch(here.frames[0], of);
    }
    return true;
}
// Is a statement of this unit the run time's, because its form is not known yet or what is kept did not pay lately? The unit is
// locked.
bool is_left_for_now(unit &of) noexcept;
// What every statement asks: is the unit as it was?
inline bool may_be_taken(const transfer_block &block, const unit &of) noexcept
{
    return is_plain(block, of) && run_is_active && !of.shares_file;
}

// What is ours was given up. If that did not pay, the run time does more and more statements before it is tried again.
void grow_patience(unit &of, bool did_pay) noexcept;

// To the run time. Precondition: something waits. Returns the outcome: 0 is good.
int hand_over_bytes(unit &one, transfer_block *model) noexcept;

}  // namespace headrace::run
