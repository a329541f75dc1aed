// A place in the source with a WRITE or READ statement: what is known of it, and what was counted there.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "blocks.hpp"
#include "format_program.hpp"
#include "rows.hpp"
#include "settings.hpp"

namespace headrace::run
{

enum class site_state : std::uint8_t {
    learning,  // its first statements, compared with the run time's text
    rows,      // its values are kept
    text,      // it is formatted at once
    left       // to the run time, for good
};

// What a site's statements do. ..._bytes: without a format.
enum class direction : std::uint32_t { write = 0, read = 1u << 31, write_bytes = 1u << 29, read_bytes = 1u << 31 | 1u << 29 };

// How a statement of text ends. internal: its values are never kept.
enum class record_end : std::uint8_t { ends, goes_on, internal };

class site
{
   public:
    site(const transfer_block &block, direction does, const format_program *program) noexcept;

    const char *const file;
    const std::int32_t line;
    const std::uint32_t flags;  // of its form, and its direction
    const char *const format;   // as the program passed it the first time
    const std::int64_t format_length;
    const char *const format_text;                // as it was then
    std::atomic<bool> has_constant_format;        // the program cannot change it in its place
    const char *file_name;                        // a copy: the object that has it may be unloaded
    const format_program *const program;          // null: list-directed, or none could be made
    const output_field *one_field = nullptr;      // all that the format has
    std::atomic<const run_time *> real{nullptr};  // whose statement it is
    site *next = nullptr;                         // in the table
    site *next_made = nullptr;                    // in the list of all

    // Are values kept here, and not compared this time? By what the long way has found.
    bool keeps_values() const noexcept
    {
        return rows.load(std::memory_order_relaxed) < rows_until_check_.load(std::memory_order_relaxed);
    }
    // How many rows may come: 0 if none are kept now.
    std::uint64_t rows_before_check() const noexcept
    {
        return keeps_values() ? rows_until_check_.load(std::memory_order_relaxed) - rows.load(std::memory_order_relaxed) : 0;
    }
    // Was nothing heard since that stops it?
    bool goes_on() const noexcept
    {
        return rows_until_check_.load(std::memory_order_relaxed) != 0 && has_constant_format.load(std::memory_order_relaxed);
    }
    void find_next_check() noexcept;

    // Does the statement stand here? Without a look at the text of a format that may change.
    __attribute__((always_inline)) bool may_be_of(const transfer_block &block, direction does) const noexcept
    {
        const std::uint32_t form = (block.flags & form_flags) | static_cast<std::uint32_t>(does);
        if (line != block.line || file != block.file || flags != form) return false;
        return !(form & transfer_format) || (format == block.format && format_length == block.format_length);
    }
    __attribute__((always_inline)) bool is_of(const transfer_block &block, direction does) const noexcept
    {
        return may_be_of(block, does) && has_its_text(block);
    }
    bool has_its_text(const transfer_block &block) const noexcept
    {
        return has_constant_format.load(std::memory_order_relaxed) || has_same_text(block);
    }

    site_state state() const noexcept { return state_.load(std::memory_order_acquire); }
    const row_shape *shape() const noexcept { return shape_.load(std::memory_order_acquire); }
    const char *reason() const noexcept { return reason_.load(std::memory_order_acquire); }

    // From now on the run time does it. reason: a constant.
    void leave(const char *reason) noexcept;
    // The run time had to do a statement; if it must do all of the first ones, it is left to it for good.
    void was_given_back(const char *reason) noexcept;
    // A statement is good: its items and its text.
    void learn(const item_log &items, const statement_text &text, record_end end) noexcept
    {
        if (is_learned_.load(std::memory_order_relaxed)) return;
        const std::uint32_t left_to_wait = to_wait_.load(std::memory_order_relaxed);
        if (left_to_wait > 0) to_wait_.store(left_to_wait - 1, std::memory_order_relaxed);
        else learn_more(items, text, end);
    }
    // Other items came than before. Often, beside those that were kept: they are not kept any more, unless they are learned anew.
    void surprise() noexcept;
    // Its run time may be gone (is_there: it is not), or its constants: the next statement takes the long way.
    void objects_are_gone(bool is_there) noexcept;
    // Must this statement be compared?
    bool is_to_be_checked() const noexcept { return all_taken() >= next_check_.load(std::memory_order_relaxed); }
    // The same of one that is ours. It may turn out that it cannot be compared: then another one is, but not at once.
    bool begins_check() noexcept
    {
        const bool does = is_to_be_checked();
        if (does && state() != site_state::learning) put_off_check();
        return does;
    }

    // Does a statement of a character variable have one number here, if it is the usual one? And here it had not.
    bool takes_one_item() const noexcept { return one_item_misses_.load(std::memory_order_relaxed) < most_misses; }
    void miss_one_item() noexcept
    {
        const std::uint8_t misses = one_item_misses_.load(std::memory_order_relaxed);
        if (misses < most_misses) one_item_misses_.store(static_cast<std::uint8_t>(misses + 1), std::memory_order_relaxed);
    }

    // The same of statements with several items. Some rare values do not count.
    bool takes_several_items() const noexcept
    {
        return is_straight_ && several_misses_.load(std::memory_order_relaxed) <= 16 + all_taken() / 8;
    }
    void miss_several_items() noexcept { add(several_misses_, 1); }

    bool has_no_format() const noexcept { return (flags & static_cast<std::uint32_t>(direction::write_bytes)) != 0; }
    bool is_read() const noexcept { return (flags & static_cast<std::uint32_t>(direction::read)) != 0; }
    // Statements of READ need no more than some good ones.
    void learn_read() noexcept;

    // A statement was taken over: as kept values, or with so many values and bytes of text.
    void count_rows(std::uint64_t n) noexcept { add(rows, n); }
    void count_taken(std::uint64_t values, std::uint64_t bytes) noexcept;
    void count_left() noexcept { add(left, 1); }
    void count_left(const char *reason) noexcept
    {
        const char *none = nullptr;
        reason_.compare_exchange_strong(none, reason);
        add(left, 1);
    }
    void count_checked(bool is_same) noexcept;

    // By the counts below.
    std::uint64_t all_taken() const noexcept
    {
        return rows.load(std::memory_order_relaxed) + texts.load(std::memory_order_relaxed);
    }
    std::uint64_t all_values() const noexcept;
    std::uint64_t all_bytes() const noexcept;

    std::atomic<std::uint64_t> rows{0}, texts{0}, left{0}, values{0}, bytes{0}, checked{0}, different{0};

   private:
    bool has_same_text(const transfer_block &block) const noexcept;
    bool lies_in_constants() const noexcept;
    static constexpr std::uint32_t form_flags =
        transfer_list_directed | transfer_format | transfer_internal | transfer_record | transfer_flang;
    void learn_more(const item_log &items, const statement_text &text, record_end end) noexcept;
    void put_off_check() noexcept;
    void compare_items(const item_log &items, const statement_text &text, bool record_goes_on);
    void keep_candidate() noexcept;
    bool is_straight_ = false;
    std::atomic<std::uint64_t> several_misses_{0};
    static constexpr std::uint8_t most_misses = 16;
    std::atomic<std::uint8_t> one_item_misses_{0};

    static void add(std::atomic<std::uint64_t> &counter, std::uint64_t n) noexcept
    {
        counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }

    std::atomic<site_state> state_{site_state::learning};
    std::atomic<const row_shape *> shape_{nullptr};
    std::atomic<const char *> reason_{nullptr};
    std::unique_ptr<row_shape> candidate_;
    // By the number of statements that were taken over; and by that of kept rows, 0 if none are kept now.
    std::atomic<std::uint64_t> next_check_{0}, rows_until_check_{0};
    std::atomic<std::uint32_t> learned_{0}, long_texts_{0}, given_back_{0};
    std::uint32_t surprises_ = 0;
    // Is it known whether values are kept? Triangles of numbers begin with rows of other lengths, and a table may have more columns
    // than the one before: what comes often decides, and others are looked at again, after more and more statements.
    static constexpr std::uint32_t enough_alike = 4, first_wait = 16, last_wait = 4096;
    static constexpr std::uint32_t most_surprises = 32, rows_for_a_surprise = 8;
    std::atomic<bool> is_learned_{false};
    std::atomic<std::uint32_t> to_wait_{0};
    std::uint32_t alike_ = 0, wait_ = first_wait;
    std::uint64_t rows_at_surprise_ = 0;
    std::vector<std::unique_ptr<row_shape>> earlier_shapes_;  // values may still be kept in them
};

inline std::size_t hash_of_site(const transfer_block &block) noexcept
{
    const auto file = reinterpret_cast<std::uintptr_t>(block.file);
    const auto format = block.flags & transfer_format ? reinterpret_cast<std::uintptr_t>(block.format) : std::uintptr_t{0};
    return (file >> 3) ^ (static_cast<std::size_t>(block.line) * 31) ^ format ^ (format >> 7);
}

// What was met last, by this hash: a program may go round hundreds of statements. With a format that changes in its place, by
// its text, too.
inline constexpr std::size_t recent_size = 4096;
extern std::atomic<site *> recent_sites[recent_size];
site *recent_site_with_text(const transfer_block &block, direction does) noexcept;

// The one that was met last with this hash, if it is that of the statement; or null.
inline site *recent_site_of(const transfer_block &block, direction does = direction::write) noexcept
{
    site *const kept = recent_sites[hash_of_site(block) % recent_size].load(std::memory_order_acquire);
    if (kept == nullptr || !kept->may_be_of(block, does)) return nullptr;
    return kept->has_its_text(block) ? kept : recent_site_with_text(block, does);
}
// The site of this statement; null if there is no memory, or there are too many.
site *site_of(const transfer_block &block, direction does = direction::write) noexcept;
// The run time of its object, looked for once.
const run_time *run_time_of_site(site &where, const void *caller) noexcept;
// A statement that is the run time's before its site is looked for: counted if statistics are asked for.
void count_left_statement(const transfer_block &block, direction does, const char *reason) noexcept;
// Of run times that were unloaded.
void forget_sites_run_times() noexcept;
// All that were met, linked by next_made.
const site *all_sites() noexcept;

}  // namespace headrace::run
