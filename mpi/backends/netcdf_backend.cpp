#include "netcdf_backend.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "../core/disk_room.hpp"
#include "../core/library_files.hpp"
#include "../core/mpi_io_health.hpp"
#include "../core/positioned_file.hpp"
#include "netcdf_reader.hpp"
#include "netcdf_room.hpp"
#include "netcdf_writer.hpp"

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

bool takes_part(const communicator& comm, const parallel_settings& settings) {
  return settings.pattern != write_pattern::serial || comm.rank() == 0;
}

}  // namespace

status netcdf_failure(int code, const char* words, const std::string& what,
                      const std::string& file) {
  if (code > 0) return status::system(code, what).in_file(file);
  status failed = status::failure(stat_code::library_failed, what + ": " + words).in_file(file);
  if (code != netcdf_bad_name) return failed;
  return std::move(failed).advise(
      "a name is UTF-8, begins with a letter, a digit or _ (or a character beyond ASCII), has no "
      "slash and no control character, and does not end with a blank");
}

// Where the place of each record follows from its number.
status netcdf_file::place(int variable, std::int64_t first, std::int64_t last, std::int64_t bytes,
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
  std::unique_ptr<netcdf_file> created;
  status done;
  if (takes_part(*comm, settings))
    done = library.create(opening_for(file, *comm, settings, notes), created);
  done = agree(*comm, done);
  if (done.ok() && settings.pattern != write_pattern::serial)
    done = created->prepare_to_write(comm);
  if (!done.ok()) {
    if (created != nullptr) created->forget();
    return done;
  }
  made = std::make_unique<netcdf_writer>(std::move(created), file, comm, settings, notes,
                                         library.classic);
  return {};
}

status open_netcdf(const netcdf_library& library, const std::string& file,
                   const communicator_ptr& comm, const parallel_settings& settings,
                   parallel_notes& notes, std::unique_ptr<dataset_reader>& made) {
  const auto during = notes.line.during(HR_PHASE_OPEN);
  if (settings.pattern != write_pattern::serial)
    if (status s = check_sieving(*comm, file, false); !s.ok()) return s;
  if (status s = check_readable(*comm, file); !s.ok()) return s;
  std::unique_ptr<netcdf_file> opened;
  status done;
  if (takes_part(*comm, settings))
    done = library.open(opening_for(file, *comm, settings, notes), opened);
  if (status s = agree(*comm, done); !s.ok()) return s;
  return netcdf_reader::make(std::move(opened), file, comm, settings, notes, made);
}

bool is_classic_netcdf(const communicator& comm, const std::string& file) {
  std::int64_t found = 0;
  if (comm.rank() == 0) {
    positioned_file probe;
    std::array<char, 3> magic{};
    const bool read = probe.open_to_read(file).ok() && probe.read_at(0, magic.data(), 3).ok();
    found = read && std::memcmp(magic.data(), "CDF", 3) == 0 ? 1 : 0;
  }
  broadcast(comm, 0, found);
  return found != 0;
}

}  // namespace headrace
