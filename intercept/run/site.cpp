#include "site.hpp"

#include <pthread.h>

#include <cstring>

#include "settings.hpp"

namespace headrace::run {
namespace {

constexpr std::size_t table_size = 4096;
constexpr std::size_t most_sites = 20000;
site* table[table_size];
std::atomic<site*> last_made{nullptr};
std::size_t site_count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// What each thread met last.
constexpr std::size_t recent_size = 64;
__thread site* recent[recent_size] __attribute__((tls_model("initial-exec")));

constexpr std::uint32_t form_flags = transfer_list_directed | transfer_format | transfer_internal;

std::size_t hash_of(const transfer_block& block) noexcept {
  const auto file = reinterpret_cast<std::uintptr_t>(block.file);
  const auto format = block.flags & transfer_format
                          ? reinterpret_cast<std::uintptr_t>(block.format)
                          : std::uintptr_t{0};
  return (file >> 3) ^ (static_cast<std::size_t>(block.line) * 31) ^ format ^ (format >> 7);
}

bool is_this(const site& one, const transfer_block& block) noexcept {
  if (one.line != block.line || one.file != block.file || one.flags != (block.flags & form_flags))
    return false;
  if (!(block.flags & transfer_format)) return true;
  return one.format == block.format && one.format_length == block.format_length &&
         one.program != nullptr &&
         std::memcmp(one.program->text().data(), block.format,
                     static_cast<std::size_t>(block.format_length)) == 0;
}

site* made(const transfer_block& block) {
  if (site_count >= most_sites) return nullptr;
  const format_program* program = nullptr;
  if (block.flags & transfer_format) {
    program = program_of(block.format, static_cast<std::size_t>(block.format_length));
    if (program == nullptr) return nullptr;
  }
  auto* const one = new site(block, program);
  ++site_count;
  one->next_made = last_made.load(std::memory_order_relaxed);
  last_made.store(one, std::memory_order_release);
  return one;
}

site* looked_up(const transfer_block& block) noexcept {
  site*& first = table[hash_of(block) % table_size];
  for (site* one = first; one != nullptr; one = one->next)
    if (is_this(*one, block)) return one;
  try {
    site* const one = made(block);
    if (one == nullptr) return nullptr;
    one->next = first;
    first = one;
    return one;
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

site::site(const transfer_block& block, const format_program* of_format) noexcept
    : file(block.file),
      line(block.line),
      flags(block.flags & form_flags),
      format(block.format),
      format_length(block.format_length),
      program(of_format) {
  if (program != nullptr && !program->is_handled()) leave(program->reason());
}

void site::leave(const char* reason) noexcept {
  const char* none = nullptr;
  reason_.compare_exchange_strong(none, reason);
  state_.store(site_state::left, std::memory_order_release);
}

// Several threads may be here: the first shape wins, and a second opinion only makes it vary.
void site::learn(const item_log& items, const statement_text& text) noexcept {
  if (state() != site_state::learning) return;
  pthread_mutex_lock(&lock);
  try {
    if (candidate_ == nullptr && !varies_) {
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
  }
  pthread_mutex_unlock(&lock);
}

void site::surprise() noexcept {
  if (++surprises_ < most_surprises) return;
  site_state rows = site_state::rows;
  state_.compare_exchange_strong(rows, site_state::text);
}

bool site::is_to_be_checked() const noexcept {
  if (state() == site_state::learning) return chosen.first_checked > 0;
  const std::uint32_t every = chosen.later_checked;
  return every > 0 && taken.load(std::memory_order_relaxed) % every == every - 1;
}

void site::count_taken(std::uint64_t new_values, std::uint64_t new_bytes) noexcept {
  add(taken, 1);
  add(values, new_values);
  add(bytes, new_bytes);
}

void site::count_checked(bool is_same) noexcept {
  add(checked, 1);
  if (!is_same) add(different, 1);
}

site* site_of(const transfer_block& block) noexcept {
  site*& kept = recent[hash_of(block) % recent_size];
  if (kept != nullptr && is_this(*kept, block)) return kept;
  pthread_mutex_lock(&lock);
  site* const found = looked_up(block);
  pthread_mutex_unlock(&lock);
  if (found != nullptr) kept = found;
  return found;
}

const site* all_sites() noexcept { return last_made.load(std::memory_order_acquire); }

}  // namespace headrace::run
