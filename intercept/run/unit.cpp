#include "unit.hpp"
#include "bytes/bytes.hpp"
#include "locks.hpp"

#include <time.h>

#include <cstring>
#include <new>

#include "floating_point.hpp"
#include "frame.hpp"
#include "settings.hpp"

namespace headrace::run
{

std::atomic<unit *> near_table[near_units];
std::atomic<bool> is_over{false};

namespace
{

constexpr std::size_t most_units = 4096;
std::atomic<unit *> all[most_units];
std::atomic<std::size_t> count{0};

unit *made(std::int32_t number) noexcept
{
    const locked hold(lock_of_units);
    unit *one = known_unit(number);
    const std::size_t n = count.load(std::memory_order_relaxed);
    if (one == nullptr && n < most_units) {
        one = new (std::nothrow) unit(number);
        if (one != nullptr) {
            all[n].store(one, std::memory_order_relaxed);
            count.store(n + 1, std::memory_order_release);
            if (is_near(number)) near_table[number - lowest_near].store(one, std::memory_order_release);
        }
    }
    return one;
}

}  // namespace

// A statement that began before there were threads has the unit without its lock. Precondition: the lock is held.
static bool has_another_owner(const unit &one) noexcept
{
    const void *const owner = one.owner.acquired();
    return owner != nullptr && owner != this_thread_identity();
}

static void pause_shortly() noexcept
{
    const timespec shortly = {0, 50000};
    nanosleep(&shortly, nullptr);
}

// Waits for a statement of another thread, as the run time does.
void lock_unit(unit &one) noexcept
{
    if (is_single_threaded()) return;
    pthread_mutex_lock(&one.lock);
    while (has_another_owner(one)) {
        pthread_mutex_unlock(&one.lock);
        pause_shortly();
        pthread_mutex_lock(&one.lock);
    }
    one.is_locked = true;
}

bool lock_unit_at_once(unit &one) noexcept
{
    if (is_single_threaded()) return true;
    if (pthread_mutex_trylock(&one.lock) != 0) return false;
    if (has_another_owner(one)) {
        pthread_mutex_unlock(&one.lock);
        return false;
    }
    one.is_locked = true;
    return true;
}

bool lock_unit_soon(unit &one, int milliseconds) noexcept
{
    if (is_single_threaded()) return true;
    timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += milliseconds * 1000000L;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    while (pthread_mutex_timedlock(&one.lock, &end) == 0) {
        if (!has_another_owner(one)) {
            one.is_locked = true;
            return true;
        }
        pthread_mutex_unlock(&one.lock);
        pause_shortly();
        timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        if (now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec)) return false;
    }
    return false;
}

bool may_read(unit &one) noexcept
{
    if (is_single_threaded()) return true;
    const void *const before = one.last_reader;
    if (before != nullptr && before != this_thread_identity()) one.has_several_readers = true;
    one.last_reader = this_thread_identity();
    return !one.has_several_readers;
}

bool unit::is_held_by_another() const noexcept { return is_locked && owner != this_thread_identity(); }

void unlock_unit(unit &one) noexcept
{
    if (!one.is_locked) return;
    one.is_locked = false;
    pthread_mutex_unlock(&one.lock);
}

unit *far_unit(std::int32_t number) noexcept
{
    const std::size_t n = count.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < n; ++i)
        if (all[i].load(std::memory_order_relaxed)->number == number) return all[i].load(std::memory_order_relaxed);
    return nullptr;
}

unit *unit_of(std::int32_t number) noexcept
{
    unit *const one = known_unit(number);
    return one != nullptr ? one : made(number);
}

unit *unit_at(std::size_t i) noexcept { return all[i].load(std::memory_order_relaxed); }
std::size_t unit_count() noexcept { return count.load(std::memory_order_acquire); }

void forget_locks() noexcept
{
    for (pthread_mutex_t &one : cold_locks) one = PTHREAD_MUTEX_INITIALIZER;
    for_each_unit([](unit &one) {
        one.lock = PTHREAD_MUTEX_INITIALIZER;
        one.is_locked = false;
    });
}

std::int64_t coarse_now() noexcept
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

bool unit::is_old_by_clock() noexcept
{
    constexpr std::uint32_t often = 64;
    const std::int64_t now = coarse_now();
    in_one_tick = now != read_at ? 0 : in_one_tick < often ? in_one_tick + 1 : often;
    if (in_one_tick == often) until_clock = clock_rests;
    read_at = now;
    return now - since > oldest;
}

bool unit::make_room(row_block &mine, const row_shape &shape) noexcept
{
    if (mine.shape != &shape) {
        if (mine.rows > 0 && !settle()) return false;
        mine.shape = &shape;
        mine.values.clear();
    }
    return runs_used < run_count || settle();
}

// Texts of one length are made of all rows of a block at once, and then put in order.
bool unit::append_in_order() noexcept
{
    for (std::uint32_t i = 0; i < runs_used; ++i) {
        row_block &from = blocks[runs[i].block];
        if (from.text.empty() && !from.shape->format(from.text, from.values.data(), from.rows, scratch)) return false;
        const std::size_t bytes = runs[i].rows * from.shape->text_bytes();
        if (!text.reserve(bytes)) return false;
        std::memcpy(text.extend(bytes), from.text.data() + from.placed, bytes);
        from.placed += bytes;
    }
    return true;
}

bool unit::format_in_order() noexcept
{
    for (std::uint32_t i = 0; i < runs_used; ++i) {
        row_block &from = blocks[runs[i].block];
        if (!from.shape->format(text, from.values.data() + from.placed, runs[i].rows, scratch)) return false;
        from.placed += runs[i].rows * from.shape->row_bytes();
    }
    return true;
}

// No other block has rows.
void unit::empty_blocks() noexcept
{
    for (std::uint32_t i = 0; i < runs_used; ++i) {
        row_block &block = blocks[runs[i].block];
        block.values.clear();
        block.text.clear();
        block.rows = 0;
        block.placed = 0;
    }
    runs_used = 0;
}

void unit::begin_quick_rows(site &where, std::uint32_t block) noexcept
{
    if (!has_waiting() || each_record || output.is_followed() || is_locked || waiting_bytes >= chosen.batch_bytes) return;
    const row_block &mine = blocks[block];
    const std::size_t row_bytes = mine.shape->row_bytes(), text_bytes = mine.shape->text_bytes();
    const std::size_t room = chosen.batch_bytes - waiting_bytes - 1;
    const std::size_t places = mine.values.capacity() - mine.values.size() - reach;
    std::size_t left = until_clock + 1;
    if (left > where.rows_before_check()) left = where.rows_before_check();
    if (left * text_bytes > room) left = room / text_bytes;
    if (row_bytes > 0 && left * row_bytes > places) left = places / row_bytes;
    if (left == 0) return;
    until_clock -= static_cast<std::uint32_t>(left) - 1;
    quick.where = &where;
    quick.advance = mine.shape->record_goes_on() ? std::uint32_t{transfer_advance} : 0;
    quick.next = blocks[block].values.data() + mine.values.size();
    quick.left = quick.first_left = static_cast<std::uint32_t>(left);
    quick.row_bytes = static_cast<std::uint32_t>(row_bytes);
    quick.block = block;
}

bool unit::settle() noexcept
{
    keep_quick_rows();
    if (runs_used == 0) return true;
    const kept_flags flags;
    const std::size_t before = text.size();
    bool is_equal = runs_used > 1;
    for (std::uint32_t i = 0; i < runs_used && is_equal; ++i) is_equal = blocks[runs[i].block].shape->has_equal_texts();
    if (!(is_equal ? append_in_order() : format_in_order())) {
        text.resize_down(before);
        for (std::uint32_t i = 0; i < runs_used; ++i) blocks[runs[i].block].text.clear(), blocks[runs[i].block].placed = 0;
        return false;
    }
    empty_blocks();
    waiting_bytes = text.size();
    return true;
}

void unit::forget_waiting() noexcept
{
    keep_quick_rows();
    empty_blocks();
    text.clear();
    direct.forget_waiting();
    waiting_bytes = 0;
    has_ended = false;
    ended_bytes = last_begins = 0;
    owner = nullptr;
    state.store(unit_state::left, std::memory_order_release);
}

// One statement of the run time for each that waits: without memory for their text.
int unit::replay_rows(transfer_block *model) noexcept
{
    int outcome = 0;
    for (std::uint32_t i = 0; i < runs_used; ++i) {
        row_block &from = blocks[runs[i].block];
        for (std::uint32_t k = 0; k < runs[i].rows; ++k, from.placed += from.shape->row_bytes())
            outcome |= replay_row(*real, number, *from.shape, from.values.data() + from.placed, model, file, line);
    }
    empty_blocks();
    waiting_bytes = text.size();
    return outcome;
}

bool unit::has_room_for(const char *records, std::size_t size, std::size_t ended_records, looked_at_records &known) const noexcept
{
    const auto room = static_cast<std::size_t>(static_cast<std::int64_t>(longest_record));
    if (room == 0 || size <= room) return true;
    // A line feed of a value ends no record: both parts count.
    for (;;) {
        const char *const begin = records + known.last;
        const std::size_t left = size - known.last;
        const auto *const stop = static_cast<const char *>(std::memchr(begin, '\n', left));
        const std::size_t length = stop != nullptr ? static_cast<std::size_t>(stop - begin) : left;
        if (length > room) return false;
        if (stop == nullptr) return known.line_feeds == ended_records;
        ++known.line_feeds;
        known.last += length + 1;
    }
}

int unit::hand_over_records(const char *records, std::size_t size, last_record last, transfer_block *model) noexcept
{
    const auto longest = static_cast<std::size_t>(static_cast<std::int64_t>(longest_record));
    if (last != last_record::ends) output.has_got_part();
    // What waits fits, so that the buffer is emptied at the end of the last statement: of its record, if it is one.
    if (!output.has_records() || !has_several_records || last != last_record::ends) {
        if (output.has_records() && last == last_record::ends) output.has_got(size + 1);
        return hand_over(*real, number, {records, size, last, longest}, model, file, line);
    }
    int outcome = 0;
    for (const char *const end = records + size + 1; records < end;) {
        const std::size_t bytes = output.next_part(records, static_cast<std::size_t>(end - records));
        outcome |= hand_over(*real, number, {records, bytes - 1, last, longest}, outcome == 0 ? model : nullptr, file, line);
        output.has_got(bytes);
        records += bytes;
    }
    return outcome;
}

void unit::begins_to_wait() noexcept
{
    since = coarse_now();
    if (output.is_followed() && !is_partial && !output.look(*real, number)) each_record = true;
}

bool unit::is_due(bool ends_part) const noexcept
{
    if (waiting_bytes >= chosen.batch_bytes || each_record || is_wanted.load(std::memory_order_relaxed)) return true;
    if (!output.is_followed()) return false;
    // How much is in the buffer is not known behind a part, and a statement may end a record before it begins a part.
    if ((is_partial || ends_part) && (!output.is_known() || (is_partial && has_several_records))) return true;
    return output.is_emptied_by(waiting_bytes);
}

// All whole records but the last one. Returns their bytes.
std::size_t unit::hand_over_alone(alone which, std::size_t bytes, transfer_block *model, int &outcome) noexcept
{
    const char *const begin = text.data(), *const end = begin + bytes - 1;
    const auto *const newline = static_cast<const char *>(memrchr(begin, '\n', bytes - 1));
    if (newline == nullptr) return 0;
    const char *const last = newline + 1;
    const char *first = record_by_record ? begin : last;
    if (which == alone::from_longest && !record_by_record) {
        std::size_t longest = static_cast<std::size_t>(end - last);
        for (const char *next = last; next > begin;) {
            const auto *const before = static_cast<const char *>(memrchr(begin, '\n', static_cast<std::size_t>(next - begin) - 1));
            const char *const record = before != nullptr ? before + 1 : begin;
            const auto length = static_cast<std::size_t>(next - 1 - record);
            if (length > longest) first = record, longest = length;
            next = record;
        }
    }
    const auto put = [&](const char *from, const char *to) {
        outcome |= hand_over_records(from, static_cast<std::size_t>(to - from), last_record::ends, model);
    };
    if (first > begin) put(begin, first - 1);
    while (first < last) {
        const auto *const stop = static_cast<const char *>(std::memchr(first, '\n', static_cast<std::size_t>(end - first)));
        put(first, stop);
        first = stop + 1;
    }
    return static_cast<std::size_t>(last - begin);
}

int unit::hand_over_all(transfer_block *model, alone which) noexcept
{
    if (real == nullptr || is_over.load(std::memory_order_relaxed)) return 0;
    if (waiting_bytes == 0 && text.empty()) return 0;
    is_wanted.store(false, std::memory_order_relaxed);
    if (bytes.load(std::memory_order_relaxed) != byte_form::none) return hand_over_bytes(*this, model);
    reader.was_moved();
    const bool is_text = settle();
    const std::size_t n = text.size();
    bytes_since_move += n;
    left_one_by_one = 0;
    const bool ends_record = is_text ? !is_partial : n > 0 && text[n - 1] == '\n';
    text.clear();
    if (is_text) waiting_bytes.release(0);
    // INQUIRE says POSITION='APPEND' once a statement has ended that advances, not after records of others.
    const last_record ended = has_ended ? last_record::ends : last_record::next_begins;
    has_ended = false;
    const std::size_t records = ended_bytes, before = last_begins;
    ended_bytes = last_begins = 0;
    int outcome = 0;
    std::size_t whole = 0;
    if (!ends_record && n > 0) {
        const bool is_in_file = output.has_records() && !has_several_records;
        // A line feed at its very end is of a value: the record goes on behind it.
        const auto *const last = is_in_file ? nullptr : static_cast<const char *>(memrchr(text.data(), '\n', n - 1));
        if (last != nullptr) whole = static_cast<std::size_t>(last + 1 - text.data());
        else if (is_in_file && records <= n) whole = records;
        if (whole > 0) outcome = hand_over_records(text.data(), whole - 1, ended, model);
        if (is_in_file && before > whole && before < n) {
            outcome |= hand_over_records(text.data() + whole, before - whole, last_record::goes_on, model);
            whole = before;
        }
    } else if ((which != alone::none || record_by_record) && n > 1 && ended == last_record::ends) {
        whole = hand_over_alone(which, n, model, outcome);
    }
    if (n > whole)
        outcome |= hand_over_records(text.data() + whole, n - whole - (ends_record ? 1 : 0),
                                     ends_record ? ended : last_record::goes_on, model);
    return is_text ? outcome : outcome | replay_rows(model);
}

}  // namespace headrace::run
