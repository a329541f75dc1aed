// A file that all MPI ranks have open by HDF5's MPI-IO driver, where a failure of one of them in
// the middle of HDF5's own collective calls would leave the others waiting.
#pragma once

#include <string>
#include <vector>

#include "../core/collective_cycles.hpp"
#include "hdf5_memory.hpp"

namespace headrace {

inline constexpr std::int64_t hdf5_room_for_descriptions = std::int64_t{64} << 10;

// HDF5 keeps what describes the arrays until the file is closed, and writes nothing of it in
// between. For the properties that a file is opened with.
bool hdf5_write_descriptions_at_the_end(hid_t access) noexcept;

// Not collective; every MPI rank calls it. Takes the space between and behind the elements, which
// are in the file already, so that closing needs no more. ENOSPC, EDQUOT, EFBIG.
status hdf5_take_space(hid_t file, const std::string& path, const std::vector<byte_range>& elements,
                       bool is_first);

// Collective. HDF5 goes on with a file that no program will see in memory of each MPI rank's own,
// where no write fails and none waits for another; MPI_Finalize closes the one on the disk. False,
// on all, where one cannot.
bool hdf5_continue_in_memory(const communicator& comm, hid_t file) noexcept;

// How a collective write is made that ends on all MPI ranks. object: the file, or what is in it.
collective_calls hdf5_calls_that_end(const array_layout& layout, hid_t object);

// A file that another library has open through HDF5; negative when there is none.
hid_t hdf5_open_file_of_name(const std::string& path) noexcept;

// Collective. Closes a file that no program will see.
void hdf5_discard_together(const communicator& comm, hdf5_handle& file) noexcept;

}  // namespace headrace
