// CDF-5 files, the classic form of NetCDF without its limits of size, through PnetCDF. It reads
// CDF-1 and CDF-2 as well. Next: netcdf_backend.cpp.
#include "netcdf_backend.hpp"
#include "pnetcdf_file.hpp"

namespace headrace {
namespace {

constexpr netcdf_library library = {"PnetCDF", true, pnetcdf_file::create, pnetcdf_file::open};

status create(const std::string& file, const communicator_ptr& comm,
              const parallel_settings& settings, parallel_notes& notes,
              std::unique_ptr<dataset_writer>& made) {
  return create_netcdf(library, file, comm, settings, notes, made);
}

status open(const std::string& file, const communicator_ptr& comm,
            const parallel_settings& settings, parallel_notes& notes,
            std::unique_ptr<dataset_reader>& made) {
  return open_netcdf(library, file, comm, settings, notes, made);
}

}  // namespace

const backend pnetcdf_backend = {
    "pnetcdf",
    ".pnc .cdf5",
    can_serial | can_shared_independent | can_shared_collective | can_library_transfer |
        can_many_arrays | takes_any_hint,
    write_pattern::shared_collective,
    transfer_way::library,
    nullptr,
    create,
    open,
};

}  // namespace headrace
