// Which elements text is read into.
#include "edit_read_elements.hpp"

namespace headrace {

status check_readable(const array_view& array) {
  const std::size_t bytes = array.elem_len;
  bool readable = true;
  switch (array.type) {
    case type_class::integer:
    case type_class::logical:
      readable = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
      break;
    case type_class::real:
      readable = bytes == 4 || bytes == 8;
      break;
    case type_class::complex:
      readable = bytes == 8 || bytes == 16;
      break;
    case type_class::character:
      break;
  }
  if (!readable)
    return status::failure(stat_code::kind_unsupported, "text is not read into this kind")
        .expected("numbers of at most 64 bits", bytes_text(bytes) + " an element")
        .advise("read real64 or int64 and convert");
  if (!element_count(array))
    return status::failure(stat_code::array_too_large, "the array has too many elements");
  return {};
}

const char* value_description(type_class type) noexcept {
  switch (type) {
    case type_class::integer:
      return "an integer";
    case type_class::real:
      return "a real number";
    case type_class::complex:
      return "a complex number such as (1.5,-2)";
    case type_class::logical:
      return "a logical value such as T or .false.";
    case type_class::character:
      break;
  }
  return "a character string";
}

}  // namespace headrace
