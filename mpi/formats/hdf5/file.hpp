// Files of HDF5, the names in them, and how MPI ranks share what one of them learns.
#pragma once

#include <string>
#include <vector>

#include "../../disk/hints.hpp"
#include "../../together/communicator.hpp"
#include "handle.hpp"

namespace headrace {

// "/group/rho" and "group/rho" are the same array. Failure argument_invalid.
status hdf5_path(const std::string& name, std::string& path);
// "rho" of "group/rho", and "group".
std::string hdf5_leaf(const std::string& path);
std::string hdf5_group(const std::string& path);
// The groups above an object, made where they do not exist. creation: as planned before.
status hdf5_plan_groups(hdf5_handle& creation);
status hdf5_make_groups(hid_t file, const std::string& path, hid_t creation);

// A new file, in place of an empty one. comm: null for this MPI rank alone; otherwise all of it
// calls, and MPI-IO writes. in_memory: HDF5's descriptor is replaced afterwards.
status hdf5_create_file(const std::string& file, const communicator* comm, const hint_list& hints,
                        hdf5_handle& made, bool in_memory = false);
// An old file, to be read, after finish_changes(). Failure header_damaged when it is none of HDF5.
status hdf5_open_file(const std::string& file, const communicator* comm, const hint_list& hints,
                      hdf5_handle& opened);
// An old file of ours, to be written by this MPI rank alone; HDF5's descriptor is replaced.
status hdf5_open_to_append(const std::string& file, hdf5_handle& opened);
// Before that, of a file that is open to be read: opening it for writing changes it. Failure
// kind_unsupported if HDF5 may use space of it twice.
status hdf5_check_space(hid_t opened, const std::string& file);
// Collective, for a file just opened through MPI-IO: hints.hpp.
void hdf5_give_hints_again(hid_t file, const info_of_hints& info) noexcept;
// What MPI-IO made of the hints.
void hdf5_learn_hints(hid_t file, const hint_list& asked, hints_found& found);

}  // namespace headrace
