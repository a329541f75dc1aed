#include "unit_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include <cstring>

#include "../memory.hpp"
#include "../patience.hpp"
#include "../settings.hpp"
#include "../unit.hpp"
#include "text/kernels/parse_numbers.hpp"

extern "C" long run_raw_read_at(int descriptor, void *text, std::size_t bytes, std::int64_t place);

namespace headrace::run
{

const char *unit_reader::text() const noexcept { return memory_ + parse_padding; }
char *unit_reader::text() noexcept { return memory_ + parse_padding; }

// Size and time of the file, compared with those before.
bool unit_reader::is_changed() noexcept
{
    struct stat now;
    return fstat(descriptor_, &now) != 0 || is_other_than(now);
}

bool unit_reader::is_other_than(const struct stat &now) noexcept
{
    const bool is_same = now.st_size == file_bytes_ && now.st_mtim.tv_sec == seconds_ && now.st_mtim.tv_nsec == nanoseconds_;
    file_bytes_ = now.st_size;
    seconds_ = now.st_mtim.tv_sec;
    nanoseconds_ = now.st_mtim.tv_nsec;
    if (!is_same) is_settled_ = is_time_settled();
    return !is_same;
}

// Times of files have ticks: only if the file was not changed just now, every later change gives it another time.
bool unit_reader::is_time_settled() const noexcept
{
    constexpr std::int64_t several_ticks = 20000000, second = 1000000000;  // nanoseconds
    timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return (now.tv_sec - seconds_) * second + now.tv_nsec - nanoseconds_ > several_ticks;
}

// Has what was read up to here gone out of the run time's buffer, if it had read it? At the end of the file it has an empty one.
bool unit_reader::leaves_buffer(std::int64_t from, std::int64_t to) const noexcept
{
    constexpr std::int64_t piece_of_a_line = 80;
    return to - from > buffer_of_the_run_time || to + piece_of_a_line >= file_bytes_;
}

// Lines from the beginning of the file on. The run time has the old ones, too, as long as they are in its buffer.
bool unit_reader::are_lines_stale() noexcept
{
    const bool are_in_its_buffer = !leaves_buffer(0, farthest_);
    farthest_ = 0;
    if (are_in_its_buffer || (!is_changed() && is_settled_)) return false;
    is_settled_ = is_time_settled();  // for those that are read next
    return true;
}

bool unit_reader::is_read_only() noexcept
{
    if (!is_mode_known_) is_read_only_ = (fcntl(descriptor_, F_GETFL) & O_ACCMODE) == O_RDONLY;
    is_mode_known_ = true;
    return is_read_only_;
}

namespace
{

void move_to(const run_time &real, std::int32_t unit, std::int64_t place) noexcept
{
    std::int32_t from_begin = 0, status = 0;
    ++run_own_statements;
    real.fseek(&unit, &place, &from_begin, &status);
    --run_own_statements;
}

}  // namespace

bool unit_reader::begin(const run_time &real, std::int32_t unit, int descriptor) noexcept
{
    // Standard input may be read further by another program.
    if (chosen.is_strict || !is_at_record_ || real.ftell == nullptr || descriptor <= 2) return false;
    // The run time must go over from writing to reading: BACKSPACE and ENDFILE cut off what is behind otherwise.
    if (!is_in_file_ && !was_read_) return false;
    if (is_to_be_left()) return false;
    has_records_ = true;
    // It may still have what it wrote before.
    if (!is_in_file_) flush_unit(real, unit);
    is_in_file_ = true;
    return take_position(real, unit, descriptor);
}

bool unit_reader::begin_bytes(const run_time &real, std::int32_t unit, int descriptor) noexcept
{
    if (real.st_read == nullptr || real.ftell == nullptr || is_to_be_left()) return false;
    has_records_ = false;
    return take_position(real, unit, descriptor);
}

void unit_reader::is_connected(const struct stat *status) noexcept
{
    was_rewound();
    has_failed_ = false;
    is_in_file_ = true;
    is_status_of_open_ = status != nullptr && S_ISREG(status->st_mode);
    if (is_status_of_open_) is_other_than(*status);
}

// If it has changed since it was opened, that shows later as a change does that comes later.
bool unit_reader::look_at_status(int descriptor) noexcept
{
    const bool is_known = is_status_of_open_;
    is_status_of_open_ = false;
    if (is_known) return true;
    struct stat now;
    if (fstat(descriptor, &now) != 0 || !S_ISREG(now.st_mode)) return false;
    is_other_than(now);
    return true;
}

bool unit_reader::is_file_within(int descriptor, std::int64_t bytes) const noexcept
{
    struct stat now;
    if (is_status_of_open_) return file_bytes_ <= bytes;
    return fstat(descriptor, &now) == 0 && S_ISREG(now.st_mode) && now.st_size <= bytes;
}

bool unit_reader::take_position(const run_time &real, std::int32_t unit, int descriptor) noexcept
{
    if (!look_at_status(descriptor)) return false;
    ++run_own_statements;
    const std::int64_t place = real.ftell(&unit);
    --run_own_statements;
    if (place < 0 || place >= file_bytes_) return false;
    descriptor_ = descriptor;
    base_ = place_ = first_place_ = farthest_ = place;
    begins_at_record_ = has_records_ && !stands_in_record_;
    at_ = end_ = size_ = 0;
    has_lone_returns_ = false;
    records_ = 0;
    record_ = real_record_;
    goes_on_in_record_ = stands_in_record_;
    is_mode_known_ = has_passed_ = has_met_end_ = has_moved_buffer_ = false;
    piece_ = first_piece;
    looked_at_ = coarse_now();
    ahead.forget();
    is_reading_ = true;
    return true;
}

// The run time reads the end of the record before, if it must be open, or nothing.
void unit_reader::make_record_known(const run_time &real, std::int32_t unit) noexcept
{
    std::int64_t bytes = record_ == record_before::closed ? 0 : 1;
    char byte = '\n';
    if (record_ == record_before::open_and_read && place_ > 1 && run_raw_read_at(descriptor_, &byte, 1, place_ - 2) == 1 &&
        byte != '\n')
        bytes = 2;
    if (bytes == 1 && real_record_ != record_before::closed) read_in_record(real, unit, 0);
    if (bytes > 0) move_to(real, unit, place_ - bytes);
    read_in_record(real, unit, bytes);
    real_record_ = record_;
}

// The run time reads a record, or what is left of it from there on.
void unit_reader::pass_record_at(const run_time &real, std::int32_t unit, std::int64_t place) noexcept
{
    move_to(real, unit, place);
    pass_record(real, unit);
    ++run_own_statements;
    real.ftell(&unit);  // it forgets what it has read behind the record
    --run_own_statements;
    real_record_ = record_before::closed;
    real_has_passed_ = true;
}

bool unit_reader::is_behind_line_feed(std::int64_t place) const noexcept
{
    char byte = 0;
    return run_raw_read_at(descriptor_, &byte, 1, place - 1) == 1 && byte == '\n';
}

// The run time would have read as far as we have: what its buffer has of the lines before may be old by now.
void unit_reader::move_buffer(const run_time &real, std::int32_t unit) noexcept
{
    const std::int64_t farthest = place_ > farthest_ ? place_ : farthest_;
    if (has_moved_buffer_ || !has_records_ || !leaves_buffer(first_place_, farthest)) return;
    has_moved_buffer_ = true;
    if (!is_behind_line_feed(farthest)) return;
    pass_record_at(real, unit, farthest - 1);  // its end
}

// INQUIRE(POSITION=) tells whether the run time has read a record since OPEN or REWIND, and the last one of the file.
void unit_reader::read_any_record(const run_time &real, std::int32_t unit) noexcept
{
    const void *newline = memrchr(text(), '\n', at_);
    if (newline == nullptr) newline = std::memchr(text() + at_, '\n', size_ - at_);
    if (newline == nullptr) return;
    pass_record_at(real, unit, place_of(static_cast<const char *>(newline)));
}

void unit_reader::end(const run_time &real, std::int32_t unit) noexcept
{
    if (!is_reading_) return;
    is_reading_.release(false);
    stands_in_record_ = at_ > 0 ? text()[at_ - 1] != '\n' : !begins_at_record_;
    if (has_records_) {
        if (farthest_ > place_ && place_ < first_place_ + buffer_of_the_run_time) move_buffer(real, unit);
        if (has_passed_ && (!real_has_passed_ || place_ == file_bytes_)) read_any_record(real, unit);
        move_to(real, unit, place_);
        if (record_ != real_record_) make_record_known(real, unit);
    } else if (place_ != first_place_) {
        move_in_stream(real, unit, place_ + 1);
    }
    constexpr std::uint64_t worth_it = 16;
    constexpr std::int64_t worth_it_too = 2048;  // bytes
    patience_ = next_patience(patience_, records_ >= worth_it || place_ - first_place_ >= worth_it_too);
    to_leave_ = patience_;
}

void unit_reader::forget() noexcept
{
    is_reading_ = false;
    was_moved();
    size_ = at_ = end_ = 0;
    ahead.forget();
    // The next file of this unit may be another small one.
    if (capacity_ <= first_piece + 2 * parse_padding) return;
    give_memory(memory_);
    memory_ = nullptr;
    capacity_ = 0;
    ahead.give_memory_back();
}

// Room for so many bytes behind those from `from` on, which move to the beginning.
bool unit_reader::make_room(std::size_t from, std::size_t more) noexcept
{
    const std::size_t kept = size_ - from;
    if (from > 0) begins_at_record_ = text()[from - 1] == '\n';
    const std::size_t wanted = kept + more + 2 * parse_padding;
    if (wanted > capacity_) {
        auto *const place = static_cast<char *>(take_memory(wanted));
        if (place == nullptr) return false;
        if (kept > 0) std::memcpy(place + parse_padding, text() + from, kept);
        give_memory(memory_);
        memory_ = place;
        capacity_ = wanted;
    } else if (kept > 0 && from > 0) {
        std::memmove(text(), text() + from, kept);
    }
    base_ += static_cast<std::int64_t>(from);
    size_ = kept;
    end_ = end_ > from ? end_ - from : 0;
    at_ = at_ > from ? at_ - from : 0;
    return true;
}

// All that was read of a small file, from its beginning on.
bool unit_reader::is_all_kept() const noexcept
{
    return base_ == 0 && file_bytes_ <= small_file && static_cast<std::int64_t>(size_) <= small_file;
}

// What comes is near the beginning of the file: it is read from there on, for REWIND. Returns where that is, or 0.
std::int64_t unit_reader::begins_at_first_line() noexcept
{
    constexpr std::int64_t near = 4096;
    const std::int64_t place = base_;
    if (size_ > 0 || place > near || place >= file_bytes_) return 0;
    base_ = 0;
    at_ = first_kept_ = static_cast<std::size_t>(place);
    return place;
}

bool unit_reader::read_more(const char *from, bool may_cut) noexcept
{
    std::size_t piece = piece_;
    first_kept_ = memory_ == nullptr ? 0 : static_cast<std::size_t>(from - text());
    if (has_met_end_) return false;
    const bool began_at_record = begins_at_record_;
    const std::int64_t place = begins_at_first_line();
    if (place > 0) begins_at_record_ = true;
    const bool is_kept = place > 0 || is_all_kept();
    if (is_kept) {
        // One byte more, that tells of the end.
        const std::size_t left =
            static_cast<std::size_t>(file_bytes_) > size_ ? static_cast<std::size_t>(file_bytes_) - size_ + 1 : 256;
        if (piece > left) piece = left;
    }
    bool has_more = make_room(is_kept ? 0 : first_kept_, piece);
    if (has_more) {
        if (!is_kept) first_kept_ = 0;
        has_more = read_lines(piece, may_cut);
    }
    if (end_ < first_kept_) end_ = first_kept_;  // there is no complete line from there on
    if (place == 0 || size_ > static_cast<std::size_t>(place)) return has_more;
    base_ = place;
    begins_at_record_ = began_at_record;
    at_ = first_kept_ = size_ = end_ = 0;
    return false;
}

namespace
{

// A carriage return at the very end does not count yet: a line feed may follow.
bool has_lone_return(const char *text, std::size_t bytes) noexcept
{
    constexpr std::size_t block = 64;
    std::size_t i = 0;
    for (; i + block < bytes; i += block) {
        unsigned found = 0;
        for (std::size_t k = i; k < i + block; ++k) found |= static_cast<unsigned>(text[k] == '\r') & (text[k + 1] != '\n');
        if (found != 0) return true;
    }
    for (; i + 1 < bytes; ++i)
        if (text[i] == '\r' && text[i + 1] != '\n') return true;
    return false;
}

}  // namespace

void unit_reader::look_for_returns(std::size_t from) noexcept
{
    const char *const begin = text() + from;
    const std::size_t bytes = size_ - from;
    const bool has_some = std::memchr(begin, '\r', bytes) != nullptr;
    has_lone_returns_ = has_lone_returns_ || (has_some && has_lone_return(begin, bytes));
}

bool unit_reader::read_lines(std::size_t piece, bool may_cut) noexcept
{
    for (;;) {
        const long count = run_raw_read_at(descriptor_, text() + size_, piece, base_ + static_cast<std::int64_t>(size_));
        has_met_end_ = count == 0;
        if (count <= 0) return false;
        next_piece();
        const std::size_t before = size_ > first_kept_ ? size_ : first_kept_, last_byte = size_ > 0 ? size_ - 1 : 0;
        size_ += static_cast<std::size_t>(count);
        look_for_returns(last_byte);
        const std::size_t bytes = size_ > before ? size_ - before : 0;
        const void *last = memrchr(text() + before, '\n', bytes);
        if (last == nullptr && may_cut) last = memrchr(text() + before, ' ', bytes);
        if (last != nullptr) {
            end_ = static_cast<std::size_t>(static_cast<const char *>(last) + 1 - text());
            return true;
        }
        if (!make_room(0, piece *= 2)) return false;
    }
}

bool unit_reader::read_bytes(const char *from, std::size_t bytes) noexcept
{
    const std::size_t piece = piece_;
    first_kept_ = 0;
    if (!make_room(memory_ == nullptr ? 0 : static_cast<std::size_t>(from - text()), piece)) return false;
    next_piece();
    const long count = run_raw_read_at(descriptor_, text() + size_, piece, base_ + static_cast<std::int64_t>(size_));
    if (count > 0) size_ += static_cast<std::size_t>(count);
    end_ = size_;
    return size_ >= bytes;
}

bool unit_reader::is_time_to_look() noexcept
{
    constexpr std::int64_t often = 50000000;  // nanoseconds
    const std::int64_t now = coarse_now();
    if (now - looked_at_ < often) return false;
    looked_at_ = now;
    return true;
}

void unit_reader::forget_lines(std::int64_t next_place) noexcept
{
    ahead.forget();
    begins_at_record_ = next_place == 0;
    base_ = place_ = farthest_ = next_place;
    at_ = end_ = size_ = 0;
    has_lone_returns_ = has_met_end_ = false;
}

void unit_reader::look_at_file() noexcept
{
    constexpr std::uint64_t few = 16;  // records: to ask for the time takes some, too
    if (records_ % few == 0 && is_time_to_look() && is_changed()) forget_lines(place_);
}

bool unit_reader::goes_back() noexcept
{
    // Behind a part of a record, or in a file that may be another by now, it is the run time's to say.
    if (at_ == 0 || text()[at_ - 1] != '\n' || (is_time_to_look() && is_changed())) return false;
    const auto *const before = static_cast<const char *>(memrchr(text(), '\n', at_ - 1));
    // A record may also begin behind a carriage return alone, but BACKSPACE of the run time looks for line feeds.
    if (before == nullptr && (!begins_at_record_ || (base_ > 0 && !is_behind_line_feed(base_)))) return false;
    record_ = record_before::closed;
    goes_on_in_record_ = has_other_columns_ = false;
    has_passed_ = true;
    if (place_ > farthest_) farthest_ = place_;
    ahead.forget();
    at_ = before == nullptr ? 0 : static_cast<std::size_t>(before + 1 - text());
    place_ = base_ + static_cast<std::int64_t>(at_);
    return true;
}

void unit_reader::goes_to_begin() noexcept
{
    record_ = record_before::closed;
    goes_on_in_record_ = has_other_columns_ = false;
    has_passed_ = false;
    if (place_ > farthest_) farthest_ = place_;
    if (base_ != 0 || are_lines_stale()) return forget_lines(0);
    ahead.forget();
    place_ = 0;
    at_ = 0;
}

}  // namespace headrace::run
