#include "collective_cycles.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>

#include "../disk/hints.hpp"
#include "../disk/library_files.hpp"
#include "../together/mpi_io_module.hpp"

namespace headrace {
namespace {

std::string hint_in(MPI_Info info, const char* name) {
  std::array<char, MPI_MAX_INFO_VAL + 1> value{};
  int exists = 0;
  if (info == MPI_INFO_NULL) return "";
  MPI_Info_get(info, name, MPI_MAX_INFO_VAL, value.data(), &exists);
  return exists != 0 ? value.data() : "";
}

std::int64_t number_in(MPI_Info info, const char* name, std::int64_t otherwise) {
  const std::int64_t number = std::strtoll(hint_in(info, name).c_str(), nullptr, 10);
  return number > 0 ? number : otherwise;
}

// What MPI-IO has in force, as it tells; Open MPI repeats only what was asked.
struct cycle_hints {
  std::string writes_together = "automatic";  // "": MPI-IO tells nothing that we know
  std::string reads_together = "automatic";
  std::int64_t buffer = std::int64_t{16} << 20;
  std::int64_t aggregators = 1;
  std::int64_t stripe = 0;
};

// OMPIO has 32 MiB for each of its aggregators, whose number it does not tell, and may work in
// halves of them.
cycle_hints ompio_hints_in(MPI_Info info) {
  cycle_hints found;
  found.buffer = (number_in(info, "cb_buffer_size", 2 * found.buffer) + 1) / 2;
  return found;
}

cycle_hints cycle_hints_in(MPI_Info info, int machines) {
  const std::string& module = open_mpi_io_module();
  if (module.rfind("ompio", 0) == 0) return ompio_hints_in(info);
  cycle_hints found;
  const std::string together = hint_in(info, "romio_cb_write");
  if (module.empty() || !together.empty()) found.writes_together = together;
  const std::string reads = hint_in(info, "romio_cb_read");
  if (module.empty() || !reads.empty()) found.reads_together = reads;
  found.buffer = number_in(info, "cb_buffer_size", found.buffer);
  found.aggregators = number_in(info, "cb_nodes", machines);
  found.stripe = number_in(info, "striping_unit", 0);
  // One for each machine at most, unless cb_config_list says more.
  if (!module.empty()) found.aggregators = std::min<std::int64_t>(found.aggregators, machines);
  return found;
}

// Elements before the first one, or up to the last one, of a block in the order of the file.
std::int64_t place_of(const index_list& index, const box& global) {
  std::int64_t place = 0;
  for (auto d = static_cast<std::size_t>(global.array_rank); d-- > 0;)
    place = place * global.count[d] + index[d];
  return place;
}

// ROMIO's own question (ADIOI_GEN_WriteStridedColl): does an MPI rank begin before the one before
// it ends? If none does, they write independently unless the hints want otherwise.
bool is_interleaved(const array_layout& layout) {
  std::int64_t last_before = -1;
  for (int rank = 0; rank < layout.comm().size(); ++rank) {
    const box& block = layout.block(rank);
    if (is_empty(block)) continue;
    index_list last = block.start;
    for (std::size_t d = 0; d < static_cast<std::size_t>(block.array_rank); ++d)
      last[d] += block.count[d] - 1;
    if (place_of(block.start, layout.global()) <= last_before) return true;
    last_before = place_of(last, layout.global());
  }
  return false;
}

collective_calls write_calls(const array_layout& layout, bool is_generic,
                             const cycle_hints& hints) {
  const std::string& together = hints.writes_together;
  if (together.empty() || !is_generic) return {};
  if (together == "disable" || (together != "enable" && !is_interleaved(layout))) return {true, 0};
  constexpr std::int64_t most = std::int64_t{1} << 30;  // counts of calls are int
  // The parts of aggregators end at stripes, so one may be a stripe longer than its share.
  const std::int64_t shares = hints.aggregators * (hints.buffer - hints.stripe);
  return {false, std::min(most, std::max(hints.buffer, shares))};
}

// What MPI ranks could find differently: they may see a file otherwise for a moment after its
// creation, and each has settings of its own.
struct file_facts {
  bool is_generic = false;   // not on Lustre, as MPI rank 0 sees it
  bool can_fail = false;     // in reads: not where the files are in memory, on tmpfs
  bool loses_calls = false;  // OMPIO may report success of calls that failed
};

// Collective, and the first step of those that need it: nothing takes memory before, and what
// prepare() needs afterwards all have or none.
template <class Prepare>
file_facts find_facts(const communicator& comm, const char* file, Prepare prepare) {
  int mine[4] = {0, 0, 0, 0};
  const status prepared = caught([&] {
    mine[2] = mpi_io_may_lose_writes() ? 1 : 0;
    prepare();
    return status();
  });
  mine[3] = prepared.ok() ? 0 : 1;
  if (comm.rank() == 0) {
    mine[0] = lies_on_lustre(file) ? 0 : 1;
    mine[1] = lies_in_memory(file) ? 0 : 1;
  }
  int all[4] = {};
  reduce(comm, mine, all, 4, MPI_INT, MPI_MAX);
  if (all[3] != 0) throw std::bad_alloc();  // on all: they leave together
  return {all[0] != 0, all[1] != 0, all[2] != 0};
}

}  // namespace

bool must_look_before_reads(const communicator& comm, const char* file) {
  const file_facts facts = find_facts(comm, file, [] {});
  return facts.loses_calls && facts.can_fail;
}

collective_calls calls_that_end(const array_layout& layout, const char* file, MPI_Info in_force) {
  cycle_hints hints;
  const file_facts facts = find_facts(
      layout.comm(), file, [&] { hints = cycle_hints_in(in_force, layout.comm().machines()); });
  collective_calls calls = write_calls(layout, facts.is_generic, hints);
  const std::string& together = hints.reads_together;
  calls.read_apart = together == "disable" ||
                     (!together.empty() && together != "enable" && !is_interleaved(layout));
  calls.look_before_reads = (!calls.read_apart || facts.loses_calls) && facts.can_fail;
  return calls;
}

collective_calls calls_that_end(const array_layout& layout, const char* file, MPI_File opened) {
  MPI_Info info = MPI_INFO_NULL;
  if (MPI_File_get_info(opened, &info) != MPI_SUCCESS) info = MPI_INFO_NULL;
  const info_owner owner(info);
  return calls_that_end(layout, file, info);
}

}  // namespace headrace
