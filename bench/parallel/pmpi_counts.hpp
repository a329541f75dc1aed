// What the methods and the libraries below them ask of MPI-IO, on any MPI: pmpi_counts.cpp stands
// before its functions (MPI's profiling interface) and counts.
#pragma once

#include <array>
#include <cstdint>

#include "mpi_hints.hpp"

namespace headrace::bench {

struct mpi_io_counts {
  enum kinds {
    independent_writes,
    collective_writes,
    independent_reads,
    collective_reads,
    opens,
    bytes_independent,
    bytes_collective,
    number_of_kinds
  };
  std::array<std::int64_t, number_of_kinds> of{};
};
inline constexpr std::array<const char*, mpi_io_counts::number_of_kinds> mpi_io_count_names = {
    "independent_writes", "collective_writes", "independent_reads", "collective_reads", "opens",
    "bytes_independent",  "bytes_collective"};

// Begins at zero again.
void reset_mpi_io_counts();
const mpi_io_counts& present_mpi_io_counts();
// The hints that were in force when this MPI rank last closed a file of MPI-IO.
const hint_map& last_hints_in_force();

}  // namespace headrace::bench
