#include "mpi_hints.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace headrace {
namespace {

// MPI-IO takes an int. It repeats other texts and numbers as if they were in force: OMPIO crashes
// with cb_nodes=0, ROMIO with a cb_buffer_size beyond an int. Lustre knows 0 (the file system's own
// choice) and -1 (all targets, or any).
constexpr std::int64_t any_int = std::numeric_limits<int>::max();
constexpr std::int64_t any_number = std::numeric_limits<std::int64_t>::max();
constexpr unsigned both_romios = takes_romio | takes_cray;
constexpr std::string_view switches = "enable disable automatic";

constexpr mpi_hint word(std::string_view name, unsigned takers, std::string_view words = "") {
  return {name, takers, words, 0, 0};
}

constexpr mpi_hint number(std::string_view name, unsigned takers, std::int64_t least,
                          std::int64_t most = any_int) {
  return {name, takers, "", least, most};
}

constexpr std::array hints = {
    number("cb_nodes", takes_ompio | both_romios | takes_headrace, 1),
    number("cb_buffer_size", takes_ompio | both_romios | takes_headrace, 1),
    word("collective_buffering", takes_ompio, "true false"),
    number("num_io_procs", takes_ompio, 1),
    number("stripe_size", takes_ompio, 0),
    number("stripe_width", takes_ompio, -1),
    word("cb_config_list", both_romios),
    number("ind_rd_buffer_size", both_romios, 1),
    number("ind_wr_buffer_size", both_romios, 1),
    number("striping_factor", both_romios, -1),
    number("striping_unit", both_romios, 0),
    number("start_iodevice", takes_romio, -1),
    word("romio_no_indep_rw", both_romios),
    word("romio_cb_read", both_romios, switches),
    word("romio_cb_write", both_romios, switches),
    word("romio_ds_read", both_romios, switches),
    word("romio_ds_write", both_romios, switches),
    number("cray_cb_nodes_multiplier", takes_cray, 1),
    number("cray_cb_write_lock_mode", takes_cray, 0),
    number("aggregator_placement_stride", takes_cray, -1),
    word("direct_io", takes_cray, "true false"),
    // Known to nobody here, and yet numbers if somebody asks for them.
    number("num_io_nodes", 0, 1),
    number("nb_proc", 0, 1),
    number("hdf5_chunk_bytes", takes_headrace, 1, any_number),
    word("node_writers", takes_headrace, "all leader"),
    number("h_minfree", takes_pnetcdf, 0, any_number),
};

bool is_among(std::string_view words, std::string_view wanted) noexcept {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == wanted) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

const mpi_hint* mpi_hint_at(int number) noexcept {
  const auto place = static_cast<std::size_t>(number);
  return place < hints.size() ? &hints[place] : nullptr;
}

const mpi_hint* find_mpi_hint(std::string_view name) noexcept {
  const auto found = std::find_if(hints.begin(), hints.end(),
                                  [&](const mpi_hint& one) { return one.name == name; });
  return found == hints.end() ? nullptr : found;
}

bool takes_hint(hint_taker who, std::string_view name, std::string_view value) noexcept {
  const mpi_hint* const known = find_mpi_hint(name);
  if (known == nullptr || (known->takers & who) == 0) return false;
  return known->words.empty() || is_among(known->words, value);
}

}  // namespace headrace
