#include "views.hpp"

namespace headrace {
namespace {

static_assert(HR_MAX_ARRAY_RANK == max_array_rank);
static_assert(HR_TYPE_INTEGER == static_cast<int>(type_class::integer));
static_assert(HR_TYPE_REAL == static_cast<int>(type_class::real));
static_assert(HR_TYPE_COMPLEX == static_cast<int>(type_class::complex));
static_assert(HR_TYPE_LOGICAL == static_cast<int>(type_class::logical));
static_assert(HR_TYPE_CHARACTER == static_cast<int>(type_class::character));

status invalid(const std::string& what) {
  return status::failure(stat_code::argument_invalid, "hr_array: " + what)
      .advise("see hr_array in headrace.h");
}

// Of any compiler: real(10) has 10, 12 or 16 bytes; a complex number is two reals.
bool is_known_length(int type, std::size_t bytes) noexcept {
  switch (type) {
    case HR_TYPE_CHARACTER:
      return true;
    case HR_TYPE_REAL:
      return bytes == 8 || bytes == 4 || bytes == 2 || bytes == 10 || bytes == 12 || bytes == 16;
    case HR_TYPE_COMPLEX:
      return bytes == 16 || bytes == 8 || bytes == 4 || bytes == 20 || bytes == 24 || bytes == 32;
    default:
      return bytes == 4 || bytes == 8 || bytes == 1 || bytes == 2 || bytes == 16;
  }
}

// True when the distance between the first and the last element fits a pointer difference.
bool span_fits(const array_view& view) {
  std::ptrdiff_t span = 0;
  for (int d = 0; d < view.array_rank; ++d) {
    std::ptrdiff_t width = 0;
    if (__builtin_mul_overflow(view.extent[d], view.stride[d], &width) ||
        __builtin_add_overflow(span, width < 0 ? -(width + 1) : width, &span))
      return false;
  }
  return true;
}

}  // namespace

hr_array to_c(const array_view& array) noexcept {
  hr_array result;  // dimensions beyond the array rank do not count
  result.base = array.base;
  result.elem_len = array.elem_len;
  result.type = static_cast<int>(array.type);
  result.array_rank = array.array_rank;
  for (int d = 0; d < array.array_rank; ++d) {
    result.extent[d] = array.extent[d];
    result.stride[d] = array.stride[d];
  }
  return result;
}

status from_c_or_unsigned(const hr_array& array, array_view& view) {
  if (array.type != HR_TYPE_UNSIGNED) return from_c(array, view);
  hr_array signed_one = array;
  signed_one.type = HR_TYPE_INTEGER;
  view.is_unsigned = true;
  if (array.elem_len > 8)
    return invalid("elem_len " + std::to_string(array.elem_len) +
                   " is that of no kind of the type");
  return from_c(signed_one, view);
}

status from_c(const hr_array& array, array_view& view) {
  if (array.type == HR_TYPE_UNSIGNED)
    return status::failure(stat_code::argument_invalid, "unsigned integers are not supported here")
        .advise("only whole arrays in raw, unformatted, direct, npy and npz files take them");
  if (array.type < HR_TYPE_INTEGER || array.type > HR_TYPE_CHARACTER)
    return invalid("type " + std::to_string(array.type) + " is not an hr_type");
  if (!is_known_length(array.type, array.elem_len))
    return invalid("elem_len " + std::to_string(array.elem_len) +
                   " is that of no kind of the type");
  if (array.array_rank < 0 || array.array_rank > HR_MAX_ARRAY_RANK)
    return invalid("array_rank " + std::to_string(array.array_rank) + " is not from 0 to 15");
  view.base = static_cast<char*>(array.base);
  std::ptrdiff_t bytes_of_one = 0;
  if (array.array_rank == 1 && array.extent[0] >= 0 && array.base != nullptr &&
      !__builtin_mul_overflow(array.extent[0], array.stride[0], &bytes_of_one) &&
      !__builtin_mul_overflow(array.extent[0], array.elem_len, &bytes_of_one)) {
    view.elem_len = array.elem_len;
    view.type = static_cast<type_class>(array.type);
    view.array_rank = 1;
    view.extent[0] = array.extent[0];
    view.stride[0] = array.stride[0];
    return {};  // nothing more can be wrong with it
  }
  view.elem_len = array.elem_len;
  view.type = static_cast<type_class>(array.type);
  view.array_rank = array.array_rank;
  for (int d = 0; d < array.array_rank; ++d) {
    if (array.extent[d] < 0)
      return invalid("extent " + std::to_string(array.extent[d]) + " is negative");
    view.extent[d] = array.extent[d];
    view.stride[d] = array.stride[d];
  }
  const std::optional<std::size_t> bytes = byte_count(view);
  if (!bytes || (*bytes > 0 && !span_fits(view)))
    return status::failure(stat_code::array_too_large,
                           "the array has more bytes than can be addressed")
        .advise("check its extents and strides");
  if (*bytes > 0 && array.base == nullptr) return invalid("base is null");
  return {};
}

}  // namespace headrace
