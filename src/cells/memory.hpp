// Memory for the text of a block of cells: in huge pages where it is large, with the padding that
// the parsing kernels may read.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace headrace {

class cell_memory {
 public:
  cell_memory() = default;
  ~cell_memory() { release(); }
  cell_memory(cell_memory&& other) noexcept { swap(other); }
  cell_memory& operator=(cell_memory&& other) noexcept {
    swap(other);
    return *this;
  }

  // Room for that many bytes; what was there is gone. Throws std::bad_alloc.
  void allocate(std::size_t bytes);
  // A part of a memory that others have parts of, too. It cannot grow or shrink.
  static cell_memory part(std::shared_ptr<cell_memory> whole, std::size_t offset,
                          std::size_t bytes) noexcept;
  // Room for more bytes, after a copy of the first `used`.
  void grow(std::size_t bytes, std::size_t used);
  // Gives pages back that hold nothing of the first bytes.
  void shrink(std::size_t bytes) noexcept;

  char* data() noexcept { return data_; }
  const char* data() const noexcept { return data_; }
  std::size_t capacity() const noexcept { return capacity_; }

 private:
  void release() noexcept;
  void swap(cell_memory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    std::swap(mapping_, other.mapping_);
    std::swap(mapped_, other.mapped_);
    std::swap(whole_, other.whole_);
  }

  char* data_ = nullptr;
  std::size_t capacity_ = 0;
  void* mapping_ = nullptr;  // of malloc when mapped_ is 0
  std::size_t mapped_ = 0;
  std::shared_ptr<cell_memory> whole_;  // of a part
};

}  // namespace headrace
