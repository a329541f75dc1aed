// The header of an .npy file: a Python dictionary. Next: npy_elements.hpp moves what follows it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "../core/array_info.hpp"
#include "../core/array_view.hpp"
#include "../core/transfer.hpp"

namespace headrace {

struct npy_header {
  array_info info;    // data_offset counts from the beginning of the npy bytes
  std::string descr;  // numpy's name of the elements: "<f8"
};

// The type that numpy has for the elements of an array: "<f8", "|S12"; logicals of every length are
// "|b1". Failure kind_unsupported for reals of 16 bytes, which numpy does not have.
status npy_descr(const array_view& array, byte_order order, std::string& descr);

// Header of version 1, byte for byte as numpy.save writes it. last_index_fastest: the elements
// follow in C order.
std::string make_npy_header(const std::string& descr, const array_view& array,
                            bool last_index_fastest);

// Takes the header of version 1, 2 or 3 from its source. Nothing is believed: a header that is not
// a plain dictionary of descr, fortran_order and shape is the failure header_damaged, elements that
// Fortran does not have kind_unsupported. begin: where the header stands in the file, for messages.
status read_npy_header(const fill_bytes& source, std::uint64_t begin, npy_header& header);

// The dictionary alone. at: offset of its first byte, for messages.
status parse_npy_dictionary(std::string_view text, std::uint64_t at, npy_header& header);

}  // namespace headrace
