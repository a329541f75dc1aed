// The same kernels once a tier: what parse_numbers.cpp chooses from. Next:
// parse_numbers_scalar.hpp converts one field.
#pragma once

#include "../../core/cpu.hpp"
#include "parse_numbers.hpp"

namespace headrace {

// Fields first to last - 1 of a map.
struct field_list {
  const char* text;
  const std::uint32_t* ends;
  std::size_t first;
  std::size_t last;
  number_style style;
};

// What one block of 64 bytes needs to know of the style.
struct style_bytes {
  char delimiter;
  char special[2];
  std::uint64_t uses_special[2];  // all bits set: special[i] counts
};

// From 1 to 64 fields of fixed width, as a Fortran format reads them. Plain is a field of blanks
// and a number that ends with the field: a real with a decimal point, an integer, hexadecimal
// digits.
struct column_block {
  const char* text;
  const std::uint32_t* ends;  // offsets of the bytes after the fields
  const std::uint32_t* widths;
  std::size_t n;
  char decimal;
  bool needs_exponent;  // a real without an exponent is not plain
};

// parse_columns and its kinds convert the plain fields of a block; bit i of the result: field i is
// not plain, and values[i] is anything.

namespace portable {

void find_fields(const char* text, std::size_t bytes, const style_bytes& style,
                 field_map& map) noexcept;
void find_quoted_fields(const char* text, std::size_t bytes, const quote_style& style,
                        quoted_map& map) noexcept;

template <class Real>
std::size_t parse_reals(const field_list& fields, Real* values, field_state& state) noexcept;
template <class Integer>
std::size_t parse_integers(const field_list& fields, Integer* values, field_state& state) noexcept;
template <class Real>
std::uint64_t parse_real_columns(const column_block& columns, Real* values) noexcept;
template <class Integer>
std::uint64_t parse_integer_columns(const column_block& columns, Integer* values) noexcept;
std::size_t parse_hexadecimal(const field_list& fields, std::size_t elem_len, void* values,
                              field_state& state) noexcept;

}  // namespace portable

#if defined(__x86_64__)

namespace avx2 {

void find_fields(const char* text, std::size_t bytes, const style_bytes& style,
                 field_map& map) noexcept;
void find_quoted_fields(const char* text, std::size_t bytes, const quote_style& style,
                        quoted_map& map) noexcept;

template <class Real>
HEADRACE_AVX2 std::size_t parse_reals(const field_list& fields, Real* values,
                                      field_state& state) noexcept;
template <class Integer>
HEADRACE_AVX2 std::size_t parse_integers(const field_list& fields, Integer* values,
                                         field_state& state) noexcept;
template <class Real>
HEADRACE_AVX2 std::uint64_t parse_real_columns(const column_block& columns, Real* values) noexcept;
template <class Integer>
HEADRACE_AVX2 std::uint64_t parse_integer_columns(const column_block& columns,
                                                  Integer* values) noexcept;

}  // namespace avx2

namespace avx512 {

void find_fields(const char* text, std::size_t bytes, const style_bytes& style,
                 field_map& map) noexcept;
void find_quoted_fields(const char* text, std::size_t bytes, const quote_style& style,
                        quoted_map& map) noexcept;

template <class Real>
HEADRACE_AVX512 std::size_t parse_reals(const field_list& fields, Real* values,
                                        field_state& state) noexcept;
template <class Integer>
HEADRACE_AVX512 std::size_t parse_integers(const field_list& fields, Integer* values,
                                           field_state& state) noexcept;
template <class Real>
HEADRACE_AVX512 std::uint64_t parse_real_columns(const column_block& columns,
                                                 Real* values) noexcept;
template <class Integer>
HEADRACE_AVX512 std::uint64_t parse_integer_columns(const column_block& columns,
                                                    Integer* values) noexcept;
std::size_t parse_hexadecimal(const field_list& fields, std::size_t elem_len, void* values,
                              field_state& state) noexcept;

}  // namespace avx512

#else

namespace avx2 = portable;
namespace avx512 = portable;

#endif

// The best kernel of the tier.
template <class Number>
std::uint64_t parse_columns(const column_block& columns, Number* values) noexcept;
std::uint64_t parse_hexadecimal_columns(const column_block& columns, std::size_t elem_len,
                                        void* values) noexcept;

}  // namespace headrace
