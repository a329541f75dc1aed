// READ without a format: from bytes that were read ahead.
#include <cstring>

#include "../run.h"
#include "../statistics.hpp"
#include "bytes.hpp"

namespace headrace::run
{
bool reads_on(frame &one, std::size_t bytes) noexcept
{
    unit_reader &reader = one.to->reader;
    // The run time would go on here, too: its position is all that it needs.
    if (static_cast<std::size_t>(one.row - reader.next_record()) > most_kept_bytes)
        one.bytes_passed += static_cast<std::uint64_t>(reader.passes_to(one.row));
    const char *const begin = reader.next_record();
    const auto used = static_cast<std::size_t>(one.row - begin);
    const bool is_there = reader.read_bytes(begin, used + bytes);
    one.row = const_cast<char *>(reader.first_kept()) + used;
    one.row_end = const_cast<char *>(reader.end_of_lines());
    return is_there;
}

void give_back_read_bytes(frame &one, const char *reason) noexcept
{
    unit &from = *one.to;
    const run_time &real = *from.real;
    const auto record = static_cast<std::int64_t>(from.direct.record_bytes());
    std::int64_t left = one.row - (record != 0 ? one.row_end - record : from.reader.next_record());
    one.where->was_given_back(reason);
    if (from.has_waiting()) from.hand_over_all(nullptr);  // of direct access
    from.ends_ahead();
    become_left(one, one.block, INT32_MIN);
    watch(one, from);
    release(from);
    real.st_read(one.block);
    // What the items have already.
    char again[256];
    constexpr std::int64_t most = sizeof again;
    for (; left > 0; left -= most) real.reads.character(one.block, again, left < most ? left : most);
}

void end_read_bytes(frame &one) noexcept
{
    unit &from = *one.to;
    if (from.direct.record_bytes() != 0) {
        from.direct.was_read(one.block->record);
        one.where->count_taken(one.values, from.direct.record_bytes());
    } else {
        const auto bytes = static_cast<std::uint64_t>(from.reader.passes_to(one.row));
        one.where->count_taken(one.values, one.bytes_passed + bytes);
    }
    from.left_in_a_row = 0;
    if (from.is_locked) release(from);
    else from.owner.release(nullptr);
}

}  // namespace headrace::run

using namespace headrace::run;

namespace headrace::run
{
namespace
{

void stand_at_next(unit_reader &reader) noexcept
{
    frame &one = frames_here().frames[0];
    reader.look_at_file();
    one.row = const_cast<char *>(reader.next_record());
    one.row_end = const_cast<char *>(reader.end_of_lines());
}

// The record is in memory.
void stand_at_record(const unit &from, char *record) noexcept
{
    frame &one = frames_here().frames[0];
    one.row = record;
    one.row_end = record + from.direct.record_bytes();
}

__attribute__((noinline)) int begins_at_record(unit &from, transfer_block &block, const void *caller) noexcept
{
    if (is_left_for_now(from) || !may_be_taken(block, from) || frames_here().depth != 0 || !is_single_threaded() ||
        !from.is_read_ahead || !from.direct.may_be_number(block.record))
        return leave_bytes(from, block);
    site *const where = byte_site(block, from, direction::read_bytes, caller);
    if (where == nullptr || (!from.direct.is_ours() && !from.direct.begin(from))) return leave_bytes(from, block);
    char *const record = from.direct.find(from, block.record);
    if (record == nullptr) {
        const bool is_behind_end = from.direct.is_good_behind_error();
        leave_bytes(from, block);
        from.direct.is_not_found(is_behind_end);
        return 0;
    }
    begin_byte_frame(block, from, *where, frame_mode::gets_bytes);
    stand_at_record(from, record);
    return 1;
}

__attribute__((noinline)) int begins_elsewhere(unit &from, transfer_block &block, const void *caller) noexcept
{
    if (from.direct.record_bytes() != 0) return begins_at_record(from, block, caller);
    // Where a unit of several threads stands is the run time's.
    if (is_left_for_now(from) || !may_be_taken(block, from) || frames_here().depth != 0 || from.was_written ||
        !is_single_threaded())
        return leave_bytes(from, block);
    site *const where = byte_site(block, from, direction::read_bytes, caller);
    if (where == nullptr) return leave_bytes(from, block);
    if (!from.is_read_ahead) return leave_bytes(from, block);
    if (!from.reader.is_reading() && !from.reader.begin_bytes(*from.real, from.number, from.descriptor))
        return leave_bytes(from, block);
    begin_byte_frame(block, from, *where, frame_mode::gets_bytes);
    stand_at_next(from.reader);
    return 1;
}

}  // namespace
}  // namespace headrace::run

int run_read_begins_bytes(block_common *common, const void *caller)
{
    auto &block = *reinterpret_cast<transfer_block *>(common);
    unit *const from = known_unit(block.unit);
    if (from == nullptr || from->bytes.load(std::memory_order_acquire) == byte_form::none) return 0;
    if (leaves_at_once(block, *from)) return 0;
    if (from->direct.is_ours()) {
        if (!may_be_taken(block, *from) || !from->direct.may_be_number(block.record) || from->bytes_to_leave > 0)
            return begins_elsewhere(*from, block, caller);
        char *const record = from->direct.find(*from, block.record);
        if (record == nullptr || !begin_byte_frame_again(block, *from, direction::read_bytes, frame_mode::gets_bytes))
            return begins_elsewhere(*from, block, caller);
        stand_at_record(*from, record);
        return 1;
    }
    if (from->direct.record_bytes() == 0 && from->was_written) return leave_bytes(*from, block);
    if (!may_be_taken(block, *from) || !from->reader.is_reading() ||
        !begin_byte_frame_again(block, *from, direction::read_bytes, frame_mode::gets_bytes))
        return begins_elsewhere(*from, block, caller);
    stand_at_next(from->reader);
    return 1;
}
