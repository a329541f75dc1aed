// The elements that a piece and a block have in common, as contiguous lines of the piece. Used by
// exchange.cpp, and by those that write lines directly.
#pragma once

#include "../../src/core/buffer.hpp"
#include "element_form.hpp"
#include "exchange.hpp"

namespace headrace {

// One line: count elements at place `at` of the piece (elements from its first), which begin at
// `begin` of the global array and follow one another along the first `merged` dimensions.
struct piece_line {
  std::int64_t at = 0;
  std::int64_t count = 0;
  index_list begin{};
};

// Dimensions from the first on whose elements follow one another without a gap in memory: lines may
// run over them. 1 when only the first does, 0 when not even that.
int contiguous_dimensions(const array_view& local) noexcept;

// Calls visit(line) in the order of the piece. Lines run over several dimensions if the common
// part covers them whole in piece and block, and they are below `mergeable`.
template <class Visit>
void for_each_common_line(const piece& part, const box& block, int mergeable, Visit&& visit) {
  const auto array_rank = static_cast<std::size_t>(part.of.array_rank);
  for (const box& range : boxes_of_range(part.of, part.first, part.last)) {
    const box common = intersection(range, block);
    if (is_empty(common)) continue;
    std::size_t next = 1;  // the first dimension that is walked
    std::int64_t count = array_rank == 0 ? 1 : common.count[0];
    while (next < array_rank && static_cast<int>(next) < mergeable &&
           common.count[next - 1] == part.of.count[next - 1] &&
           common.count[next - 1] == block.count[next - 1])
      count *= common.count[next++];
    index_list strides{};  // elements of the piece's box
    std::int64_t stride = 1;
    std::int64_t at = -part.first;
    for (std::size_t d = 0; d < array_rank; ++d) {
      strides[d] = stride;
      at += (common.start[d] - part.of.start[d]) * stride;
      stride *= part.of.count[d];
    }
    piece_line line{at, count, common.start};
    index_list index{};
    for (;;) {
      visit(static_cast<const piece_line&>(line));
      std::size_t d = next;
      for (; d < array_rank; ++d) {
        line.at += strides[d];
        ++line.begin[d];
        if (++index[d] < common.count[d]) break;
        line.at -= strides[d] * common.count[d];
        line.begin[d] -= common.count[d];
        index[d] = 0;
      }
      if (d >= array_rank) break;
    }
  }
}

// Where an element of the block lies in memory.
inline char* address_of(const array_view& local, const box& own, const index_list& at) noexcept {
  char* address = local.base;
  for (std::size_t d = 0; d < static_cast<std::size_t>(own.array_rank); ++d)
    address += (at[d] - own.start[d]) * local.stride[d];
  return address;
}

// True when the whole piece lies in the block.
bool covers(const box& block, const piece& part);

// What a block and a piece have in common: out: local, the elements of own, from memory to data,
// which holds the piece in the file's form; in: back. is_packed: data holds these elements alone,
// without gaps.
void copy_common(direction way, const piece& part, const array_view& local, const box& own,
                 const element_form& form, char* data, bool is_packed = false);

// Between data, which holds the piece in the file's form, and the common elements without gaps;
// out: from data.
void pack_common(direction way, const piece& part, const box& block, const element_form& form,
                 char* data, char* packed);

// Reads what a block and a piece have in common: long lines straight to where they belong, others
// that lie close together with one call of read(first, data, count), elements of the piece's box,
// through the window.
using line_function = function_ref<status(std::int64_t first, char* data, std::int64_t count)>;
status read_common(const piece& whole, const array_view& local, const box& own,
                   const element_form& form, buffer& window, const line_function& read);

}  // namespace headrace
