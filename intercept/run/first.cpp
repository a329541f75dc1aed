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
constexpr std::size_t long_array = 2048, many_values = 256;
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

// A program comes back to its lines if half of the statements that were met here are at places that have met their limit: then it
// will come back to lines that are new, too.
constexpr std::uint32_t enough_to_say = 1000;  // statements
constexpr std::uint8_t later_limit = 4;
std::atomic<std::uint32_t> all_met, met_at_full_places;
std::atomic<bool> comes_back;

bool counts(const transfer_block &block, std::uint8_t limit) noexcept
{
    if (!is_among(block, limit)) return false;
    std::atomic<std::uint8_t> &met = met_at(block);
    const auto now = static_cast<std::uint8_t>(met.load(std::memory_order_relaxed) + 1);
    met.store(now, std::memory_order_relaxed);
    const std::uint32_t all = all_met.fetch_add(1, std::memory_order_relaxed) + 1;
    if (now < limit) return true;
    const std::uint32_t full = met_at_full_places.fetch_add(limit, std::memory_order_relaxed) + limit;
    if (all >= enough_to_say && full >= all / 2) comes_back.store(true, std::memory_order_relaxed);
    return true;
}

// Of short statements, unless the user has said how many.
std::uint8_t short_limit() noexcept
{
    const bool is_later = comes_back.load(std::memory_order_relaxed) && chosen.first_left < chosen.first_short_left;
    return is_later ? later_limit : chosen.first_short_left;
}

std::uint8_t limit_of(const transfer_block &block) noexcept
{
    const bool is_short = (block.flags & transfer_internal) != 0 && block.internal_length < short_variable;
    return is_short ? short_limit() : chosen.first_left;
}

// Reads what a format begins with.
class format_start
{
   public:
    explicit format_start(const transfer_block &block) noexcept
        : at_(block.format), end_(block.format + (block.format_length > 0 ? block.format_length : 0))
    {
    }
    // In lower case, blanks left out.
    char next() noexcept
    {
        while (at_ < end_ && *at_ == ' ') ++at_;
        return at_ < end_ ? static_cast<char>(*at_ | 0x20) : '\0';
    }
    bool takes(char letter) noexcept
    {
        const bool is_there = next() == letter;
        if (is_there) ++at_;
        return is_there;
    }
    int number() noexcept
    {
        int found = 0;
        for (; next() >= '0' && next() <= '9' && found < 1000; ++at_) found = 10 * found + *at_ - '0';
        return found;
    }
    // Is there only one more edit descriptor, with its width and digits?
    bool ends_with_it() noexcept
    {
        for (; !takes(')'); ++at_) {
            const char letter = next();
            if ((letter < 'a' || letter > 'z') && (letter < '0' || letter > '9') && letter != '.') return false;
        }
        return next() == '\0';
    }

   private:
    const char *at_, *end_;
};

// (6e13.5) or (1p,5e16.8): rows of a table, and one statement may have all of it, value by value.
bool is_of_table(const transfer_block &block) noexcept
{
    if ((block.flags & transfer_format) == 0) return false;
    format_start format(block);
    constexpr int several = 3;
    if (!format.takes('(')) return false;
    int repeated = format.number();
    if (format.takes('p')) {
        format.takes(',');
        repeated = format.number();
    }
    const char letter = format.next();
    return repeated >= several && (letter == 'e' || letter == 'f' || letter == 'd' || letter == 'g') && format.ends_with_it();
}

void leave(frame &one) noexcept
{
    unit &to = *one.to;
    to.moves_output();
    // A statement that fails later leaves bytes of them in its record, as the run time's buffer has them.
    to.hand_over_all(nullptr, unit::alone::from_longest);
    to.reader.was_moved();
    to.reader.end(*one.real, to.number);
    release(to);
    one.mode = frame_mode::left;
    one.is_settled = false;
    one.left_unit = one.block->unit;
    one.is_watched = true;
    one.values = 0;
    ++run_hands_over;  // C's texts have gone when it began
    one.real->st_write(one.block);
    --run_hands_over;
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
    // Those of other files are counted, too: to ask for the size of a file takes longer than to read a line.
    if (from.reader.is_reading() || !counts(block, short_limit())) return false;
    if (from.descriptor < 0 || !from.reader.is_file_within(from.descriptor, short_file)) return false;
    count_left_statement(block, direction::read, nullptr);
    return true;
}

bool begins_to_wait(frame &one, unit &to, const void *caller) noexcept
{
    const std::uint8_t limit = short_limit();
    if ((one.block->flags & transfer_flang) != 0 || !is_among(*one.block, limit)) return false;
    if (is_of_table(*one.block)) {
        met_at(*one.block).store(UINT8_MAX, std::memory_order_relaxed);
        return false;
    }
    counts(*one.block, limit);
    if (to.output.is_output()) to.output.begins_statement();
    one.mode = frame_mode::waits;
    one.to = &to;
    one.real = to.real;
    one.waiting = {caller, one.block->file, one.block->line};
    one.block->flags &= ~block_outcome_mask;
    to.owner = this_thread_identity();
    return true;
}

bool is_taken_over_with(frame &one, std::size_t values) noexcept
{
    if (values >= long_array && begins_at_its_site(one, *one.to, one.waiting.caller)) return true;
    leave_if_it_waits(one);
    one.values = values;
    return false;
}

void leave_if_it_waits(frame &one) noexcept
{
    if (one.mode != frame_mode::waits) return;
    if (one.where == nullptr) count_left_statement(*one.block, direction::write, nullptr);  // else its site has counted it
    leave(one);
}

void learns_length(const frame &one) noexcept
{
    if (one.is_watched && one.values >= many_values) met_at(*one.block).store(UINT8_MAX, std::memory_order_relaxed);
}

void forget_first_statements() noexcept
{
    for (std::atomic<std::uint8_t> &one : first_statements) one = 0;
    all_met = met_at_full_places = 0;
    comes_back = false;
}

}  // namespace headrace::run
