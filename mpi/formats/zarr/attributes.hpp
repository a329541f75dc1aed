// Attributes as JSON has them. Numbers there have no kinds: one is read into any kind that holds
// it. Texts lose their trailing blanks and get them back.
#pragma once

#include <string>

#include "../../../src/core/array_view.hpp"
#include "json.hpp"

namespace headrace {

// Failures argument_invalid (no UTF-8), kind_unsupported (complex numbers, real128, ...).
// value: a scalar or of array rank 1, contiguous.
status json_of_attribute(const array_view& value, std::string& text);

// Failures kind_mismatch, shape_mismatch.
status read_json_attribute(const std::string& name, const json_value& stored,
                           const array_view& value);

}  // namespace headrace
