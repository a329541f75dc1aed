// NetCDF-4 files: HDF5 files as the NetCDF library writes and reads them. Next: netcdf4_own.hpp;
// library.hpp.
#include <array>
#include <cstring>

#include "../../dataset/described.hpp"
#include "../../disk/library_files.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../together/from_root.hpp"
#include "definitions.hpp"
#include "library.hpp"
#include "netcdf4_file.hpp"
#include "netcdf4_own.hpp"

namespace headrace::netcdf {
namespace {

constexpr netcdf_library library = {false, netcdf4_file::make};
constexpr netcdf_library by_hdf5 = {false, netcdf4_own::make};
constexpr definer by_root = {false, true, true};

opening opening_of(const std::string& file) {
  opening how;
  how.path = file;
  return how;
}

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
  broadcast(comm, 0, found);
  is_classic = found != 0;
  return {};
}

status refuse_classic(const std::string& file) {
  return status::failure(stat_code::argument_invalid,
                         "this is a classic NetCDF file, which does not grow as NetCDF-4")
      .in_file(file)
      .expected("a NetCDF-4 file", "one that begins with CDF")
      .advise("open it with format=\"pnetcdf\"");
}

status create(const std::string& file, const communicator_ptr& comm,
              const parallel_settings& settings, parallel_notes& notes,
              std::unique_ptr<dataset_writer>& made) {
  if (settings.transfer == transfer_way::library)
    return create_by_library(library, file, comm, settings, notes, made);
  const auto make = [&](std::unique_ptr<file_description>& description,
                        std::vector<catalogue_array>&) {
    std::shared_ptr<library_file> created = netcdf4_own::make(opening_of(file));
    if (status s = created->create(opening_of(file)); !s.ok()) return s;
    description = std::make_unique<definitions>(file, std::move(created), by_root);
    return status();
  };
  return create_described(file, comm, settings, notes, make, made);
}

status append(const std::string& file, const communicator_ptr& comm,
              const parallel_settings& settings, parallel_notes& notes,
              std::unique_ptr<dataset_writer>& made) {
  const auto make = [&](std::unique_ptr<file_description>& description,
                        std::vector<catalogue_array>& found) {
    if (status s = check_both_ends(file); !s.ok()) return s;
    if (begins_as_classic(file)) return refuse_classic(file);
    std::shared_ptr<library_file> opened = netcdf4_own::make(opening_of(file));
    if (status s = opened->open(opening_of(file)); !s.ok()) return s;
    auto old = std::make_unique<definitions>(file, std::move(opened), by_root);
    if (status s = old->adopt(found); !s.ok()) return s;
    if (status s = old->file().define(); !s.ok()) return s;  // it is refused now, or never
    description = std::move(old);
    return status();
  };
  return append_described(file, comm, settings, notes, make, made);
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
  const bool own = settings.transfer != transfer_way::library;
  if (!own && settings.pattern != write_pattern::serial)
    return open_by_library(library, file, comm, settings, notes, made);
  if (status s = check_readable(*comm, file); !s.ok()) return s;
  const auto open_one = [file, own](std::unique_ptr<described_file>& opened) {
    return open_contents(own ? by_hdf5 : library, file, own, opened);
  };
  return open_described(file, comm, settings, notes, open_one, made);
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
    netcdf::create,
    netcdf::open,
    netcdf::append,
};

}  // namespace headrace
