#include "descriptor.hpp"

namespace headrace {
namespace {

enum class kind_of_type { intrinsic, derived, unknown };

#ifdef HEADRACE_HEADER_OF_GCC

// GCC: the class in the low byte, the kind above it.
kind_of_type classify(CFI_type_t type, type_class& result) noexcept {
  if (type < 0) return kind_of_type::unknown;
  switch (type & CFI_type_mask) {
    case CFI_type_Integer:
      result = type_class::integer;
      break;
    case CFI_type_Real:
      result = type_class::real;
      break;
    case CFI_type_Complex:
      result = type_class::complex;
      break;
    case CFI_type_Logical:
      result = type_class::logical;
      break;
    case CFI_type_Character:
      result = type_class::character;
      break;
    case CFI_type_struct:
    case CFI_type_cptr:
    case CFI_type_cfunptr:
      return kind_of_type::derived;
    default:
      return kind_of_type::unknown;
  }
  return kind_of_type::intrinsic;
}

#else

// flang: one code per C type. It gives logicals the codes of least-width integers.
kind_of_type classify(CFI_type_t type, type_class& result) noexcept {
  constexpr CFI_type_t logical_8 = 39;  // CFI_type_Bool, which C++ cannot name in every header
  switch (type) {
    case CFI_type_signed_char:
    case CFI_type_short:
    case CFI_type_int:
    case CFI_type_long:
    case CFI_type_long_long:
    case CFI_type_int8_t:
    case CFI_type_int16_t:
    case CFI_type_int32_t:
    case CFI_type_int64_t:
    case CFI_type_int128_t:
      result = type_class::integer;
      break;
    case CFI_type_half_float:
    case CFI_type_bfloat:
    case CFI_type_float:
    case CFI_type_double:
    case CFI_type_extended_double:
    case CFI_type_long_double:
    case CFI_type_float128:
      result = type_class::real;
      break;
    case CFI_type_half_float_Complex:
    case CFI_type_bfloat_Complex:
    case CFI_type_float_Complex:
    case CFI_type_double_Complex:
    case CFI_type_extended_double_Complex:
    case CFI_type_long_double_Complex:
    case CFI_type_float128_Complex:
      result = type_class::complex;
      break;
    case logical_8:
    case CFI_type_int_least8_t:
    case CFI_type_int_least16_t:
    case CFI_type_int_least32_t:
    case CFI_type_int_least64_t:
      result = type_class::logical;
      break;
    case CFI_type_char:
    case CFI_type_char16_t:
    case CFI_type_char32_t:
      result = type_class::character;
      break;
    case CFI_type_struct:
    case CFI_type_cptr:
      return kind_of_type::derived;
    default:
      return kind_of_type::unknown;
  }
  return kind_of_type::intrinsic;
}

#endif

status check_type(const CFI_cdesc_t& descriptor, type_class& result) {
  switch (classify(descriptor.type, result)) {
    case kind_of_type::intrinsic:
      return {};
    case kind_of_type::derived:
      return status::failure(stat_code::type_derived, "the array is of a derived type")
          .advise("write and read its components, for example points%x");
    case kind_of_type::unknown:
      break;
  }
  return status::failure(stat_code::type_unknown, "the array is of no intrinsic type (class(*)?)")
      .advise("pass it inside select type, where its type is known");
}

}  // namespace

status view_of(const CFI_cdesc_t& descriptor, array_view& view) {
  if (descriptor.version != CFI_VERSION)
    return status::failure(stat_code::descriptor_foreign,
                           "the library was built with another compiler's ISO_Fortran_binding.h")
        .expected("descriptor version " + std::to_string(CFI_VERSION),
                  std::to_string(descriptor.version))
        .advise(
            "compile headrace with the header of the program's Fortran compiler (fpm: --cxx-flag)");
  type_class type{};
  if (status s = check_type(descriptor, type); !s.ok()) return s;
  // gfortran gives temporaries of characters without length no address: they have no bytes either.
  // It gives none to an empty expression in parentheses, too; that cannot be told from an
  // unallocated array, whose extents are undefined, and is refused.
  if (descriptor.base_addr == nullptr && descriptor.elem_len > 0)
    return status::failure(stat_code::array_not_allocated,
                           "the array is not allocated, or is a pointer to nothing")
        .advise("allocate it or associate it first; an empty expression: pass a variable");
  view.base = static_cast<char*>(descriptor.base_addr);
  view.elem_len = descriptor.elem_len;
  view.type = type;
  view.array_rank = descriptor.rank;
  for (int d = 0; d < view.array_rank; ++d) {
    if (descriptor.dim[d].extent < 0)
      return status::failure(stat_code::array_assumed_size,
                             "the last extent of an assumed-size array x(*) is unknown")
          .advise("pass a section with an upper bound: x(1:n)");
    view.extent[d] = descriptor.dim[d].extent;
    view.stride[d] = descriptor.dim[d].sm;
  }
  return {};
}

}  // namespace headrace
