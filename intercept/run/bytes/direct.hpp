// Direct access without a format: records of one length, each at its place in the file.
//
// For each record that is not in its buffer gfortran's run time reads as much as that holds: 128 KiB since GCC 10. Here a record is
// read with what is around it in its page, and what is written waits and is written at its places. Meanwhile the run time has
// nothing of the file in its buffer. When somebody looks it learns which record was the last, for INQUIRE(NEXTREC=); how long the
// file is it must know at once, because it reads no record behind that.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../memory.hpp"
#include "../relaxed.hpp"
#include "../run_time.hpp"

namespace headrace::run
{

struct unit;

class direct_records
{
   public:
    // Of longer ones the run time reads and writes no more than it must.
    static constexpr std::int64_t longest = std::int64_t{16} << 10, longest_written = std::int64_t{8} << 10;
    // Statements that the run time does behind OPEN: a file of few records is not worth more.
    static constexpr std::uint32_t first = 32;
    // Newly connected. 0: no direct access, or longer records.
    void is_connected(std::int64_t record_bytes) noexcept;
    std::size_t record_bytes() const noexcept { return static_cast<std::size_t>(static_cast<std::int64_t>(record_bytes_)); }
    bool may_be_number(std::int64_t number) const noexcept { return number >= 1 && number <= most_numbers_; }
    bool may_be_written(std::int64_t number) const noexcept { return may_be_number(number) && record_bytes_ <= longest_written; }

    // Takes the unit over from the run time, and gives it back. Precondition: nothing waits.
    bool is_ours() const noexcept { return is_ours_.acquired(); }
    bool begin(unit &of) noexcept;
    void end(unit &of) noexcept;
    void forget() noexcept;

    // READ. Null: the record is not whole in the file, or there is no memory. Precondition of all: it is ours.
    char *find(unit &of, std::int64_t number) noexcept;
    void was_read(std::int64_t number) noexcept;
    // WRITE: room for one more number, and then it is behind the others in the text of the unit.
    bool has_room() noexcept { return numbers_.reserve(1); }
    void was_written(std::int64_t number, const char *record) noexcept;
    // The run time's buffer holds 128 KiB of records one behind the other, and of others the last one.
    std::size_t most_waiting() const noexcept;
    // At their places in the file. Returns the outcome: 0 is good.
    int write_waiting(unit &of, transfer_block *model) noexcept;
    void forget_waiting() noexcept { numbers_.clear(); }
    // A statement of the run time has ended with an error. Does the unit go on as before? An error in the list makes later
    // statements fail, or not, by what was before in the run time.
    bool is_good_behind_error() const noexcept { return is_behind_end_; }
    void is_not_found(bool is_behind_end) noexcept { is_behind_end_ = is_behind_end; }

   private:
    static constexpr std::int64_t most_bytes = std::int64_t{1} << 56, page = 4096, most_ahead = std::int64_t{128} << 10;
    std::int64_t place_of(std::int64_t number) const noexcept { return (number - 1) * record_bytes_; }
    char *read_around(unit &of, std::int64_t place) noexcept;
    bool is_in_small_region(std::int64_t place) noexcept;
    int write_by_the_run_time(const unit &of, std::size_t i, const char *records, transfer_block *model) noexcept;
    bool makes_size_known(const unit &of, std::size_t done, const char *records) noexcept;
    std::size_t write_at_places(const unit &of, const char *records) noexcept;
    bool is_window_old() noexcept;

    relaxed<std::int64_t> record_bytes_ = 0;
    std::int64_t most_numbers_ = 0;
    relaxed<bool> is_ours_ = false;
    growing<std::int64_t> numbers_;  // of the records that wait
    bool are_in_order_ = true;       // one behind the other, without READ in between
    // Of the file: what the run time knows of, with and without what waits. It does not see what others add.
    std::int64_t file_bytes_ = -1, known_bytes_ = -1;
    // What was read, from this place of the file on.
    growing<char> window_;
    std::int64_t window_begins_ = 0, piece_ = page, looked_at_ = 0;
    // Records that were not there, all of them between these places.
    std::int64_t lowest_ = 0, highest_ = 0;
    std::uint32_t misses_ = 0;
    // The last statement.
    std::int64_t last_number_ = 0;
    bool is_behind_end_ = false;                 // the record that was not found
    std::uint32_t statements_ = 0, pieces_ = 0;  // since it is ours: also, reads of what was not next
};

}  // namespace headrace::run
