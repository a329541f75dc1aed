// transfer="library": the plain calls of a library, by all MPI ranks together through MPI-IO or by
// MPI rank 0 alone (the pattern serial). As safe as the library is: MPI ranks agree before and
// after each call, and the size of the file is checked.
#pragma once

#include "described.hpp"

namespace headrace {

// What an MPI rank does before a library waits for all of them, or with them: then none leaves
// alone. comm: null for one MPI rank alone.
template <class Part>
status agreed(const communicator* comm, Part part) {
  return comm == nullptr ? caught(part) : agree_on(*comm, part);
}

// A file that a library writes with the elements. Where all MPI ranks have it open, each call
// agrees before the library waits for them.
class library_description : public file_description {
 public:
  // After place(): what the next put() are of.
  virtual status begin_put(const catalogue_entry& entry, bool collective) = 0;
  // A part of it, or nothing, in a call that is collective if that was chosen.
  virtual status put(const box& part, const char* data) = 0;
  // Not collective, after finish(): the file holds all elements.
  virtual status check_file() const = 0;
  // After a failure: the destructor does not close if that could wait for ever.
  virtual void fail() noexcept = 0;
};

// A file that all MPI ranks have open together.
class library_source : public described_file {
 public:
  // Collective: what the next read() are of. is_readable: else MPI-IO does not read it.
  virtual status begin_read(const std::string& name, std::int64_t step_index, bool collective,
                            bool& is_readable) = 0;
};

// Creates the description on the MPI ranks that have the file open. comm: null for MPI rank 0
// alone.
using library_maker =
    function_ref<status(const communicator_ptr& comm, std::unique_ptr<library_description>& made)>;
using library_opener =
    function_ref<status(const communicator_ptr& comm, std::unique_ptr<library_source>& made)>;

// Collective.
status create_by_library(const dataset_opening& how, const library_maker& make,
                         std::unique_ptr<dataset_writer>& made);
// Not for the pattern serial, which reads as described. describe: opens it on MPI rank 0 alone.
status open_by_library(const dataset_opening& how, const library_opener& open,
                       described_opener describe, std::unique_ptr<dataset_reader>& made);

}  // namespace headrace
