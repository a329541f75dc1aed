#include "site.hpp"
#include "floating_point.hpp"
#include "locks.hpp"

#include <cstring>

#include "settings.hpp"
#include "start.hpp"
#include "unit.hpp"

namespace headrace::run
{
namespace
{

constexpr std::size_t table_size = 4096;
constexpr std::size_t most_sites = 20000;
constexpr int most_of_a_kind = 24;
site *table[table_size];
std::atomic<site *> last_made{nullptr};
std::size_t site_count;

// What each thread met last.
constexpr std::size_t recent_size = 64;
__thread site *recent[recent_size] __attribute__((tls_model("initial-exec")));

constexpr std::uint32_t form_flags = transfer_list_directed | transfer_format | transfer_internal;

std::size_t hash_of(const transfer_block &block) noexcept
{
    const auto file = reinterpret_cast<std::uintptr_t>(block.file);
    const auto format = block.flags & transfer_format ? reinterpret_cast<std::uintptr_t>(block.format) : std::uintptr_t{0};
    return (file >> 3) ^ (static_cast<std::size_t>(block.line) * 31) ^ format ^ (format >> 7);
}

__attribute__((always_inline)) inline bool is_this(const site &one, const transfer_block &block, direction does) noexcept
{
    const std::uint32_t flags = (block.flags & form_flags) | static_cast<std::uint32_t>(does);
    if (one.line != block.line || one.file != block.file || one.flags != flags) return false;
    if (!(block.flags & transfer_format)) return true;
    if (one.format != block.format || one.format_length != block.format_length) return false;
    // The program may have changed it in its place. Most are short, and a call costs as much as the rest.
    const char *const known = one.format_text;
    const auto bytes = static_cast<std::size_t>(block.format_length);
    if (bytes > 16) return std::memcmp(known, block.format, bytes) == 0;
    if (bytes < 8) {
        for (std::size_t i = 0; i < bytes; ++i)
            if (known[i] != block.format[i]) return false;
        return true;
    }
    std::uint64_t ours[2], theirs[2];
    std::memcpy(&ours[0], known, 8);
    std::memcpy(&ours[1], known + bytes - 8, 8);
    std::memcpy(&theirs[0], block.format, 8);
    std::memcpy(&theirs[1], block.format + bytes - 8, 8);
    return ours[0] == theirs[0] && ours[1] == theirs[1];
}

site *made(const transfer_block &block, direction does)
{
    if (site_count >= most_sites) return nullptr;
    const format_program *program = nullptr;
    if (block.flags & transfer_format) {
        const auto bytes = static_cast<std::size_t>(block.format_length);
        program = does == direction::read ? program_for_reading(block.format, bytes) : program_of(block.format, bytes);
        if (program == nullptr) return nullptr;
    }
    auto *const one = new site(block, does, program);
    ++site_count;
    one->next_made = last_made.load(std::memory_order_relaxed);
    last_made.store(one, std::memory_order_release);
    return one;
}

site *looked_up(const transfer_block &block, direction does) noexcept
{
    site *&first = table[hash_of(block) % table_size];
    int met = 0;
    for (site *one = first; one != nullptr; one = one->next, ++met)
        if (is_this(*one, block, does)) return one;
    // A format that is made anew each time: the run time's work is the least.
    if (met >= most_of_a_kind) return nullptr;
    try {
        site *const one = made(block, does);
        if (one == nullptr) return nullptr;
        one->next = first;
        first = one;
        return one;
    } catch (...) {
        return nullptr;
    }
}

}  // namespace

site::site(const transfer_block &block, direction does, const format_program *of_format) noexcept
    : file(block.file),
      line(block.line),
      flags((block.flags & form_flags) | static_cast<std::uint32_t>(does)),
      format(block.format),
      format_length(block.format_length),
      program(of_format),
      format_text(of_format != nullptr ? of_format->text().data() : "")
{
    const std::size_t bytes = file != nullptr ? std::strlen(file) : 0;
    char *const copy = static_cast<char *>(take_memory(bytes + 1));
    if (copy != nullptr) std::memcpy(copy, file != nullptr ? file : "", bytes + 1);
    file_name = copy != nullptr ? copy : "";
    if (chosen.first_checked == 0) next_check_ = UINT64_MAX;
    if (program == nullptr) return;
    if (!program->is_handled()) leave(program->reason());
    else if (does == direction::read && program->why_not_read() != nullptr) leave(program->why_not_read());
}

void site::leave(const char *reason) noexcept
{
    const char *none = nullptr;
    reason_.compare_exchange_strong(none, reason);
    state_.store(site_state::left, std::memory_order_release);
}

void site::was_given_back(const char *reason) noexcept
{
    constexpr std::uint32_t most_in_vain = 8;
    const char *none = nullptr;
    reason_.compare_exchange_strong(none, reason);
    add(left, 1);
    // More often than it was of use.
    if (++given_back_ >= most_in_vain && given_back_ > taken.load(std::memory_order_relaxed)) leave(reason);
}

// Several threads may be here: the first shape wins, and a second opinion only makes it vary.
void site::learn(const item_log &items, const statement_text &text, bool can_be_kept) noexcept
{
    if (state() != site_state::learning) return;
    const locked hold(lock_of_sites);
    try {
        if (!can_be_kept) {
            varies_ = true;
        } else if (candidate_ == nullptr && !varies_) {
            candidate_ = row_shape::of(items, program, text);
            varies_ = candidate_ == nullptr;
        } else if (!varies_) {
            varies_ = !candidate_->fits(items);
        }
    } catch (...) {
        varies_ = true;
    }
    const std::uint32_t wanted = chosen.first_checked > 1 ? chosen.first_checked : 2;
    if (++learned_ >= wanted && state() == site_state::learning) {
        if (!varies_) shape_.store(candidate_.get(), std::memory_order_release);
        state_.store(varies_ ? site_state::text : site_state::rows, std::memory_order_release);
        if (chosen.first_checked > 0) next_check_ = chosen.later_checked == 0 ? UINT64_MAX : taken + chosen.later_checked;
    }
}

void site::learn_read() noexcept
{
    if (state() != site_state::learning) return;
    const locked hold(lock_of_sites);
    const std::uint32_t wanted = chosen.first_checked > 1 ? chosen.first_checked : 2;
    if (++learned_ < wanted || state() != site_state::learning) return;
    state_.store(site_state::text, std::memory_order_release);
    if (chosen.first_checked > 0) next_check_ = chosen.later_checked == 0 ? UINT64_MAX : taken + chosen.later_checked;
}

void site::surprise() noexcept
{
    if (++surprises_ < most_surprises) return;
    site_state rows = site_state::rows;
    state_.compare_exchange_strong(rows, site_state::text);
}

void site::count_taken(std::uint64_t new_values, std::uint64_t new_bytes) noexcept
{
    add(taken, 1);
    add(values, new_values);
    add(bytes, new_bytes);
}

void site::count_checked(bool is_same) noexcept
{
    const std::uint64_t done = taken.load(std::memory_order_relaxed);
    const bool is_learning = state() == site_state::learning;
    const std::uint64_t later = chosen.later_checked == 0 ? UINT64_MAX : done + chosen.later_checked;
    next_check_.store(is_learning ? done : later, std::memory_order_relaxed);
    add(checked, 1);
    if (!is_same) add(different, 1);
}

std::uint64_t site::all_values() const noexcept
{
    const row_shape *const one = shape();
    const auto columns = one != nullptr ? static_cast<std::uint64_t>(one->end() - one->begin()) : 0;
    return values.load(std::memory_order_relaxed) + columns * rows.load(std::memory_order_relaxed);
}

std::uint64_t site::all_bytes() const noexcept
{
    const row_shape *const one = shape();
    return bytes.load(std::memory_order_relaxed) + (one != nullptr ? one->text_bytes() * rows.load(std::memory_order_relaxed) : 0);
}

site *recent_site_of(const transfer_block &block, direction does) noexcept
{
    site *const kept = recent[hash_of(block) % recent_size];
    return kept != nullptr && is_this(*kept, block, does) ? kept : nullptr;
}

site *site_of(const transfer_block &block, direction does) noexcept
{
    site *&kept = recent[hash_of(block) % recent_size];
    if (kept != nullptr && is_this(*kept, block, does)) return kept;
    const locked hold(lock_of_sites);
    const kept_flags flags;  // to take a format apart takes arithmetic
    site *const found = looked_up(block, does);
    if (found != nullptr) kept = found;
    return found;
}

// By a literal of the object that the statement stands in.
const run_time *run_time_of_site(site &where, const void *caller) noexcept
{
    const run_time *real = where.real.load(std::memory_order_acquire);
    if (__builtin_expect(real != nullptr, 1)) return real;
    real = run_time_of(where.file != nullptr ? where.file : caller);
    where.real.store(real, std::memory_order_release);
    return real;
}

void count_left_statement(const transfer_block &block, direction does, const char *reason) noexcept
{
    if (chosen.statistics[0] == '\0') return;
    process_has_statements();
    site *const where = site_of(block, does);
    if (where != nullptr) where->count_left(reason);
}

void forget_sites_run_times() noexcept
{
    for (site *one = last_made.load(std::memory_order_acquire); one != nullptr; one = one->next_made) {
        const run_time *const real = one->real.load(std::memory_order_acquire);
        if (real != nullptr && (real->st_write == nullptr || !is_loaded(*real)))
            one->real.store(nullptr, std::memory_order_release);
    }
}

const site *all_sites() noexcept { return last_made.load(std::memory_order_acquire); }

#ifdef HEADRACE_FUZZ
void forget_programs() noexcept;

// Each input of a fuzzer is a program of its own. Precondition: one thread, outside of statements.
extern "C" __attribute__((visibility("default"))) void run_forgets_sites(void)
{
    for_each_unit([](unit &one) {
        for (row_block &block : one.blocks) block.shape = nullptr;
    });
    for (site *one = last_made.exchange(nullptr); one != nullptr;) {
        site *const next = one->next_made;
        delete one;
        one = next;
    }
    for (site *&first : table) first = nullptr;
    for (site *&one : recent) one = nullptr;
    site_count = 0;
    forget_programs();
}
#endif

}  // namespace headrace::run
