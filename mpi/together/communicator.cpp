#include "communicator.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

#include "attendance.hpp"
#include "mpi_io_module.hpp"
#include "node_meeting.hpp"

namespace headrace {

bool mpi_has_ended() noexcept {
  int ended = 0;
  MPI_Finalized(&ended);
  return ended != 0;
}

bool mpi_is_running() noexcept {
  int begun = 0;
  MPI_Initialized(&begun);
  return begun != 0 && !mpi_has_ended();
}

status check_mpi_is_running() {
  if (mpi_is_running()) return {};
  return status::failure(stat_code::argument_invalid, "MPI is not running")
      .advise("call MPI_Init before, and MPI_Finalize after all parallel arrays");
}

namespace {

// HEADRACE_NODE_SIZE, 0 when it is not set.
int wanted_node_size() noexcept {
  const char* const text = std::getenv("HEADRACE_NODE_SIZE");
  return text == nullptr ? 0 : std::atoi(text);
}

// Collective over the MPI ranks of a machine: how many processors they may use together, and
// whether one of them has groups. One that is bound to a core sees no other, so their processors
// are joined; of their quotas the least is taken as that of all. MPI ranks outside the communicator
// do not count.
int processors_of(MPI_Comm machine, bool& have_groups) noexcept {
  struct processors_known {
    cpu_set_t allowed;
    cpu_set_t quotas;            // one call joins them too: the least is the first that is set
    unsigned char are_too_many;  // for such a set: the call fails
    unsigned char have_groups;
  } own = {}, all = {};
  own.have_groups = wanted_node_size() > 0 ? 1 : 0;
  constexpr int no_quota = CPU_SETSIZE - 1;
  static const int own_quota = std::min(processors_of_cgroups(), no_quota);
  CPU_SET(own_quota, &own.quotas);
  own.are_too_many = ::sched_getaffinity(0, sizeof own.allowed, &own.allowed) == 0 ? 0 : 1;
  collective_must_work(machine, MPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, machine));
  have_groups = all.have_groups != 0;
  const int count = all.are_too_many != 0 ? static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN))
                                          : CPU_COUNT(&all.allowed);
  int quota = 0;
  while (!CPU_ISSET(quota, &all.quotas)) ++quota;
  return std::max(1, quota == no_quota ? count : std::min(count, quota));
}

using kept_communicator = std::shared_ptr<const communicator>;

// MPI calls it when the user frees the communicator, or when it ends itself.
int forget_kept(MPI_Comm, int, void* kept, void*) {
  delete static_cast<kept_communicator*>(kept);
  return MPI_SUCCESS;
}

int key_of_kept() noexcept {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    const int code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_kept, &made, nullptr);
    return code == MPI_SUCCESS ? made : MPI_KEYVAL_INVALID;
  }();
  return key;
}

kept_communicator kept_with(MPI_Comm users) {
  void* kept = nullptr;
  int is_there = 0;
  const int key = key_of_kept();
  if (key != MPI_KEYVAL_INVALID) MPI_Comm_get_attr(users, key, &kept, &is_there);
  return is_there != 0 ? *static_cast<kept_communicator*>(kept) : nullptr;
}

// Collective: on all MPI ranks or on none, so that they know the same the next time.
void keep_with(MPI_Comm users, const kept_communicator& made) {
  auto* const kept = new (std::nothrow) kept_communicator(made);
  const int key = key_of_kept();
  const int mine = kept != nullptr && key != MPI_KEYVAL_INVALID &&
                   MPI_Comm_set_attr(users, key, kept) == MPI_SUCCESS;
  int all = 0;
  reduce(*made, &mine, &all, 1, MPI_INT, MPI_MIN);
  if (all != 0) return;
  if (mine != 0)
    MPI_Comm_delete_attr(users, key);  // forget_kept() is called
  else
    delete kept;
}

}  // namespace

communicator::communicator() = default;

communicator::communicator(std::shared_ptr<const communicator> known)
    : known_(std::move(known)),
      rank_(known_->rank_),
      size_(known_->size_),
      node_rank_(known_->node_rank_),
      node_size_(known_->node_size_),
      nodes_(known_->nodes_),
      working_ranks_(known_->working_ranks_),
      crowded_(known_->crowded_),
      node_of_(known_->node_of_),
      place_(known_->place_),
      leaders_(known_->leaders_) {}

communicator::~communicator() {
  if (!mpi_is_running()) return;  // MPI_Finalize has freed them
  if (node_ != MPI_COMM_NULL) MPI_Comm_free(&node_);
  if (handle_ != MPI_COMM_NULL) MPI_Comm_free(&handle_);
}

status communicator::duplicate(MPI_Comm users, std::shared_ptr<const communicator>& made) {
  if (status s = check_mpi_is_running(); !s.ok()) return s;
  int is_inter = 0;
  if (users != MPI_COMM_NULL) MPI_Comm_test_inter(users, &is_inter);
  if (users == MPI_COMM_NULL || is_inter != 0)
    return status::failure(stat_code::argument_invalid, users == MPI_COMM_NULL
                                                            ? "the communicator is MPI_COMM_NULL"
                                                            : "this is an intercommunicator")
        .advise("pass a communicator whose MPI ranks all make this call");
  avoid_unsafe_sieving();
  // A call that some MPI ranks did not make leaves messages behind.
  if (attendance_is_checked()) return make(users, made);
  made = kept_with(users);
  if (made != nullptr) return {};
  if (status s = make(users, made); !s.ok()) return s;
  keep_with(users, made);
  return {};
}

status communicator::separate(MPI_Comm users, std::shared_ptr<const communicator>& made) {
  std::shared_ptr<const communicator> known;
  if (status s = duplicate(users, known); !s.ok()) return s;
  std::shared_ptr<communicator> own;
  std::unique_ptr<node_meeting> meeting;
  const status ready = agree_on(*known, [&] {
    own.reset(new communicator(known));
    if (known->meeting_ != nullptr) meeting = std::make_unique<node_meeting>();
    return status();
  });
  if (!ready.ok()) return ready;
  if (const int code = MPI_Comm_dup(known->handle_, &own->handle_); code != MPI_SUCCESS)
    return mpi_failure(code, "cannot duplicate the communicator");
  MPI_Comm_set_errhandler(own->handle_, MPI_ERRORS_RETURN);
  if (meeting != nullptr && meeting->begin(*known)) own->meeting_ = std::move(meeting);
  made = own;
  return {};
}

status communicator::make(MPI_Comm users, std::shared_ptr<const communicator>& made) {
  MPI_Comm handle = MPI_COMM_NULL;
  if (const int code = MPI_Comm_dup(users, &handle); code != MPI_SUCCESS)
    return mpi_failure(code, "cannot duplicate the communicator");
  MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN);
  std::shared_ptr<communicator> own;
  std::vector<place_of_rank> of_rank;
  communicator first;  // has no memory of its own: the MPI ranks agree by it on those that have
  first.handle_ = handle;
  MPI_Comm_rank(handle, &first.rank_);
  MPI_Comm_size(handle, &first.size_);
  // All memory is there before the first call for which the others would wait.
  const status ready = agree_on(first, [&] {
    own.reset(new communicator());
    own->rank_ = first.rank_;
    own->size_ = first.size_;
    const auto size = static_cast<std::size_t>(own->size_);
    of_rank.resize(size);
    for (std::vector<int>* list : {&own->node_of_, &own->place_, &own->leaders_})
      list->reserve(size);
    return status();
  });
  first.handle_ = MPI_COMM_NULL;
  if (!ready.ok()) {
    MPI_Comm_free(&handle);
    return ready;
  }
  own->handle_ = handle;
  if (status s = own->learn_nodes(of_rank); !s.ok()) return s;
  if (status s = own->find_meeting(); !s.ok()) return s;
  made = own;
  return {};
}

status communicator::learn_nodes(std::vector<place_of_rank>& of_rank) {
  constexpr int numbers = sizeof(place_of_rank) / sizeof(int);
  place_of_rank own = {};
  if (status s = split_nodes(own.machine); !s.ok()) return s;
  own.leader = rank_;
  own.place = node_rank_;
  collective_must_work(node_, MPI_Bcast(&own.leader, 1, MPI_INT, 0, node_));
  collective_must_work(
      handle_, MPI_Allgather(&own, numbers, MPI_INT, of_rank.data(), numbers, MPI_INT, handle_));
  for (const auto& [leader, place, machine] : of_rank) {
    working_ranks_ += machine.is_first * std::min(machine.size, machine.processors);
    crowded_ = crowded_ || machine.size > machine.processors;
    if (place == 0) leaders_.push_back(leader);
    node_of_.push_back(place == 0 ? nodes_++ : node_of_[static_cast<std::size_t>(leader)]);
    place_.push_back(place);
  }
  return {};
}

status communicator::split_nodes(machine_place& machine) {
  MPI_Comm shared = MPI_COMM_NULL;
  int code = MPI_Comm_split_type(handle_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &shared);
  if (code != MPI_SUCCESS) return mpi_failure(code, "cannot find the MPI ranks of a node");
  MPI_Comm_set_errhandler(shared, MPI_ERRORS_RETURN);
  int place = 0;
  MPI_Comm_rank(shared, &place);
  machine.is_first = place == 0 ? 1 : 0;
  MPI_Comm_size(shared, &machine.size);
  bool have_groups = false;
  machine.processors = processors_of(shared, have_groups);
  if (have_groups) {
    const int size = wanted_node_size();
    code = MPI_Comm_split(shared, size > 0 ? place / size : 0, rank_, &node_);
    MPI_Comm_free(&shared);
  } else {
    node_ = shared;
  }
  if (code != MPI_SUCCESS) return mpi_failure(code, "cannot find the MPI ranks of a node");
  MPI_Comm_set_errhandler(node_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(node_, &node_rank_);
  MPI_Comm_size(node_, &node_size_);
  return {};
}

// On several nodes messages of MPI are waited for anyway.
status communicator::find_meeting() {
  if (!crowded_ || nodes_ > 1) return {};
  std::unique_ptr<node_meeting> found;
  const auto prepare = [&] {
    found = std::make_unique<node_meeting>();
    return status();
  };
  if (status s = agree_on(*this, prepare); !s.ok()) return s;
  if (found->begin(*this)) meeting_ = std::move(found);
  return {};
}

bool communicator::same_ranks(const communicator& other) const {
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(handle_, other.handle_, &result);
  return result == MPI_IDENT || result == MPI_CONGRUENT;
}

namespace {

// Nothing if it cannot be read.
std::string content_of(const std::string& file) {
  std::ifstream input(file);
  return {std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
}

// Of a cgroup and those above it. In a container the path may be that of the host, and only the
// root is there.
int least_quota(const std::string& root, std::string path, bool is_version_1) {
  int least = INT_MAX;
  for (bool is_above = true; is_above;) {
    const std::string quota = is_version_1
                                  ? content_of(root + "/cpu" + path + "/cpu.cfs_quota_us") +
                                        content_of(root + "/cpu" + path + "/cpu.cfs_period_us")
                                  : content_of(root + path + "/cpu.max");
    least = std::min(least, processors_of_quota(quota.c_str()));
    is_above = !path.empty();
    path.erase(std::min(path.rfind('/'), path.size()));
  }
  return least;
}

}  // namespace

int processors_of_quota(const char* text) noexcept {
  long long quota = 0;
  long long period = 0;
  if (std::sscanf(text, "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0)
    return INT_MAX;
  return static_cast<int>(std::min<long long>((quota - 1) / period + 1, INT_MAX));
}

int processors_of_cgroups(const char* list, const char* root) noexcept try {
  std::ifstream lines(list);
  int least = INT_MAX;
  // "0::/path" of version 2, "4:cpu,cpuacct:/path" of version 1 with its controllers.
  for (std::string number, controllers, path; std::getline(lines, number, ':');) {
    std::getline(lines, controllers, ':');
    std::getline(lines, path);
    if (path.rfind('/', 0) != 0) continue;
    if (controllers.empty() || ("," + controllers + ",").find(",cpu,") != std::string::npos)
      least = std::min(least, least_quota(root, path, !controllers.empty()));
  }
  return least;
} catch (const std::bad_alloc&) {
  return INT_MAX;
}

}  // namespace headrace
