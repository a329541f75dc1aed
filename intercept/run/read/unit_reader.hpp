// Lines or bytes of a file that are read ahead. The run time learns where its unit stands when it must: by fseek or POS=.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../relaxed.hpp"
#include "../run_time.hpp"
#include "rows_ahead.hpp"

namespace headrace::run
{

class unit_reader
{
   public:
    // Is the position of the unit ours?
    bool is_reading() const noexcept { return is_reading_; }
    // A record of the run time ended well, or the unit is newly connected or rewound: it stands at the beginning of a record.
    void stands_at_record(bool does) noexcept { is_at_record_ = does, is_behind_end_ = false; }
    // The same, but a statement that does not advance met the end of the record before.
    void stands_behind_end() noexcept { is_at_record_ = is_behind_end_ = true; }
    // It is newly connected: at the beginning of a record, and the run time has nothing of it.
    void is_connected() noexcept { stands_at_record(true), is_in_file_ = true; }
    // The run time has written, or moved it otherwise: what it has may not be in the file.
    void was_moved() noexcept { stands_at_record(false), is_in_file_ = false; }
    bool is_at_record() const noexcept { return is_at_record_; }
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
    // Keeps the text from `from` on, in memory that may be another: it is at first_kept() then. False at the end of the file, or
    // without memory: there are no more complete lines.
    bool read_more(const char *from, bool may_cut) noexcept;
    // The same of bytes: so many at least.
    bool read_bytes(const char *from, std::size_t bytes) noexcept;
    const char *first_kept() const noexcept { return text(); }

    // A statement was done: the next one begins here.
    // Returns its bytes.
    std::int64_t passes_to(const char *byte) noexcept
    {
        const std::int64_t before = place_;
        at_ = static_cast<std::size_t>(byte - text());
        place_ = base_ + static_cast<std::int64_t>(at_);
        ++records_;
        passes_end_ = false;
        return place_ - before;
    }
    // As that statement did.
    void passes_end() noexcept { passes_end_ = true; }
    // Values of records that come, if records are all alike.
    rows_ahead ahead;
    std::int64_t place_of(const char *byte) const noexcept { return base_ + (byte - text()); }

    // Between statements: another process may have changed the file. What was read ahead is forgotten then.
    void look_at_file() noexcept;

   private:
    static constexpr std::size_t first_piece = std::size_t{32} << 10, later_piece = std::size_t{256} << 10;
    static constexpr std::uint32_t most_patience = 4096;

    const char *text() const noexcept;
    char *text() noexcept;
    bool is_changed() noexcept;
    bool make_room(std::size_t from, std::size_t more) noexcept;

    bool take_position(const run_time &real, std::int32_t unit, int descriptor) noexcept;

    relaxed<bool> is_reading_ = false;
    relaxed<bool> is_at_record_ = false;
    bool is_in_file_ = false;     // all that was written
    bool is_behind_end_ = false;  // of the record before, as the run time knows it
    bool passes_end_ = false;     // the last statement
    bool has_records_ = true;
    int descriptor_ = -1;
    std::int64_t base_ = 0;   // of the first byte in memory, in the file
    std::int64_t place_ = 0;  // of the next record
    std::int64_t first_place_ = 0;
    std::size_t at_ = 0, end_ = 0, size_ = 0;
    char *memory_ = nullptr;
    std::size_t capacity_ = 0;
    std::int64_t file_bytes_ = 0, seconds_ = 0, nanoseconds_ = 0, looked_at_ = 0;
    std::uint64_t records_ = 0;                  // since the position is ours
    std::uint32_t patience_ = 0, to_leave_ = 0;  // statements that the run time does before it is tried again
};

}  // namespace headrace::run
