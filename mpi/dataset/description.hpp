// What a format of one shared file does: it describes arrays, and says where their bytes lie.
// It runs on MPI rank 0 alone, so that nothing is collective and a library is called as in a serial
// program. Next: described.hpp, where all MPI ranks move the bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../src/core/array_view.hpp"
#include "../move/placed_array.hpp"
#include "backend.hpp"
#include "catalogue.hpp"

namespace headrace {

// A file that is being written.
class file_description {
 public:
  virtual ~file_description() = default;  // closes, and keeps nothing that was not flushed
  // Defines an array that is new, or its next step, and takes the place of its bytes. After a
  // failure that names an argument the file is as before.
  virtual status place(const catalogue_entry& entry, stored_place& found) = 0;
  // A place stays the same when arrays and steps are added before its bytes are written.
  virtual bool keeps_places() const noexcept { return false; }
  // array: empty for an attribute of the file
  virtual status write_attribute(const std::string& array, const std::string& name,
                                 const array_view& value) = 0;
  // All MPI ranks have written their bytes. Afterwards the file opens as a whole, with everything
  // so far, also if the program dies at any later moment.
  virtual status flush() { return cannot_append("to be flushed"); }
  // After the first flush of a new file: it has its name now.
  virtual void renamed(const std::string& /*file*/) noexcept {}
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
  // What has no place is read through the library: each MPI rank has opened the file then, and gets
  // the elements of a part one after another as they are in memory (logicals: one byte).
  virtual status read(const std::string& name, std::int64_t step_index, const box& part,
                      char* data) = 0;
  // value: of MPI rank 0, from which the others get it.
  virtual status read_attribute(const std::string& array, const std::string& name,
                                const array_view& value) = 0;
};

}  // namespace headrace
