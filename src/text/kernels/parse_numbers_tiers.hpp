// The same kernels once a tier: what parse_numbers.cpp and find_fields.cpp choose from. Next:
// parse_numbers_scalar.hpp converts one field.
#pragma once

#include "parse_numbers.hpp"

namespace headrace {

// Fields first to last - 1 of a map.
struct field_list {
  const char* text;
  const std::uint32_t* ends;
  std::size_t first;
  std::size_t last;
  char decimal;
};

// What one block of 64 bytes needs to know of the style.
struct field_bytes {
  char delimiter;
  char special[2];
  std::uint64_t uses_special[2];  // all bits set: special[i] counts
};

namespace portable {

void find_fields(const char* text, std::size_t bytes, const field_bytes& style,
                 field_map& map) noexcept;

std::size_t parse_fields(const field_list& fields, double* values, field_state& state) noexcept;
std::size_t parse_fields(const field_list& fields, float* values, field_state& state) noexcept;
std::size_t parse_fields(const field_list& fields, std::int8_t* values,
                         field_state& state) noexcept;
std::size_t parse_fields(const field_list& fields, std::int16_t* values,
                         field_state& state) noexcept;
std::size_t parse_fields(const field_list& fields, std::int32_t* values,
                         field_state& state) noexcept;
std::size_t parse_fields(const field_list& fields, std::int64_t* values,
                         field_state& state) noexcept;
std::size_t parse_hexadecimal(const field_list& fields, std::size_t elem_len, void* values,
                              field_state& state) noexcept;

}  // namespace portable

namespace avx2 {

void find_fields(const char* text, std::size_t bytes, const field_bytes& style,
                 field_map& map) noexcept;

}  // namespace avx2

namespace avx512 {

void find_fields(const char* text, std::size_t bytes, const field_bytes& style,
                 field_map& map) noexcept;

std::size_t parse_fields(const field_list& fields, double* values, field_state& state) noexcept;
std::size_t parse_fields(const field_list& fields, float* values, field_state& state) noexcept;

}  // namespace avx512
}  // namespace headrace
