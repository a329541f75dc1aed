// MPI-IO moves what a collective write spans in cycles of its aggregators' buffers. An aggregator
// whose write fails leaves the call at once, and when there are more cycles to come, the others
// wait for it for ever (ROMIO; OMPIO after EIO). Calls that need one cycle only end on all MPI
// ranks. They cost a fifth with OMPIO, which would write a cycle while it collects the next: where
// no write can fail (take_room()) a call spans all cycles.
#pragma once

#include <mpi.h>

#include "layouts.hpp"

namespace headrace {

// How the collective write of an array is made, and its collective read.
struct collective_calls {
  // By independent calls: MPI-IO collects nothing where the blocks of the MPI ranks lie one behind
  // the other, or where the hints say so, and only the MPI rank that fails hears of it then, while
  // the others go on to the collective calls of HDF5, or of OMPIO's next cycle.
  bool apart = false;
  // So many bytes of the file may a call span; 0: any number, because the cycles are others
  // (Lustre) or unknown.
  std::int64_t bytes = 0;
  // In reads others wait for an aggregator that fails in any cycle: by independent calls, where
  // MPI-IO collects nothing, and else with a look at the bytes before. Of OMPIO all reads need one,
  // also independent ones.
  bool read_apart = false;
  bool look_before_reads = false;
};

// All collective, and without memory for all where it lacks on one.

// Whether independent reads through MPI-IO need a look at the bytes before: OMPIO
// reports success of reads that failed.
bool must_look_before_reads(const communicator& comm, const char* file);

// in_force: as MPI_File_get_info or a library gives it; it is not freed. The same on all MPI ranks.
collective_calls calls_that_end(const array_layout& layout, const char* file, MPI_Info in_force);
collective_calls calls_that_end(const array_layout& layout, const char* file, MPI_File opened);

}  // namespace headrace
