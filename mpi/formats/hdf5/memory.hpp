// What describes the arrays of a new file, as HDF5 writes it, kept in memory until the end.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../../disk/byte_ranges.hpp"
#include "../../disk/positioned_file.hpp"
#include "handle.hpp"
#include "pages.hpp"

namespace headrace {

// HDF5 crashes when a program ends after a file could not be closed, as on a full disk. So it never
// meets the disk: its file lies in memory, with holes where the elements of arrays belong, and our
// own calls, which are checked, bring it to the disk. Of one MPI rank.
class hdf5_memory_file {
 public:
  hdf5_memory_file() = default;
  ~hdf5_memory_file();
  hdf5_memory_file(const hdf5_memory_file&) = delete;
  hdf5_memory_file& operator=(const hdf5_memory_file&) = delete;

  // The file of that name is there and empty; in memory there is one of HDF5 then.
  status create(const std::string& file, hdf5_handle& made);
  // HDF5 has closed it: all bytes except those of elements, and the size.
  status bring_to_disk(const std::vector<byte_range>& elements);

 private:
  status copy(std::int64_t begin, std::int64_t end);

  positioned_file disk_;
  int memory_ = -1;
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
status hdf5_check_hard_limit(hid_t file, std::int64_t more);

status hdf5_size_of(int descriptor, std::int64_t& size);
// What is on the disk; of a new file, before there are elements of arrays.
status hdf5_pages_on_disk(const std::string& file, hdf5_pages& pages, std::int64_t& size);
// Brings what changed in a file in memory to the one on the disk, which becomes at least so long.
status hdf5_bring_to_disk(const std::string& file, std::int64_t size, const hdf5_pages& known,
                          const hdf5_pages& changed);
// HDF5 has closed it.
status hdf5_set_size(const std::string& file, std::int64_t size);

// A file of this process alone, by HDF5's POSIX driver, that no program will see goes on in memory,
// where no write fails: HDF5 can crash at the end of a program over one that it cannot write.
bool hdf5_continue_in_memory(hid_t file) noexcept;
// Closes a file that no program will see, without a failure.
void hdf5_discard(hdf5_handle& file) noexcept;
// Closes a file in memory.
bool hdf5_close_in_memory(hdf5_handle& file) noexcept;

}  // namespace headrace
