// Next: write.cpp.
#include "first.hpp"

#include <atomic>

#include "run.h"
#include "settings.hpp"

namespace headrace::run
{
namespace
{

// To look at a format, and to compare the text, takes the run time's work for as many.
constexpr std::size_t many_values = 2048;
constexpr std::int64_t short_variable = 32768, short_file = 65536;  // bytes

// How many statements of the places that share an entry were met.
constexpr std::size_t places_size = 4096;
std::atomic<std::uint8_t> first_statements[places_size];

std::atomic<std::uint8_t> &met_at(const transfer_block &block) noexcept
{
    const auto file = reinterpret_cast<std::uintptr_t>(block.file);
    return first_statements[((file >> 3) ^ (static_cast<std::size_t>(block.line) * 31)) % places_size];
}

bool is_among(const transfer_block &block, std::uint8_t limit) noexcept
{
    return __builtin_expect(met_at(block).load(std::memory_order_relaxed) < limit, 0);
}

bool counts(const transfer_block &block, std::uint8_t limit) noexcept
{
    if (!is_among(block, limit)) return false;
    std::atomic<std::uint8_t> &met = met_at(block);
    met.store(static_cast<std::uint8_t>(met.load(std::memory_order_relaxed) + 1), std::memory_order_relaxed);
    return true;
}

std::uint8_t limit_of(const transfer_block &block) noexcept
{
    const bool is_short = (block.flags & transfer_internal) != 0 && block.internal_length < short_variable;
    return is_short ? chosen.first_short_left : chosen.first_left;
}

void leave(frame &one) noexcept
{
    unit &to = *one.to;
    to.hand_over_all(nullptr);
    to.reader.was_moved();
    to.reader.end(*one.real, to.number);
    release(to);
    one.mode = frame_mode::left;
    one.is_settled = false;
    one.left_unit = one.block->unit;
    one.real->st_write(one.block);
    one.waiting.items.replay(*one.real, one.block);
}

void pass_on(frame &one, const logged_item &item, char *values) noexcept
{
    auto *const block = reinterpret_cast<block_common *>(one.block);
    const auto bytes = static_cast<std::int64_t>(item.bytes);
    if (item.is_array) {
        array_descriptor vector = vector_of(values, item.type, bytes, static_cast<std::int64_t>(item.count));
        const std::int64_t length = item.type == character_item ? bytes : 0;
        if (!run_puts_array(block, &vector, item.kind, length)) one.real->array(block, &vector, item.kind, length);
        return;
    }
    const int is_done = item.type == character_item ? run_puts_characters(block, values, bytes)
                                                    : run_puts_scalar(block, values, item.type, item.kind);
    if (!is_done) pass(*one.real, block, item.type, item.kind, values, item.bytes);
}

outcome take_over(frame &one) noexcept
{
    if (!begins_at_its_site(one, *one.to, one.block->file)) {
        leave(one);
        return outcome::left;
    }
    item_log &items = one.waiting.items;
    ++run_own_statements;  // a tracer has counted them
    for (std::size_t i = 0; i < items.size(); ++i) pass_on(one, items[i], items.values(items[i]));
    --run_own_statements;
    return one.mode == frame_mode::left ? outcome::left : outcome::taken_over;
}

outcome without_memory(frame &one) noexcept
{
    leave(one);
    return outcome::left;
}

}  // namespace

bool is_among_first(const transfer_block &block) noexcept { return is_among(block, limit_of(block)); }

bool is_left_as_first(const transfer_block &block, direction does) noexcept
{
    if (__builtin_expect(!counts(block, limit_of(block)), 1)) return false;
    count_left_statement(block, does, nullptr);
    return true;
}

bool is_left_with_short_file(const transfer_block &block, const unit &from) noexcept
{
    if (from.reader.is_reading() || !is_among(block, chosen.first_short_left)) return false;
    if (from.descriptor < 0 || !from.reader.is_file_within(from.descriptor, short_file)) return false;
    counts(block, chosen.first_short_left);
    count_left_statement(block, direction::read, nullptr);
    return true;
}

bool begins_to_wait(frame &one, unit &to) noexcept
{
    // If it fails the program may go on: then no item behind an error must be asked for.
    if ((one.block->flags & (block_has_err | block_has_iostat | transfer_flang)) != 0 || one.block->file == nullptr) return false;
    if (!counts(*one.block, chosen.first_short_left)) return false;
    one.mode = frame_mode::waits;
    one.to = &to;
    one.real = to.real;
    one.waiting.items.clear();
    one.waiting.values = 0;
    one.waiting.file = one.block->file;
    one.waiting.line = one.block->line;
    one.block->flags &= ~block_outcome_mask;
    to.owner = this_thread_identity();
    return true;
}

outcome waits_with(frame &one, int type, int kind, const char *value, std::size_t bytes) noexcept
{
    if (++one.waiting.values >= many_values) return take_over(one);
    constexpr int widest = 8;
    return kind <= widest && one.waiting.items.add(type, kind, value, bytes) ? outcome::waits : without_memory(one);
}

char *waits_with_section(frame &one, int type, int kind, std::size_t n, std::size_t bytes, outcome &became) noexcept
{
    one.waiting.values += n;
    char *place = nullptr;
    if (one.waiting.values >= many_values) became = take_over(one);
    else if ((place = one.waiting.items.add_array(type, kind, n, bytes)) == nullptr) became = without_memory(one);
    return place;
}

void leave_if_it_waits(frame &one) noexcept
{
    if (one.mode != frame_mode::waits) return;
    count_left_statement(*one.block, direction::write, nullptr);
    leave(one);
}

void forget_first_statements() noexcept
{
    for (std::atomic<std::uint8_t> &one : first_statements) one = 0;
}

}  // namespace headrace::run
