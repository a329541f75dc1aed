// The types of numbers that the kernels are compiled for, and the one that an array has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../../core/array_view.hpp"
#include "../../core/status.hpp"

#define HEADRACE_FOR_REALS(INSTANTIATE) \
  INSTANTIATE(double)                   \
  INSTANTIATE(float)
#define HEADRACE_FOR_INTEGERS(INSTANTIATE) \
  INSTANTIATE(std::int8_t)                 \
  INSTANTIATE(std::int16_t)                \
  INSTANTIATE(std::int32_t)                \
  INSTANTIATE(std::int64_t)

namespace headrace {

// Counts for which every tier takes the path of single values: a vector of 8 costs as much as three
// values one by one, whatever it holds.
inline constexpr std::size_t few_values = 2;

// Calls f with a zero of the integer type of 1, 2, 4 or 8 bytes.
template <class Function>
decltype(auto) with_integer(std::size_t bytes, Function&& f) {
  switch (bytes) {
    case 1:
      return f(std::int8_t{});
    case 2:
      return f(std::int16_t{});
    case 4:
      return f(std::int32_t{});
    default:
      return f(std::int64_t{});
  }
}

// The same of reals, of 4 or 8 bytes, and of integers.
template <class Function>
decltype(auto) with_number(type_class type, std::size_t bytes, Function&& f) {
  if (type != type_class::real) return with_integer(bytes, f);
  return bytes == sizeof(float) ? f(float{}) : f(double{});
}

// The failure kind_unsupported for real128 and its complex; success for kinds with a text form.
status check_text_kind(type_class type, std::size_t elem_len);

// The value at some bytes, wherever they lie.
template <class Value>
Value value_at(const char* bytes) noexcept {
  Value value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace headrace
