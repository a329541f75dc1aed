#include "first_touch.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <system_error>

#include "threads.hpp"

// Linux 5.14; older systems refuse it, then the reader touches the pages.
#if !defined(MADV_POPULATE_WRITE)
#define MADV_POPULATE_WRITE 23
#endif

namespace headrace {
namespace {

constexpr std::size_t least_bytes = std::size_t{16} << 20;
// So much ahead of the reader, before the thread looks whether it is still wanted.
constexpr std::size_t step_bytes = std::size_t{4} << 20;
constexpr int looks = 5;

// True when none of a few pages is there.
bool is_new(char* begin, std::size_t bytes, std::size_t page) noexcept {
  const std::size_t pages = bytes / page;
  for (int i = 0; i < looks; ++i) {
    const std::size_t index = (pages - 1) / (looks - 1) * static_cast<std::size_t>(i);
    unsigned char there = 1;
    if (::mincore(begin + index * page, page, &there) != 0 || (there & 1U) != 0) return false;
  }
  return true;
}

}  // namespace

first_touch::first_touch(char* data, std::size_t bytes) noexcept {
  if (bytes < least_bytes || thread_count(0) < 2) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t lead = (page - reinterpret_cast<std::uintptr_t>(data) % page) % page;
  const std::size_t whole = (bytes - lead) / page * page;
  char* const begin = data + lead;
  if (!is_new(begin, whole, page)) return;
  try {
    other_ = std::thread([this, begin, whole] { touch(begin, begin + whole); });
  } catch (const std::system_error&) {
    // No more threads: the reader touches them.
  }
}

first_touch::~first_touch() {
  stopped_ = true;
  if (other_.joinable()) other_.join();
}

void first_touch::touch(char* begin, const char* end) noexcept {
  while (begin < end && !stopped_) {
    const std::size_t step = std::min(step_bytes, static_cast<std::size_t>(end - begin));
    if (::madvise(begin, step, MADV_POPULATE_WRITE) != 0) return;
    begin += step;
  }
}

}  // namespace headrace
