// The metadata of a file as HDF5 writes it, kept in memory and brought to the disk by our own
// calls. HDF5 crashes when a program ends after a file could not be closed, as on a full disk: so
// it never meets the disk. Its file lies in memory, with holes where the elements of arrays belong.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../../disk/byte_ranges.hpp"
#include "../../disk/journal.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../move/placed_array.hpp"
#include "handle.hpp"

namespace headrace::hdf5 {

class memory_file {
 public:
  memory_file() = default;
  ~memory_file();
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  // The file of that name is there and empty; in memory there is one of HDF5 then.
  status create(const std::string& file, handle& made);
  // A file that is there, in memory without the elements of its arrays.
  status append(const std::string& file, const std::vector<byte_range>& elements, handle& opened);
  void renamed(const std::string& file) { name_ = file; }
  // A dataset of the file gets one more step, whose extents are extents[1] and so on, in chunks of
  // ours, and that step its place. It takes the same time however many steps there are.
  status add_step(hid_t file, hid_t dataset, const std::vector<hsize_t>& extents, std::int64_t step,
                  std::size_t elem_len, std::vector<file_segment>& found) const;
  // HDF5 has written to memory all that it knows, or has closed the file: all bytes but those of
  // elements go to the disk. What is there already changes as a whole.
  status bring_to_disk(const std::vector<byte_range>& elements, bool is_closed, bool sync);

 private:
  bool is_place(hid_t dataset, const std::vector<hsize_t>& extents, std::int64_t step,
                std::size_t elem_len, std::int64_t elements, std::int64_t address) const;
  status find_changes(const std::vector<byte_range>& elements, std::int64_t size,
                      std::vector<changed_bytes>& changes) const;
  status write_changes(const std::vector<byte_range>& elements, std::int64_t size, bool sync);
  status take_memory(const std::string& file);
  status keep_copy(const std::vector<byte_range>& elements);

  std::string name_;
  positioned_file disk_;
  int memory_ = -1;
  bool has_readers_ = false;  // the file on the disk is a whole one
};

// While one lives a file in memory may become as long as the one that it stands for, however small
// a limit on the size of files is.
class no_limit_on_files {
 public:
  no_limit_on_files() noexcept;
  ~no_limit_on_files();
  no_limit_on_files(const no_limit_on_files&) = delete;
  no_limit_on_files& operator=(const no_limit_on_files&) = delete;

 private:
  struct rlimit before_ {};
};

// Not collective: a file in memory may become longer by so many bytes of elements and what
// describes them. It is bound by the limit on files that the process cannot raise, and HDF5 crashes
// at the end of a program over a file that it could not close. file: negative for a new one. EFBIG.
status check_memory_limit(hid_t file, std::int64_t more);

// A file of all MPI ranks that no program will see becomes one in the memory of each.
void leave_mpi_file(hid_t file) noexcept;
// Closes a file of this process alone that no program will see, in memory, where no write fails.
void discard(handle& file) noexcept;

}  // namespace headrace::hdf5
