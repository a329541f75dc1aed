// Zarr v3 stores: a directory for each array, its description in zarr.json, a file for each chunk
// or shard. Next: zarr/writer.hpp and zarr/reader.hpp.
#include "reader.hpp"
#include "writer.hpp"

namespace headrace {
namespace {

status create_zarr(const std::string& file, const communicator_ptr& comm,
                   const parallel_settings& settings, parallel_notes& notes,
                   std::unique_ptr<dataset_writer>& made) {
  made = std::make_unique<zarr_writer>(file, comm, settings, notes, zarr_plain_file::make);
  return {};
}

status open_zarr(const std::string& file, const communicator_ptr& comm,
                 const parallel_settings& settings, parallel_notes& notes,
                 std::unique_ptr<dataset_reader>& made) {
  auto reader = std::make_unique<zarr_reader>(file, comm, notes, zarr_plain_file::make);
  if (status s = reader->open(); !s.ok()) return s;
  notes.hints.learn(settings.hints, hint_list{});
  made = std::move(reader);
  return {};
}

}  // namespace

const backend zarr_backend = {"zarr",
                              can_serial | can_file_per_process | can_file_per_node |
                                  can_shared_independent | can_shared_collective |
                                  can_own_transfer | is_a_directory | can_checksum | can_compress |
                                  can_many_arrays,
                              write_pattern::file_per_process,
                              transfer_way::headrace,
                              nullptr,
                              create_zarr,
                              open_zarr};

}  // namespace headrace
