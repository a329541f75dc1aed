#include "direct.hpp"

#include <sys/stat.h>

#include <cstring>

#include "../settings.hpp"
#include "../statistics.hpp"
#include "bytes.hpp"

extern "C" long run_raw_read_at(int descriptor, void *text, std::size_t bytes, std::int64_t place);
extern "C" long run_raw_write_at(int descriptor, const void *text, std::size_t bytes, std::int64_t place);

namespace headrace::run
{

void direct_records::is_connected(std::int64_t record_bytes, std::int64_t file_bytes) noexcept
{
    forget();
    file_bytes_ = file_bytes;
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
    last_record_.give_back();
    highest_record_.give_back();
}

bool direct_records::begin(unit &of) noexcept
{
    const run_time &real = *of.real;
    if (real.st_read == nullptr || real.st_flush == nullptr || !last_record_.reserve(record_bytes()) ||
        !highest_record_.reserve(record_bytes()))
        return false;
    const std::uint64_t before = hidden_errors();
    flush_unit(real, of.number);
    if (hidden_errors() != before) return false;  // it still has what it could not write
    struct stat now;
    if (of.was_written || file_bytes_ < 0) {
        if (fstat(of.descriptor, &now) != 0) return false;
        file_bytes_ = now.st_size;
    }
    of.was_written = false;
    window_.clear();
    piece_ = page;
    looked_at_ = coarse_now();
    statements_ = 0;
    highest_written_ = 0;
    is_ours_ = true;
    return true;
}

// The run time writes what is in the file already.
void direct_records::write_again(const unit &of, std::int64_t number, const char *record) noexcept
{
    const run_time &real = *of.real;
    own_statement statement(of.number, nullptr, of.file, of.line);
    statement.record(number);
    statement.begin(real);
    real.character(statement.block(), const_cast<char *>(record), record_bytes_);
    statement.end(real, 0);
}

// It knows the size of the file by what it has written.
void direct_records::make_size_known(const unit &of) noexcept
{
    if (highest_written_ == 0 || (is_last_written_ && last_number_ == highest_written_)) return;
    write_again(of, highest_written_, highest_record_.data());
}

void direct_records::end(unit &of) noexcept
{
    if (!is_ours_) return;
    is_ours_.release(false);
    make_size_known(of);
    if (statements_ > 0 && is_last_written_) write_again(of, last_number_, last_record_.data());
    else if (statements_ > 0) read_record(*of.real, of.number, last_number_, has_items_ ? 1 : 0);  // NEXTREC= is another without
    // What costs more than it gains is tried less and less often.
    constexpr std::uint32_t worth_it = 16;
    grow_patience(of, statements_ >= worth_it);
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
    if (is_window_old()) window_.clear();
    const std::int64_t place = place_of(number), at = place - window_begins_;
    is_behind_end_ = place >= file_bytes_;
    if (place + record_bytes_ > file_bytes_) return nullptr;
    if (at >= 0 && at + record_bytes_ <= static_cast<std::int64_t>(window_.size())) return window_.data() + at;
    return read_around(of, place);
}

char *direct_records::read_around(unit &of, std::int64_t place) noexcept
{
    if (of.has_waiting()) write_waiting(of, nullptr);
    if (!is_ours_) return nullptr;
    // One behind the other: more and more at once.
    const std::int64_t ends = window_begins_ + static_cast<std::int64_t>(window_.size());
    const bool goes_on = !window_.empty() && place <= ends && place + record_bytes_ > ends;
    if (!goes_on) piece_ = page;
    else if (piece_ < most_ahead) piece_ *= 2;
    const std::int64_t begins = goes_on ? place : place - place % page;
    std::int64_t bytes = place + record_bytes_ - begins;
    if (bytes < piece_) bytes = piece_;
    window_.clear();
    if (!window_.reserve(static_cast<std::size_t>(bytes))) return nullptr;
    window_begins_ = begins;
    const long count = run_raw_read_at(of.descriptor, window_.data(), static_cast<std::size_t>(bytes), begins);
    if (count > 0) window_.extend(static_cast<std::size_t>(count));
    return place + record_bytes_ - begins <= count ? window_.data() + (place - begins) : nullptr;
}

void direct_records::was_read(std::int64_t number, bool has_items) noexcept
{
    last_number_ = number;
    is_last_written_ = false;
    has_items_ = has_items;
    ++statements_;
}

void direct_records::was_written(std::int64_t number, const char *record) noexcept
{
    *numbers_.extend(1) = last_number_ = number;
    if (number > highest_written_) highest_written_ = number;
    if (place_of(number + 1) > file_bytes_) file_bytes_ = place_of(number + 1);
    is_last_written_ = true;
    ++statements_;
    const std::int64_t at = place_of(number) - window_begins_, bytes = record_bytes_;
    const auto size = static_cast<std::int64_t>(window_.size());
    if (at >= 0 && at + bytes <= size) std::memcpy(window_.data() + at, record, record_bytes());
    else if (at < size && at + bytes > 0) window_.clear();
}

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

int direct_records::write_waiting(unit &of, transfer_block *model) noexcept
{
    const std::size_t n = numbers_.size(), each = record_bytes();
    const char *const records = of.text.data();  // stays where it is
    std::size_t done = write_at_places(of, records);
    std::memcpy(last_record_.data(), records + (n - 1) * each, each);
    for (std::size_t i = n; i-- > 0;) {
        if (numbers_[i] != highest_written_) continue;
        std::memcpy(highest_record_.data(), records + i * each, each);
        break;
    }
    of.text.clear();
    of.waiting_bytes = 0;
    count_hand_over(done * each);
    const run_time &real = *of.real;
    int outcome = 0;
    if (done < n) {  // a full disk, for example: from here on the run time meets it, and says what it says
        is_ours_.release(false);
        set_byte_form(of, byte_form::none);
    }
    for (; done < n; ++done) {
        own_statement statement(of.number, outcome == 0 ? model : nullptr, of.file, of.line);
        statement.record(numbers_[done]);
        statement.begin(real);
        real.character(statement.block(), const_cast<char *>(records + done * each), record_bytes_);
        outcome |= statement.end(real, each);
    }
    numbers_.clear();
    return outcome;
}

}  // namespace headrace::run
