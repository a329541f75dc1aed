// What NetCDF-4 and CDF-5 have in common: a library describes the file on MPI rank 0 and says where
// arrays lie (own transfer), or with transfer="library" all MPI ranks make its plain collective or
// independent calls, and agree before and after each: that is as safe as the library is.
#pragma once

#include "../../dataset/description.hpp"
#include "file.hpp"

namespace headrace::netcdf {

struct netcdf_library {
  bool classic;  // one unlimited dimension only
  std::unique_ptr<library_file> (*make)(const opening& how);
  std::unique_ptr<library_file> (*make_own)(const opening& how);  // for own transfer
  const char* own_hint;                                           // that it takes; or null
  status (*check_growing)(const std::string& file);               // not collective
};

// Collective.
status create(const netcdf_library& library, const dataset_opening& how,
              std::unique_ptr<dataset_writer>& made);
status append(const netcdf_library& library, const dataset_opening& how,
              std::unique_ptr<dataset_writer>& made);
status open(const netcdf_library& library, const dataset_opening& how,
            std::unique_ptr<dataset_reader>& made);

inline constexpr unsigned abilities = can_serial | can_shared_independent | can_shared_collective |
                                      can_own_transfer | can_library_transfer | can_append |
                                      can_keep;

}  // namespace headrace::netcdf
