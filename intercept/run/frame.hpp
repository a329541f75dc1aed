// A WRITE or READ in progress on this thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "item_log.hpp"
#include "read/reading.hpp"
#include "run.h"
#include "site.hpp"
#include "statement_text.hpp"
#include "unit.hpp"

namespace headrace::run
{

enum class frame_mode : std::uint8_t {
    left,        // the run time's
    rows,        // values are kept
    bytes,       // WRITE without a format: bytes are kept
    gets_bytes,  // READ of them
    text,        // items become text at once
    counted,     // as text; what left the buffer cannot be done again by the run time
    reads,       // values come from text
    waits,       // WRITE whose first item shows whose it is: first.hpp
    puts_one,    // of a character variable with one number, or none yet: straight/straight.hpp
    puts_several,
    gets_one
};

struct frame {
    // As in run_outermost: all that an item of kept values needs.
    transfer_block *block;
    const value_column *column;  // rows: of the next item
    char *row;
    char *row_end;
    std::uint64_t values;
    frame_mode mode;
    bool has_finite_reals;
    bool is_swapped;    // bytes: the file has the other byte order
    bool is_settled;    // left: how it ends is nothing to us
    bool is_watched;    // left: its values are counted, as in run_outermost
    bool is_checked;    // is to be compared with the run time's text
    bool log_is_whole;  // all items are in the log
    bool is_partial;    // ADVANCE='NO'
    unit *to;           // null: internal
    site *where;
    const run_time *real;
    // rows
    std::uint32_t row_block;
    const row_shape *shape;
    // text
    statement_text text;
    growing<char> *buffer;
    item_log log;
    std::uint64_t bytes_passed;  // gets_bytes: of this statement, before what is kept
    // counted: the place before the item that comes
    const format_step *step_before;
    std::size_t blanks_before, bytes_before;
    char *rest;  // of the format, while the run time goes on with it
    // internal: text that is in the variable already
    std::size_t copied;
    // puts_one, gets_one: the number, if it came
    char item[8];
    int item_type, item_kind;
    // puts_several: where format control is, what waits there, and the place of the next text in the variable. Its end is not
    // beside it: both would be loaded at once, which waits for the store before.
    struct {
        const char *end;
        const format_step *step;
        char *place;
        std::size_t blanks;
        bool was_characters, has_general_reals;
    } several;
    // waits: where the statement stands
    struct {
        const void *caller;
        const char *file;
        std::int32_t line;
    } waiting;
    // left: the unit's number
    std::int32_t left_unit;
    // reads
    reading values_from;

    bool has_all_columns() const noexcept { return column->type == run_no_column; }
};

// Has a WRITE these flags and no others that are not handled? Then its end says whether its unit can be ours.
inline bool is_known_write(std::uint32_t flags) noexcept
{
    constexpr std::uint32_t form = transfer_list_directed | transfer_format;
    constexpr std::uint32_t known = block_outcome_mask | block_has_err | block_has_end | block_has_eor | block_has_iostat |
                                    block_has_iomsg | form | transfer_internal | transfer_advance | transfer_flang;
    return (flags & ~known) == 0 && (flags & form) != 0;
}
inline bool does_not_advance(const transfer_block &block) noexcept { return advance_of(block) == advance::no; }

// A statement of the run time on its unit was good.
void unit_was_written(const frame &one) noexcept;
// A READ of the run time has ended; is_good: well, and it stands at the beginning of a record.
void unit_was_read(const frame &one, bool is_good) noexcept;

// The statements in progress of a thread, one inside of the other.
inline constexpr int deepest_frame = 8;
struct thread_frames {
    int depth;
    frame frames[deepest_frame];
    growing<char> scratch[deepest_frame];  // text of internal statements
    bool is_registered;                    // its memory is given back when the thread ends
};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static_assert(offsetof(thread_frames, frames) + offsetof(frame, block) == offsetof(run_outermost, block) &&
                  offsetof(thread_frames, frames) + offsetof(frame, column) == offsetof(run_outermost, column) &&
                  offsetof(thread_frames, frames) + offsetof(frame, row) == offsetof(run_outermost, row) &&
                  offsetof(thread_frames, frames) + offsetof(frame, row_end) == offsetof(run_outermost, row_end) &&
                  offsetof(thread_frames, frames) + offsetof(frame, values) == offsetof(run_outermost, values) &&
                  offsetof(thread_frames, frames) + offsetof(frame, is_swapped) == offsetof(run_outermost, is_swapped) &&
                  offsetof(thread_frames, frames) + offsetof(frame, mode) == offsetof(run_outermost, mode) &&
                  offsetof(thread_frames, frames) + offsetof(frame, has_finite_reals) ==
                      offsetof(run_outermost, has_finite_reals) &&
                  offsetof(thread_frames, frames) + offsetof(frame, is_watched) == offsetof(run_outermost, is_watched) &&
                  static_cast<int>(frame_mode::left) == run_mode_left && static_cast<int>(frame_mode::rows) == run_mode_rows &&
                  static_cast<int>(frame_mode::bytes) == run_mode_bytes &&
                  static_cast<int>(frame_mode::gets_bytes) == run_mode_gets_bytes,
              "items of C read them");
#pragma GCC diagnostic pop
// As bytes: all zero is the right beginning, and nothing is to be constructed at the first use.
inline thread_frames &frames_here() noexcept { return *reinterpret_cast<thread_frames *>(run_frames); }

// The run time's, as every statement is until it is taken over. left_unit: INT32_MIN if its end is nothing to the unit.
inline void become_left(frame &one, transfer_block *block, std::int32_t left_unit) noexcept
{
    one.block = block;
    one.mode = frame_mode::left;
    one.is_settled = false;
    one.is_watched = false;
    one.is_checked = false;
    one.to = nullptr;
    one.where = nullptr;
    one.rest = nullptr;
    one.left_unit = left_unit;
}

// A statement of ours from here on, the only one of this thread. to: null if internal.
inline void become_ours(thread_frames &here, transfer_block &block, frame_mode mode, unit *to, site &where,
                        const run_time *real) noexcept
{
    frame &one = here.frames[0];
    one.block = &block;
    one.mode = mode;
    one.is_checked = false;
    one.is_partial = false;
    one.to = to;
    one.where = &where;
    one.real = real;
    one.rest = nullptr;
    one.left_unit = INT32_MIN;
    one.values = 0;
    if (block.flags & block_has_iostat) *block.iostat = 0;
    block.flags &= ~block_outcome_mask;
    here.depth = 1;
}

// Does `block` have a frame on this thread that is the innermost one?
frame *current_frame_of(const void *block) noexcept;
// The same of a WRITE, as one of the long way (straight/straight.hpp).
frame *writing_frame_of(const void *block) noexcept;
frame *push_frame(transfer_block *block) noexcept;
void drop_stale(const void *block) noexcept;
// Those inside of this one, which nobody ends.
void drop_inside(int place) noexcept;
// Is its block still that of the statement? A longjmp may have left it.
bool is_alive(const frame &one) noexcept;
void release(unit &to) noexcept;
void frames_start() noexcept;
void pop_frame() noexcept;
// The innermost; null outside of statements.
frame *innermost_frame() noexcept;
bool is_in_statement_of(std::int32_t unit_number) noexcept;
frame *frame_with(const unit &one) noexcept;
const void *this_thread_identity() noexcept;

// The run time does this statement from its beginning, and goes on with it.
inline const char *unusual_number(const frame &one) noexcept
{
    return one.real->is_flang ? "a subnormal number, an infinity or NaN" : "a subnormal number";
}
void give_back(frame &one, const char *reason, bool for_good) noexcept;
// The longest text of a statement that is kept whole, of those whose beginning cannot be handed over alone.
inline constexpr std::size_t longest_statement = std::size_t{8} << 20;
// An item has no text. In a list of flang that is for the value, or for its place in the line.
inline void give_back_item(frame &one) noexcept
{
    const format_program *const program = one.where->program;
    const bool is_listed = one.real->is_flang && (program == nullptr || program->has_general());
    if (!is_listed && one.text.failed_part() != nullptr) return give_back(one, one.text.failed_part(), false);
    give_back(one, is_listed ? "a list with long lines or rare values" : "an item that its edit descriptor does not take",
              !is_listed);
}
void give_back_read(frame &one, const char *reason, bool for_good) noexcept;

// Subnormal numbers are the run time's, but of a statement that it cannot do again: unless its text depends on the state.
bool formats_unusual(const frame &one) noexcept;
// Kept values so far become text: the items differ from those of other statements here. False without memory.
bool rows_to_text(frame &one) noexcept;
// What the text is before an item that may fail.
void remember_place(frame &one) noexcept;
// Text that is in the variable while the items come: later items may be parts of it.
void copy_internal(frame &one) noexcept;
// If the text is longer than the variable, or than RECL=: an implied DO ends at such an error of its item.
bool gave_back_what_is_too_long(frame &one) noexcept;
// Does the item lie in the variable that is written? The run time puts the blanks of its field there before it looks at it.
bool is_part_of_its_variable(const frame &one, const char *item, std::size_t bytes) noexcept;
inline constexpr char part_of_variable[] = "an item that is a part of the variable that is written";
// Whole records of a long statement leave. From then on the run time cannot do it again.
bool let_records_go(frame &one) noexcept;

// Why the run time does a statement on this unit; is_known: all words of the statement are.
const char *why_left(bool is_known, const unit &one) noexcept;

// What began as a statement of one number goes on as one of text, or of the run time.
void put_one_as_text(frame &one) noexcept;
void put_several_as_text(frame &one) noexcept;
void get_one_as_others(frame &one) noexcept;

// READ with T in its format: are our columns those of the run time? To be asked before the unit is touched.
bool finds_columns(const unit_reader &from, const site &where, const transfer_block &block) noexcept;

// A READ from a character variable. False: the run time does it.
bool begins_internal(reading &values, const transfer_block &block, const format_program *program, growing<char> &copy) noexcept;

// Compares what was written with the run time's text. False: it differs; the frame's text is the
// run time's now if `text` was its own.
bool is_as_the_run_time_writes(frame &one, const char *text, std::size_t bytes, std::size_t ended_records) noexcept;

}  // namespace headrace::run
