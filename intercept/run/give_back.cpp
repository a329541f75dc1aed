// Statements that were begun here and become the run time's: from their beginning, or behind the records that have left.
#include <cstring>
#include <string>

#include "bytes/bytes.hpp"
#include "first.hpp"
#include "floating_point.hpp"
#include "frame.hpp"
#include "rest_of_format.hpp"
#include "run.h"
#include "statistics.hpp"

namespace headrace::run
{

namespace
{

// Kept values so far, as items in the log.
bool values_to_log(frame &one) noexcept
{
    one.log.clear();
    for (const value_column *column = one.shape->begin(); column != one.column; ++column)
        if (!one.log.add(column->type, column->kind, one.row + column->offset, column->bytes)) return false;
    return true;
}

// Nothing of the program's own is undone: text of this statement is dropped, earlier statements are handed over.
void make_left(frame &one) noexcept
{
    one.mode = frame_mode::left;
    one.is_settled = false;
    one.left_unit = one.block->flags & transfer_internal ? INT32_MIN : one.block->unit;
}

// Records of this statement have left: the run time goes on behind them. `item` was not used yet.
void give_back_rest(frame &one, const char *reason) noexcept
{
    unit &to = *one.to;
    one.where->leave(reason);
    one.where->count_left();
    std::string rest;
    one.text.drop_behind(one.bytes_before);
    try {
        if (one.where->program != nullptr) rest = rest_of_format(*one.where->program, one.step_before, one.blanks_before);
    } catch (...) {
        note("%s:%d: no memory left for the rest of a record", one.block->file, static_cast<int>(one.block->line));
    }
    to.waiting_bytes = to.text.size();
    to.is_partial = !to.text.empty() && to.text[to.text.size() - 1] != '\n';
    to.hand_over_all(one.block);
    release(to);
    make_left(one);
    char *const kept = static_cast<char *>(take_memory(rest.size() + 1));
    if (one.where->program != nullptr && kept != nullptr) {
        std::memcpy(kept, rest.data(), rest.size());
        one.rest = kept;
        one.block->format = kept;
        one.block->format_length = static_cast<std::int64_t>(rest.size());
    }
    one.real->st_write(one.block);
}

}  // namespace

void give_back(frame &one, const char *reason, bool for_good) noexcept
{
    if (one.mode == frame_mode::waits) return leave_if_it_waits(one);
    if (one.mode == frame_mode::bytes) return give_back_bytes(one, reason);
    if (one.mode == frame_mode::gets_bytes) return give_back_read_bytes(one, reason);
    if (one.mode == frame_mode::reads) return give_back_read(one, reason, for_good);
    if (one.mode == frame_mode::counted) return give_back_rest(one, reason);
    const bool is_logged = one.mode != frame_mode::rows || values_to_log(one);
    if (one.mode != frame_mode::rows) one.text.drop();
    if (for_good) one.where->leave(reason);
    one.where->was_given_back(reason);
    if (one.to != nullptr) {
        one.to->hand_over_all(nullptr, unit::alone::from_longest);
        release(*one.to);
    }
    make_left(one);
    one.real->st_write(one.block);
    // Without memory for the log the statement lacks items, and says so.
    if (is_logged) one.log.replay(*one.real, one.block);
    else note("%s:%d: no memory left; a record lacks its first items", one.block->file, static_cast<int>(one.block->line));
}

bool rows_to_text(frame &one) noexcept
{
    const kept_flags flags;
    if (!values_to_log(one)) return false;
    one.where->surprise();
    unit &to = *one.to;
    if (!to.settle()) return false;
    one.mode = frame_mode::text;
    one.buffer = &to.text;
    one.text.begin(&to.text, one.where->program);
    if (one.is_partial) one.text.goes_on();
    if (to.is_partial) one.text.begins_in_record();
    one.log_is_whole = true;
    for (std::size_t i = 0; i < one.log.size(); ++i) {
        const logged_item &item = one.log[i];
        if (!one.text.put(item.type, item.kind, one.log.values(item), item.bytes)) return false;
    }
    one.values = one.log.size();
    return true;
}

}  // namespace headrace::run

using namespace headrace::run;

void run_gives_back_all(void)
{
    for (int i = 0; i < frames_here().depth && i < deepest_frame; ++i) {
        frame &one = frames_here().frames[i];
        if (one.mode != frame_mode::left && one.mode != frame_mode::reads && one.mode != frame_mode::gets_bytes &&
            one.to != nullptr && is_alive(one))
            give_back(one, "the program ended inside of it", false);
    }
}
