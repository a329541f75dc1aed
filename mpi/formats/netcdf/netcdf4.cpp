// NetCDF-4 files: HDF5 files that the NetCDF library writes and reads. Next: netcdf/backend.cpp.
#include "backend.hpp"
#include "netcdf4_file.hpp"

namespace headrace {
namespace {

constexpr netcdf_library library = {false, netcdf4_file::make};

// Parallel NetCDF-4 reads no classic files, but PnetCDF does.
status open(const std::string& file, const communicator_ptr& comm,
            const parallel_settings& settings, parallel_notes& notes,
            std::unique_ptr<dataset_reader>& made) {
  bool is_classic = false;
  if (status s = is_classic_netcdf(*comm, file, is_classic); !s.ok()) return s;
  if (!is_classic) return open_netcdf(library, file, comm, settings, notes, made);
  if (pnetcdf_backend.unavailable == nullptr)
    return pnetcdf_backend.open(file, comm, settings, notes, made);
  return status::failure(stat_code::backend_unavailable,
                         std::string("a classic NetCDF file needs PnetCDF, which is not here: ") +
                             pnetcdf_backend.unavailable)
      .in_file(file);
}

}  // namespace

const backend netcdf4_backend = {
    "netcdf4",
    netcdf_abilities,
    write_pattern::shared_collective,
    transfer_way::library,
    nullptr,
    create_netcdf_by<library>,
    open,
};

}  // namespace headrace
