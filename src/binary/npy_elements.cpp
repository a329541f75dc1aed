#include "npy_elements.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "../core/byte_swap.hpp"
#include "array_names.hpp"
#include "npy_descr.hpp"
#include "npy_transpose.hpp"

namespace headrace {
namespace {

// Logicals of numpy's that are worked on at a time.
using logical_block = std::array<char, 32768>;

// Any other value than 0 is true, whatever the compiler: Intel's .true. is -1 without
// -standard-semantics.
void to_bytes(const char* logicals, std::size_t elem_len, char* bytes, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    char any = 0;
    for (std::size_t k = 0; k < elem_len; ++k)
      any = static_cast<char>(any | logicals[i * elem_len + k]);
    bytes[i] = any != 0 ? 1 : 0;
  }
}

// The value 1 is .true. with every compiler.
void from_bytes(const char* bytes, char* logicals, std::size_t elem_len,
                std::size_t count) noexcept {
  const std::size_t low = is_swapped(byte_order::big) ? 0 : elem_len - 1;
  std::memset(logicals, 0, count * elem_len);
  for (std::size_t i = 0; i < count; ++i) logicals[i * elem_len + low] = bytes[i] != 0 ? 1 : 0;
}

// Calls step(first, count) for parts of so many logicals that fit a block.
template <class Step>
status in_parts(std::size_t count, Step step) {
  for (std::size_t done = 0; done < count;) {
    const std::size_t part = std::min(count - done, logical_block().size());
    if (status s = step(done, part); !s.ok()) return s;
    done += part;
  }
  return {};
}

status write_logicals(const array_view& array, const take_bytes& take) {
  const std::size_t elem_len = array.elem_len;
  return transfer_out(array, {}, [&](const char* data, std::size_t bytes) {
    logical_block block;
    return in_parts(bytes / elem_len, [&](std::size_t first, std::size_t count) {
      to_bytes(data + first * elem_len, elem_len, block.data(), count);
      return take(block.data(), count);
    });
  });
}

// The source of an array with longer logicals.
npy_source widened(const npy_source& source, std::size_t elem_len) {
  npy_source wide;
  wide.next = [&source, elem_len](char* data, std::size_t bytes) {
    logical_block block;
    return in_parts(bytes / elem_len, [&](std::size_t first, std::size_t count) {
      status s = source.next(block.data(), count);
      if (s.ok()) from_bytes(block.data(), data + first * elem_len, elem_len, count);
      return s;
    });
  };
  if (!source.at) return wide;
  wide.at = [&source, elem_len](std::uint64_t offset, char* data, std::size_t bytes) {
    logical_block block;
    return in_parts(bytes / elem_len, [&](std::size_t first, std::size_t count) {
      status s = source.at(offset / elem_len + first, block.data(), count);
      if (s.ok()) from_bytes(block.data(), data + first * elem_len, elem_len, count);
      return s;
    });
  };
  return wide;
}

}  // namespace

bool is_in_c_order(const array_view& array) noexcept {
  return !is_contiguous(array) && is_contiguous(with_reversed_dimensions(array));
}

status check_npy_fits(const array_view& array, const array_info& info) {
  const bool half = array.type == type_class::real && array.elem_len == 2;
  if (!array.is_unsigned && !half)
    if (status s = check_fortran_has(info); !s.ok()) return s;
  array_info wanted = info;
  if (info.type == type_class::logical && array.type == type_class::logical)
    wanted.elem_len = array.elem_len;
  return check_fits(array, wanted);
}

std::uint64_t npy_bytes(const array_view& array) noexcept {
  return array.type == type_class::logical ? element_count(array).value_or(0)
                                           : byte_count(array).value_or(0);
}

status write_npy_elements(const array_view& array, byte_order order, const take_bytes& take) {
  const array_view in_order = is_in_c_order(array) ? with_reversed_dimensions(array) : array;
  if (array.type == type_class::logical) return write_logicals(in_order, take);
  return transfer_out(in_order, transfer_in_order(order, array), take);
}

bool is_transposed(const array_view& array, const array_info& info) noexcept {
  return info.last_index_fastest && !is_contiguous(with_reversed_dimensions(array));
}

status read_npy_elements(const array_view& array, const array_info& info,
                         const npy_source& source) {
  if (byte_count(array).value_or(0) == 0) return {};
  const bool logicals = array.type == type_class::logical;
  const npy_source wide =
      logicals ? widened(source, array.elem_len) : npy_source{source.next, source.at};
  // Logicals of one byte have no order, and widened ones are the machine's already.
  const transfer_settings transfer =
      transfer_in_order(logicals ? byte_order::native : info.order, array);
  if (!info.last_index_fastest) return transfer_in(array, transfer, wide.next);
  if (!wide.at || !is_transposed(array, info))
    return transfer_in(with_reversed_dimensions(array), transfer, wide.next);
  return transpose_in(array, transfer.swapped_word, wide.at);
}

}  // namespace headrace
