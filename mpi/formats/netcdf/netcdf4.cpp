// NetCDF-4 files: HDF5 files as the NetCDF library writes and reads them. Next: netcdf4_own.cpp,
// netcdf4_file.cpp; library.hpp.
#include <array>
#include <cstring>

#include "../../disk/positioned_file.hpp"
#include "../../together/from_root.hpp"
#include "library.hpp"

namespace headrace::netcdf {
namespace {

// CDF-1, 2 or 5.
bool begins_as_classic(const std::string& file) {
  positioned_file probe;
  std::array<char, 3> magic{};
  const bool read = probe.open_to_read(file).ok() && probe.read_at(0, magic.data(), 3).ok();
  return read && std::memcmp(magic.data(), "CDF", 3) == 0;
}

// Collective: whether MPI rank 0 finds a file that begins as classic NetCDF.
status is_classic_file(const communicator& comm, const std::string& file, bool& is_classic) {
  std::int64_t found = 0;
  status looked;
  if (comm.rank() == 0)
    looked = caught([&] {
      found = begins_as_classic(file) ? 1 : 0;
      return status();
    });
  if (status s = status_of_root(comm, looked); !s.ok()) return s;
  copy_from(comm, 0, &found, 1, MPI_INT64_T);
  is_classic = found != 0;
  return {};
}

status refuse_classic(const std::string& file) {
  if (!begins_as_classic(file)) return {};
  return status::failure(stat_code::argument_invalid,
                         "this is a classic NetCDF file, which does not grow as NetCDF-4")
      .in_file(file)
      .expected("a NetCDF-4 file", "one that begins with CDF")
      .advise("open it with format=\"pnetcdf\"");
}

constexpr netcdf_library netcdf4 = {false, make_netcdf4_file, make_netcdf4_own, nullptr,
                                    refuse_classic};

// Parallel NetCDF-4 reads no classic files, but PnetCDF does.
status open_netcdf4(const dataset_opening& how, std::unique_ptr<dataset_reader>& made) {
  bool is_classic = false;
  if (status s = is_classic_file(*how.comm, how.file, is_classic); !s.ok()) return s;
  if (is_classic && pnetcdf_backend.unavailable == nullptr) return pnetcdf_backend.open(how, made);
  if (is_classic)
    return status::failure(stat_code::backend_unavailable,
                           std::string("a classic NetCDF file needs PnetCDF, which is not here: ") +
                               pnetcdf_backend.unavailable)
        .in_file(how.file);
  return open(netcdf4, how, made);
}

}  // namespace
}  // namespace headrace::netcdf

namespace headrace {

const backend netcdf4_backend = {
    "netcdf4",
    netcdf::abilities,
    write_pattern::shared_collective,
    transfer_way::headrace,
    nullptr,
    [](const dataset_opening& how, auto& made) { return create(netcdf::netcdf4, how, made); },
    netcdf::open_netcdf4,
    [](const dataset_opening& how, auto& made) { return append(netcdf::netcdf4, how, made); },
};

}  // namespace headrace
