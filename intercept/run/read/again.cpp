// The short way of a READ at a site that is known, when nothing is out of the ordinary. The long one (statement.cpp) has the
// reasons.
#include <unistd.h>

#include "../floating_point.hpp"
#include "../frame.hpp"
#include "../run.h"
#include "../settings.hpp"
#include "../straight/straight.hpp"

namespace headrace::run
{
namespace
{

constexpr std::uint32_t ordinary_flags = block_outcome_mask | block_has_err | block_has_end | block_has_eor | block_has_iostat |
                                         block_has_iomsg | transfer_list_directed | transfer_format | transfer_advance |
                                         transfer_size | transfer_internal;

bool takes_over(thread_frames &here, transfer_block *block, site &where, unit *from) noexcept
{
    become_ours(here, *block, frame_mode::reads, from, where, where.real.load(std::memory_order_relaxed));
    return true;
}

// A site that the long way has taken over often enough.
site *known_site(const transfer_block &block) noexcept
{
    site *const where = recent_site_of(block, direction::read);
    if (where == nullptr || where->state() != site_state::text || where->is_to_be_checked()) return nullptr;
    if (where->real.load(std::memory_order_relaxed) == nullptr || !is_as_by_default(floating_point_state())) return nullptr;
    return where;
}

// The run time's for now; how it ends counts.
bool is_left_again(unit &from, thread_frames &here, transfer_block *block) noexcept
{
    if (from.has_waiting() || from.owner != nullptr || from.descriptor < 0 || chosen.statistics[0] != '\0') return false;
    if (from.reader.is_at_record() && !from.reader.is_to_be_left()) return false;
    here.depth = 1;
    become_left(here.frames[0], block, block->unit);
    return true;
}

// The unit is locked.
int begins_external(unit &from, thread_frames &here, transfer_block *block) noexcept
{
    const bool is_ordinary = (block->flags & ~ordinary_flags) == 0;
    frame &one = here.frames[0];
    if (!from.reader.is_reading()) {
        // Of others nothing is read ahead, however their statements end.
        const bool is_ahead = from.is_read_ahead && from.descriptor > STDERR_FILENO && !chosen.is_strict;
        if (is_ahead && is_left_again(from, here, block)) return -1;
        const bool may_begin = is_ahead && is_ordinary && from.is_ordinary && from.reads_plainly;
        const bool is_writing = from.has_waiting() || from.state.load(std::memory_order_relaxed) == unit_state::ours;
        if (may_begin || is_writing || chosen.statistics[0] != '\0' || from.owner != nullptr || from.descriptor < 0 ||
            from.direct.is_ours())
            return 0;
        // The run time's, as it was before: nobody needs to know how it ends.
        from.reader.was_left();
        return -1;
    }
    site *const where = is_ordinary && from.is_read_ahead ? known_site(*block) : nullptr;
    if (where == nullptr || where->real.load(std::memory_order_relaxed) != from.real) return 0;
    if (!finds_columns(from.reader, *where, *block)) return 0;
    from.reader.look_at_file();
    if (advance_of(*block) == advance::other || !one.values_from.begin(from.reader, where->program)) return 0;
    if (!one.values_from.stays_in_record(*block)) return 0;
    from.owner = this_thread_identity();
    return takes_over(here, block, *where, &from);
}

bool lock_to_read(unit &from) noexcept
{
    if (__builtin_expect(is_single_threaded(), 1)) return true;
    if (!lock_unit_at_once(from)) return false;
    if (may_read(from)) return true;
    unlock_unit(from);
    return false;
}

}  // namespace
}  // namespace headrace::run

using namespace headrace::run;

int run_read_begins_again(block_common *common)
{
    auto *const block = reinterpret_cast<transfer_block *>(common);
    thread_frames &here = frames_here();
    const std::uint32_t flags = block->flags;
    if (here.depth != 0) return 0;
    const bool is_ordinary = (flags & ~ordinary_flags) == 0;
    frame &one = here.frames[0];
    if (flags & transfer_internal) {
        if (const int straight = begins_straight(here, block, direction::read)) return straight;
        site *const where = is_ordinary && (flags & (transfer_advance | transfer_size)) == 0 ? known_site(*block) : nullptr;
        if (where == nullptr || !begins_internal(one.values_from, *block, where->program, here.scratch[0])) return 0;
        return takes_over(here, block, *where, nullptr);
    }
    unit *const from = known_unit(block->unit);
    if (from == nullptr || !lock_to_read(*from)) return 0;
    const int begins = begins_external(*from, here, block);
    if (begins != 1 && __builtin_expect(from->is_locked, 0)) unlock_unit(*from);
    return begins;
}

int run_read_ends_again(block_common *common)
{
    thread_frames &here = frames_here();
    frame &one = here.frames[0];
    if (here.depth != 1 || one.block != reinterpret_cast<transfer_block *>(common)) return 0;
    if (one.mode == frame_mode::gets_one) return ends_straight(here);
    if (one.mode != frame_mode::reads || one.is_checked || one.where->state() != site_state::text ||
        (one.to != nullptr && one.to->is_wanted.load(std::memory_order_relaxed)) || !one.values_from.end())
        return 0;
    std::uint64_t bytes = 0;
    if (one.to != nullptr) {
        bytes = static_cast<std::uint64_t>(one.to->reader.passes_to(one.values_from.next()));
        one.values_from.tell_outcome(*one.block);
        release(*one.to);
    }
    if (one.values != 1) one.where->miss_one_item();
    one.where->count_taken(one.values, bytes);
    here.depth = 0;
    return 1;
}
