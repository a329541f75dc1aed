// Which dialects fit a file of records: for advice, and for those who do not know.
#pragma once

#include <string>
#include <vector>

#include "record_dialect.hpp"
#include "record_window.hpp"

namespace headrace {

// As the options say it: record_marker=4, byte_order="big".
std::string dialect_text(const record_dialect& dialect);

// Names the other dialects in which a piece of a record begins at an offset, an advice; empty when
// there are none.
std::string fitting_dialects(record_window& window, std::uint64_t begin,
                             const record_dialect& tried);

// Chooses among dialects by the first records of the file: the only one that fits them. A file
// without bytes has no records in any: the first. One of empty records only is alike in either byte
// order: the first of these. Failure record_marker_damaged, with every dialect
// and how far it goes, when none or more than one fits.
status choose_dialect(const file_reader& file, const std::vector<record_dialect>& candidates,
                      record_dialect& chosen);

}  // namespace headrace
