// The hints of MPI-IO that are known, and which library looks each of them up.
#pragma once

#include <cstdint>
#include <string_view>

namespace headrace {

enum hint_taker : unsigned {
  takes_ompio = 1,     // Open MPI 4 and 5: strings of libmca_common_ompio, and fs_lustre's source
  takes_romio = 2,     // MPICH, and Open MPI with io=romio...: names of ad_hints.c
  takes_cray = 4,      // HPE Cray MPICH: its manual page intro_mpi; not tried by this project
  takes_headrace = 8,  // our own exchange and formats
  takes_pnetcdf = 16,
};

struct mpi_hint {
  std::string_view name;   // of a literal, which ends with a zero byte
  unsigned takers;         // 0: it is known, and nobody's values of it are judged
  std::string_view words;  // that it may be, with blanks between them; empty: anything
  // Of a hint that counts or measures: the numbers that mean something. Words otherwise: both 0.
  std::int64_t least;
  std::int64_t most;

  constexpr bool is_number() const noexcept { return most != 0; }
};

// One after the other from number 0 on; null after the last.
const mpi_hint* mpi_hint_at(int number) noexcept;

// Null if no library looks up this name.
const mpi_hint* find_mpi_hint(std::string_view name) noexcept;

// Whether a library looks up the hint, and can make sense of a value that is a word.
bool takes_hint(hint_taker who, std::string_view name, std::string_view value) noexcept;

}  // namespace headrace
