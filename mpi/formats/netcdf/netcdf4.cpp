// NetCDF-4 files: HDF5 files that the NetCDF library writes and reads. Next: library.hpp.
#include <array>
#include <cstring>

#include "../../dataset/described.hpp"
#include "../../disk/library_files.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../together/from_root.hpp"
#include "library.hpp"
#include "netcdf4_file.hpp"

namespace headrace::netcdf {
namespace {

constexpr netcdf_library library = {false, netcdf4_file::make};

// Collective: whether MPI rank 0 finds a file that begins as classic NetCDF (CDF-1, 2, 5).
status is_classic_file(const communicator& comm, const std::string& file, bool& is_classic) {
  std::int64_t found = 0;
  status looked;
  if (comm.rank() == 0)
    looked = caught([&] {
      positioned_file probe;
      std::array<char, 3> magic{};
      const bool read = probe.open_to_read(file).ok() && probe.read_at(0, magic.data(), 3).ok();
      found = read && std::memcmp(magic.data(), "CDF", 3) == 0 ? 1 : 0;
      return status();
    });
  if (status s = status_of_root(comm, looked); !s.ok()) return s;
  broadcast(comm, 0, found);
  is_classic = found != 0;
  return {};
}

status create(const std::string& file, const communicator_ptr& comm,
              const parallel_settings& settings, parallel_notes& notes,
              std::unique_ptr<dataset_writer>& made) {
  return create_by_library(library, file, comm, settings, notes, made);
}

// Parallel NetCDF-4 reads no classic files, but PnetCDF does.
status open(const std::string& file, const communicator_ptr& comm,
            const parallel_settings& settings, parallel_notes& notes,
            std::unique_ptr<dataset_reader>& made) {
  bool is_classic = false;
  if (status s = is_classic_file(*comm, file, is_classic); !s.ok()) return s;
  if (is_classic && pnetcdf_backend.unavailable == nullptr)
    return pnetcdf_backend.open(file, comm, settings, notes, made);
  if (is_classic)
    return status::failure(stat_code::backend_unavailable,
                           std::string("a classic NetCDF file needs PnetCDF, which is not here: ") +
                               pnetcdf_backend.unavailable)
        .in_file(file);
  if (settings.pattern != write_pattern::serial)
    return open_by_library(library, file, comm, settings, notes, made);
  if (status s = check_readable(*comm, file); !s.ok()) return s;
  const auto open_one = [file](std::unique_ptr<described_file>& opened) {
    return open_contents(library, file, false, opened);
  };
  return open_described(file, comm, settings, notes, open_one, made);
}

}  // namespace
}  // namespace headrace::netcdf

namespace headrace {

const backend netcdf4_backend = {
    "netcdf4",
    netcdf::abilities & ~static_cast<unsigned>(can_own_transfer | can_append),
    write_pattern::shared_collective,
    transfer_way::library,
    nullptr,
    netcdf::create,
    netcdf::open,
};

}  // namespace headrace
