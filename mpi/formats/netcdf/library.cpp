#include "library.hpp"

#include <algorithm>

#include "../../disk/library_files.hpp"
#include "../../disk/positioned_file.hpp"
#include "../../together/library_words.hpp"
#include "contents.hpp"
#include "definitions.hpp"

namespace headrace::netcdf {
namespace {

// Of HDF5 within NetCDF-4, and of MPI-IO within PnetCDF: not of the arguments.
bool is_of_the_system(int code) noexcept {
  constexpr int hdf5_error = -101;
  constexpr int first_of_files = -201;
  constexpr int last_of_files = -225;
  return code == hdf5_error || (code <= first_of_files && code >= last_of_files);
}

// comm: null for one MPI rank alone.
opening opening_for(const dataset_opening& how, const communicator_ptr& comm) {
  opening made;
  made.path = how.file;
  made.parallel = comm != nullptr;
  if (made.parallel) made.comm = comm->handle();
  made.hints = how.settings.hints;
  made.found = &how.notes.hints;
  return made;
}

// Not collective: that what most headers lie in can be read. The libraries have no errno for it,
// and OMPIO reports success of reads that failed.
status check_both_ends(const std::string& file) {
  constexpr std::int64_t most = std::int64_t{256} << 10;  // as PnetCDF reads at once
  positioned_file both;
  std::int64_t size = 0;
  status found = check_not_empty(file);
  if (found.ok()) found = both.open_to_read(file);
  if (found.ok()) found = both.size(size);
  const std::int64_t bytes = std::min(size, most);
  std::vector<char> part(static_cast<std::size_t>(bytes));
  if (found.ok()) found = both.read_at(0, part.data(), bytes);
  if (found.ok()) found = both.read_at(size - bytes, part.data(), bytes);
  return found;
}

// For own transfer, of MPI rank 0.
opening opening_alone(const netcdf_library& library, const dataset_opening& all) {
  opening how;
  how.path = all.file;
  const auto hint = library.own_hint == nullptr ? all.settings.hints.end()
                                                : all.settings.hints.find(library.own_hint);
  if (hint != all.settings.hints.end()) how.hints.insert(*hint);
  return how;
}

// What MPI rank 0, or another one, reads by itself. own: says where arrays lie.
status open_contents(const netcdf_library& library, const std::string& file, bool own,
                     std::unique_ptr<described_file>& made) {
  if (status s = check_both_ends(file); !s.ok()) return s;
  opening how;
  how.path = file;
  std::shared_ptr<library_file> opened = own ? library.make_own(how) : library.make(how);
  if (status s = opened->open(how); !s.ok()) return s;
  auto read = std::make_unique<contents>(file, std::move(opened), own);
  if (status s = read->learn(); !s.ok()) return s;
  made = std::move(read);
  return {};
}

}  // namespace

status library_failure(int code, const char* words, const std::string& what) {
  const int left = disk_error_in_errno();
  // NetCDF-4 takes every failure of HDF5 to create a file for one of permissions.
  if (left != 0 && (code > 0 || is_of_the_system(code))) return status::system(left, what);
  if (code > 0) return status::system(code, what);
  if (const int error = error_in_words(words); error > 0) return status::system(error, what);
  status failed = status::failure(stat_code::library_failed, what + ": " + words);
  if (code != bad_name) return failed;
  return std::move(failed).advise(
      "a name is UTF-8, begins with a letter, a digit or _ (or a character beyond ASCII), has no "
      "slash and no control character, and does not end with a blank");
}

status create(const netcdf_library& library, const dataset_opening& how,
              std::unique_ptr<dataset_writer>& made) {
  const auto make_together = [&](const communicator_ptr& comm,
                                 std::unique_ptr<library_description>& description) {
    opening together;
    std::shared_ptr<library_file> file;
    const status ready = agreed(comm.get(), [&] {
      together = opening_for(how, comm);
      file = library.make(together);
      description = std::make_unique<definitions>(how.file, file, library.classic, false, comm);
      return status();
    });
    return ready.ok() ? file->create(together) : ready;
  };
  if (how.settings.transfer == transfer_way::library)
    return create_by_library(how, make_together, made);
  const auto make = [&](std::unique_ptr<file_description>& description,
                        std::vector<catalogue_array>&) {
    const opening alone = opening_alone(library, how);
    std::shared_ptr<library_file> created = library.make_own(alone);
    if (status s = created->create(alone); !s.ok()) return s;
    for (const auto& [name, value] : alone.hints)
      how.notes.hints.in_force[name] = std::to_string(created->header_reserve());
    description =
        std::make_unique<definitions>(how.file, std::move(created), library.classic, true);
    return status();
  };
  return create_described(how, make, made);
}

status append(const netcdf_library& library, const dataset_opening& how,
              std::unique_ptr<dataset_writer>& made) {
  const auto make = [&](std::unique_ptr<file_description>& description,
                        std::vector<catalogue_array>& found) {
    if (status s = check_both_ends(how.file); !s.ok()) return s;
    if (status s = library.check_growing(how.file); !s.ok()) return s;
    opening alone = opening_alone(library, how);
    alone.appends = true;
    std::shared_ptr<library_file> opened = library.make_own(alone);
    if (status s = opened->open(alone); !s.ok()) return s;
    auto old = std::make_unique<definitions>(how.file, std::move(opened), library.classic, true);
    if (status s = old->adopt(found); !s.ok()) return s;
    description = std::move(old);
    return status();
  };
  return append_described(how, make, made);
}

status open(const netcdf_library& library, const dataset_opening& how,
            std::unique_ptr<dataset_reader>& made) {
  const bool own = how.settings.transfer != transfer_way::library;
  const bool together = !own && how.settings.pattern != write_pattern::serial;
  const auto open_alone = [&library, file = how.file,
                           own = own || together](std::unique_ptr<described_file>& opened) {
    return open_contents(library, file, own, opened);
  };
  const auto open_together = [&](const communicator_ptr& comm,
                                 std::unique_ptr<library_source>& opened) {
    opening all;
    std::shared_ptr<library_file> file;
    std::unique_ptr<contents> one;
    status done = agreed(comm.get(), [&] {
      all = opening_for(how, comm);
      file = library.make(all);
      one = std::make_unique<contents>(how.file, file, false, comm);
      return status();
    });
    if (done.ok()) done = agreed(comm.get(), [&] { return file->open(all); });
    if (done.ok()) done = agreed(comm.get(), [&] { return one->learn(); });
    opened = std::move(one);
    return done;
  };
  if (together) return open_by_library(how, open_together, open_alone, made);
  if (!library.classic)
    if (status s = check_readable(*how.comm, how.file); !s.ok()) return s;
  return open_described(how, open_alone, made);
}

}  // namespace headrace::netcdf
