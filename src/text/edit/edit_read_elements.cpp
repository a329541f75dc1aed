// Which elements text is read into.
#include "edit_read_elements.hpp"

namespace headrace {

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
