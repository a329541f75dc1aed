// The short way of a WRITE whose values are kept, when nothing is out of the ordinary: a third of the time of the long
// one, which has the reasons (write.cpp).
#include <cstring>

#include "floating_point.hpp"
#include "frame.hpp"
#include "one_item.hpp"
#include "run.h"
#include "settings.hpp"

namespace headrace::run
{
namespace
{

constexpr std::uint32_t ordinary_flags =
    block_outcome_mask | block_has_err | block_has_iostat | block_has_iomsg | transfer_list_directed | transfer_format;

// The run time's, as it was before: however it ends, nothing changes.
int left_at_once(thread_frames &here, transfer_block *block) noexcept
{
    here.depth = 1;
    become_left(here.frames[0], block, block->unit);
    here.frames[0].is_settled = true;
    return -1;
}

// A statement where the last one of this thread was: all that is known of it is still in its frame.
inline bool is_where_the_last_was(const frame &last, const transfer_block &block) noexcept
{
    return last.mode == frame_mode::rows && last.to->number == block.unit && last.where->is_of(block, direction::write);
}

// The frame as the long way leaves it, but for the row.
void make_frame(frame &one, const transfer_block &block, unit &to, site &where) noexcept
{
    one.shape = where.shape();
    one.row_block = unit::block_of(*one.shape);
    one.to = &to;
    one.where = &where;
    one.real = to.real;
    one.is_partial = false;
    one.rest = nullptr;
    to.file = block.file;
    to.line = block.line;
}

}  // namespace
}  // namespace headrace::run

using namespace headrace::run;

int run_write_begins_again(block_common *common)
{
    auto *const block = reinterpret_cast<transfer_block *>(common);
    thread_frames &here = frames_here();
    frame &one = here.frames[0];
    const std::uint32_t flags = block->flags;
    if (here.depth != 0) return 0;
    if (flags & transfer_internal) return begins_one_item(here, block, direction::write);
    const bool is_same = is_where_the_last_was(one, *block);
    unit *const to = is_same ? one.to : known_unit(block->unit);
    if (to == nullptr) return 0;
    const unit_state of_unit = to->state.load(std::memory_order_acquire);
    // However it ends, nothing changes.
    if (of_unit == unit_state::left) return chosen.statistics[0] != '\0' ? 0 : -1;
    if (of_unit != unit_state::ours || (flags & ~ordinary_flags) != 0 || !is_single_threaded()) return 0;
    site *const where = is_same ? one.where : recent_site_of(*block);
    if (where == nullptr) return 0;
    if (!where->keeps_values()) {
        if (where->state() != site_state::left || to->has_waiting()) return 0;
        where->count_left();
        return left_at_once(here, block);
    }
    if (!is_default_state(floating_point_state()) || (to->has_waiting() && to->is_old())) return 0;
    if (!is_same) {
        if (where->real.load(std::memory_order_relaxed) != to->real) return 0;
        make_frame(one, *block, *to, *where);
    }
    one.row = to->next_row(*one.shape, one.row_block);
    if (one.row == nullptr) return 0;
    here.depth = 1;
    one.block = block;
    one.mode = frame_mode::rows;
    one.is_checked = false;
    one.has_finite_reals = false;
    one.column = one.shape->begin();
    to->owner = this_thread_identity();
    if (flags & block_has_iostat) *block->iostat = 0;
    block->flags = flags & ~block_outcome_mask;
    return 1;
}

int run_write_ends_again(block_common *common)
{
    thread_frames &here = frames_here();
    frame &one = here.frames[0];
    if (here.depth != 1 || one.block != reinterpret_cast<transfer_block *>(common)) return 0;
    if (one.mode == frame_mode::puts_one) return ends_one_item(here);
    if (one.mode == frame_mode::left && one.is_settled) {
        here.depth = 0;
        return -1;
    }
    if (one.mode != frame_mode::rows || !one.has_all_columns() || one.is_checked) return 0;
    unit &to = *one.to;
    if (to.is_locked || to.each_record || !to.has_waiting()) return 0;
    if (to.waiting_bytes + one.where->shape()->text_bytes() >= chosen.batch_bytes) return 0;
    to.keep_row(one.row_block);
    one.where->count_row();
    if (one.has_finite_reals && one.where->shape()->has_general_reals()) raise_inexact();
    to.owner = nullptr;
    here.depth = 0;
    return 1;
}
