#include "communicator.hpp"

#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include "mpi_io_module.hpp"

namespace headrace {
namespace {

// HEADRACE_NODE_SIZE, 0 when it is not set.
int wanted_node_size() noexcept {
  const char* const text = std::getenv("HEADRACE_NODE_SIZE");
  return text == nullptr ? 0 : std::atoi(text);
}

bool is_usable() noexcept {
  int begun = 0;
  int ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun != 0 && ended == 0;
}

// Open MPI lets MPI ranks that wait give way by itself.
bool shares_processors(int machine_size) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  return machine_size > ::sysconf(_SC_NPROCESSORS_ONLN) &&
         std::string(version).rfind("Open MPI", 0) != 0;
}

void wait_and_give_way(MPI_Request request) {
  int done = 0;
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) ::sched_yield();
}

}  // namespace

communicator::~communicator() {
  if (!is_usable()) return;  // MPI_Finalize has freed them
  if (node_ != MPI_COMM_NULL) MPI_Comm_free(&node_);
  if (handle_ != MPI_COMM_NULL) MPI_Comm_free(&handle_);
}

status communicator::duplicate(MPI_Comm users, std::shared_ptr<const communicator>& made) {
  if (!is_usable())
    return status::failure(stat_code::argument_invalid, "MPI is not running")
        .advise("call MPI_Init before, and MPI_Finalize after all parallel arrays");
  int is_inter = 0;
  if (users != MPI_COMM_NULL) MPI_Comm_test_inter(users, &is_inter);
  if (users == MPI_COMM_NULL || is_inter != 0)
    return status::failure(stat_code::argument_invalid, users == MPI_COMM_NULL
                                                            ? "the communicator is MPI_COMM_NULL"
                                                            : "this is an intercommunicator")
        .advise("pass a communicator whose MPI ranks all make this call");
  avoid_unsafe_sieving();
  const std::shared_ptr<communicator> own(new communicator());
  if (const int code = MPI_Comm_dup(users, &own->handle_); code != MPI_SUCCESS)
    return mpi_failure(code, "cannot duplicate the communicator");
  MPI_Comm_set_errhandler(own->handle_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(own->handle_, &own->rank_);
  MPI_Comm_size(own->handle_, &own->size_);
  if (status s = own->learn_nodes(); !s.ok()) return s;
  made = own;
  return {};
}

status communicator::learn_nodes() {
  MPI_Comm shared = MPI_COMM_NULL;
  int code = MPI_Comm_split_type(handle_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &shared);
  if (code != MPI_SUCCESS) return mpi_failure(code, "cannot find the MPI ranks of a node");
  int place = 0;
  MPI_Comm_rank(shared, &place);
  int machine_size = 0;
  MPI_Comm_size(shared, &machine_size);
  const int size = wanted_node_size();
  code = MPI_Comm_split(shared, size > 0 ? place / size : 0, rank_, &node_);
  MPI_Comm_free(&shared);
  if (code != MPI_SUCCESS) return mpi_failure(code, "cannot find the MPI ranks of a node");
  MPI_Comm_set_errhandler(node_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(node_, &node_rank_);
  MPI_Comm_size(node_, &node_size_);
  struct place_of_rank {
    int leader;
    int is_first_of_machine;
    int crowds;
  } own = {rank_, place == 0 ? 1 : 0, shares_processors(machine_size) ? 1 : 0};
  MPI_Bcast(&own.leader, 1, MPI_INT, 0, node_);
  std::vector<place_of_rank> of_rank(static_cast<std::size_t>(size_));
  MPI_Allgather(&own, 3, MPI_INT, of_rank.data(), 3, MPI_INT, handle_);
  std::map<int, int> node_of_leader;  // leaders come in ascending order
  std::vector<int> found;
  machines_ = 0;
  for (const auto& [first, is_first_of_machine, crowds] : of_rank) {
    machines_ += is_first_of_machine;
    crowded_ = crowded_ || crowds != 0;
    const auto [entry, is_new] = node_of_leader.try_emplace(first, static_cast<int>(found.size()));
    const auto node = static_cast<std::size_t>(entry->second);
    if (is_new) {
      leaders_.push_back(first);
      found.push_back(0);
    }
    node_of_.push_back(entry->second);
    place_.push_back(found[node]++);
  }
  nodes_ = static_cast<int>(leaders_.size());
  return {};
}

bool communicator::same_ranks(const communicator& other) const {
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(handle_, other.handle_, &result);
  return result == MPI_IDENT || result == MPI_CONGRUENT;
}

status no_memory() {
  return status::system(ENOMEM, "no memory left for a buffer");
}

status mpi_failure(int code, const std::string& what) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  return status::failure(stat_code::library_failed, what + ": " + text);
}

namespace {

void reduce_over(MPI_Comm which, bool is_crowded, const void* own, void* all, int count,
                 MPI_Datatype type, MPI_Op operation) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (!is_crowded)
    MPI_Allreduce(own, all, count, type, operation, which);
  else if (MPI_Iallreduce(own, all, count, type, operation, which, &request) == MPI_SUCCESS)
    wait_and_give_way(request);
}

}  // namespace

void reduce(const communicator& comm, const void* own, void* all, int count, MPI_Datatype type,
            MPI_Op operation) {
  reduce_over(comm.handle(), comm.is_crowded(), own, all, count, type, operation);
}

void reduce_on_node(const communicator& comm, const void* own, void* all, int count,
                    MPI_Datatype type, MPI_Op operation) {
  reduce_over(comm.node(), comm.is_crowded(), own, all, count, type, operation);
}

void barrier_on_node(const communicator& comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (!comm.is_crowded())
    MPI_Barrier(comm.node());
  else if (MPI_Ibarrier(comm.node(), &request) == MPI_SUCCESS)
    wait_and_give_way(request);
}

void copy_from(const communicator& comm, int root, void* data, int count, MPI_Datatype type) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (!comm.is_crowded())
    MPI_Bcast(data, count, type, root, comm.handle());
  else if (MPI_Ibcast(data, count, type, root, comm.handle(), &request) == MPI_SUCCESS)
    wait_and_give_way(request);
}

void broadcast(const communicator& comm, int root, std::string& text) {
  auto length = static_cast<std::int64_t>(text.size());
  broadcast(comm, root, length);
  text.resize(static_cast<std::size_t>(length));
  copy_from(comm, root, text.data(), static_cast<int>(length), MPI_CHAR);
}

void broadcast(const communicator& comm, int root, std::int64_t& number) {
  copy_from(comm, root, &number, 1, MPI_INT64_T);
}

void broadcast(const communicator& comm, int root, std::vector<std::int64_t>& numbers) {
  auto length = static_cast<std::int64_t>(numbers.size());
  broadcast(comm, root, length);
  numbers.resize(static_cast<std::size_t>(length));
  copy_from(comm, root, numbers.data(), static_cast<int>(length), MPI_INT64_T);
}

namespace {

// Where an MPI rank agrees; the lowest of all is known afterwards.
enum stage : int { at_the_end = 0, on_the_way = 1, left_alone = 2 };

status agreement(const communicator& comm, const status& mine, int& stage_of_all) {
  // The lowest MPI rank that failed: one small reduction when all is well.
  const int own[2] = {mine.ok() ? INT_MAX : comm.rank(), stage_of_all};
  int lowest[2] = {};
  reduce(comm, own, lowest, 2, MPI_INT, MPI_MIN);
  stage_of_all = lowest[1];
  const int first = lowest[0];
  if (first == INT_MAX) return {};
  const bool is_mine = comm.rank() == first;
  // What several have alike, such as a file that is missing for all, needs no MPI rank.
  std::string text = is_mine ? mine.message() : "";
  std::int64_t code = mine.code();
  broadcast(comm, first, code);
  broadcast(comm, first, text);
  int same = mine.code() == static_cast<int>(code) && mine.message() == text ? 1 : 0;
  int all_same = 0;
  reduce(comm, &same, &all_same, 1, MPI_INT, MPI_MIN);
  if (all_same != 0) return mine;
  return status::passed_on(static_cast<int>(code),
                           "MPI rank " + std::to_string(first) + ": " + text);
}

}  // namespace

status agree(const communicator& comm, status mine) {
  int stage_of_all = on_the_way;
  return agreement(comm, mine, stage_of_all);
}

status agree_at_end(const communicator& comm, status mine, bool left) {
  for (;;) {
    int stage_of_all = left ? left_alone : at_the_end;
    mine = agreement(comm, mine, stage_of_all);
    if (stage_of_all != on_the_way) return mine;
  }
}

// The first line in which a text differs from another.
std::string different_line(const std::string& text, const std::string& other) {
  std::istringstream lines(text);
  std::istringstream others(other);
  std::string line;
  for (std::string against; std::getline(lines, line);) {
    if (!std::getline(others, against) || line != against) break;
  }
  return line;
}

status same_everywhere(const communicator& comm, const char* what, const std::string& text) {
  std::string first = text;
  broadcast(comm, 0, first);
  if (text == first) return agree(comm, {});
  return agree(comm, status::failure(stat_code::ranks_disagree,
                                     std::string("MPI ranks gave different ") + what)
                         .expected("\"" + different_line(first, text) + "\" as on MPI rank 0",
                                   "\"" + different_line(text, first) + "\"")
                         .advise("make the call with the same arguments on every MPI rank"));
}

}  // namespace headrace
