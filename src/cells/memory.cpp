#include "memory.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "../text/kernels/parse_numbers.hpp"

namespace headrace {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t small_page = 4096;
constexpr std::size_t smallest_mapping = std::size_t{1} << 20;

std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

// A mapping that begins at a huge page, so that the first touch costs a seventh.
void* map_aligned(std::size_t bytes) noexcept {
  void* const mapping = ::mmap(nullptr, bytes + huge_page, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(mapping);
  const std::size_t before = round_up(address, huge_page) - address;
  char* const begin = static_cast<char*>(mapping) + before;
  if (before > 0) ::munmap(mapping, before);
  if (before < huge_page) ::munmap(begin + bytes, huge_page - before);
  ::madvise(begin, bytes, MADV_HUGEPAGE);
  return begin;
}

}  // namespace

void cell_memory::release() noexcept {
  if (mapped_ > 0)
    ::munmap(mapping_, mapped_);
  else
    std::free(mapping_);
  whole_.reset();
  mapping_ = data_ = nullptr;
  mapped_ = capacity_ = 0;
}

void cell_memory::allocate(std::size_t bytes) {
  release();
  const std::size_t all = bytes + 2 * parse_padding;
  if (all >= smallest_mapping) {
    mapping_ = map_aligned(round_up(all, small_page));
    if (mapping_ != nullptr) mapped_ = round_up(all, small_page);
  } else {
    mapping_ = std::calloc(all, 1);
  }
  if (mapping_ == nullptr) throw std::bad_alloc();
  data_ = static_cast<char*>(mapping_) + parse_padding;
  capacity_ = bytes;
}

cell_memory cell_memory::part(std::shared_ptr<cell_memory> whole, std::size_t offset,
                              std::size_t bytes) noexcept {
  cell_memory result;
  result.data_ = whole->data_ + offset;
  result.capacity_ = bytes;
  result.whole_ = std::move(whole);
  return result;
}

void cell_memory::grow(std::size_t bytes, std::size_t used) {
  cell_memory larger;
  larger.allocate(bytes);
  if (used > 0) std::memcpy(larger.data_, data_, used);
  swap(larger);
}

void cell_memory::shrink(std::size_t bytes) noexcept {
  if (mapped_ == 0) {
    void* const less = std::realloc(mapping_, bytes + 2 * parse_padding);
    if (less == nullptr) return;  // as large as before is no harm
    mapping_ = less;
    data_ = static_cast<char*>(less) + parse_padding;
  } else {
    const std::size_t keep = round_up(bytes + 2 * parse_padding, small_page);
    if (keep < mapped_) {
      ::munmap(static_cast<char*>(mapping_) + keep, mapped_ - keep);
      mapped_ = keep;
    }
  }
  capacity_ = bytes;
}

}  // namespace headrace
