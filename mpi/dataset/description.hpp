// What a format of one shared file does: it describes arrays, and says where their bytes lie.
// Everything here runs on MPI rank 0 alone, so that nothing is collective and a library is called
// as in a serial program. Next: described.hpp, where all MPI ranks move the bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../src/core/array_view.hpp"
#include "../move/boxes.hpp"
#include "backend.hpp"

namespace headrace {

// Elements [first, last) of an array, in element order, one after another from a byte on.
struct file_segment {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t address = 0;
};

// Where and how an array lies, or one of its steps.
struct stored_place {
  std::vector<file_segment> segments;  // ascending; empty: not as plain bytes in element order
  std::size_t swapped_word = 0;        // bytes of words in the other byte order; 0: none
};

// An array of the catalogue: what was written under a name so far.
struct catalogue_array {
  std::string name;
  type_class type{};
  std::size_t elem_len = 0;  // in the file: logicals are one byte
  box global;
  std::vector<std::string> dimensions;  // in Fortran's order, without the steps
  bool has_steps = false;
  std::vector<std::int64_t> steps;  // in the order of writing
};

// A file that is being written.
class file_description {
 public:
  virtual ~file_description() = default;  // closes, and keeps nothing that was not flushed
  // Defines an array that is new, or the last of its steps, and takes the place of its bytes.
  virtual status place(const catalogue_array& array, bool is_new, stored_place& found) = 0;
  // array: empty for an attribute of the file
  virtual status write_attribute(const std::string& array, const std::string& name,
                                 const array_view& value) = 0;
  // All MPI ranks have written their bytes. Afterwards the file opens as a whole, with everything
  // so far, also if the program dies at any later moment.
  virtual status flush() = 0;
  // The same, and the file is closed.
  virtual status finish() = 0;
};

// A file that is being read.
class described_file {
 public:
  virtual ~described_file() = default;
  virtual status names(std::vector<std::string>& found) = 0;
  virtual status describe(const std::string& name, stored_array& found) = 0;
  virtual status place(const std::string& name, std::int64_t step_index, stored_place& found) = 0;
  virtual status read_attribute(const std::string& array, const std::string& name,
                                const array_view& value) = 0;
};

}  // namespace headrace
