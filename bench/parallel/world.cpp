#include "world.hpp"

#include <time.h>

#include <algorithm>

namespace headrace::bench {
namespace {

void wait_gently(MPI_Request& request) {
  int done = 0;
  long pause = 1000;
  while (true) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    const timespec time{0, pause};
    nanosleep(&time, nullptr);
    pause = std::min(pause * 2, 1000000L);
  }
}

std::string host_name() {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  MPI_Get_processor_name(name, &length);
  return {name, static_cast<std::size_t>(length)};
}

// Nodes are numbered by their lowest MPI rank.
void number_nodes(world& all) {
  int leader = all.rank;
  MPI_Bcast(&leader, 1, MPI_INT, 0, all.node);
  std::vector<int> leaders(static_cast<std::size_t>(all.size));
  MPI_Allgather(&leader, 1, MPI_INT, leaders.data(), 1, MPI_INT, all.comm);
  std::vector<int> distinct = leaders;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const int each : leaders) {
    const auto found = std::lower_bound(distinct.begin(), distinct.end(), each);
    all.node_of.push_back(static_cast<int>(found - distinct.begin()));
  }
  all.nodes = static_cast<int>(distinct.size());
  const std::vector<std::string> names = gather_texts(all, host_name());
  for (const int each : distinct) {
    if (all.rank == 0) all.hosts.push_back(names[static_cast<std::size_t>(each)]);
  }
}

}  // namespace

world learn_world(MPI_Comm comm) {
  world all;
  all.comm = comm;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm, &all.rank);
  MPI_Comm_size(comm, &all.size);
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, all.rank, MPI_INFO_NULL, &all.node);
  MPI_Comm_rank(all.node, &all.node_rank);
  number_nodes(all);
  return all;
}

std::vector<int> node_groups(const world& all, int node_size) {
  if (node_size <= 0) return all.node_of;
  std::vector<int> members(static_cast<std::size_t>(all.nodes), 0);
  std::vector<std::pair<int, int>> keys;  // node, group within the node
  for (const int node : all.node_of) {
    keys.emplace_back(node, members[static_cast<std::size_t>(node)]++ / node_size);
  }
  std::vector<std::pair<int, int>> distinct = keys;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<int> groups;
  for (const auto& key : keys) {
    const auto found = std::lower_bound(distinct.begin(), distinct.end(), key);
    groups.push_back(static_cast<int>(found - distinct.begin()));
  }
  return groups;
}

outcome agree(const world& all, const outcome& mine) {
  const int candidate = mine.ok() ? all.size : all.rank;
  int failed = all.size;
  MPI_Allreduce(&candidate, &failed, 1, MPI_INT, MPI_MIN, all.comm);
  if (failed == all.size) return {};
  outcome agreed = mine;
  int facts[2] = {mine.code, static_cast<int>(mine.message.size())};
  MPI_Bcast(facts, 2, MPI_INT, failed, all.comm);
  agreed.code = facts[0];
  agreed.message.resize(static_cast<std::size_t>(facts[1]));
  MPI_Bcast(agreed.message.data(), facts[1], MPI_CHAR, failed, all.comm);
  if (agreed.message.rfind("MPI rank ", 0) != 0) {
    agreed.message.insert(0, "MPI rank " + std::to_string(failed) + ": ");
  }
  return agreed;
}

void broadcast_gently(const world& all, std::string& text) {
  int length = static_cast<int>(text.size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&length, 1, MPI_INT, 0, all.comm, &request);
  wait_gently(request);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, all.comm);
}

std::vector<std::string> gather_texts(const world& all, const std::string& mine) {
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(all.size));
  MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, all.comm);
  std::vector<int> offsets;
  int total = 0;
  for (const int each : lengths) {
    offsets.push_back(total);
    total += each;
  }
  std::string together(static_cast<std::size_t>(all.rank == 0 ? total : 0), ' ');
  MPI_Gatherv(mine.data(), length, MPI_CHAR, together.data(), lengths.data(), offsets.data(),
              MPI_CHAR, 0, all.comm);
  std::vector<std::string> texts;
  for (std::size_t rank = 0; all.rank == 0 && rank < lengths.size(); ++rank) {
    texts.push_back(together.substr(static_cast<std::size_t>(offsets[rank]),
                                    static_cast<std::size_t>(lengths[rank])));
  }
  return texts;
}

outcome mpi_outcome(int code, const std::string& what) {
  if (code == MPI_SUCCESS) return {};
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  int kind = MPI_ERR_OTHER;
  MPI_Error_string(code, text, &length);
  MPI_Error_class(code, &kind);
  const bool no_space = kind == MPI_ERR_NO_SPACE || kind == MPI_ERR_QUOTA;
  return failure(no_space ? 28 : library_failed,
                 what + ": MPI reports error " + std::to_string(kind) + ", " + std::string(text));
}

}  // namespace headrace::bench
