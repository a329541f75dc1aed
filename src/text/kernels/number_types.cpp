#include "number_types.hpp"

namespace headrace {

status check_text_kind(type_class type, std::size_t elem_len) {
  const bool power = elem_len == 1 || elem_len == 2 || elem_len == 4 || elem_len == 8;
  const bool whole = type == type_class::integer || type == type_class::logical;
  const bool known = type == type_class::character || (whole && power) ||
                     (type == type_class::complex && (elem_len == 8 || elem_len == 16)) ||
                     (type == type_class::real && (elem_len == 4 || elem_len == 8));
  if (known) return {};
  return status::failure(stat_code::kind_unsupported,
                         "there is no text form of numbers of " +
                             bytes_text(type == type_class::complex ? elem_len / 2 : elem_len))
      .advise("convert the array to real64, or write a raw file");
}

}  // namespace headrace
