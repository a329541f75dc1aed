// A file that all MPI ranks have open by HDF5's MPI-IO driver.
#pragma once

#include <string>

#include "../../move/collective_cycles.hpp"
#include "handle.hpp"

namespace headrace {

// How a collective write is made that ends on all MPI ranks. object: the file, or what is in it.
collective_calls hdf5_calls_that_end(const array_layout& layout, hid_t object);

// A file that another library has open through HDF5, by its MPI-IO driver or its POSIX one;
// negative when there is none. The program may have it open itself, by the other driver.
enum class hdf5_driver { mpi_io, posix };
hid_t hdf5_open_file_of_name(const std::string& path, hdf5_driver driver) noexcept;

}  // namespace headrace
