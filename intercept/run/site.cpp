#include "site.hpp"
#include "floating_point.hpp"
#include "locks.hpp"

#include <link.h>

#include <cstring>

#include "first.hpp"
#include "flang/formats.hpp"
#include "flang/run_time.hpp"
#include "frame.hpp"
#include "settings.hpp"
#include "start.hpp"
#include "straight/straight.hpp"
#include "unit.hpp"

namespace headrace::run
{

std::atomic<site *> recent_sites[recent_size];

namespace
{

constexpr std::size_t table_size = 4096;
constexpr std::size_t most_sites = 20000;
constexpr std::uint8_t most_of_a_kind = 200;
site *table[table_size];              // by place and text
std::uint8_t formats_of[table_size];  // how many texts one place had, or some that share the entry
std::atomic<site *> last_made{nullptr};
std::size_t site_count;

// No segment of a loaded object that it could be written to.
bool is_constant(const void *text, std::size_t bytes) noexcept
{
    struct place {
        std::uintptr_t begin;
        std::size_t bytes;
    } wanted = {reinterpret_cast<std::uintptr_t>(text), bytes};
    const auto look = [](dl_phdr_info *object, std::size_t, void *data) {
        const place &one = *static_cast<const place *>(data);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
            const auto &segment = object->dlpi_phdr[i];
            const std::uintptr_t inside = one.begin - object->dlpi_addr - segment.p_vaddr;
            if (segment.p_type == PT_LOAD && inside < segment.p_memsz && one.bytes <= segment.p_memsz - inside)
                return (segment.p_flags & PF_W) != 0 ? -1 : 1;
        }
        return 0;
    };
    return dl_iterate_phdr(look, &wanted) > 0;
}

site *made(const transfer_block &block, direction does)
{
    if (site_count >= most_sites) return nullptr;
    const format_program *program = nullptr;
    if (block.flags & transfer_format) {
        const auto bytes = static_cast<std::size_t>(block.format_length);
        program = program_of(block.format, bytes);
        if (program == nullptr) return nullptr;
    }
    auto *const one = new site(block, does, program);
    ++site_count;
    one->next_made = last_made.load(std::memory_order_relaxed);
    last_made.store(one, std::memory_order_release);
    return one;
}

std::size_t hash_of_text(const transfer_block &block) noexcept
{
    if (!(block.flags & transfer_format)) return 0;
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
    std::uint64_t hash = 0;
    const char *text = block.format;
    for (auto left = block.format_length; left > 0; left -= 8, text += 8) {
        std::uint64_t word = 0;
        if (left >= 8) std::memcpy(&word, text, 8);
        else std::memcpy(&word, text, static_cast<std::size_t>(left));
        hash = (hash ^ word) * odd;
        hash ^= hash >> 32;
    }
    return hash;
}

site *looked_up(const transfer_block &block, direction does) noexcept
{
    const std::size_t place = hash_of_site(block);
    site *&first = table[(place ^ hash_of_text(block)) % table_size];
    for (site *one = first; one != nullptr; one = one->next)
        if (one->is_of(block, does)) return one;
    // A format that is made anew each time: the run time's work is the least.
    std::uint8_t &met = formats_of[place % table_size];
    if (met >= most_of_a_kind) return nullptr;
    ++met;
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
      format_text(of_format != nullptr ? of_format->text().data() : ""),
      program(of_format)
{
    has_constant_format = lies_in_constants();
    const std::size_t bytes = file != nullptr ? std::strlen(file) : 0;
    char *const copy = static_cast<char *>(take_memory(bytes + 1));
    if (copy != nullptr) std::memcpy(copy, file != nullptr ? file : "", bytes + 1);
    file_name = copy != nullptr ? copy : "";
    if (chosen.first_checked == 0) next_check_ = UINT64_MAX;
    is_straight_ =
        (flags & transfer_internal) != 0 && (flags & transfer_flang) == 0 && does == direction::write && is_straight(program);
    if (program == nullptr) return;
    if (program->is_one_field()) one_field = program->first()->field;
    else one_item_misses_ = most_misses;
    if (!program->is_handled()) leave(program->reason());
    else if ((flags & transfer_flang) != 0 && why_left_to_flang(*program) != nullptr) leave(why_left_to_flang(*program));
    else if (does == direction::read && program->why_not_read() != nullptr) leave(program->why_not_read());
}

// How many kept rows there will be then, if nothing else comes.
void site::find_next_check() noexcept
{
    const std::uint64_t next = next_check_.load(std::memory_order_relaxed);
    const std::uint64_t others = texts.load(std::memory_order_relaxed);
    rows_until_check_.store(next > others ? next - others : 0, std::memory_order_relaxed);
}

void site::objects_are_gone(bool is_there) noexcept
{
    has_constant_format.store(lies_in_constants(), std::memory_order_relaxed);
    rows_until_check_.store(0, std::memory_order_relaxed);
    if (!is_there) real.store(nullptr, std::memory_order_release);
}

// Of an object that is loaded now, at least.
bool site::lies_in_constants() const noexcept
{
    const std::size_t length = program != nullptr ? static_cast<std::size_t>(format_length) : 0;
    return length == 0 || (is_constant(format, length) && std::memcmp(format, format_text, length) == 0);
}

void site::leave(const char *reason) noexcept
{
    rows_until_check_.store(0, std::memory_order_relaxed);
    // Why it is left for good, not why single statements were before.
    if (state() != site_state::left || this->reason() == nullptr) reason_.store(reason, std::memory_order_release);
    state_.store(site_state::left, std::memory_order_release);
}

void site::was_given_back(const char *reason) noexcept
{
    constexpr std::uint32_t most_in_vain = 8;
    const char *none = nullptr;
    reason_.compare_exchange_strong(none, reason);
    add(left, 1);
    // More often than it was of use.
    if (++given_back_ >= most_in_vain && given_back_ > all_taken()) leave(reason);
}

// How many of the last statements had the same items?
void site::compare_items(const item_log &items, const statement_text &text, bool record_goes_on)
{
    if (candidate_ != nullptr && candidate_->fits(items) && candidate_->record_goes_on() == record_goes_on) {
        ++alike_;
        return;
    }
    alike_ = 0;
    if (candidate_ != nullptr && candidate_.get() == shape()) earlier_shapes_.push_back(std::move(candidate_));
    candidate_ = row_shape::of(items, program, text, record_goes_on);
    if (candidate_ != nullptr) alike_ = 1;
}

void site::keep_candidate() noexcept
{
    // The rows so far have the counts of their own shape.
    const std::uint64_t values_before = all_values(), bytes_before = all_bytes();
    shape_.store(candidate_.get(), std::memory_order_release);
    add(values, values_before - all_values());
    add(bytes, bytes_before - all_bytes());
    is_learned_.store(true, std::memory_order_relaxed);
}

namespace
{

// Characters of which copies take longer than all else: the run time makes fewer.
bool has_long_texts(const item_log &items) noexcept
{
    constexpr std::size_t is_long = 1000, few = 4;  // bytes, and other items
    std::size_t longest = 0, others = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].type == real_item || items[i].type == complex_item) return false;
        if (items[i].type != character_item || items[i].bytes < is_long) others += items[i].count;
        else if (items[i].bytes > longest) longest = items[i].bytes;
    }
    return longest > 0 && others <= few;
}

}  // namespace

// Several threads may be here.
void site::learn_more(const item_log &items, const statement_text &text, record_end end) noexcept
{
    const locked hold(lock_of_sites);
    site_state before = state();
    if (is_learned_.load(std::memory_order_relaxed) || (before != site_state::learning && before != site_state::text)) return;
    try {
        if (end != record_end::internal) compare_items(items, text, end == record_end::goes_on);
        else alike_ = 0;
    } catch (...) {
        alike_ = 0;
    }
    if (end != record_end::internal && has_long_texts(items)) ++long_texts_;
    const std::uint32_t wanted = chosen.first_checked > 1 ? chosen.first_checked : 2;
    if (++learned_ < wanted) return;
    if (long_texts_ == learned_) return leave("characters of 1,000 bytes and more");
    const bool are_kept = alike_ >= (wanted < enough_alike ? wanted : enough_alike);
    if (are_kept) {
        keep_candidate();
    } else if (learned_ % enough_alike == 0) {
        to_wait_.store(wait_, std::memory_order_relaxed);
        wait_ *= 2;
        if (wait_ > last_wait) is_learned_.store(true, std::memory_order_relaxed);
    }
    if (chosen.first_checked > 0 && before == site_state::learning)
        next_check_ = chosen.later_checked == 0 ? UINT64_MAX : all_taken() + chosen.later_checked;
    // What is kept later takes another way to text than what was compared.
    else if (chosen.first_checked > 0 && are_kept) next_check_ = all_taken() + 1;
    if (are_kept || before == site_state::learning)
        state_.compare_exchange_strong(before, are_kept ? site_state::rows : site_state::text);
}

void site::learn_read() noexcept
{
    if (state() != site_state::learning) return;
    const locked hold(lock_of_sites);
    const std::uint32_t wanted = chosen.first_checked > 1 ? chosen.first_checked : 2;
    if (++learned_ < wanted || state() != site_state::learning) return;
    state_.store(site_state::text, std::memory_order_release);
    if (chosen.first_checked > 0) next_check_ = chosen.later_checked == 0 ? UINT64_MAX : all_taken() + chosen.later_checked;
}

// Rows of another length between many that are kept are no reason to give up.
void site::surprise() noexcept
{
    const locked hold(lock_of_sites);
    const std::uint64_t now = rows.load(std::memory_order_relaxed);
    const std::uint64_t forgiven = (now - rows_at_surprise_) / rows_for_a_surprise;
    rows_at_surprise_ = now;
    surprises_ = (forgiven < surprises_ ? surprises_ - static_cast<std::uint32_t>(forgiven) : 0) + 1;
    if (surprises_ < most_surprises) return;
    surprises_ = 0;
    alike_ = 0;
    rows_until_check_.store(0, std::memory_order_relaxed);
    site_state kept = site_state::rows;
    if (!state_.compare_exchange_strong(kept, site_state::text) || wait_ > last_wait) return;
    to_wait_.store(wait_, std::memory_order_relaxed);
    wait_ *= 2;
    is_learned_.store(false, std::memory_order_relaxed);
}

void site::count_taken(std::uint64_t new_values, std::uint64_t new_bytes) noexcept
{
    add(texts, 1);
    add(values, new_values);
    add(bytes, new_bytes);
}

void site::count_checked(bool is_same) noexcept
{
    const std::uint64_t done = all_taken();
    const bool is_learning = state() == site_state::learning;
    const std::uint64_t later = chosen.later_checked == 0 ? UINT64_MAX : done + chosen.later_checked;
    next_check_.store(is_learning ? done : later, std::memory_order_relaxed);
    add(checked, 1);
    if (!is_same) add(different, 1);
}

void site::put_off_check() noexcept
{
    constexpr std::uint64_t soon = 256;
    next_check_.store(all_taken() + (chosen.later_checked < soon ? chosen.later_checked : soon), std::memory_order_relaxed);
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

bool site::has_same_text(const transfer_block &block) const noexcept
{
    const auto length = static_cast<std::size_t>(block.format_length);
    // Most are short, and a call costs as much as the rest.
    if (length > 16) return std::memcmp(format_text, block.format, length) == 0;
    if (length < 8) {
        for (std::size_t i = 0; i < length; ++i)
            if (format_text[i] != block.format[i]) return false;
        return true;
    }
    std::uint64_t ours[2], theirs[2];
    std::memcpy(&ours[0], format_text, 8);
    std::memcpy(&ours[1], format_text + length - 8, 8);
    std::memcpy(&theirs[0], block.format, 8);
    std::memcpy(&theirs[1], block.format + length - 8, 8);
    return ours[0] == theirs[0] && ours[1] == theirs[1];
}

site *recent_site_with_text(const transfer_block &block, direction does) noexcept
{
    const std::size_t place = hash_of_site(block) ^ hash_of_text(block);
    site *const kept = recent_sites[place % recent_size].load(std::memory_order_acquire);
    return kept != nullptr && kept->is_of(block, does) ? kept : nullptr;
}

site *site_of(const transfer_block &block, direction does) noexcept
{
    if (site *const kept = recent_site_of(block, does)) return kept;
    const locked hold(lock_of_sites);
    const kept_flags flags;  // to take a format apart takes arithmetic
    site *const found = looked_up(block, does);
    if (found == nullptr) return nullptr;
    const std::size_t place = hash_of_site(block);
    recent_sites[place % recent_size].store(found, std::memory_order_release);
    if (!found->has_constant_format.load(std::memory_order_relaxed))
        recent_sites[(place ^ hash_of_text(block)) % recent_size].store(found, std::memory_order_release);
    return found;
}

// By a literal of the object that the statement stands in.
const run_time *run_time_of_site(site &where, const void *caller) noexcept
{
    const run_time *real = where.real.load(std::memory_order_acquire);
    if (__builtin_expect(real != nullptr, 1)) return real;
    real = where.flags & transfer_flang ? flang_run_time_of(where.file) : run_time_of(where.file != nullptr ? where.file : caller);
    where.real.store(real, std::memory_order_release);
    return real;
}

void count_left_statement(const transfer_block &block, direction does, const char *reason) noexcept
{
    if (chosen.statistics[0] == '\0') return;
    process_has_statements();
    if (!is_dialect_known(block, block.file)) return;
    site *const where = site_of(block, does);
    if (where == nullptr) return;
    if (reason != nullptr) where->count_left(reason);
    else where->count_left();
}

void forget_sites_run_times() noexcept
{
    const run_time *asked = nullptr;  // most sites have the same
    bool is_there = false;
    for (site *one = last_made.load(std::memory_order_acquire); one != nullptr; one = one->next_made) {
        const run_time *const whose = one->real.load(std::memory_order_acquire);
        if (whose != nullptr && whose != asked) {
            asked = whose;
            is_there = whose->st_write != nullptr && is_loaded(*whose);
        }
        one->objects_are_gone(is_there);
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
        one.quick = {};
    });
    frames_here().frames[0].mode = frame_mode::left;  // not where the last statement was
    for (site *one = last_made.exchange(nullptr); one != nullptr;) {
        site *const next = one->next_made;
        delete one;
        one = next;
    }
    for (site *&first : table) first = nullptr;
    std::memset(formats_of, 0, sizeof formats_of);
    for (std::atomic<site *> &one : recent_sites) one = nullptr;
    forget_first_statements();
    site_count = 0;
    forget_programs();
}
#endif

}  // namespace headrace::run
