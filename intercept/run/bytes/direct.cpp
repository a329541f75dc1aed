#include "direct.hpp"

#include <fcntl.h>

#include <cstring>

#include "../settings.hpp"
#include "../statistics.hpp"
#include "bytes.hpp"

extern "C" long run_raw_read_at(int descriptor, void *text, std::size_t bytes, std::int64_t place);
extern "C" long run_raw_write_at(int descriptor, const void *text, std::size_t bytes, std::int64_t place);

namespace headrace::run
{

void direct_records::is_connected(std::int64_t record_bytes) noexcept
{
    forget();
    if (record_bytes <= 0 || record_bytes > longest) return;
    record_bytes_ = record_bytes;
    most_numbers_ = most_bytes / record_bytes;
}

void direct_records::forget() noexcept
{
    is_ours_ = false;
    record_bytes_ = 0;
    numbers_.clear();
    window_.give_back();
}

bool direct_records::begin(unit &of) noexcept
{
    const run_time &real = *of.real;
    if (real.st_read == nullptr || real.st_flush == nullptr || real.st_inquire == nullptr) return false;
    const std::uint64_t before = hidden_errors();
    flush_unit(real, of.number);
    file_bytes_ = known_bytes_ = file_bytes_of(of);
    // It still has what it could not write; or it could not read a record again.
    if (hidden_errors() != before || file_bytes_ < 0 || (fcntl(of.descriptor, F_GETFL) & O_ACCMODE) == O_WRONLY) {
        set_byte_form(of, byte_form::none);
        return false;
    }
    window_.clear();
    numbers_.clear();
    are_in_order_ = true;
    piece_ = page;
    looked_at_ = coarse_now();
    statements_ = misses_ = pieces_ = 0;
    is_ours_ = true;
    return true;
}

void direct_records::end(unit &of) noexcept
{
    if (!is_ours_) return;
    is_ours_.release(false);
    // Without items it reads nothing into its buffer.
    if (statements_ > 0) read_record(*of.real, of.number, last_number_);
    constexpr std::uint32_t worth_it = 64, gain_of_a_piece = 16;
    grow_patience(of, statements_ + gain_of_a_piece * pieces_ >= worth_it);
}

// Another process may have changed the file.
bool direct_records::is_window_old() noexcept
{
    constexpr std::uint32_t few = 16;
    if (statements_ % few != 0) return false;
    const std::int64_t now = coarse_now();
    if (now - looked_at_ < unit::oldest) return false;
    looked_at_ = now;
    return true;
}

char *direct_records::find(unit &of, std::int64_t number) noexcept
{
    if (is_window_old()) {
        window_.clear();
        if (of.has_waiting() && of.is_old()) write_waiting(of, nullptr);
        if (!is_ours_) return nullptr;
    }
    const std::int64_t place = place_of(number), at = place - window_begins_;
    is_behind_end_ = place >= file_bytes_;
    if (place + record_bytes_ > file_bytes_) return nullptr;
    if (at >= 0 && at + record_bytes_ <= static_cast<std::int64_t>(window_.size())) return window_.data() + at;
    return read_around(of, place);
}

// Time and again in a part of the file that is read at once as quickly as some records of it.
bool direct_records::is_in_small_region(std::int64_t place) noexcept
{
    constexpr std::uint32_t several = 8;
    const std::int64_t ends = place + record_bytes_;
    if (misses_ == 0 || place < lowest_) lowest_ = place;
    if (misses_ == 0 || ends > highest_) highest_ = ends;
    if (highest_ - lowest_ > most_ahead) lowest_ = place, highest_ = ends, misses_ = 0;
    return ++misses_ >= several || (file_bytes_ <= most_ahead && misses_ > 1);
}

char *direct_records::read_around(unit &of, std::int64_t place) noexcept
{
    if (of.has_waiting()) write_waiting(of, nullptr);
    if (!is_ours_) return nullptr;
    // One behind the other: more and more at once.
    const std::int64_t ends = window_begins_ + static_cast<std::int64_t>(window_.size());
    const bool goes_on = !window_.empty() && place <= ends && place + record_bytes_ > ends;
    std::int64_t begins = place;
    if (goes_on) {
        if (piece_ < most_ahead) piece_ *= 2;
    } else {
        ++pieces_;
        const bool is_small = is_in_small_region(place);
        piece_ = is_small ? most_ahead : page;
        if (is_small) begins = file_bytes_ <= most_ahead ? 0 : lowest_;
        begins -= begins % page;
    }
    std::int64_t bytes = place + record_bytes_ - begins;
    if (bytes < piece_) bytes = piece_;
    window_.clear();
    if (!window_.reserve(static_cast<std::size_t>(bytes))) return nullptr;
    window_begins_ = begins;
    const long count = run_raw_read_at(of.descriptor, window_.data(), static_cast<std::size_t>(bytes), begins);
    if (count > 0) window_.extend(static_cast<std::size_t>(count));
    return place + record_bytes_ - begins <= count ? window_.data() + (place - begins) : nullptr;
}

void direct_records::was_read(std::int64_t number) noexcept
{
    last_number_ = number;
    are_in_order_ = are_in_order_ && numbers_.empty();  // the run time writes what it has when READ comes
    ++statements_;
}

void direct_records::was_written(std::int64_t number, const char *record) noexcept
{
    are_in_order_ = are_in_order_ && (numbers_.empty() || numbers_[numbers_.size() - 1] + 1 == number);
    *numbers_.extend(1) = last_number_ = number;
    const std::int64_t place = place_of(number), bytes = record_bytes_;
    if (place + bytes > file_bytes_) file_bytes_ = place + bytes;
    ++statements_;
    const std::int64_t at = place - window_begins_, size = static_cast<std::int64_t>(window_.size());
    if (at >= 0 && at + bytes <= size) std::memcpy(window_.data() + at, record, record_bytes());
    else if (at < size && at + bytes > 0) window_.clear();
}

std::size_t direct_records::most_waiting() const noexcept { return are_in_order_ ? 8 * chosen.batch_bytes : chosen.batch_bytes; }

// Returns how many of those that waited are in the file.
std::size_t direct_records::write_at_places(const unit &of, const char *records) noexcept
{
    const std::size_t n = numbers_.size(), each = record_bytes();
    for (std::size_t begin = 0, end = 1; begin < n; begin = end++) {
        while (end < n && numbers_[end] == numbers_[end - 1] + 1) ++end;
        const auto bytes = static_cast<long>((end - begin) * each);
        const long done = run_raw_write_at(of.descriptor, records + begin * each, (end - begin) * each, place_of(numbers_[begin]));
        if (done != bytes) return begin + (done > 0 ? static_cast<std::size_t>(done) / each : 0);
    }
    return n;
}

int direct_records::write_by_the_run_time(const unit &of, std::size_t i, const char *records, transfer_block *model) noexcept
{
    const run_time &real = *of.real;
    own_statement statement(of.number, model, of.file, of.line);
    statement.record(numbers_[i]);
    statement.begin(real);
    real.character(statement.block(), const_cast<char *>(records + i * record_bytes()), record_bytes_);
    return statement.end(real, 0);
}

// The last record of the file, if it is new, the run time writes once more: it knows the size by what it writes itself. Not later:
// another process may write there, too.
bool direct_records::makes_size_known(const unit &of, std::size_t done, const char *records) noexcept
{
    if (file_bytes_ <= known_bytes_) return true;
    std::size_t highest = 0;
    for (std::size_t i = 0; i < done; ++i)
        if (numbers_[i] >= numbers_[highest]) highest = i;
    if (done == 0 || place_of(numbers_[highest] + 1) <= known_bytes_) return true;
    known_bytes_ = place_of(numbers_[highest] + 1);
    const std::uint64_t before = hidden_errors();
    write_by_the_run_time(of, highest, records, nullptr);
    flush_unit(*of.real, of.number);
    return hidden_errors() == before;
}

int direct_records::write_waiting(unit &of, transfer_block *model) noexcept
{
    const std::size_t n = numbers_.size();
    const char *const records = of.text.data();  // stays where it is
    of.text.clear();
    of.waiting_bytes = 0;
    std::size_t done = write_at_places(of, records);
    const bool is_good = makes_size_known(of, done, records) && done == n;
    count_hand_over(done * record_bytes());
    if (!is_good) {  // a full disk, for example: from here on the run time meets it, and says what it says
        is_ours_.release(false);
        set_byte_form(of, byte_form::none);
    }
    int outcome = 0;
    for (; done < n; ++done) outcome |= write_by_the_run_time(of, done, records, outcome == 0 ? model : nullptr);
    numbers_.clear();
    are_in_order_ = true;
    return outcome;
}

}  // namespace headrace::run
