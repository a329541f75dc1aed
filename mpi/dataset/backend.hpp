// What a format of parallel files must do. One file for each; the list is in backends.cpp.
//
// Everything is collective and returns the same status on every MPI rank: a backend calls agree()
// before a failure of one could leave another waiting. A status names the file and, if there is
// one, the array.
#pragma once

#include <memory>

#include "../move/layouts.hpp"
#include "../move/settings.hpp"
#include "catalogue.hpp"
#include "kept_arrays.hpp"

namespace headrace {

// A format that lacks can_append was told to flush, or to go on in a file; the advice names those
// that can.
status cannot_append(const std::string& what);

// After such a failure of a part of writing nothing more goes into the file: what the system or a
// library does with it then is not known. All others refuse arguments, and the file is as before.
bool ends_a_dataset(const status& failure) noexcept;

// A dataset that is opened; the same on all MPI ranks, but for the notes.
struct dataset_opening {
  std::string file;  // a new one does not exist yet, or is an empty directory
  communicator_ptr comm;
  parallel_settings settings;
  parallel_notes& notes;
  // Only with can_append: the file is there, and stays under its name while it grows. What it holds
  // can be read after a kill at any moment.
  bool appends = false;
};

// What its writer and its reader know of it.
class opened_dataset {
 public:
  explicit opened_dataset(const dataset_opening& how)
      : path_(how.file), comm_(how.comm), settings_(how.settings), notes_(how.notes) {}

 protected:
  std::string path_;
  communicator_ptr comm_;
  parallel_settings settings_;
  parallel_notes& notes_;
};

class dataset_writer : protected opened_dataset {
 public:
  using opened_dataset::opened_dataset;
  virtual ~dataset_writer() = default;  // not collective: closes, loses nothing but the new file
  // What is in the dataset, on each MPI rank; it has the entry that is written.
  array_catalogue& catalogue() noexcept { return catalogue_; }
  virtual status write(const catalogue_entry& entry, const array_view& local,
                       const array_layout& layout) = 0;
  // A small array that does not wait for others goes by write_kept() too, and not by write().
  virtual bool delivers_one() const noexcept { return false; }
  // Not collective, before a small array is kept: what every MPI rank can tell by itself, and all
  // alike. Only for formats with can_keep.
  virtual status accept(const catalogue_entry& /*entry*/, const array_view& /*local*/,
                        const array_layout& /*layout*/) {
    return {};
  }
  // Not collective, before write_kept() of the same: takes the memory for what all do together.
  virtual status prepare(kept_arrays& /*kept*/) { return {}; }
  // Those that were accepted since the last time, in that order. Nobody waits for the others at the
  // end: the status is that of this MPI rank, and all agree before anything else is called.
  virtual status write_kept(kept_arrays& /*kept*/) { return {}; }
  // array: empty for one of the dataset. value: a scalar or of array rank 1, contiguous.
  virtual status write_attribute(const std::string& array, const std::string& name,
                                 const array_view& value) = 0;
  // On all MPI ranks, after a failure of the system or a library: some of them may not know of it
  // otherwise, and the destructor must do the same on all.
  virtual void fail() noexcept {}
  // Everything so far is in the file, which opens as a whole with it whatever happens later: the
  // program may be killed at any moment. Only for formats with can_append.
  virtual status flush() { return cannot_append("to be flushed"); }
  // Not collective, after the first flush of a new dataset: it has its name now.
  virtual void renamed(const std::string& /*file*/) noexcept {}
  // Everything is in the file, closed, and of the right size (on the device, if settings.sync).
  virtual status finish() = 0;

 protected:
  array_catalogue catalogue_;
};

class dataset_reader : protected opened_dataset {
 public:
  using opened_dataset::opened_dataset;
  virtual ~dataset_reader() = default;
  // Of all arrays, without those that only number steps or dimensions.
  virtual status names(std::vector<std::string>& found) = 0;
  // Failure array_missing. Collective for an array that is asked for first; then it is known.
  virtual status describe(const std::string& name, const described_array*& found) = 0;
  // Kind and shape fit (../abi/dataset.cpp has compared them with describe()); step_index: place in
  // described_array::steps, -1 without steps.
  virtual status read(const std::string& name, std::int64_t step_index, const array_view& local,
                      const array_layout& layout) = 0;
  // Type and length are converted by nobody: kind_mismatch, shape_mismatch.
  virtual status read_attribute(const std::string& array, const std::string& name,
                                const array_view& value) = 0;
  // Not collective, after a call that failed on all MPI ranks: only some may have kept what they
  // learned in it.
  virtual void forget() noexcept {}
};

constexpr unsigned ability_of(write_pattern pattern) noexcept {
  return 1U << static_cast<unsigned>(pattern);
}

enum backend_ability : unsigned {
  can_serial = ability_of(write_pattern::serial),
  can_file_per_process = ability_of(write_pattern::file_per_process),
  can_file_per_node = ability_of(write_pattern::file_per_node),
  can_shared_independent = ability_of(write_pattern::shared_independent),
  can_shared_collective = ability_of(write_pattern::shared_collective),
  can_own_transfer = 1U << 8,      // transfer="headrace"
  can_library_transfer = 1U << 9,  // transfer="library"
  is_a_directory = 1U << 10,
  can_checksum = 1U << 11,
  can_compress = 1U << 12,
  can_append = 1U << 13,  // steps to what is there; flush
  can_keep = 1U << 14     // small arrays, and writes many at a time
};

struct backend {
  const char* name;  // src/abi/formats.cpp has its endings
  unsigned abilities;
  write_pattern preferred;
  transfer_way preferred_transfer;
  const char* unavailable;  // null, or why it is not built in and what to install
  status (*create)(const dataset_opening& how, std::unique_ptr<dataset_writer>& made);
  status (*open)(const dataset_opening& how, std::unique_ptr<dataset_reader>& made);
};

// The backend of that name, or of the ending. Failures format_unknown, backend_unavailable, and
// argument_invalid for a slash behind what is no directory.
status find_backend(const std::string& file, const std::string& name, const backend*& found);

// Each backend's file defines its own.
extern const backend npy_backend;
extern const backend hdf5_backend;
extern const backend netcdf4_backend;
extern const backend pnetcdf_backend;
extern const backend adios2_backend;
extern const backend zarr_backend;
extern const backend statements_backend;
// Null once a Fortran part of the program has registered its statements.
const char* statements_unavailable() noexcept;

}  // namespace headrace
