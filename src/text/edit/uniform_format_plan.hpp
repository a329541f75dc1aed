// A format taken apart into the fields of one record and the constant text around them.
// Next: uniform_format.cpp writes with it.
#pragma once

#include <string>
#include <vector>

#include "../../core/array_view.hpp"
#include "../kernels/format_fields.hpp"
#include "edit_format.hpp"

namespace headrace {

struct record_plan {
  std::vector<field_edit> fields;
  // before[i]: constant text before field i; one more for the text after the last field.
  std::vector<std::string> before;
  // tails[i]: what ends the record, without its line feed, when no value follows field i.
  std::vector<std::string> tails;
};

// False when the records of the format are not all the same, or when a descriptor has no kernel for
// values of this type.
bool plan_record(const edit_format& format, type_class type, record_plan& plan);

}  // namespace headrace
