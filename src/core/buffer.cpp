#include "buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace headrace {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t cache_line = 64;
constexpr std::size_t small_bytes =
    960;  // and a line, of the 1,032 bytes that malloc keeps at hand
constexpr std::size_t huge_page = std::size_t{2} << 20;

}  // namespace

void buffer::reserve(std::size_t bytes, std::size_t keep) {
  if (bytes <= capacity_) return;
  if (bytes <= small_bytes && capacity_ == 0) return reserve_small(bytes);
  const std::size_t wanted = std::max(bytes, capacity_ + capacity_ / 2);
  const std::size_t alignment = wanted >= huge_page ? huge_page : page;
  if (wanted > SIZE_MAX - alignment) throw std::bad_alloc();
  const std::size_t rounded = (wanted + page - 1) / page * page;
  void* fresh = nullptr;
  if (::posix_memalign(&fresh, alignment, rounded) != 0) throw std::bad_alloc();
  advise_huge_pages(fresh, rounded);
  if (capacity_ > 0) std::memcpy(fresh, data_, std::min(keep, capacity_));
  std::free(memory_);
  memory_ = fresh;
  data_ = static_cast<char*>(fresh);
  capacity_ = rounded;
}

// From the lists of small pieces that malloc has at hand: aligned memory is not in them.
void buffer::reserve_small(std::size_t bytes) {
  const std::size_t rounded = (bytes + cache_line - 1) / cache_line * cache_line;
  memory_ = std::malloc(rounded + cache_line);
  if (memory_ == nullptr) throw std::bad_alloc();
  const auto begin = reinterpret_cast<std::uintptr_t>(memory_);
  data_ = static_cast<char*>(memory_) + (cache_line - begin % cache_line) % cache_line;
  capacity_ = rounded;
}

void advise_huge_pages(void* data, std::size_t bytes) noexcept {
  const auto begin =
      (reinterpret_cast<std::uintptr_t>(data) + huge_page - 1) / huge_page * huge_page;
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / huge_page * huge_page;
  if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace headrace
