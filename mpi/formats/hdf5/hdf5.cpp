// HDF5 files, parallel. Two ways lead to the same file: our own exchange and pwrite (transfer
// "headrace"), for which MPI rank 0 describes the file, or the library's parallel calls (transfer
// "library"). Next: definitions.hpp, contents.hpp.
#include "contents.hpp"
#include "definitions.hpp"

namespace headrace::hdf5 {
namespace {

status create(const dataset_opening& how, std::unique_ptr<dataset_writer>& made) {
  const auto make_together = [&](const communicator_ptr& comm,
                                 std::unique_ptr<library_description>& description) {
    auto one = std::make_unique<definitions>(how, comm);
    definitions& opened = *one;
    description = std::move(one);
    return opened.create(false);
  };
  if (how.settings.transfer == transfer_way::library)
    return create_by_library(how, make_together, made);
  const auto make = [&](std::unique_ptr<file_description>& description,
                        std::vector<catalogue_array>&) {
    auto one = std::make_unique<definitions>(how);
    status created = one->create(true);
    description = std::move(one);
    return created;
  };
  return create_described(how, make, made);
}

status append(const dataset_opening& how, std::unique_ptr<dataset_writer>& made) {
  const auto make = [&](std::unique_ptr<file_description>& description,
                        std::vector<catalogue_array>& found) {
    auto one = std::make_unique<definitions>(how);
    status opened = one->append(found);
    description = std::move(one);
    return opened;
  };
  return append_described(how, make, made);
}

status open(const dataset_opening& how, std::unique_ptr<dataset_reader>& made) {
  const bool own = how.settings.transfer != transfer_way::library;
  const auto open_alone = [file = how.file, own](std::unique_ptr<described_file>& opened) {
    auto one = std::make_unique<contents>(file, nullptr, own);
    status done = one->open();
    opened = std::move(one);
    return done;
  };
  if (own || how.settings.pattern == write_pattern::serial)
    return open_described(how, open_alone, made);
  const auto open_together = [&](const communicator_ptr& comm,
                                 std::unique_ptr<library_source>& opened) {
    auto one = std::make_unique<contents>(how.file, comm);
    status done = one->open(how.settings.hints, &how.notes.hints);
    opened = std::move(one);
    return done;
  };
  return open_by_library(how, open_together, open_alone, made);
}

}  // namespace
}  // namespace headrace::hdf5

namespace headrace {

const backend hdf5_backend = {"hdf5",
                              can_serial | can_shared_independent | can_shared_collective |
                                  can_own_transfer | can_library_transfer | can_many_arrays |
                                  takes_any_hint | can_append | can_keep,
                              write_pattern::shared_collective,
                              transfer_way::headrace,
                              nullptr,
                              hdf5::create,
                              hdf5::open,
                              hdf5::append};

}  // namespace headrace
