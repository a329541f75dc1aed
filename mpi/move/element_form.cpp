#include "element_form.hpp"

#include <cstring>

#include "../../src/core/byte_swap.hpp"
#include "boxes.hpp"

namespace headrace {
namespace {

template <std::size_t Bytes>
void copy_fixed(char* to, std::ptrdiff_t to_stride, const char* from, std::ptrdiff_t from_stride,
                std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, to += to_stride, from += from_stride)
    std::memcpy(to, from, Bytes);
}

// Elements so many bytes apart; word: bytes of those that are turned round on the way, 0: none are.
void copy_elements(char* to, std::ptrdiff_t to_stride, const char* from, std::ptrdiff_t from_stride,
                   std::size_t count, std::size_t bytes, std::size_t word) {
  const auto dense = static_cast<std::ptrdiff_t>(bytes);
  const bool is_dense = to_stride == dense && from_stride == dense;
  if (word > 1 && is_dense) return swap_bytes(to, from, count * bytes / word, word);
  if (is_dense) {
    std::memcpy(to, from, count * bytes);
    return;
  }
  if (word <= 1 && bytes == 4) return copy_fixed<4>(to, to_stride, from, from_stride, count);
  if (word <= 1 && bytes == 8) return copy_fixed<8>(to, to_stride, from, from_stride, count);
  if (word <= 1 && bytes == 16) return copy_fixed<16>(to, to_stride, from, from_stride, count);
  for (std::size_t i = 0; i < count; ++i, to += to_stride, from += from_stride) {
    if (word > 1)
      swap_bytes(to, from, bytes / word, word);
    else
      std::memcpy(to, from, bytes);
  }
}

}  // namespace

void element_form::store(const char* memory, std::ptrdiff_t stride, char* file,
                         std::size_t count) const {
  if (!logical)
    return copy_elements(file, static_cast<std::ptrdiff_t>(memory_bytes), memory, stride, count,
                         memory_bytes, swapped_word);
  for (std::size_t i = 0; i < count; ++i, memory += stride)
    file[i] = is_true(memory, memory_bytes) ? '\1' : '\0';
}

void element_form::load(char* memory, std::ptrdiff_t stride, const char* file,
                        std::size_t count) const {
  if (!logical)
    return copy_elements(memory, stride, file, static_cast<std::ptrdiff_t>(memory_bytes), count,
                         memory_bytes, swapped_word);
  for (std::size_t i = 0; i < count; ++i, memory += stride)
    set_logical(memory, memory_bytes, file[i] != 0);
}

element_form form_of(const array_view& array) noexcept {
  const bool logical = array.type == type_class::logical;
  return {array.elem_len, logical ? 1 : array.elem_len, logical, 0};
}

array_view view_of_box(const array_view& local, const box& own, const box& part) noexcept {
  array_view view = local;
  for (std::size_t d = 0; d < static_cast<std::size_t>(part.array_rank); ++d) {
    view.base += (part.start[d] - own.start[d]) * local.stride[d];
    view.extent[d] = part.count[d];
  }
  return view;
}

namespace {

// act(memory, stride, place in the file, count) for each line along the first dimension.
template <class Act>
void for_each_line(const array_view& array, std::size_t file_bytes, Act act) {
  const auto count = element_count(array).value_or(0);
  if (count == 0) return;
  const bool scalar = array.array_rank == 0;
  const std::size_t line = scalar ? 1 : static_cast<std::size_t>(array.extent[0]);
  const std::ptrdiff_t stride =
      scalar ? static_cast<std::ptrdiff_t>(array.elem_len) : array.stride[0];
  std::array<std::ptrdiff_t, max_array_rank> index{};
  char* memory = array.base;
  for (std::size_t done = 0; done < count; done += line) {
    act(memory, stride, done * file_bytes, line);
    for (int d = 1; d < array.array_rank; ++d) {
      const auto dim = static_cast<std::size_t>(d);
      memory += array.stride[dim];
      if (++index[dim] < array.extent[dim]) break;
      memory -= array.stride[dim] * array.extent[dim];
      index[dim] = 0;
    }
  }
}

}  // namespace

void store_elements(const array_view& array, const element_form& form, char* file) {
  for_each_line(array, form.file_bytes,
                [&](const char* memory, std::ptrdiff_t stride, std::size_t at, std::size_t count) {
                  form.store(memory, stride, file + at, count);
                });
}

void load_elements(const array_view& array, const element_form& form, const char* file) {
  for_each_line(array, form.file_bytes,
                [&](char* memory, std::ptrdiff_t stride, std::size_t at, std::size_t count) {
                  form.load(memory, stride, file + at, count);
                });
}

}  // namespace headrace
