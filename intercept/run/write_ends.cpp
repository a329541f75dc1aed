// The end of a WRITE: its text is compared if it is to be, and waits for its unit, or goes into the variable.
#include <cstring>

#include "first.hpp"
#include "floating_point.hpp"
#include "frame.hpp"
#include "run.h"
#include "settings.hpp"
#include "statistics.hpp"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

namespace headrace::run
{
namespace
{

// The text of this statement, compared; on a difference the run time's statement takes its place.
bool check_text(frame &one) noexcept
{
    if (!one.is_checked || !one.log_is_whole || one.mode == frame_mode::counted) return true;
    return is_as_the_run_time_writes(one, one.text.text(), one.text.bytes(), one.text.ended_records());
}

bool check_row(frame &one) noexcept
{
    const kept_flags flags;
    const row_shape &shape = *one.shape;
    one.log.clear();
    if (!shape.log_row(one.log, one.row)) return true;
    // Eight times: blocks of values take other paths than single ones.
    constexpr std::size_t copies = 8;
    growing<char> rows, text;
    bool is_same = true;
    if (rows.reserve(copies * shape.row_bytes() + 64)) {
        for (std::size_t i = 0; i < copies; ++i) std::memcpy(rows.extend(shape.row_bytes()), one.row, shape.row_bytes());
        if (shape.format(text, rows.data(), copies, one.to->scratch)) {
            const std::size_t bytes = text.size() / copies, shown = bytes - (shape.record_goes_on() ? 0 : 1);
            for (std::size_t i = 1; i < copies; ++i)
                is_same = is_same && std::memcmp(text.data(), text.data() + i * bytes, bytes) == 0;
            is_same = is_as_the_run_time_writes(one, text.data(), shown, shape.ended_records()) && is_same;
        }
    }
    give_memory(rows.data());
    give_memory(text.data());
    return is_same;
}

int end_external(frame &one) noexcept
{
    unit &to = *one.to;
    const bool is_part = one.is_partial || to.is_partial;
    if (LIKELY(one.mode == frame_mode::rows)) {
        if (UNLIKELY(!one.has_all_columns()) && !rows_to_text(one)) {
            give_back(one, "no memory", false);
            return 0;
        }
        if (UNLIKELY(one.mode == frame_mode::rows && one.is_checked) && !check_row(one)) {
            give_back(one, "its text differs from the run time's", true);
            return 0;
        }
    }
    if (LIKELY(one.mode == frame_mode::rows)) {
        if (!to.has_waiting()) to.begins_to_wait();
        to.keep_row(*one.where, one.row_block);
        if (one.has_finite_reals && one.shape->has_general_reals()) raise_inexact();
    } else {
        if (one.mode == frame_mode::counted) remember_place(one);
        if (!one.text.end(one.is_partial) || !to.text.reserve(1)) {
            const char *const part = one.text.failed_part();
            give_back(one, part != nullptr ? part : "no memory", false);
            return 0;
        }
        if (!check_text(one)) {
            give_back(one, "its text differs from the run time's", true);
            return 0;
        }
        if (gave_back_what_is_too_long(one)) return 0;
        if (UNLIKELY(one.is_partial && one.mode != frame_mode::counted &&
                     (to.text.empty() || to.text[to.text.size() - 1] == '\n'))) {
            // A record begins, although there is no text of it.
            give_back(one, "ADVANCE='NO' without text", false);
            return 0;
        }
        const std::size_t bytes = one.text.bytes() + 1;
        if (one.log_is_whole) one.where->learn(one.log, one.text, one.is_partial ? record_end::goes_on : record_end::ends);
        if (!to.has_waiting()) to.begins_to_wait();
        if (!one.is_partial) to.text.push('\n');
        to.has_ended = to.has_ended || !one.is_partial;
        to.is_partial = one.is_partial;
        to.last_begins = to.waiting_bytes;
        to.waiting_bytes = to.text.size();
        if (!one.is_partial) to.ended_bytes = to.waiting_bytes;
        if (one.has_finite_reals && one.text.has_general_reals()) raise_inexact();
        one.where->count_taken(one.values, bytes);
    }
    // One by one flang's run time is as fast with characters and integers.
    if (UNLIKELY(one.real->is_flang && to.each_record && !one.has_finite_reals && !chosen.is_strict))
        one.where->leave("records without reals, to standard output or no regular file");
    to.has_several_records = one.mode == frame_mode::rows ? one.shape->ended_records() > 0
                                                          : one.text.ended_records() > 0 || one.mode == frame_mode::counted;
    constexpr std::size_t many = 8;
    const auto values = one.mode == frame_mode::rows ? static_cast<std::size_t>(one.shape->end() - one.shape->begin()) : one.values;
    to.has_gained = to.has_gained || one.has_finite_reals || values >= many;
    if (to.is_due(is_part)) {
        if (to.each_record || is_part) to.moves_output();
        // The last record alone, as the run time has it: a statement that fails leaves bytes of it in the next record.
        to.hand_over_all(one.block, chosen.is_strict && to.has_several_records ? unit::alone::last : unit::alone::none);
    }
    release(to);
    return 1;
}

int end_internal(frame &one) noexcept
{
    transfer_block &block = *one.block;
    const auto room = static_cast<std::size_t>(block.internal_length);
    if (!one.text.end(false) || one.text.bytes() > room || std::memchr(one.text.text(), '\n', one.text.bytes()) != nullptr ||
        !check_text(one)) {
        give_back(one, "its text does not fit the variable", false);
        return 0;
    }
    copy_internal(one);
    std::memset(block.internal + one.copied, ' ', room - one.copied);
    if (one.where->state() == site_state::learning) one.where->learn(one.log, one.text, record_end::internal);
    if (one.has_finite_reals && one.text.has_general_reals()) raise_inexact();
    if (one.values != 1) one.where->miss_one_item();
    one.where->count_taken(one.values, one.copied);
    return 1;
}

}  // namespace
}  // namespace headrace::run

using namespace headrace::run;

int run_write_ends(block_common *block)
{
    frame *const one = writing_frame_of(block);
    if (UNLIKELY(one == nullptr)) {
        if (frames_here().depth > deepest_frame) --frames_here().depth;
        return 0;
    }
    leave_if_it_waits(*one);
    if (one->mode == frame_mode::left) return 0;
    const int is_done = one->to != nullptr ? end_external(*one) : end_internal(*one);
    if (is_done) pop_frame();
    return is_done;
}

void run_left_statement_ends(block_common *common)
{
    const auto *const block = reinterpret_cast<transfer_block *>(common);
    frame *const one = current_frame_of(block);
    if (one == nullptr) {
        drop_stale(block);
        return;
    }
    give_memory(one->rest);
    learns_length(*one);
    const std::uint32_t flags = block->flags;
    if (one->left_unit != INT32_MIN && is_known_write(flags)) {
        // A record that stands unfinished may have text behind its position, by T or an error: the next statement keeps it.
        const bool has_failed = (flags & block_outcome_mask) != 0;
        if (unit *const to = has_failed ? known_unit(one->left_unit) : nullptr) to->record_by_record = to->longest_record != 0;
        if (has_failed || does_not_advance(*block)) run_unit_moved(one->left_unit);
        else unit_was_written(*one);
    } else if (one->left_unit != INT32_MIN) {
        // gfortran counts what a namelist writes against the next record, too.
        const unit *const to = known_unit(one->left_unit);
        if (to != nullptr && to->longest_record != 0) run_unit_moved(one->left_unit);
    }
    pop_frame();
}
