// Memory for blocks of text and values: aligned to pages (small ones to cache lines), not
// initialised, in huge pages when large.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace headrace {

class buffer {
 public:
  buffer() = default;
  ~buffer() { std::free(memory_); }
  buffer(buffer&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)),
        data_(std::exchange(other.data_, nullptr)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  buffer& operator=(buffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  // Room for at least bytes; the first keep bytes survive. Throws std::bad_alloc.
  void reserve(std::size_t bytes, std::size_t keep = 0);

  char* data() const noexcept { return data_; }
  std::size_t capacity() const noexcept { return capacity_; }

 private:
  void reserve_small(std::size_t bytes);

  void* memory_ = nullptr;  // as malloc gave it
  char* data_ = nullptr;
  std::size_t capacity_ = 0;
};

// Asks for huge pages for a large region that is to be filled: fewer page faults.
void advise_huge_pages(void* data, std::size_t bytes) noexcept;

}  // namespace headrace
