// Values of any type and kind into fields, a block at a time: brings them to the types that the
// kernels take. Next: format_fields.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../../core/array_view.hpp"
#include "format_fields.hpp"

namespace headrace {

template <class Source, class Target>
inline void convert_values(const void* values, std::size_t n, Target* target) noexcept {
  const char* const bytes = static_cast<const char*>(values);
  for (std::size_t i = 0; i < n; ++i) {
    Source value{};
    std::memcpy(&value, bytes + i * sizeof value, sizeof value);
    target[i] = static_cast<Target>(value);
  }
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
      convert_unsigned(values, n, block);
      // As gfortran, which looks at no more than 32 bits here: Zw.0 writes nothing of such a zero.
      if (layout.edit.digits == 0)
        for (std::size_t i = 0; i < n; ++i)
          if (static_cast<std::uint32_t>(block[i]) == 0) block[i] = 0;
      format_hexadecimal_fields(layout, block, n, out, offsets);
    } else if (type_ == type_class::integer) {
      std::int64_t block[field_block];
      convert_signed(values, n, block);
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
  void convert_unsigned(const void* values, std::size_t n, std::uint64_t* block) const noexcept {
    switch (elem_len_) {
      case 1:
        return convert_values<std::uint8_t>(values, n, block);
      case 2:
        return convert_values<std::uint16_t>(values, n, block);
      case 4:
        return convert_values<std::uint32_t>(values, n, block);
      default:
        return convert_values<std::uint64_t>(values, n, block);
    }
  }

  void convert_signed(const void* values, std::size_t n, std::int64_t* block) const noexcept {
    switch (elem_len_) {
      case 1:
        return convert_values<std::int8_t>(values, n, block);
      case 2:
        return convert_values<std::int16_t>(values, n, block);
      case 4:
        return convert_values<std::int32_t>(values, n, block);
      default:
        return convert_values<std::int64_t>(values, n, block);
    }
  }

  type_class type_;
  std::size_t elem_len_;
};

}  // namespace headrace
