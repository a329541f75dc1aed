// Direct access without a format: records of one length, each at its place in the file.
//
// For each record that is not in its buffer gfortran's run time reads as much as that holds: 128 KiB since GCC 10. Here a record is
// read with what is around it in its page, and what is written waits and is written at its places. Meanwhile the run time has
// nothing of the file in its buffer; it does the last statement again when somebody looks, for INQUIRE(NEXTREC=).
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
    static constexpr std::int64_t longest = std::int64_t{16} << 10;
    // Newly connected. record_bytes: 0 if it is no direct access, or has longer records; file_bytes: -1 if it is not known.
    void is_connected(std::int64_t record_bytes, std::int64_t file_bytes) noexcept;
    std::size_t record_bytes() const noexcept { return static_cast<std::size_t>(static_cast<std::int64_t>(record_bytes_)); }
    bool may_be_number(std::int64_t number) const noexcept { return number >= 1 && number <= most_numbers_; }

    // Takes the unit over from the run time, and gives it back. Precondition: nothing waits.
    bool is_ours() const noexcept { return is_ours_.acquired(); }
    bool begin(unit &of) noexcept;
    void end(unit &of) noexcept;
    void forget() noexcept;

    // READ. Null: the record is not whole in the file, or there is no memory. Precondition of all: it is ours.
    char *find(unit &of, std::int64_t number) noexcept;
    void was_read(std::int64_t number, bool has_items) noexcept;
    // WRITE: room for one more number, and then it is behind the others in the text of the unit.
    bool has_room() noexcept { return numbers_.reserve(1); }
    void was_written(std::int64_t number, const char *record) noexcept;
    // At their places in the file. Returns the outcome: 0 is good.
    int write_waiting(unit &of, transfer_block *model) noexcept;
    // A statement of the run time has ended with an error. Does the unit go on as before? An error in the list makes later
    // statements fail, or not, by what was before in the run time.
    bool is_good_behind_error() const noexcept { return is_behind_end_; }
    void is_not_found(bool is_behind_end) noexcept { is_behind_end_ = is_behind_end; }
    void forget_waiting() noexcept { numbers_.clear(); }

   private:
    static constexpr std::int64_t most_bytes = std::int64_t{1} << 56, page = 4096, most_ahead = std::int64_t{128} << 10;
    std::int64_t place_of(std::int64_t number) const noexcept { return (number - 1) * record_bytes_; }
    char *read_around(unit &of, std::int64_t place) noexcept;
    void write_again(const unit &of, std::int64_t number, const char *record) noexcept;
    void make_size_known(const unit &of) noexcept;
    std::size_t write_at_places(const unit &of, const char *records) noexcept;
    bool is_window_old() noexcept;

    relaxed<std::int64_t> record_bytes_ = 0;
    std::int64_t most_numbers_ = 0;
    relaxed<bool> is_ours_ = false;
    growing<std::int64_t> numbers_;  // of the records that wait
    // What was read, from this place of the file on.
    growing<char> window_;
    std::int64_t window_begins_ = 0, piece_ = page, looked_at_ = 0;
    // The last statement.
    std::int64_t last_number_ = 0;
    bool is_last_written_ = false, has_items_ = false;
    bool is_behind_end_ = false;                  // the record that was not found
    std::int64_t highest_written_ = 0;            // since it is ours
    growing<char> last_record_, highest_record_;  // of those that have been written
    std::int64_t file_bytes_ = -1;                // that the run time knows of: it does not see what others add
    std::uint32_t statements_ = 0;
};

}  // namespace headrace::run
