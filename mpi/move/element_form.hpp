// What an element is in memory and in a file: logicals of any length are one byte in most files.
#pragma once

#include <cstddef>

#include "../../src/core/array_view.hpp"

namespace headrace {

struct element_form {
  std::size_t memory_bytes = 0;
  std::size_t file_bytes = 0;
  bool logical = false;          // stored as 0 and 1
  std::size_t swapped_word = 0;  // bytes of words that have the other byte order in the file
  // count elements, stride bytes apart in memory, one after another in the file
  void store(const char* memory, std::ptrdiff_t stride, char* file, std::size_t count) const;
  void load(char* memory, std::ptrdiff_t stride, const char* file, std::size_t count) const;
  element_form with_words_swapped(std::size_t word) const noexcept {
    element_form form = *this;
    if (!logical) form.swapped_word = word;
    return form;
  }
  // Elements that stride bytes apart are the same bytes in file and memory.
  bool is_plain(std::ptrdiff_t stride) const noexcept {
    return !logical && swapped_word <= 1 && stride == static_cast<std::ptrdiff_t>(memory_bytes);
  }
};

// As they are, except that logicals become bytes.
element_form form_of(const array_view& array) noexcept;

// Bytes from one element to the next along the first dimension.
inline std::ptrdiff_t first_stride(const array_view& local) noexcept {
  return local.array_rank == 0 ? static_cast<std::ptrdiff_t>(local.elem_len) : local.stride[0];
}

struct box;
// An array of such extents whose elements lie one after another.
array_view view_of_whole(char* base, type_class type, std::size_t elem_len,
                         const box& whole) noexcept;
// Elements [part] of a local array whose block is own, as an array of their own.
array_view view_of_box(const array_view& local, const box& own, const box& part) noexcept;

// All elements of an array in element order, to and from a contiguous buffer in the file's form.
void store_elements(const array_view& array, const element_form& form, char* file);
void load_elements(const array_view& array, const element_form& form, char* file);

}  // namespace headrace
