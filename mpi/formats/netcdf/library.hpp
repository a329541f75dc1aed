// transfer="library": all MPI ranks make the plain collective or independent calls of a NetCDF
// library, and agree before and after each. It is as safe as the library is.
#pragma once

#include "../../dataset/description.hpp"
#include "file.hpp"

namespace headrace::netcdf {

struct netcdf_library {
  bool classic;  // one unlimited dimension only
  std::unique_ptr<library_file> (*make)(const opening& how);
};

// Collective.
status create_by_library(const netcdf_library& library, const std::string& file,
                         const communicator_ptr& comm, const parallel_settings& settings,
                         parallel_notes& notes, std::unique_ptr<dataset_writer>& made);
status open_by_library(const netcdf_library& library, const std::string& file,
                       const communicator_ptr& comm, const parallel_settings& settings,
                       parallel_notes& notes, std::unique_ptr<dataset_reader>& made);

// What MPI rank 0, or another one, reads by itself: through described_reader. own: says where
// arrays lie.
status open_contents(const netcdf_library& library, const std::string& file, bool own,
                     std::unique_ptr<described_file>& made);

// Not collective: that what most headers lie in can be read. The libraries have no errno for it,
// and OMPIO reports success of reads that failed.
status check_both_ends(const std::string& file);

inline constexpr unsigned abilities = can_serial | can_shared_independent | can_shared_collective |
                                      can_own_transfer | can_library_transfer | can_many_arrays |
                                      takes_any_hint | can_append | can_keep;

}  // namespace headrace::netcdf
