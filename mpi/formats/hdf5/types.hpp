// Fortran's kinds as datatypes of HDF5, those that h5py uses. Next: storage.hpp.
#pragma once

#include <string>

#include "../../../src/core/array_view.hpp"
#include "handle.hpp"

namespace headrace::hdf5 {

// What the elements of a dataset or an attribute are.
struct element_kind {
  type_class type = type_class::integer;
  std::size_t elem_len = 0;    // in the file's form: logicals are one byte
  std::size_t word_bytes = 1;  // of a word that has a byte order
  bool swapped = false;        // words have the other byte order
  bool plain = false;          // the bytes are those of memory, but for the order
  bool long_names = false;     // complex: members real and imag instead of r and i
  bool variable = false;       // text of any length; elem_len is 0
  bool utf8 = false;           // text; HDF5 refuses to read it as ASCII
};

// The datatype of such elements, in memory and in our files: native integers and reals, compound
// {r, i}, enum {FALSE, TRUE} of one byte, text filled up with blanks. Failure kind_unsupported.
status type_of(type_class type, std::size_t elem_len, handle& made);
// The datatype to read elements of that kind into.
status memory_type(const element_kind& kind, handle& made);

// Failures kind_mismatch (unsigned integers), kind_unsupported (references, reals of other sizes).
status kind_of(hid_t type, element_kind& found);

}  // namespace headrace::hdf5
