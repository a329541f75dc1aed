// CDF-5 files, the classic form of NetCDF without its limits of size. It reads CDF-1 and CDF-2 as
// well. PnetCDF writes and reads the header, on MPI rank 0 alone; where arrays and records lie
// follows from it. Next: definitions.hpp, contents.hpp.
#include "../../disk/library_files.hpp"
#include "library.hpp"
#include "pnetcdf_file.hpp"

namespace headrace::netcdf {
namespace {

// PnetCDF does not say why it cannot write.
constexpr netcdf_library pnetcdf = {true, pnetcdf_file::make, pnetcdf_file::make, reserve_hint,
                                    check_writable};

}  // namespace
}  // namespace headrace::netcdf

namespace headrace {

const backend pnetcdf_backend = {
    "pnetcdf",
    netcdf::abilities,
    write_pattern::shared_collective,
    transfer_way::headrace,
    nullptr,
    [](const dataset_opening& how, auto& made) { return create(netcdf::pnetcdf, how, made); },
    [](const dataset_opening& how, auto& made) { return open(netcdf::pnetcdf, how, made); },
    [](const dataset_opening& how, auto& made) { return append(netcdf::pnetcdf, how, made); },
};

}  // namespace headrace
