// Values of any type and kind into fields, a block at a time: brings them to the types that the
// kernels take. Next: format_fields.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "format_fields.hpp"
#include "number_types.hpp"

namespace headrace {

template <class Source, class Target>
inline void convert_values(const void* values, std::size_t n, Target* target) noexcept {
  const char* const bytes = static_cast<const char*>(values);
  for (std::size_t i = 0; i < n; ++i)
    target[i] = static_cast<Target>(value_at<Source>(bytes + i * sizeof(Source)));
}

// One call of a kernel: brings values to the type that it takes.
class field_writer {
 public:
  field_writer(type_class type, std::size_t elem_len) noexcept : type_(type), elem_len_(elem_len) {}

  // n <= field_block
  void write(const field_layout& layout, const void* values, std::size_t n, char* out,
             const std::uint32_t* offsets) const noexcept {
    if (layout.edit.form == field_form::hexadecimal) {
      std::uint64_t block[field_block];
      convert<true>(values, n, block);
      // As gfortran, which looks at no more than 32 bits here: Zw.0 writes nothing of such a zero.
      if (layout.edit.digits == 0)
        for (std::size_t i = 0; i < n; ++i)
          if (static_cast<std::uint32_t>(block[i]) == 0) block[i] = 0;
      format_hexadecimal_fields(layout, block, n, out, offsets);
    } else if (type_ == type_class::integer) {
      std::int64_t block[field_block];
      convert<false>(values, n, block);
      format_integer_fields(layout, block, n, out, offsets);
    } else {
      double block[field_block];
      const double* source = block;
      if (elem_len_ == 4)
        convert_values<float>(values, n, block);
      else if (reinterpret_cast<std::uintptr_t>(values) % alignof(double) == 0)
        source = static_cast<const double*>(values);
      else
        std::memcpy(block, values, n * sizeof(double));
      format_fields(layout, source, n, out, offsets);
    }
  }

 private:
  template <bool Unsigned, class Target>
  void convert(const void* values, std::size_t n, Target* block) const noexcept {
    with_integer(elem_len_, [&](auto value) {
      using integer = decltype(value);
      convert_values<std::conditional_t<Unsigned, std::make_unsigned_t<integer>, integer>>(
          values, n, block);
    });
  }

  type_class type_;
  std::size_t elem_len_;
};

}  // namespace headrace
