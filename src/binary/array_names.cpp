#include "array_names.hpp"

#include <algorithm>

namespace headrace {
namespace {

std::string real_name(std::size_t elem_len) {
  if (elem_len == 2 || elem_len == 4 || elem_len == 8) return "real" + std::to_string(8 * elem_len);
  return "real(" + bytes_text(elem_len) + ")";
}

status mismatch(stat_code code, const char* what, const array_view& array, const array_info& info,
                const char* advice) {
  return status::failure(code, what).expected(array_name(array), array_name(info)).advise(advice);
}

}  // namespace

std::string type_name(type_class type, std::size_t elem_len) {
  switch (type) {
    case type_class::integer:
      return "int" + std::to_string(8 * elem_len);
    case type_class::real:
      return real_name(elem_len);
    case type_class::complex:
      return "complex(" + real_name(elem_len / 2) + ")";
    case type_class::logical:
      return "logical(" + std::to_string(elem_len) + ")";
    case type_class::character:
      break;
  }
  return "character(" + std::to_string(elem_len) + ")";
}

std::string shape_name(int array_rank, const std::ptrdiff_t* extent) {
  if (array_rank == 0) return "scalar";
  std::string text = "(";
  for (int d = 0; d < array_rank; ++d) text += (d == 0 ? "" : ", ") + std::to_string(extent[d]);
  return text + ")";
}

std::string array_name(const array_view& array) {
  return (array.is_unsigned ? "u" : "") + type_name(array.type, array.elem_len) + " " +
         shape_name(array.array_rank, array.extent.data());
}

std::string array_name(const array_info& info) {
  if (!info.typed) return bytes_text(info.bytes);
  return (info.is_unsigned ? "u" : "") + type_name(info.type, info.elem_len) + " " +
         shape_name(info.array_rank, info.extent.data());
}

status check_fits(const array_view& array, const array_info& info) {
  if (!info.typed && info.bytes == byte_count(array).value_or(0)) return {};
  if (!info.typed)
    return mismatch(stat_code::shape_mismatch, "the file holds another number of bytes", array,
                    info, "read into an array of the kind and shape that were written");
  if (info.type != array.type || info.elem_len != array.elem_len ||
      info.is_unsigned != array.is_unsigned)
    return mismatch(stat_code::kind_mismatch, "the array in the file has another type or kind",
                    array, info, "read into an array of that kind, and convert it afterwards");
  if (info.array_rank != array.array_rank ||
      !std::equal(array.extent.begin(), array.extent.begin() + array.array_rank,
                  info.extent.begin()))
    return mismatch(stat_code::shape_mismatch, "the array in the file has another shape", array,
                    info, "read into an array of that shape");
  return {};
}

}  // namespace headrace
