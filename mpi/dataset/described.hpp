// What a format of one shared file does: it describes arrays, and says where their bytes lie.
// It runs on MPI rank 0 alone, so that nothing is collective and a library is called as in a serial
// program; or with transfer="library" on all MPI ranks that have the file open through MPI-IO. Then
// each call agrees before the library waits for all of them.
//
// By own transfer all MPI ranks then move the bytes. With transfer="library" a library moves them,
// by its plain calls: of all MPI ranks together, or of MPI rank 0 alone (the pattern serial). That
// is as safe as the library is: MPI ranks agree before and after each call, and the size of the
// file is checked. Next: ../move/placed_array.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../../src/core/array_view.hpp"
#include "../move/placed_array.hpp"
#include "backend.hpp"
#include "catalogue.hpp"

namespace headrace {

// What an MPI rank does before a library waits for all of them, or with them: then none leaves
// alone. comm: null for one MPI rank alone.
template <class Part>
status agreed(const communicator* comm, Part part) {
  return comm == nullptr ? caught(part) : agree_on(*comm, part);
}

// A file that is being written.
class file_description {
 public:
  virtual ~file_description() = default;  // closes, and keeps nothing that was not flushed
  // Defines an array that is new, or its next step, and takes the place of its bytes. After a
  // failure that names an argument the file is as before. found: not with transfer="library".
  virtual status place(const catalogue_entry& entry, stored_place& found) = 0;
  // A place stays the same when arrays and steps are added before its bytes are written.
  virtual bool keeps_places() const noexcept { return false; }
  // array: empty for an attribute of the file
  virtual status write_attribute(const std::string& array, const std::string& name,
                                 const array_view& value) = 0;
  // All MPI ranks have written their bytes. Afterwards the file opens as a whole, with everything
  // so far, also if the program dies at any later moment.
  virtual status flush() { return cannot_append("to be flushed"); }
  // After the first flush of a new file: it has its name now. May throw std::bad_alloc.
  virtual void renamed(const std::string& /*file*/) {}
  // The same, and the file is closed.
  virtual status finish() = 0;
  // Not collective, after finish(): the file is as long as its elements need.
  virtual status check_file() const = 0;

  // With transfer="library", after place(): what the next put() are of.
  virtual status begin_put(const catalogue_entry& /*entry*/, bool /*collective*/) { return {}; }
  // A part of it, or nothing, in a call that is collective if that was chosen.
  virtual status put(const box& /*part*/, char* /*data*/) { return {}; }
  // After a failure: the destructor does not close if that could wait for ever.
  virtual void fail() noexcept {}
};

// A file that is being read.
class described_file {
 public:
  virtual ~described_file() = default;
  virtual status names(std::vector<std::string>& found) = 0;
  virtual status describe(const std::string& name, described_array& found) = 0;
  virtual status place(const std::string& name, std::int64_t step_index, stored_place& found) = 0;
  // What the next read() are of; collective if all MPI ranks have the file open together.
  // is_readable: else MPI-IO does not read it.
  virtual status begin_read(const std::string& name, std::int64_t step_index, bool collective,
                            bool& is_readable) = 0;
  // Through the library: the elements of a part, or of none, one after another as they are in
  // memory (logicals: one byte).
  virtual status read(const box& part, char* data) = 0;
  // value: of MPI rank 0, from which the others get it.
  virtual status read_attribute(const std::string& array, const std::string& name,
                                const array_view& value) = 0;
};

// Makes the description on the MPI ranks that have the file open: comm, or null for MPI rank 0
// alone. found: the arrays that an old file has. notes: of MPI rank 0.
using description_maker =
    function_ref<status(const communicator_ptr& comm, std::unique_ptr<file_description>& made,
                        std::vector<described_array>& found)>;

// Collective. When make() is called the file is there: an empty one with the striping of the hints,
// or the one to which how.appends.
status create_described(const dataset_opening& how, const description_maker& make,
                        std::unique_ptr<dataset_writer>& made);

// Opens the file. comm: null for MPI rank 0 alone, and for others when they must read it through
// the library later; otherwise all open it together, at once.
using described_opener =
    std::function<status(const communicator_ptr& comm, std::unique_ptr<described_file>& made)>;

// Collective.
status open_described(const dataset_opening& how, described_opener open,
                      std::unique_ptr<dataset_reader>& made);

}  // namespace headrace
