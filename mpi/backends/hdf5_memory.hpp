// What describes the arrays of a new file, as HDF5 writes it, kept in memory until the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../core/byte_ranges.hpp"
#include "../core/positioned_file.hpp"
#include "hdf5_handle.hpp"

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

// Closes a file that no program will see, without a failure.
void hdf5_discard(hdf5_handle& file) noexcept;
// Closes a file in memory, however small a limit on the size of files is.
bool hdf5_close_in_memory(hdf5_handle& file) noexcept;

}  // namespace headrace
