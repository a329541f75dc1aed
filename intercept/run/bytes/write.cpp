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
    const auto bytes = static_cast<std::size_t>(one.row - to.text.data());
    to.text.clear();
    to.waiting_bytes = 0;
    one.where->was_given_back(reason);
    become_left(one, one.block, INT32_MIN);
    release(to);
    const run_time &real = *to.real;
    real.st_write(one.block);
    if (bytes > 0) real.character(one.block, to.text.data(), static_cast<std::int64_t>(bytes));
}

}  // namespace headrace::run

using namespace headrace::run;

namespace headrace::run
{
namespace
{

// The room is there.
void stand_at_end(unit &to) noexcept
{
    frame &one = frames_here().frames[0];
    one.row = to.text.data() + to.text.size();
    one.row_end = to.text.data() + to.text.capacity();
}

// The unit is locked, or needs no lock.
bool makes_room(unit &to) noexcept
{
    if (to.has_waiting() && to.is_old()) to.hand_over_all(nullptr);
    return to.text.reserve(room);
}

__attribute__((noinline)) int begins_elsewhere(unit &to, transfer_block &block, const void *caller) noexcept
{
    to.was_written = true;
    if (!may_be_taken(block, to) || frames_here().depth != 0) return leave_bytes(to, block);
    lock_unit(to);
    site *const where = is_left_for_now(to) || to.reader.is_reading() || !to.is_writable
                            ? nullptr
                            : byte_site(block, to, direction::write_bytes, caller);
    if (where == nullptr || !makes_room(to)) {
        unlock_unit(to);
        return leave_bytes(to, block);
    }
    begin_byte_frame(block, to, *where, frame_mode::bytes);
    stand_at_end(to);
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
    if (form == byte_form::unknown || to->bytes_to_leave > 0 || !is_single_threaded() || !may_be_taken(block, *to) ||
        frames_here().depth != 0 || !makes_room(*to) ||
        !begin_byte_frame_again(block, *to, direction::write_bytes, frame_mode::bytes))
        return begins_elsewhere(*to, block, caller);
    to->was_written = true;
    stand_at_end(*to);
    return 1;
}

int run_bytes_end(block_common *common)
{
    thread_frames &here = frames_here();
    frame &one = here.frames[0];
    if (one.block != reinterpret_cast<transfer_block *>(common) || here.depth < 1) return -1;
    if (here.depth > 1) drop_inside(0);  // a longjmp left them
    here.depth = 0;
    if (one.mode == frame_mode::gets_bytes) return end_read_bytes(one), 1;
    if (one.mode != frame_mode::bytes) return -1;
    unit &to = *one.to;
    const auto used = static_cast<std::size_t>(one.row - to.text.data());
    const std::size_t before = to.text.size();
    if (before == 0) to.since = coarse_now();
    to.text.extend(used - before);
    to.waiting_bytes = used;
    one.where->count_taken(one.values, used - before);
    ++to.byte_statements;
    to.left_in_a_row = 0;
    if (used >= chosen.batch_bytes || to.is_wanted.load(std::memory_order_relaxed)) to.hand_over_all(one.block);
    if (to.is_locked) release(to);
    else to.owner.release(nullptr);
    return 1;
}
