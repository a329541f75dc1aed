// HDF5 files, parallel. Two ways lead to the same file: our own exchange and pwrite (transfer
// "headrace"), or the library's parallel calls (transfer "library"). Next: hdf5/writer.cpp,
// hdf5/reader.cpp.
#include "reader.hpp"
#include "writer.hpp"

namespace headrace {
namespace {

status create_hdf5(const std::string& file, const communicator_ptr& comm,
                   const parallel_settings& settings, parallel_notes& notes,
                   std::unique_ptr<dataset_writer>& made) {
  auto writer = std::make_unique<hdf5_writer>(file, comm, settings, notes);
  if (status s = writer->create(); !s.ok()) return s;
  made = std::move(writer);
  return {};
}

status open_hdf5(const std::string& file, const communicator_ptr& comm,
                 const parallel_settings& settings, parallel_notes& notes,
                 std::unique_ptr<dataset_reader>& made) {
  std::unique_ptr<hdf5_reader> reader;
  const status ready = agree_on(*comm, [&] {
    reader = std::make_unique<hdf5_reader>(file, comm, settings, notes);
    return status();
  });
  if (!ready.ok()) return ready;
  if (status s = reader->open(); !s.ok()) return s;
  made = std::move(reader);
  return {};
}

}  // namespace

const backend hdf5_backend = {"hdf5",
                              can_serial | can_shared_independent | can_shared_collective |
                                  can_own_transfer | can_library_transfer | can_many_arrays |
                                  takes_any_hint,
                              write_pattern::shared_collective,
                              transfer_way::headrace,
                              nullptr,
                              create_hdf5,
                              open_hdf5};

}  // namespace headrace
