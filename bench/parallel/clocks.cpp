#include "clocks.hpp"

#include <algorithm>

#include "recorder.hpp"

namespace headrace::bench {
namespace {

constexpr int rounds = 20;
constexpr int tag = 11;

// Asks MPI rank 0 for its time.
double ask(MPI_Comm comm) {
  double best = 1e9;
  double offset = 0;
  for (int round = 0; round < rounds; ++round) {
    double theirs = 0;
    const double begin = now();
    MPI_Sendrecv(&begin, 1, MPI_DOUBLE, 0, tag, &theirs, 1, MPI_DOUBLE, 0, tag, comm,
                 MPI_STATUS_IGNORE);
    const double end = now();
    if (end - begin >= best) continue;
    best = end - begin;
    offset = theirs - 0.5 * (begin + end);
  }
  return offset;
}

void tell(MPI_Comm comm, int other) {
  for (int round = 0; round < rounds; ++round) {
    double theirs = 0;
    MPI_Recv(&theirs, 1, MPI_DOUBLE, other, tag, comm, MPI_STATUS_IGNORE);
    const double mine = now();
    MPI_Send(&mine, 1, MPI_DOUBLE, other, tag, comm);
  }
}

}  // namespace

double learn_clock_offset(const world& all) {
  if (all.nodes == 1) return 0;
  double offset = 0;
  for (int node = 1; node < all.nodes; ++node) {
    const auto first = std::find(all.node_of.begin(), all.node_of.end(), node);
    const int leader = static_cast<int>(first - all.node_of.begin());
    if (all.rank == 0) tell(all.comm, leader);
    if (all.rank == leader) offset = ask(all.comm);
  }
  MPI_Bcast(&offset, 1, MPI_DOUBLE, 0, all.node);
  return offset;
}

}  // namespace headrace::bench
