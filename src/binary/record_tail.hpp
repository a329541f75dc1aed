// Looks whether records can be appended to a file: whether it ends with a whole one.
#pragma once

#include <string>

#include "../core/status.hpp"
#include "record_dialect.hpp"

namespace headrace {

// Success for a file that ends with whole records of this dialect, for an empty one, one that does
// not exist and for FIFOs and devices. Failure truncated_record names the offset where the records
// end. The last records are looked at and, when these do not fit, all from the beginning.
status check_record_tail(const std::string& file, const record_dialect& dialect);

}  // namespace headrace
