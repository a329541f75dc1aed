// What writing and reading say of kinds that a format lacks, and of an attribute if it or its
// array is not there, or not as it is wanted, and its texts: in every format the same. The reader
// adds the array.
#pragma once

#include <string>
#include <vector>

#include "../../src/core/array_view.hpp"
#include "../../src/core/status.hpp"

namespace headrace {

// "integer of 4 bytes", "character of 0 bytes"
std::string kind_text(type_class type, std::size_t bytes);
// The same; texts and logicals have any length: "character"
std::string attribute_kind_text(type_class type, std::size_t bytes);

// files: "HDF5 files"
status no_such_kind(const std::string& files, type_class type, std::size_t bytes);

// An attribute of an array that has not been written.
status no_array_to_describe(const std::string& array);

status no_attribute(const std::string& name);

// found: what the file calls its kind
status attribute_of_another_kind(const std::string& name, const array_view& wanted,
                                 const std::string& found);

// more: behind the number of values found, for example " of array rank 2"
status attribute_of_another_length(const std::string& name, const array_view& wanted,
                                   std::size_t found, const std::string& more = "");

// The code differs by format: a text is a kind of its length in some.
status attribute_text_too_long(stat_code code, const std::string& name, std::size_t room,
                               std::size_t found);

// The texts of an attribute without the blanks that fill them up.
std::vector<std::string> texts_of(const array_view& value);
// For a library that ends a text at its first NUL byte: refuses one that goes on behind it.
status check_c_texts(const std::string& name, const std::vector<std::string>& texts);
// Fills them up again; value: contiguous. too_long: the code of that failure.
status set_texts(const std::string& name, const std::vector<std::string>& texts,
                 const array_view& value, stat_code too_long = stat_code::shape_mismatch);

}  // namespace headrace
