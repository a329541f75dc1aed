// Memory for the text of a block of cells, with the padding that the parsing kernels may read.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>

#include "../core/buffer.hpp"
#include "../text/kernels/parse_numbers.hpp"

namespace headrace {

class cell_memory {
 public:
  // Room for that many bytes; what was there is gone. Throws std::bad_alloc.
  void allocate(std::size_t bytes) {
    *this = {};
    auto memory = std::make_shared<buffer>();
    memory->reserve(bytes + 2 * parse_padding);
    data_ = memory->data() + parse_padding;
    capacity_ = bytes;
    whole_ = std::move(memory);
    std::memset(data_ - parse_padding, 0, parse_padding);
    std::memset(data_ + bytes, 0, parse_padding);
  }

  // A part of it, as a memory of its own. It cannot grow or shrink.
  cell_memory part(std::size_t offset, std::size_t bytes) const noexcept {
    cell_memory result = *this;
    result.data_ += offset;
    result.capacity_ = bytes;
    return result;
  }

  // Room for more bytes, after a copy of the first `used`.
  void grow(std::size_t bytes, std::size_t used) {
    cell_memory larger;
    larger.allocate(bytes);
    if (used > 0) std::memcpy(larger.data_, data_, used);
    *this = std::move(larger);
  }

  // Gives pages back that hold nothing of the first bytes.
  void shrink(std::size_t bytes) noexcept;

  char* data() const noexcept { return data_; }
  std::size_t capacity() const noexcept { return capacity_; }

 private:
  char* data_ = nullptr;
  std::size_t capacity_ = 0;
  std::shared_ptr<buffer> whole_;
};

}  // namespace headrace
