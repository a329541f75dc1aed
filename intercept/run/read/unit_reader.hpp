// Lines or bytes of a file that are read ahead. The run time learns where its unit stands when it must: by fseek or POS=.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../relaxed.hpp"
#include "../run_time.hpp"
#include "rows_ahead.hpp"

struct stat;

namespace headrace::run
{

// What libgfortran remembers of the record before (current_record and bytes_left of a unit), which shows in what comes next: behind
// an open one ENDFILE passes over the next record, too, and READ at the end of the file finds an empty record if some of the open
// one was read. A formatted READ that ends well closes its record, a list-directed one and a condition of EOR leave it open.
enum class record_before : std::uint8_t { closed, open, open_and_read, unknown };

class unit_reader
{
   public:
    // Is the position of the unit ours?
    bool is_reading() const noexcept { return is_reading_.acquired(); }
    bool is_reading_records() const noexcept { return is_reading() && has_records_; }
    // After REWIND or BACKSPACE it stands at the beginning of a record.
    void was_rewound() noexcept
    {
        is_at_record_ = true, real_has_passed_ = stands_in_record_ = has_other_columns_ = false;
        real_record_ = record_before::closed;
    }
    // The same while it is ours, behind the REWIND of the run time, and before it.
    void goes_to_begin() noexcept;
    void move_buffer(const run_time &real, std::int32_t unit) noexcept;
    // To the record before, if that is in memory.
    bool goes_back() noexcept;
    // It is newly connected: the run time has nothing of it. status: of the file; null: not known.
    void is_connected(const struct stat *status) noexcept;
    // The run time has written, or moved it otherwise: what it has may not be in the file.
    void was_moved() noexcept { is_at_record_ = is_in_file_ = was_read_ = is_status_of_open_ = false; }
    // REWIND writes nothing, and goes on as the statements before it: with reading.
    void is_to_be_rewound() noexcept { is_at_record_ = is_status_of_open_ = false; }
    // It stands anywhere.
    void was_left() noexcept { is_at_record_ = false; }
    // The run time has read.
    struct by_the_run_time {
        bool is_good;            // well, to the end of a record
        bool met_end_of_record;  // the condition
        bool has_failed;         // by an error
        bool is_listed;
        bool has_tabs;  // T or TL
    };
    void was_read(const by_the_run_time &how) noexcept
    {
        // T to the left behind the end of such a record may leave the run time in it.
        has_other_columns_ = how.has_tabs && (real_record_ == record_before::open || real_record_ == record_before::open_and_read);
        has_failed_ = has_failed_ || how.has_failed;
        is_at_record_ = how.is_good || how.met_end_of_record;
        stands_in_record_ = false;
        was_read_ = was_read_ || is_at_record_;
        real_has_passed_ = real_has_passed_ || (how.is_good && !how.is_listed);
        real_record_ = how.is_good ? behind(real_record_, how.is_listed) : record_before::unknown;
    }
    bool is_at_record() const noexcept { return is_at_record_; }
    // ACTION='READ', or a file that cannot be written. Precondition: reading.
    bool is_read_only() noexcept;
    // Is it a regular file of no more bytes?
    bool is_file_within(int descriptor, std::int64_t bytes) const noexcept;
    // Did it not pay lately? Then the run time does some statements before it is tried again.
    bool is_to_be_left() noexcept { return to_leave_ > 0 && (--to_leave_, true); }
    // Takes the position over, if that is of use. Precondition: not reading.
    bool begin(const run_time &real, std::int32_t unit, int descriptor) noexcept;
    // The same of bytes without records, wherever it stands.
    bool begin_bytes(const run_time &real, std::int32_t unit, int descriptor) noexcept;
    // Gives the position back to the run time: that of the next record.
    void end(const run_time &real, std::int32_t unit) noexcept;
    // The unit is not connected any more.
    void forget() noexcept;

    // What is in memory from the next record on: complete lines, so that the last byte before the end is a line feed. Or a blank,
    // in lines that are longer than the memory and may be cut.
    const char *next_record() const noexcept { return text() + at_; }
    const char *end_of_lines() const noexcept { return text() + end_; }
    // Keeps the text from `from` on, in memory that may be another: it is at first_kept() then. Of small files all is kept, for
    // REWIND and BACKSPACE. False at the end of the file, or without memory: there are no more complete lines.
    bool read_more(const char *from, bool may_cut) noexcept;
    // The same of bytes: so many at least.
    bool read_bytes(const char *from, std::size_t bytes) noexcept;
    const char *first_kept() const noexcept { return text() + first_kept_; }
    // May there be a carriage return that is not before a line feed in what is in memory?
    bool has_lone_returns() const noexcept { return has_lone_returns_; }

    // A statement was done: the next one begins here.
    // Returns its bytes.
    std::int64_t passes_to(const char *byte) noexcept
    {
        const std::int64_t before = place_;
        at_ = static_cast<std::size_t>(byte - text());
        place_ = base_ + static_cast<std::int64_t>(at_);
        ++records_;
        return place_ - before;
    }
    // That statement ended well, or it met the end of its record; has_read: some of that.
    void ends_well(bool is_listed) noexcept
    {
        record_ = behind(record_, is_listed);
        has_passed_ = has_passed_ || !is_listed;
        goes_on_in_record_ = has_other_columns_ = false;
    }
    // That it did in the middle of a record.
    void stays_in_record() noexcept
    {
        record_ = record_before::closed;
        goes_on_in_record_ = true;
    }
    // T: are the columns of the run time surely those of the next record? Not behind a statement that left its record open,
    // nor on a unit in which an error did: REWIND does not help there.
    bool counts_columns() const noexcept
    {
        const record_before before = is_reading() ? record_ : real_record_;
        const bool is_within_record = is_reading() ? goes_on_in_record_ : stands_in_record_;
        return before == record_before::closed && !is_within_record && !has_other_columns_ && !has_failed_;
    }
    void met_end_of_record(bool has_read) noexcept { record_ = has_read ? record_before::open_and_read : behind(record_, true); }
    // Values of records that come, if records are all alike.
    rows_ahead ahead;
    std::int64_t place_of(const char *byte) const noexcept { return base_ + (byte - text()); }

    // Between statements: another process may have changed the file. What was read ahead is forgotten then.
    void look_at_file() noexcept;

   private:
    // The first as the run time's, because many programs look at the first lines of a file only. The last is memory that is used
    // again for the next file (memory.cpp), with what stands before and behind it.
    static constexpr std::size_t first_piece = std::size_t{8} << 10, last_piece = std::size_t{112} << 10;
    static constexpr std::int64_t small_file = std::int64_t{256} << 10;
    static constexpr std::int64_t buffer_of_the_run_time = 8192;
    static record_before behind(record_before record, bool is_listed) noexcept
    {
        if (!is_listed) return record_before::closed;
        return record == record_before::closed ? record_before::open : record;
    }
    void pass_record_at(const run_time &real, std::int32_t unit, std::int64_t place) noexcept;
    void read_any_record(const run_time &real, std::int32_t unit) noexcept;
    void make_record_known(const run_time &real, std::int32_t unit) noexcept;

    const char *text() const noexcept;
    char *text() noexcept;
    bool look_at_status(int descriptor) noexcept;
    void next_piece() noexcept { piece_ = piece_ < last_piece / 2 ? 2 * piece_ : last_piece; }
    bool is_changed() noexcept;
    bool is_other_than(const struct stat &now) noexcept;
    bool is_time_settled() const noexcept;
    bool leaves_buffer(std::int64_t from, std::int64_t to) const noexcept;
    bool are_lines_stale() noexcept;
    bool make_room(std::size_t from, std::size_t more) noexcept;
    bool is_all_kept() const noexcept;
    std::int64_t begins_at_first_line() noexcept;
    bool read_lines(std::size_t piece, bool may_cut) noexcept;
    void look_for_returns(std::size_t from) noexcept;

    bool is_behind_line_feed(std::int64_t place) const noexcept;
    bool is_time_to_look() noexcept;
    void forget_lines(std::int64_t next_place) noexcept;
    bool take_position(const run_time &real, std::int32_t unit, int descriptor) noexcept;

    relaxed<bool> is_reading_ = false;
    relaxed<bool> is_at_record_ = false;
    relaxed<bool> is_in_file_ = false;  // all that was written
    relaxed<bool> was_read_ = false;    // since then, by the run time
    // Was a record read with a format? Since REWIND, by us, or by the run time, and then INQUIRE(POSITION=) says so.
    bool has_passed_ = false;
    relaxed<bool> real_has_passed_ = false;
    // Of the run time, and after us.
    relaxed<record_before> real_record_ = record_before::unknown, record_ = record_before::unknown;
    bool has_records_ = true, has_lone_returns_ = false;
    bool is_mode_known_ = false, is_read_only_ = false;
    int descriptor_ = -1;
    std::int64_t base_ = 0;                    // of the first byte in memory, in the file
    bool begins_at_record_ = false;            // does that begin a record?
    relaxed<bool> stands_in_record_ = false;   // given back behind a part of a record
    relaxed<bool> goes_on_in_record_ = false;  // we do, behind ADVANCE='NO'
    relaxed<bool> has_other_columns_ = false;  // the run time, for one statement
    relaxed<bool> has_failed_ = false;         // since it was connected
    std::int64_t place_ = 0;                   // of the next record
    std::int64_t first_place_ = 0;
    std::int64_t farthest_ = 0;  // place since the lines in memory were read or REWIND, before BACKSPACE
    std::size_t at_ = 0, end_ = 0, size_ = 0;
    std::size_t first_kept_ = 0;
    std::size_t piece_ = first_piece;  // to be read next
    char *memory_ = nullptr;
    std::size_t capacity_ = 0;
    std::int64_t file_bytes_ = 0, seconds_ = 0, nanoseconds_ = 0, looked_at_ = 0;
    bool is_settled_ = false;                    // a change after these shows in them
    relaxed<bool> is_status_of_open_ = false;    // these are of a regular file that was just opened
    bool has_moved_buffer_ = false;              // of the run time, away from the first lines that we read
    bool has_met_end_ = false;                   // of the file, since the position is ours
    std::uint64_t records_ = 0;                  // since the position is ours
    std::uint32_t patience_ = 0, to_leave_ = 0;  // statements that the run time does before it is tried again
};

}  // namespace headrace::run
