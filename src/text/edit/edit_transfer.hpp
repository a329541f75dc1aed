// Whole arrays through a Fortran format or list-directed, value by value: byte for byte what
// gfortran's WRITE of the array writes, and what its READ reads. The fast paths stand in
// uniform_rows.hpp.
#pragma once

#include "../../core/array_view.hpp"
#include "../../core/streams.hpp"
#include "edit_format.hpp"

namespace headrace {

// What WRITE(unit, format) array writes. Types that a descriptor does not take are refused as
// gfortran refuses them (edit_mismatch, with the column of the descriptor).
status write_edited(const edit_format& format, const array_view& array, byte_sink& sink);

// What WRITE(unit, *) array writes, the same in every dialect. decimal: '.' or ',' as DECIMAL= of
// the unit.
status write_list_directed(const array_view& array, char decimal, byte_sink& sink);

// What READ(unit, format) array reads. Failures name line and column.
status read_edited(const edit_format& format, byte_source& source, const array_view& array);

// What READ(unit, *) array reads: repeat counts, null values, slash, records over lines.
status read_list_directed(byte_source& source, char decimal, const array_view& array,
                          const edit_dialect& dialect = {});

}  // namespace headrace
