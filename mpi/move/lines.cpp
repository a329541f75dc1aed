#include "lines.hpp"

#include <algorithm>
#include <cstring>

#include "../../src/core/byte_swap.hpp"
#include "element_form.hpp"

namespace headrace {
namespace {

// Read at once if lines are short.
constexpr std::int64_t window_bytes = std::int64_t{4} << 20;
// Lines from this length on go straight to where they belong.
constexpr std::int64_t long_line = std::int64_t{256} << 10;
// Gaps up to here are read along: skipping them costs more.
constexpr std::int64_t widest_gap = std::int64_t{128} << 10;

std::size_t bytes_of(std::int64_t elements, const element_form& form) noexcept {
  return static_cast<std::size_t>(elements) * form.file_bytes;
}

// In windows; a line may be longer than one.
status read_range(const piece& range, const array_view& local, const box& own,
                  const element_form& form, buffer& window, const line_function& read) {
  const auto element = static_cast<std::int64_t>(std::max<std::size_t>(1, form.file_bytes));
  const std::int64_t most = std::max<std::int64_t>(1, window_bytes / element);
  window.reserve(bytes_of(std::min(most, range.last - range.first), form));
  for (std::int64_t first = range.first; first < range.last; first += most) {
    const piece part{range.of, first, std::min(first + most, range.last), 0};
    if (status s = read(first, window.data(), part.last - first); !s.ok()) return s;
    copy_common(direction::in, part, local, own, form, window.data());
  }
  return {};
}

}  // namespace

int contiguous_dimensions(const array_view& local) noexcept {
  auto expected = static_cast<std::ptrdiff_t>(local.elem_len);
  for (int d = 0; d < local.array_rank; ++d) {
    const auto dim = static_cast<std::size_t>(d);
    // Lines go on with the stride of the first dimension, even if that has one element only.
    if (local.stride[dim] != expected && (d == 0 || local.extent[dim] > 1)) return d;
    expected *= local.extent[dim];
  }
  return local.array_rank;
}

bool covers(const box& block, const piece& part) {
  for (const box& range : boxes_of_range(part.of, part.first, part.last))
    if (!(intersection(range, block) == range)) return false;
  return true;
}

void copy_common(direction way, const piece& part, const array_view& local, const box& own,
                 const element_form& form, char* data, bool is_packed) {
  char* packed = data;
  for_each_common_line(part, own, contiguous_dimensions(local), [&](const piece_line& line) {
    char* const memory = address_of(local, own, line.begin);
    char* const file = is_packed ? packed : data + bytes_of(line.at, form);
    const auto count = static_cast<std::size_t>(line.count);
    if (way == direction::out)
      form.store(memory, first_stride(local), file, count);
    else
      form.load(memory, first_stride(local), file, count);
    packed += bytes_of(line.count, form);
  });
}

void pack_common(direction way, const piece& part, const box& block, const element_form& form,
                 char* data, char* packed) {
  for_each_common_line(part, block, max_parallel_rank, [&](const piece_line& line) {
    const std::size_t bytes = bytes_of(line.count, form);
    char* const place = data + bytes_of(line.at, form);
    std::memcpy(way == direction::out ? packed : place, way == direction::out ? place : packed,
                bytes);
    packed += bytes;
  });
}

status read_common(const piece& whole, const array_view& local, const box& own,
                   const element_form& form, buffer& window, const line_function& read) {
  const auto bytes = static_cast<std::int64_t>(form.file_bytes);
  const bool plain = form.is_plain(first_stride(local));
  piece range = whole;
  range.last = 0;  // nothing yet
  status result;
  for_each_common_line(whole, own, contiguous_dimensions(local), [&](const piece_line& line) {
    if (!result.ok()) return;
    const std::int64_t end = line.at + line.count;
    const bool is_long = plain && line.count * bytes >= long_line;
    const bool joins = range.last > 0 && !is_long && (line.at - range.last) * bytes <= widest_gap &&
                       (end - range.first) * bytes <= window_bytes;
    if (range.last > 0 && !joins) {
      result = read_range(range, local, own, form, window, read);
      range.last = 0;
    }
    if (!result.ok()) return;
    if (is_long) {
      result = read(line.at, address_of(local, own, line.begin), line.count);
      return;
    }
    if (!joins) range.first = line.at;
    range.last = end;
  });
  if (result.ok() && range.last > 0) result = read_range(range, local, own, form, window, read);
  return result;
}

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

array_view view_of_whole(char* base, type_class type, std::size_t elem_len,
                         const box& whole) noexcept {
  array_view view;
  view.base = base;
  view.elem_len = elem_len;
  view.type = type;
  view.array_rank = whole.array_rank;
  auto stride = static_cast<std::ptrdiff_t>(elem_len);
  for (std::size_t d = 0; d < static_cast<std::size_t>(whole.array_rank); ++d) {
    view.extent[d] = static_cast<std::ptrdiff_t>(whole.count[d]);
    view.stride[d] = stride;
    stride *= view.extent[d];
  }
  return view;
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
