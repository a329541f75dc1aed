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

// n values of so many bytes, in the byte order of the file.
void put_values(frame &one, const char *from, std::size_t n, std::size_t bytes) noexcept
{
    if (one.is_swapped) swap_values(one.row, from, n, bytes);
    else std::memcpy(one.row, from, n * bytes);
    one.row += n * bytes;
}

constexpr const char *long_item = "an item of more than 2 KiB", *long_statement = "a long statement, or no memory";

// False: the statement has become long, and waits in memory only, or there is no more memory.
bool has_room(frame &one, std::size_t bytes) noexcept
{
    if (bytes <= static_cast<std::size_t>(one.row_end - one.row)) return true;
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

}  // namespace

int puts_number(frame &one, const char *item, int type, int kind) noexcept
{
    const std::size_t parts = type == complex_item ? 2 : 1;
    if (kind > 8 || !has_room(one, 16)) {
        give_back_bytes(one, kind > 8 ? "an item of a kind above 8" : long_statement);
        return 0;
    }
    put_values(one, item, parts, static_cast<std::size_t>(kind));
    ++one.values;
    return 1;
}

int puts_text(frame &one, const char *item, std::size_t bytes) noexcept
{
    if (bytes > longest_bytes || !has_room(one, bytes)) {
        give_back_bytes(one, bytes > longest_bytes ? long_item : long_statement);
        return 0;
    }
    put_values(one, item, bytes, 1);
    ++one.values;
    return 1;
}

int puts_section(frame &one, const section &from) noexcept
{
    const std::size_t all = from.total * from.bytes;
    if (!is_handled(from) || all > longest_bytes || !has_room(one, all)) {
        give_back_bytes(one, !is_handled(from)     ? "an item of a type that is not handled"
                             : all > longest_bytes ? long_item
                                                   : long_statement);
        return 0;
    }
    const std::size_t parts = from.type == complex_item ? 2 : from.type == character_item ? from.bytes : 1;
    if (from.contiguous == from.total) {
        put_values(one, from.base, from.total * parts, from.bytes / parts);
    } else {
        section_walk walk(from);
        for (std::size_t i = 0; i < from.total; ++i, walk.next()) put_values(one, walk.place(), parts, from.bytes / parts);
    }
    one.values += from.total;
    return 1;
}

int puts_short_vector(frame &one, const array_descriptor &from, int kind) noexcept
{
    const array_dimension &dimension = from.dimension[0];
    const auto n = static_cast<std::uint64_t>(dimension.upper - dimension.lower + 1);
    if (from.rank != 1 || dimension.stride != 1 || n - 1 >= 64 || (kind != 8 && kind != 4) || from.element_bytes != kind) return 0;
    if (from.type != real_item && from.type != integer_item && from.type != logical_item) return 0;
    if (static_cast<std::size_t>(one.row_end - one.row) < n * static_cast<std::size_t>(kind)) return 0;
    put_values(one, from.base, n, static_cast<std::size_t>(kind));
    one.values += n;
    return 1;
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
    if (is_left_for_now(to) || !may_be_taken(block, to) || frames_here().depth != 0 || !to.is_writable || to.reader.is_reading())
        return leave_bytes(to, block);
    site *const where = byte_site(block, to, direction::write_bytes, caller);
    if (where == nullptr) return leave_bytes(to, block);
    lock_unit(to);
    // Another thread may have had the unit in between.
    if (to.bytes.load(std::memory_order_relaxed) == byte_form::none || to.reader.is_reading() || !makes_room(to)) {
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
