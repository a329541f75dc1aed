// WRITE without a format: the bytes of its items, and then the next statement.
#include <cstring>

#include "../run.h"
#include "../settings.hpp"
#include "bytes.hpp"

namespace headrace::run
{
namespace
{

// For the items that come, without a look at the memory.
constexpr std::size_t room = 1024;

}  // namespace

bool makes_room(frame &one, std::size_t bytes) noexcept
{
    growing<char> &text = one.to->text;
    const std::size_t before = text.size();
    const auto used = static_cast<std::size_t>(one.row - text.data());
    if (used - before > most_kept_bytes) return false;
    text.extend(used - before);
    const bool is_done = text.reserve(bytes + room);
    text.resize_down(before);
    one.row = text.data() + used;
    one.row_end = text.data() + text.capacity();
    return is_done;
}

void give_back_bytes(frame &one, const char *reason) noexcept
{
    unit &to = *one.to;
    // Of direct access the records before go to their places first.
    const bool is_direct = to.direct.record_bytes() != 0;
    const std::size_t begins = is_direct ? to.text.size() : 0;
    const auto bytes = static_cast<std::size_t>(one.row - to.text.data()) - begins;
    if (is_direct && to.has_waiting()) to.hand_over_all(nullptr);
    if (is_direct) to.direct.end(to);
    to.text.clear();
    to.waiting_bytes = 0;
    one.where->was_given_back(reason);
    become_left(one, one.block, INT32_MIN);
    watch(one, to);
    release(to);
    const run_time &real = *to.real;
    real.st_write(one.block);
    if (bytes > 0) real.character(one.block, to.text.data() + begins, static_cast<std::int64_t>(bytes));
}

}  // namespace headrace::run

using namespace headrace::run;

namespace headrace::run
{
namespace
{

// The room is there. record: bytes of a record of direct access, or 0.
inline void stand_at_end(unit &to, std::size_t record) noexcept
{
    frame &one = frames_here().frames[0];
    one.row = to.text.data() + to.text.size();
    one.row_end = record != 0 ? one.row + record : to.text.data() + to.text.capacity();
}

// The unit is locked, or needs no lock.
inline bool makes_room(unit &to, std::size_t record) noexcept
{
    if (to.has_waiting() && to.is_old()) to.hand_over_all(nullptr);
    if (__builtin_expect(record == 0, 1)) return to.text.reserve(room);
    return to.direct.is_ours() && to.direct.has_room() && to.text.reserve(record > room ? record : room);
}

bool takes_place(unit &to, const transfer_block &block) noexcept
{
    if (to.direct.record_bytes() == 0) return !to.reader.is_reading();
    if (!to.direct.may_be_written(block.record) || !is_single_threaded()) return false;
    return to.direct.is_ours() || to.direct.begin(to);
}

// As the run time fills it up.
void ends_record(frame &one) noexcept
{
    const std::size_t record = one.to->direct.record_bytes();
    std::memset(one.row, 0, static_cast<std::size_t>(one.row_end - one.row));
    one.row = one.row_end;
    one.to->direct.was_written(one.block->record, one.row - record);
}

__attribute__((noinline)) int begins_elsewhere(unit &to, transfer_block &block, const void *caller) noexcept
{
    to.was_written = true;
    if (!may_be_taken(block, to) || frames_here().depth != 0) return leave_bytes(to, block);
    lock_unit(to);
    site *const where = is_left_for_now(to) || !to.is_writable ? nullptr : byte_site(block, to, direction::write_bytes, caller);
    const std::size_t record = to.direct.record_bytes();
    if (where == nullptr || !takes_place(to, block) || !makes_room(to, record)) {
        unlock_unit(to);
        return leave_bytes(to, block);
    }
    begin_byte_frame(block, to, *where, frame_mode::bytes);
    stand_at_end(to, record);
    return 1;
}

}  // namespace
}  // namespace headrace::run

int run_write_begins_bytes(block_common *common, const void *caller)
{
    auto &block = *reinterpret_cast<transfer_block *>(common);
    unit *const to = known_unit(block.unit);
    if (to == nullptr) return 0;
    const byte_form form = to->bytes.load(std::memory_order_acquire);
    if (form == byte_form::none) return 0;
    if (leaves_at_once(block, *to)) {
        to->was_written = true;
        return 0;
    }
    const std::size_t record = to->direct.record_bytes();
    if (form == byte_form::unknown || to->bytes_to_leave > 0 || !is_single_threaded() || !may_be_taken(block, *to) ||
        frames_here().depth != 0 || !makes_room(*to, record) || (record != 0 && !to->direct.may_be_written(block.record)) ||
        !begin_byte_frame_again(block, *to, direction::write_bytes, frame_mode::bytes))
        return begins_elsewhere(*to, block, caller);
    to->was_written = true;
    stand_at_end(*to, record);
    return 1;
}

void run_record_ends(const block_common *common)
{
    const auto &block = *reinterpret_cast<const transfer_block *>(common);
    if ((block.flags & block_outcome_mask) == 0) return;
    unit *const of = known_unit(block.unit);
    if (of != nullptr && of->direct.record_bytes() != 0 && !of->direct.is_good_behind_error()) set_byte_form(*of, byte_form::none);
}

int run_bytes_end(block_common *common)
{
    thread_frames &here = frames_here();
    frame &one = here.frames[0];
    if (one.block != reinterpret_cast<transfer_block *>(common) || here.depth < 1) return -1;
    if (here.depth > 1) drop_inside(0);  // a longjmp left them
    here.depth = 0;
    if (one.mode == frame_mode::gets_bytes) return end_read_bytes(one), 1;
    if (one.mode != frame_mode::bytes) return one.left_unit == INT32_MIN ? -1 : 0;
    unit &to = *one.to;
    const bool is_direct = to.direct.record_bytes() != 0;
    if (__builtin_expect(is_direct, 0)) ends_record(one);
    const auto used = static_cast<std::size_t>(one.row - to.text.data());
    const std::size_t before = to.text.size();
    if (before == 0) to.since = coarse_now();
    to.text.extend(used - before);
    to.waiting_bytes = used;
    one.where->count_taken(one.values, used - before);
    ++to.byte_statements;
    to.left_in_a_row = 0;
    const std::size_t most = is_direct ? to.direct.most_waiting() : chosen.batch_bytes;
    if (used >= most || to.is_wanted.load(std::memory_order_relaxed)) to.hand_over_all(one.block);
    if (to.is_locked) release(to);
    else to.owner.release(nullptr);
    return 1;
}
