// The MPI ranks that work together. Every object here is made and used collectively.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "../../src/core/status.hpp"
#include "function_ref.hpp"

namespace headrace {

class node_meeting;

// Libraries close what is left themselves when MPI ends, and may not be called afterwards.
bool mpi_has_ended() noexcept;
bool mpi_is_running() noexcept;
// The failure of a call that needs MPI while it is not running.
status check_mpi_is_running();

// A communicator of our own, so that our messages never meet the user's, and which of its MPI ranks
// share a node. Errors of MPI come back as return codes.
class communicator {
 public:
  ~communicator();
  communicator(const communicator&) = delete;
  communicator& operator=(const communicator&) = delete;

  // Collective. Fails when MPI is not initialised (argument_invalid). All that is made of one
  // communicator of the user has the same one. The first is kept with it, and later ones cost
  // nothing: a duplicate takes as long as a small array.
  static status duplicate(MPI_Comm users, std::shared_ptr<const communicator>& made);
  // Collective. The same with messages of its own: for what MPI ranks may leave one by one, so that
  // what some still say of it is never taken for words about something else.
  static status separate(MPI_Comm users, std::shared_ptr<const communicator>& made);

  MPI_Comm handle() const noexcept { return handle_; }
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }

  // MPI ranks of a node share memory. HEADRACE_NODE_SIZE=k splits nodes into groups of k.
  MPI_Comm node() const noexcept { return known_ != nullptr ? known_->node_ : node_; }
  int node_rank() const noexcept { return node_rank_; }
  int node_size() const noexcept { return node_size_; }
  int nodes() const noexcept { return nodes_; }
  int node_of(int rank) const { return node_of_[static_cast<std::size_t>(rank)]; }
  // The first MPI rank of a node.
  int leader_of(int node) const { return leaders_[static_cast<std::size_t>(node)]; }
  // The place of an MPI rank within its node.
  int place_in_node(int rank) const { return place_[static_cast<std::size_t>(rank)]; }

  // On some machine more MPI ranks of it than processors work, and those that wait must give way:
  // MPI may let them keep a processor busy. Elsewhere that would only cost time, some 9
  // microseconds a call in place of 0.5.
  bool is_crowded() const noexcept { return crowded_; }
  // How many can work at a time on all machines: size(), or fewer if they are crowded.
  int working_ranks() const noexcept { return working_ranks_; }

  // If all share one crowded node and memory there; else nullptr.
  node_meeting* meeting() const noexcept { return meeting_.get(); }

  // True when the users' communicator has the same MPI ranks in the same order.
  bool same_ranks(const communicator& other) const;

 private:
  struct machine_place {
    int is_first;  // 1: this MPI rank is the first there
    int size;      // MPI ranks of the communicator on it
    int processors;
  };

  struct place_of_rank {
    int leader;  // the first MPI rank of the node
    int place;   // within it
    machine_place machine;
  };

  communicator();
  explicit communicator(std::shared_ptr<const communicator> known);
  static status make(MPI_Comm users, std::shared_ptr<const communicator>& made);
  status learn_nodes(std::vector<place_of_rank>& of_rank);
  status split_nodes(machine_place& machine);
  status find_meeting();

  MPI_Comm handle_ = MPI_COMM_NULL;
  MPI_Comm node_ = MPI_COMM_NULL;              // of one that is not separate
  std::shared_ptr<const communicator> known_;  // of one that is: where the nodes were learned
  int rank_ = 0;
  int size_ = 1;
  int node_rank_ = 0;
  int node_size_ = 1;
  int nodes_ = 0;
  int working_ranks_ = 0;
  bool crowded_ = false;
  std::vector<int> node_of_;
  std::vector<int> place_;
  std::vector<int> leaders_;
  std::unique_ptr<node_meeting> meeting_;
};

// How many processors the CPU quotas of cgroups allow, as containers and batch systems set them.
// Of a quota and its period in microseconds, "150000 100000" or "max 100000", rounded up; INT_MAX
// if there is no quota.
int processors_of_quota(const char* text) noexcept;

// The least that the cgroups of this process and those above them allow; INT_MAX if there is no
// quota, or nothing of it can be read. list and root: other ones for tests.
int processors_of_cgroups(const char* list = "/proc/self/cgroup",
                          const char* root = "/sys/fs/cgroup") noexcept;

using communicator_ptr = std::shared_ptr<const communicator>;

// Collective: the failure of the lowest MPI rank that has one, on all of them, with that rank named
// ("MPI rank 3: ..."). The same code and text everywhere. A failure that agree() gave already is
// passed on as it is when all have it.
status agree(const communicator& comm, status mine);

// Collective: agree() at the end of a call. left: this MPI rank left its part without the others,
// for a lack of memory that nobody expected there; they may still be in an agree() of that part. It
// takes part in each of them, with its failure, until all are at the end.
status agree_at_end(const communicator& comm, status mine, bool left);

// The failure of an MPI rank that could not get memory; needs none itself.
status no_memory() noexcept;

// Not collective: what an MPI rank does alone. A lack of memory is a failure like any other: the
// others would wait for ever for one that left.
template <class Part>
status caught(Part part) {
  try {
    return part();
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

// Collective: runs what each MPI rank does alone, and agrees on it.
template <class Part>
status agree_on(const communicator& comm, Part part) {
  return agree(comm, caught(part));
}

// Collective: one object on every MPI rank, begun together, or a failure on all.
template <class Made, class Base, class Begin, class... Arguments>
status make_and_begin(const communicator& comm, std::unique_ptr<Base>& made, Begin begin,
                      Arguments&&... arguments) {
  std::unique_ptr<Made> one;
  const status ready = agree_on(comm, [&] {
    one = std::make_unique<Made>(std::forward<Arguments>(arguments)...);
    return status();
  });
  if (!ready.ok()) return ready;
  if (status s = begin(*one); !s.ok()) return s;
  made = std::move(one);
  return {};
}

// Collective: runs a part that agrees within, to its end also if one MPI rank leaves it alone.
template <class Part>
status run_to_end(const communicator& comm, Part part) {
  status mine;
  bool left = false;
  try {
    mine = part();
  } catch (const std::bad_alloc&) {
    mine = no_memory();
    left = true;
  }
  return agree_at_end(comm, std::move(mine), left);
}

// Collective: agree(), and if nobody failed, a failure on all when what they give differs, which
// shows the first line that does: a short number in place of the text, which is made only if the
// numbers differ. what: "file names". is_of_all: a failure of MPI rank 0 is told as in
// status_of_root().
status agree_same(const communicator& comm, status mine, const char* what, std::uint64_t digest,
                  function_ref<std::string()> make_text, bool is_of_all = false);
std::uint64_t digest_of_text(const std::string& text) noexcept;

// Collective: agree_on(), and compares the text that the part has made.
template <class Part>
status agree_on_same(const communicator& comm, const char* what, const std::string& text,
                     Part part) {
  status mine = caught(part);
  return agree_same(comm, std::move(mine), what, digest_of_text(text), [&] { return text; });
}

// What the words of a library say about the operating system, whose number is lost on the way.
// The errno that a library names ("errno = 28, ..."), also by its text or by MPI's name of it if
// the disk or a quota is full; 0: none.
int error_in_words(const std::string& words);

// ENOSPC, EDQUOT, EFBIG or EIO.
bool is_of_the_disk(int error) noexcept;

// What a call of a library that failed left in errno if that is of the disk; 0: nothing. Ask first
// of all after the call; errno was set to 0 when the user's call began. The disk may have room
// again when somebody looks.
int disk_error_in_errno() noexcept;

// The text of an MPI error as a status.
status mpi_failure(int code, const std::string& what);

// A collective call of MPI on a communicator of ours, which gave this code: after a failure no two
// MPI ranks know the same, and some wait for ever. Says so, and ends the program.
void collective_must_work(MPI_Comm which, int code) noexcept;

// Collective: MPI_Allreduce, MPI_Bcast, MPI_Allgather and MPI_Gatherv, in which who waits lets the
// others work if they share processors. MPICH 4.0 never does by itself, Open MPI 4.1 only if
// it was started with more MPI ranks than it has places for. They fail as above.
// With a meeting() they work through it if the bytes of an MPI rank find room there; all
// types here lie without gaps.
void reduce(const communicator& comm, const void* own, void* all, int count, MPI_Datatype type,
            MPI_Op operation);
void copy_from(const communicator& comm, int root, void* data, int count, MPI_Datatype type);
void gather_everywhere(const communicator& comm, const void* own, int count, MPI_Datatype type,
                       void* all);
// counts and places: of each MPI rank in what MPI rank 0 gets.
void gather(const communicator& comm, const void* own, int count, MPI_Datatype type, void* all,
            const int* counts, const int* places);
// Bytes from each to each: counts and places of what goes to an MPI rank, or comes from it. The
// same as MPI_Alltoallv.
void exchange_all(const communicator& comm, const void* sent, const int* sent_counts,
                  const int* sent_places, void* got, const int* got_counts, const int* got_places);
// Of a node alone.
void reduce_on_node(const communicator& comm, const void* own, void* all, int count,
                    MPI_Datatype type, MPI_Op operation);

// Collective: the text of one MPI rank, on all. Who lacks memory for it throws after the last call
// for which others wait.
std::string text_from(const communicator& comm, int root, const std::string& given);

}  // namespace headrace
