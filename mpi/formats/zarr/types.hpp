// Fortran's types and kinds as Zarr v3 data types, and values of them as JSON.
#pragma once

#include <string>
#include <vector>

#include "../../../src/core/array_view.hpp"
#include "json.hpp"

namespace headrace {

struct zarr_type {
  type_class type = type_class::real;
  std::size_t bytes = 0;  // of an element in a file; logicals have 1

  // Of the words that a byte order is about: half of a complex number, 1 for characters.
  std::size_t word_bytes() const noexcept;
  // "\"float64\"" or an object: the member data_type.
  std::string json() const;
  // The member fill_value, which no array of Fortran holds by intention: NaN, for integers
  // -huge() - 1, for logicals false. Readers that mask it mask nothing else.
  std::string fill_json() const;
};

// Failure kind_unsupported: real(10), real(16), integers of 16 bytes.
status zarr_type_of(const array_view& array, zarr_type& type);
// The member data_type of an array. Failures header_damaged, kind_unsupported.
status parse_zarr_type(const json_value& value, zarr_type& type);
// The member fill_value as an element in the machine's byte order. Failure header_damaged.
status parse_zarr_fill(const json_value& value, const zarr_type& type, std::vector<char>& element);

}  // namespace headrace
