// Files of HDF5, the names in them, and how MPI ranks share what one of them learns.
#pragma once

#include <string>
#include <vector>

#include "../../disk/hints.hpp"
#include "../../together/communicator.hpp"
#include "handle.hpp"

namespace headrace::hdf5 {

// "/group/rho" and "group/rho" are the same array. Failure argument_invalid.
status path_of(const std::string& name, std::string& path);
// "rho" of "group/rho", and "group".
std::string leaf_of(const std::string& path);
std::string group_of(const std::string& path);
// The groups above an object, made if they do not exist. creation: as planned before.
status plan_groups(handle& creation);
status make_groups(hid_t file, const std::string& path, hid_t creation);

// A new file, in place of an empty one. comm: null for this MPI rank alone; otherwise all of it
// calls, and MPI-IO writes. memory: HDF5 writes to that.
class memory_file;
status create_file(const std::string& file, const communicator* comm, const hint_list& hints,
                   handle& made, memory_file* memory = nullptr);
// An old file, to be read, after finish_changes(). Failure header_damaged when it is none of HDF5.
status open_file(const std::string& file, const communicator* comm, const hint_list& hints,
                 handle& opened);
// An old file of ours, to be written by this MPI rank alone.
status open_to_append(const std::string& file, memory_file& memory, handle& opened);
// Failure kind_unsupported if HDF5 may use space of it twice.
status check_space(hid_t opened);
// Collective, for a file just opened through MPI-IO: hints.hpp.
void give_hints_again(hid_t file, const info_of_hints& info) noexcept;
// What MPI-IO made of the hints.
void learn_hints(hid_t file, const hint_list& asked, hints_found& found);

}  // namespace headrace::hdf5
