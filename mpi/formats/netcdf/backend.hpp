// What creating and opening a dataset has in common for NetCDF-4 and PnetCDF.
#pragma once

#include "file.hpp"

namespace headrace {

struct netcdf_library {
  bool classic;  // one unlimited dimension only
  std::unique_ptr<netcdf_file> (*make)(const netcdf_opening& how);
};

// Collective.
status create_netcdf(const netcdf_library& library, const std::string& file,
                     const communicator_ptr& comm, const parallel_settings& settings,
                     parallel_notes& notes, std::unique_ptr<dataset_writer>& made);
status open_netcdf(const netcdf_library& library, const std::string& file,
                   const communicator_ptr& comm, const parallel_settings& settings,
                   parallel_notes& notes, std::unique_ptr<dataset_reader>& made);

// The same as entries of a backend, which has no place for the library.
template <const netcdf_library& library>
status create_netcdf_by(const std::string& file, const communicator_ptr& comm,
                        const parallel_settings& settings, parallel_notes& notes,
                        std::unique_ptr<dataset_writer>& made) {
  return create_netcdf(library, file, comm, settings, notes, made);
}
template <const netcdf_library& library>
status open_netcdf_by(const std::string& file, const communicator_ptr& comm,
                      const parallel_settings& settings, parallel_notes& notes,
                      std::unique_ptr<dataset_reader>& made) {
  return open_netcdf(library, file, comm, settings, notes, made);
}

inline constexpr unsigned netcdf_abilities = can_serial | can_shared_independent |
                                             can_shared_collective | can_library_transfer |
                                             can_many_arrays | takes_any_hint;

// Collective: whether MPI rank 0 finds a file that begins as classic NetCDF (CDF-1, 2, 5).
status is_classic_netcdf(const communicator& comm, const std::string& file, bool& is_classic);

}  // namespace headrace
