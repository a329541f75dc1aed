// CDF-5 files, the classic form of NetCDF without its limits of size. It reads CDF-1 and CDF-2 as
// well. PnetCDF writes and reads the header, on MPI rank 0 alone; where arrays and records lie
// follows from it. Next: definitions.hpp, contents.hpp.
#include "../../dataset/described.hpp"
#include "../../disk/library_files.hpp"
#include "definitions.hpp"
#include "library.hpp"
#include "pnetcdf_file.hpp"

namespace headrace::netcdf {
namespace {

constexpr netcdf_library library = {true, pnetcdf_file::make};
constexpr definer by_root = {true, true, true};

opening opening_of(const std::string& file, const parallel_settings& settings) {
  opening how;
  how.path = file;
  const auto reserve = settings.hints.find(reserve_hint);
  if (reserve != settings.hints.end()) how.hints.insert(*reserve);
  return how;
}

status create(const std::string& file, const communicator_ptr& comm,
              const parallel_settings& settings, parallel_notes& notes,
              std::unique_ptr<dataset_writer>& made) {
  if (settings.transfer == transfer_way::library)
    return create_by_library(library, file, comm, settings, notes, made);
  const auto make = [&](std::unique_ptr<file_description>& description,
                        std::vector<catalogue_array>&) {
    const opening how = opening_of(file, settings);
    std::shared_ptr<library_file> created = pnetcdf_file::make(how);
    if (status s = created->create(how); !s.ok()) return s;
    if (!how.hints.empty())
      notes.hints.in_force[reserve_hint] =
          std::to_string(pnetcdf_file::header_reserve(settings.hints));
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
    if (status s = check_writable(file); !s.ok()) return s;  // PnetCDF does not say why
    opening how = opening_of(file, settings);
    how.appends = true;
    std::shared_ptr<library_file> opened = pnetcdf_file::make(how);
    if (status s = opened->open(how); !s.ok()) return s;
    auto old = std::make_unique<definitions>(file, std::move(opened), by_root);
    if (status s = old->adopt(found); !s.ok()) return s;
    description = std::move(old);
    return status();
  };
  return append_described(file, comm, settings, notes, make, made);
}

status open(const std::string& file, const communicator_ptr& comm,
            const parallel_settings& settings, parallel_notes& notes,
            std::unique_ptr<dataset_reader>& made) {
  const bool own = settings.transfer != transfer_way::library;
  if (!own && settings.pattern != write_pattern::serial)
    return open_by_library(library, file, comm, settings, notes, made);
  const auto open_one = [file, own](std::unique_ptr<described_file>& opened) {
    return open_contents(library, file, own, opened);
  };
  return open_described(file, comm, settings, notes, open_one, made);
}

}  // namespace
}  // namespace headrace::netcdf

namespace headrace {

const backend pnetcdf_backend = {
    "pnetcdf",
    netcdf::abilities,
    write_pattern::shared_collective,
    transfer_way::headrace,
    nullptr,
    netcdf::create,
    netcdf::open,
    netcdf::append,
};

}  // namespace headrace
