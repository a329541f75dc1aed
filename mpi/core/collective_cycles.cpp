#include "collective_cycles.hpp"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "mpi_io_module.hpp"

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

bool is_lustre(const std::string& file) noexcept {
  constexpr unsigned long lustre = 0x0BD00BD0;
  struct statfs found {};
  return ::statfs(file.c_str(), &found) == 0 && static_cast<unsigned long>(found.f_type) == lustre;
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

collective_calls write_calls(const array_layout& layout, const std::string& file,
                             const cycle_hints& hints) {
  const std::string& together = hints.writes_together;
  if (together.empty()) return {};
  // MPI ranks may see a file differently for a moment after its creation.
  std::int64_t is_generic = layout.comm().rank() == 0 && !is_lustre(file) ? 1 : 0;
  broadcast(layout.comm(), 0, is_generic);
  if (is_generic == 0) return {};
  if (together == "disable" || (together != "enable" && !is_interleaved(layout))) return {true, 0};
  constexpr std::int64_t most = std::int64_t{1} << 30;  // counts of calls are int
  // The parts of aggregators end at stripes, so one may be a stripe longer than its share.
  const std::int64_t shares = hints.aggregators * (hints.buffer - hints.stripe);
  return {false, std::min(most, std::max(hints.buffer, shares))};
}

// Collective. Not where the files are in memory, on tmpfs. MPI ranks may see a file differently for
// a moment after its creation.
bool can_fail_to_read(const communicator& comm, const std::string& file) {
  struct statfs found {};
  std::int64_t can_fail = 1;
  if (comm.rank() == 0 && ::statfs(file.c_str(), &found) == 0)
    can_fail = static_cast<unsigned long>(found.f_type) == TMPFS_MAGIC ? 0 : 1;
  broadcast(comm, 0, can_fail);
  return can_fail != 0;
}

}  // namespace

bool must_look_before_reads(const communicator& comm, const std::string& file) {
  return mpi_io_may_lose_writes() && can_fail_to_read(comm, file);
}

collective_calls calls_that_end(const array_layout& layout, const std::string& file,
                                MPI_Info in_force) {
  const cycle_hints hints = cycle_hints_in(in_force, layout.comm().machines());
  collective_calls calls = write_calls(layout, file, hints);
  const std::string& together = hints.reads_together;
  calls.read_apart = together == "disable" ||
                     (!together.empty() && together != "enable" && !is_interleaved(layout));
  calls.look_before_reads =
      (!calls.read_apart || mpi_io_may_lose_writes()) && can_fail_to_read(layout.comm(), file);
  return calls;
}

collective_calls calls_that_end(const array_layout& layout, const std::string& file,
                                MPI_File opened) {
  MPI_Info info = MPI_INFO_NULL;
  if (MPI_File_get_info(opened, &info) != MPI_SUCCESS) info = MPI_INFO_NULL;
  const collective_calls calls = calls_that_end(layout, file, info);
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
  return calls;
}

}  // namespace headrace
