// Memory for blocks of text and values: page-aligned, not initialised, in huge pages when large.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace headrace {

class buffer {
 public:
  buffer() = default;
  ~buffer() { std::free(data_); }
  buffer(buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
  buffer& operator=(buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  // Room for at least bytes; the first keep bytes survive. Throws std::bad_alloc.
  void reserve(std::size_t bytes, std::size_t keep = 0);

  char* data() const noexcept { return data_; }
  std::size_t capacity() const noexcept { return capacity_; }

 private:
  char* data_ = nullptr;
  std::size_t capacity_ = 0;
};

// Asks for huge pages for a large region that is to be filled: fewer page faults.
void advise_huge_pages(void* data, std::size_t bytes) noexcept;

}  // namespace headrace
