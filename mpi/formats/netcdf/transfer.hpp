// Moves an array between the MPI ranks and a NetCDF variable: all by the library's collective or
// independent calls, or through MPI rank 0 alone.
#pragma once

#include "file.hpp"

namespace headrace {

struct netcdf_target {
  netcdf_file* file = nullptr;  // null on MPI ranks that have not opened it: serial
  int variable = 0;
  const netcdf_form& form;
  std::int64_t record = -1;  // -1: no steps
  write_pattern pattern = write_pattern::shared_collective;
  const char* path = "";  // of the file, to read it
  bool can_fail = true;   // a write, as take_room() says
};

// Collective.
status write_netcdf(const netcdf_target& to, const array_view& local, const array_layout& layout,
                    parallel_notes& notes);
status read_netcdf(const netcdf_target& from, const array_view& local, const array_layout& layout,
                   parallel_notes& notes);

}  // namespace headrace
