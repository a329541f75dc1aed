// What waits for a unit: text, and values that are not text yet, in the order of their statements.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "bytes/direct.hpp"
#include "followed_buffer.hpp"
#include "memory.hpp"
#include "patience.hpp"
#include "read/unit_reader.hpp"
#include "relaxed.hpp"
#include "run_time.hpp"
#include "site.hpp"

extern "C" __attribute__((weak)) char __libc_single_threaded;  // of glibc 2.32 and later

namespace headrace::run
{

enum class unit_state : std::uint8_t {
    unknown,  // the next statement is the run time's; if it is good, the unit may be ours
    ours,
    resting,  // the run time does some statements, because what goes record by record gained nothing
    left      // until it is opened anew
};

// The values of statements of one site.
struct row_block {
    const row_shape *shape = nullptr;
    growing<char> values;
    std::uint32_t rows = 0;
    growing<char> text;      // of them, while they are put in order
    std::size_t placed = 0;  // bytes of text that are in their place, or of values whose text is
};

// What is kept of statements without a format, for unformatted stream access: bytes in the order of the file.
// unknown: the run time is asked when some statements have come.
enum class byte_form : std::uint8_t { none, unknown, native, swapped };

struct looked_at_records;

struct unit {
    explicit unit(std::int32_t unit_number) noexcept : number(unit_number) {}

    const std::int32_t number;
    std::atomic<unit_state> state{unit_state::unknown};
    relaxed<bool> is_ordinary = true;          // as OPEN without its rarer words, or never opened, leaves it
    bool each_record = false;                  // no regular file: hand over at once
    followed_buffer output;                    // of standard output in a regular file
    relaxed<std::int64_t> longest_record = 0;  // RECL=: longer records are left; 0 without
    // With RECL=: a statement had a longer record, or goes on behind an error. What an error leaves in the run time's buffer shows
    // in the file: records are handed over one by one then.
    relaxed<bool> record_by_record = false;
    relaxed<bool> reads_plainly = true;  // no BLANK= or PAD=
    relaxed<bool> is_writable = true;
    relaxed<bool> was_closed = false;    // of units that are connected before the first statement: that is over
    relaxed<bool> is_read_ahead = true;  // no other unit has its file, or none writes
    relaxed<bool> shares_file = false;   // with another unit: what is where depends on when buffers are written
    std::atomic<byte_form> bytes{byte_form::none};
    relaxed<bool> was_written = false;  // bytes: the run time may have some that are not in the file yet
    // bytes: statements since they were handed over, and those that the run time does because that comes too often
    std::uint32_t byte_statements = 0, bytes_to_leave = 0, byte_patience = 0;
    // bytes: the last statement whose site is left for good
    const char *left_file = nullptr;
    std::int32_t left_line = 0;
    std::uint32_t left_in_a_row = 0;
    relaxed<const char *> why_left = nullptr;  // if it is not ordinary
    relaxed<int> descriptor = -1;
    relaxed<std::uint64_t> device = 0, inode = 0;  // of a regular file
    relaxed<const run_time *> real = nullptr;
    unit_reader reader;
    // Does the run time not know where the unit stands, or what the last record was?
    bool is_ahead() const noexcept { return reader.is_reading() || direct.is_ours(); }
    // It learns it. Precondition: nothing waits.
    void ends_ahead() noexcept
    {
        reader.end(*real, number);
        direct.end(*this);
    }
    // Where the unit stands is the run time's while a READ of another thread may be in progress there.
    relaxed<const void *> last_reader = nullptr;
    relaxed<bool> has_several_readers = false;
    void forget_readers() noexcept
    {
        last_reader = nullptr;
        has_several_readers = false;
    }

    // Held from the beginning of a statement to its end, as the run time does.
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    relaxed<bool> is_locked = false;
    relaxed<const void *> owner = nullptr;  // the thread with a statement of ours in progress
    std::atomic<bool> is_wanted{false};     // somebody looks who cannot wait: hand over when the statement ends

    static constexpr int block_bits = 6;
    static constexpr std::size_t block_count = std::size_t{1} << block_bits;
    static constexpr std::size_t reach = 64;
    static constexpr std::size_t run_count = 512;
    growing<char> text;  // the first in the order
    growing<char> scratch;
    row_block blocks[block_count];
    struct block_run {
        std::uint32_t block, rows;
    } runs[run_count];
    std::uint32_t runs_used = 0;
    bool is_partial = false;           // the last record goes on: ADVANCE='NO'
    bool has_several_records = false;  // the last statement
    bool has_ended = false;            // a statement that advances is among what waits
    // Of standard output in a file: where the last of these ends, and where the last statement begins. Line feeds of values end no
    // record, and a part that does not fit the run time's buffer leaves what was there before in the file.
    std::size_t ended_bytes = 0, last_begins = 0;
    relaxed<std::size_t> waiting_bytes = 0;  // of text, also of values that are not text yet
    std::int64_t since = 0;                  // nanoseconds, of the first that waits
    // Rows of one site that come without a look at anything else: so many more. `keep_quick_rows` counts those that came.
    struct {
        site *where = nullptr;
        char *next = nullptr;
        std::uint32_t left = 0, first_left = 0, row_bytes = 0, block = 0;
        std::uint32_t advance = 0;  // the flag of ADVANCE='NO', if they have it
    } quick;
    // Statements that the run time does because little waited, time and again, when BACKSPACE, REWIND or CLOSE came, or somebody
    // looked, or each record goes alone.
    relaxed<std::uint32_t> texts_to_leave = 0;
    std::uint32_t text_patience = 0;
    std::size_t bytes_since_move = 0;  // of text, that were handed over
    bool has_gained = false;           // since then: of a record with reals, or many values
    // One of these comes. Precondition: the unit is locked.
    void moves() noexcept
    {
        constexpr std::size_t worth_it = 512;  // bytes
        constexpr std::uint32_t long_rest = 16;
        if (bytes.load(std::memory_order_relaxed) != byte_form::none) return;
        keep_quick_rows();
        const std::size_t taken = bytes_since_move + waiting_bytes;
        const bool pays = has_gained || (!each_record && taken >= worth_it);
        bytes_since_move = 0;
        has_gained = false;
        if (taken == 0) return;
        text_patience = next_patience(text_patience, pays);
        texts_to_leave = text_patience;
        if (text_patience >= long_rest) begins_to_rest();
    }
    // How statements end that are left while it rests nobody looks at. With RECL= that counts.
    void begins_to_rest() noexcept
    {
        unit_state ours = unit_state::ours;
        if (longest_record == 0) state.compare_exchange_strong(ours, unit_state::resting);
    }
    // The same of standard output when somebody looks at it, and of units whose records go one by one.
    void moves_output() noexcept
    {
        if (goes_alone()) moves();
    }
    bool goes_alone() const noexcept { return output.is_output() || each_record; }
    bool is_text_to_be_left() noexcept
    {
        const std::uint32_t left = texts_to_leave;
        if (__builtin_expect(left == 0, 1)) return false;
        texts_to_leave = left - 1;
        return true;
    }
    // A statement of the run time begins while the unit rests: behind the last one it is as any other.
    void rests() noexcept
    {
        is_text_to_be_left();
        if (texts_to_leave > 0) return;
        unit_state now = unit_state::resting;
        state.compare_exchange_strong(now, unit_state::unknown);
    }
    // Statements of sites that are the run time's, with none in between that was taken over: then the unit rests, too.
    std::uint32_t left_one_by_one = 0;
    void leaves_one_more() noexcept
    {
        constexpr std::uint32_t many = 64, rest = 1024;
        if (++left_one_by_one < many || longest_record != 0) return;
        texts_to_leave = rest;
        begins_to_rest();
    }
    std::uint32_t until_clock = 0;  // statements
    std::uint32_t in_one_tick = 0;  // readings of the clock
    std::int64_t read_at = 0;
    const char *file = "";  // the last statement that was taken over
    std::int32_t line = 0;

    direct_records direct;

    bool has_waiting() const noexcept { return waiting_bytes.acquired() > 0; }
    // Does another thread have it? It may be handing over what waited or where it reads, of which nothing else shows any more.
    bool is_held_by_another() const noexcept;
    // With RECL= only rows that are known to fit, with the line feed behind them.
    bool takes_rows_of(const row_shape &shape) const noexcept
    {
        const std::int64_t longest = longest_record;
        if (output.is_followed() && !shape.has_equal_texts()) return false;
        if (__builtin_expect(is_partial, 0) && shape.begins_record()) return false;
        return __builtin_expect(longest == 0, 1) ||
               (shape.has_equal_texts() && !shape.record_goes_on() && shape.text_bytes() <= static_cast<std::size_t>(longest) + 1);
    }
    // Is no record longer than RECL=? ended_records: of the format; other line feeds are characters of the program. The text of a
    // statement grows: what was looked at before is known.
    bool has_room_for(const char *records, std::size_t size, std::size_t ended_records, looked_at_records &known) const noexcept;

    // A statement ends, and nothing waits yet.
    void begins_to_wait() noexcept;
    // Must it be handed over? ends_part: the statement ends a record that others began.
    bool is_due(bool ends_part) const noexcept;
    // What waits must go, as statements come. The clock is not read at each of many quick statements: after a pause up to
    // `clock_rests` of them may come before it is seen.
    static constexpr std::int64_t oldest = 50000000;  // nanoseconds
    static constexpr std::uint32_t clock_rests = 31;
    bool is_old() noexcept
    {
        if (until_clock == 0) return is_old_by_clock();
        --until_clock;
        return false;
    }

    static std::uint32_t block_of(const row_shape &shape) noexcept
    {
        constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // shapes lie at regular distances
        return static_cast<std::uint32_t>((reinterpret_cast<std::uintptr_t>(&shape) * odd) >> (64 - block_bits));
    }
    // Where the values of the next statement of this shape go, in its block; null without memory.
    char *next_row(const row_shape &shape, std::uint32_t block) noexcept
    {
        keep_quick_rows();
        row_block &mine = blocks[block];
        if (__builtin_expect(mine.shape != &shape || runs_used == run_count, 0) && !make_room(mine, shape)) return nullptr;
        if (!mine.values.reserve(shape.row_bytes() + reach)) return nullptr;
        return mine.values.data() + mine.values.size();
    }
    void keep_row(site &where, std::uint32_t block) noexcept
    {
        keep_quick_rows();
        keep_rows(where, block, 1);
    }
    // From the row that comes now on. At least one statement has come before it, and it is not to be compared.
    void begin_quick_rows(site &where, std::uint32_t block) noexcept;
    void keep_quick_rows() noexcept
    {
        const std::uint32_t n = quick.first_left - quick.left;
        quick.first_left = quick.left = 0;
        if (n > 0) keep_rows(*quick.where, quick.block, n);
    }
    // Makes text of all values. False without memory: the values are still there.
    bool settle() noexcept;
    // In the child of a fork: what another thread was about to write is the parent's.
    void forget_waiting() noexcept;
    // To the run time. model: the statement that gets its errors, or null. alone: which records have statements of their
    // own. If the next one fails in the middle of its record, that has what the records before it left in the run time's buffer.
    enum class alone { none, last, from_longest };
    int hand_over_all(transfer_block *model, alone which = alone::none) noexcept;
    // Of the text of a statement in progress, and of what waited before: whole records. is_part: the statement ends with a part of
    // one.
    void hand_over_begin(std::size_t bytes, bool is_part) noexcept
    {
        const last_record ended = has_ended || !is_part ? last_record::ends : last_record::next_begins;
        if (output.is_followed() && waiting_bytes == 0 && !is_partial) output.look(*real, number);
        has_several_records = true;
        hand_over_records(text.data(), bytes - 1, ended, nullptr);
    }

   private:
    bool is_old_by_clock() noexcept;
    // The room for them is taken. They are alike.
    void keep_rows(site &where, std::uint32_t block, std::uint32_t n) noexcept
    {
        row_block &mine = blocks[block];
        mine.values.extend(n * mine.shape->row_bytes());
        mine.rows += n;
        if (runs_used > 0 && runs[runs_used - 1].block == block) runs[runs_used - 1].rows += n;
        else runs[runs_used++] = {block, n};
        waiting_bytes += n * mine.shape->text_bytes();
        is_partial = mine.shape->record_goes_on();
        has_ended = has_ended || !is_partial;
        last_begins = waiting_bytes - mine.shape->text_bytes();
        if (!is_partial) ended_bytes = waiting_bytes;
        where.count_rows(n);
    }
    int hand_over_records(const char *records, std::size_t size, last_record last, transfer_block *model) noexcept;
    std::size_t hand_over_alone(alone which, std::size_t bytes, transfer_block *model, int &outcome) noexcept;
    int replay_rows(transfer_block *model) noexcept;
    bool make_room(row_block &mine, const row_shape &shape) noexcept;
    bool append_in_order() noexcept;
    bool format_in_order() noexcept;
    void empty_blocks() noexcept;
};

// A READ of this thread begins. May it be taken over? Precondition: the unit is locked.
bool may_read(unit &one) noexcept;

inline bool is_single_threaded() noexcept { return &__libc_single_threaded != nullptr && __libc_single_threaded != 0; }
void lock_unit(unit &one) noexcept;
// False: another thread has it, and nothing happened.
bool lock_unit_at_once(unit &one) noexcept;
// For so many milliseconds at most: another thread may stand still inside of its statement, and wait for this one.
bool lock_unit_soon(unit &one, int milliseconds) noexcept;
// The process has ended: what other threads still write is not handed over to a run time that has closed its units.
extern std::atomic<bool> is_over;
void unlock_unit(unit &one) noexcept;

// Null: there is none of this number yet, or no memory.
unit *unit_of(std::int32_t number) noexcept;
unit *far_unit(std::int32_t number) noexcept;

inline constexpr int near_units = 1024;
inline constexpr int lowest_near = -512;  // NEWUNIT= counts down from -10
extern std::atomic<unit *> near_table[near_units];
inline bool is_near(std::int32_t number) noexcept
{
    return static_cast<std::uint32_t>(number) - static_cast<std::uint32_t>(lowest_near) < near_units;
}
inline unit *known_unit(std::int32_t number) noexcept
{
    if (is_near(number)) return near_table[number - lowest_near].load(std::memory_order_acquire);
    return far_unit(number);
}
// fn(unit&) for each.
template <class Function>
void for_each_unit(Function &&function) noexcept;

unit *unit_at(std::size_t i) noexcept;
std::size_t unit_count() noexcept;

template <class Function>
void for_each_unit(Function &&function) noexcept
{
    for (std::size_t i = 0; i < unit_count(); ++i) function(*unit_at(i));
}

// In the child of a fork: no other thread holds anything.
void forget_locks() noexcept;

std::int64_t coarse_now() noexcept;

}  // namespace headrace::run
