// The elements behind an npy header, into and out of arrays. Next: npy_transpose.hpp.
#pragma once

#include <cstdint>
#include <functional>

#include "../core/array_info.hpp"
#include "../core/array_view.hpp"
#include "../core/transfer.hpp"

namespace headrace {

// Fills data with the bytes that begin offset bytes behind the first element.
using fill_from = std::function<status(std::uint64_t offset, char* data, std::size_t bytes)>;

// Where elements come from: one byte after the other, and at any place where that is possible.
struct npy_source {
  fill_bytes next;
  fill_from at;  // empty for pipes and compressed data
};

// True when the elements are written in C order: they lie so in memory, and not in element order.
bool is_in_c_order(const array_view& array) noexcept;

// Failures kind_mismatch and shape_mismatch; logicals of every length fit numpy's of one byte.
status check_npy_fits(const array_view& array, const array_info& info);

// Bytes of all elements in a file.
std::uint64_t npy_bytes(const array_view& array) noexcept;

// Hands over the elements as numpy has them: in element order or C order, logicals as 0 or 1 in one
// byte. Precondition: npy_descr() knows the type.
status write_npy_elements(const array_view& array, byte_order order, const take_bytes& take);

// True when the elements are transposed on their way: they come from here and there then, if the
// source can do that.
bool is_transposed(const array_view& array, const array_info& info) noexcept;

// Fills the array. Precondition: check_npy_fits().
status read_npy_elements(const array_view& array, const array_info& info, const npy_source& source);

}  // namespace headrace
