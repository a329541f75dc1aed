// All MPI ranks of this run, and the machines they stand on.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "outcome.hpp"

namespace headrace::bench {

struct world {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 1;
  MPI_Comm node = MPI_COMM_NULL;  // the MPI ranks on this machine
  int node_rank = 0;
  int nodes = 1;
  std::vector<int> node_of;        // of every MPI rank, from 0
  std::vector<std::string> hosts;  // of every node
};

world learn_world(MPI_Comm comm);

// The groups that count as nodes, of every MPI rank: nodes, cut into groups of node_size MPI ranks
// (0: not cut).
std::vector<int> node_groups(const world& all, int node_size);

// Collective: the failure of the lowest MPI rank that has one, on all of them, with that rank
// named.
outcome agree(const world& all, const outcome& mine);

// Collective, without using the processor while MPI rank 0 has nothing to say: text of MPI rank 0.
void broadcast_gently(const world& all, std::string& text);

// Collective: the texts of all MPI ranks, on MPI rank 0.
std::vector<std::string> gather_texts(const world& all, const std::string& mine);

// Text of an error code of MPI.
outcome mpi_outcome(int code, const std::string& what);

}  // namespace headrace::bench
