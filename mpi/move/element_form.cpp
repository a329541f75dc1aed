#include "element_form.hpp"

#include <cstring>

#include "../../src/core/byte_swap.hpp"
#include "lines.hpp"

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

// Of array rank 7 at most, as all that the parallel library moves.
box whole_of(const array_view& array) noexcept {
  box all;
  all.array_rank = array.array_rank;
  for (std::size_t d = 0; d < static_cast<std::size_t>(array.array_rank); ++d)
    all.count[d] = array.extent[d];
  return all;
}

}  // namespace

void store_elements(const array_view& array, const element_form& form, char* file) {
  const box all = whole_of(array);
  copy_common(direction::out, {all, 0, volume(all), 0}, array, all, form, file);
}

void load_elements(const array_view& array, const element_form& form, char* file) {
  const box all = whole_of(array);
  copy_common(direction::in, {all, 0, volume(all), 0}, array, all, form, file);
}

}  // namespace headrace
