// CDF-5 files, the classic form of NetCDF without its limits of size, through PnetCDF. It reads
// CDF-1 and CDF-2 as well. Next: netcdf/backend.cpp.
#include "backend.hpp"
#include "pnetcdf_file.hpp"

namespace headrace {
namespace {

constexpr netcdf_library library = {true, pnetcdf_file::make};

}  // namespace

const backend pnetcdf_backend = {
    "pnetcdf", netcdf_abilities,          write_pattern::shared_collective, transfer_way::library,
    nullptr,   create_netcdf_by<library>, open_netcdf_by<library>,
};

}  // namespace headrace
