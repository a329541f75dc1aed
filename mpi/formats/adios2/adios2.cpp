// ADIOS2's BP5 and BP4: a store is a directory to which every MPI rank writes its own bytes. Next:
// adios2/writer.cpp.
#include "reader.hpp"
#include "writer.hpp"

namespace headrace {
namespace {

status create(const std::string& file, const communicator_ptr& comm,
              const parallel_settings& settings, parallel_notes& notes,
              std::unique_ptr<dataset_writer>& made) {
  const auto during = notes.line.during(HR_PHASE_OPEN);
  auto writer = std::make_unique<adios2_writer>(file, comm, settings, notes);
  if (status s = writer->open(); !s.ok()) return s;
  made = std::move(writer);
  return {};
}

status open(const std::string& file, const communicator_ptr& comm,
            const parallel_settings& settings, parallel_notes& notes,
            std::unique_ptr<dataset_reader>& made) {
  const auto during = notes.line.during(HR_PHASE_OPEN);
  auto reader = std::make_unique<adios2_reader>(file, comm, settings, notes);
  if (status s = reader->open(); !s.ok()) return s;
  made = std::move(reader);
  return {};
}

}  // namespace

const backend adios2_backend = {
    "adios2",
    can_serial | can_file_per_process | can_file_per_node | can_library_transfer | is_a_directory |
        can_many_arrays | takes_any_hint,
    write_pattern::file_per_process,
    transfer_way::library,
    nullptr,
    create,
    open,
};

}  // namespace headrace
