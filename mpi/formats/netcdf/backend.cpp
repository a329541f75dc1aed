#include "backend.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "../../disk/library_files.hpp"
#include "../../disk/mpi_io_health.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../disk/room.hpp"
#include "../../together/from_root.hpp"
#include "../../together/library_words.hpp"
#include "reader.hpp"
#include "room.hpp"
#include "writer.hpp"

namespace headrace {
namespace {

netcdf_opening opening_for(const std::string& file, const communicator& comm,
                           const parallel_settings& settings, parallel_notes& notes) {
  netcdf_opening how;
  how.path = file;
  how.parallel = settings.pattern != write_pattern::serial;
  how.comm = how.parallel ? comm.handle() : MPI_COMM_SELF;
  how.hints = &settings.hints;
  how.found = &notes.hints;
  return how;
}

// Collective: all memory before the library is called, also what more() takes.
template <class More>
status prepare(const netcdf_library& library, const std::string& path, const communicator& comm,
               const parallel_settings& settings, parallel_notes& notes, netcdf_opening& how,
               std::unique_ptr<netcdf_file>& file, More more) {
  return agree_on(comm, [&] {
    how = opening_for(path, comm, settings, notes);
    if (how.parallel || comm.rank() == 0) file = library.make(how);
    more();
    return status();
  });
}

// Of HDF5 within NetCDF-4, and of MPI-IO within PnetCDF: not of the arguments.
bool is_of_the_system(int code) noexcept {
  constexpr int hdf5_error = -101;
  constexpr int first_of_files = -201;
  constexpr int last_of_files = -225;
  return code == hdf5_error || (code <= first_of_files && code >= last_of_files);
}

}  // namespace

status netcdf_failure(int code, const char* words, const std::string& what,
                      const std::string& file) {
  const int left = full_disk_in_errno();
  // NetCDF-4 takes every failure of HDF5 to create a file for one of permissions.
  if (left != 0 && (code > 0 || is_of_the_system(code)))
    return status::system(left, what).in_file(file);
  if (code > 0) return status::system(code, what).in_file(file);
  if (const int error = error_in_words(words); error > 0)
    return status::system(error, what).in_file(file);
  status failed = status::failure(stat_code::library_failed, what + ": " + words).in_file(file);
  if (code != netcdf_bad_name) return failed;
  return std::move(failed).advise(
      "a name is UTF-8, begins with a letter, a digit or _ (or a character beyond ASCII), has no "
      "slash and no control character, and does not end with a blank");
}

// Where the place of each record follows from its number.
status netcdf_file::place(int variable, std::int64_t first, std::int64_t last, std::int64_t bytes,
                          function_ref<status(status mine)> /*agreed*/,
                          std::vector<byte_range>& found) {
  found.clear();
  for (std::int64_t record = first; record <= last; ++record) {
    const std::int64_t begin = offset_of(variable, record);
    if (begin >= 0) found.push_back({begin, begin + bytes});
  }
  return {};
}

status create_netcdf(const netcdf_library& library, const std::string& file,
                     const communicator_ptr& comm, const parallel_settings& settings,
                     parallel_notes& notes, std::unique_ptr<dataset_writer>& made) {
  const auto during = notes.line.during(HR_PHASE_OPEN);
  if (settings.pattern != write_pattern::serial)
    if (status s = check_sieving(*comm, file, true); !s.ok()) return s;
  if (status s = create_for_library(*comm, file, settings.hints, notes.hints); !s.ok()) return s;
  // The library's first bytes, and what check_room() tries with.
  if (status s = check_limit(*comm, file, 2 * netcdf_metadata_bytes); !s.ok()) return s;
  if (status s = check_room(*comm, file, 0); !s.ok()) return s;
  if (settings.pattern != write_pattern::serial && !library.classic)
    if (status s = check_mpi_io(*comm, file); !s.ok()) return s;
  netcdf_opening how;
  std::unique_ptr<netcdf_file> created;
  std::unique_ptr<netcdf_writer> writer;
  const status ready = prepare(library, file, *comm, settings, notes, how, created, [&] {
    writer = std::make_unique<netcdf_writer>(file, comm, settings, notes, library.classic);
  });
  if (!ready.ok()) return ready;
  status done =
      agree_on(*comm, [&] { return created == nullptr ? status() : created->create(how); });
  if (done.ok() && how.parallel) done = created->prepare_to_write(comm);
  if (!done.ok()) {
    if (created != nullptr) created->forget();
    return done;
  }
  writer->begin(std::move(created));
  made = std::move(writer);
  return {};
}

status open_netcdf(const netcdf_library& library, const std::string& file,
                   const communicator_ptr& comm, const parallel_settings& settings,
                   parallel_notes& notes, std::unique_ptr<dataset_reader>& made) {
  const auto during = notes.line.during(HR_PHASE_OPEN);
  if (settings.pattern != write_pattern::serial)
    if (status s = check_sieving(*comm, file, false); !s.ok()) return s;
  if (status s = check_readable(*comm, file); !s.ok()) return s;
  netcdf_opening how;
  std::unique_ptr<netcdf_file> opened;
  const status ready = prepare(library, file, *comm, settings, notes, how, opened, [] {});
  if (!ready.ok()) return ready;
  const status done =
      agree_on(*comm, [&] { return opened == nullptr ? status() : opened->open(how); });
  if (!done.ok()) {
    if (opened != nullptr) opened->forget();
    return done;
  }
  return netcdf_reader::make(std::move(opened), file, comm, settings, notes, made);
}

status is_classic_netcdf(const communicator& comm, const std::string& file, bool& is_classic) {
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

}  // namespace headrace
