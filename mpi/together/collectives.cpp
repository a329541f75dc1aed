// The collective calls of communicator.hpp.
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "communicator.hpp"
#include "node_meeting.hpp"

namespace headrace {

status mpi_failure(int code, const std::string& what) {
  const int left = disk_error_in_errno();
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  int kind = MPI_SUCCESS;
  MPI_Error_class(code, &kind);
  if (kind == MPI_ERR_NO_SPACE) return status::system(ENOSPC, what);
  if (kind == MPI_ERR_QUOTA) return status::system(EDQUOT, what);
  const int error = left != 0 ? left : error_in_words(text);
  if (is_of_the_disk(error)) return status::system(error, what);
  return status::failure(stat_code::library_failed, what + ": " + text);
}

void collective_must_work(MPI_Comm which, int code) noexcept {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr,
               "headrace: MPI rank %d: a call that all MPI ranks make together failed, and others "
               "may wait for it: %s; the program ends\n",
               rank, text);
  MPI_Abort(which, EXIT_FAILURE);
  std::abort();  // MPI may still write into variables of the caller
}

namespace {

// One of MPI's calls in both its forms: blocking waits, start begins it alone. Who waits for MPI
// ranks that may need its processor lets them have it, and soon sleeps: Linux gives it back to one
// that only yields as soon as to one that works. For calls in which MPI passes no large messages:
// they would stand still meanwhile.
template <class Blocking, class Start, class... Arguments>
void make_together(MPI_Comm which, bool is_crowded, Blocking blocking, Start start,
                   Arguments... arguments) {
  if (!is_crowded) {
    collective_must_work(which, blocking(arguments...));
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  collective_must_work(which, start(arguments..., &request));
  constexpr timespec short_time{0, 100'000};
  for (int looks = 0, done = 0;; ++looks) {
    collective_must_work(which, MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done != 0) return;
    if (looks < 100)
      ::sched_yield();
    else
      ::clock_nanosleep(CLOCK_MONOTONIC, 0, &short_time, nullptr);
  }
}

// Bytes of so many elements.
std::size_t bytes_of(int count, MPI_Datatype type) {
  int bytes = 0;
  MPI_Type_size(type, &bytes);
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(bytes);
}

// nullptr: MPI is to do it. The same everywhere, as counts and types of collective calls are.
node_meeting* meeting_for(const communicator& comm, std::size_t bytes) {
  return bytes <= node_meeting::most_bytes ? comm.meeting() : nullptr;
}

void reduce_in(node_meeting& meeting, const communicator& comm, const void* own, void* all,
               int count, MPI_Datatype type, MPI_Op operation) {
  const std::size_t bytes = bytes_of(count, type);
  meeting.meet(comm, own == MPI_IN_PLACE ? all : own, bytes);
  std::memcpy(all, meeting.of(0), bytes);
  for (int rank = 1; rank < comm.size(); ++rank)
    collective_must_work(comm.handle(),
                         MPI_Reduce_local(meeting.of(rank), all, count, type, operation));
}

}  // namespace

void reduce(const communicator& comm, const void* own, void* all, int count, MPI_Datatype type,
            MPI_Op operation) {
  if (node_meeting* const meeting = meeting_for(comm, bytes_of(count, type)); meeting != nullptr)
    return reduce_in(*meeting, comm, own, all, count, type, operation);
  make_together(comm.handle(), comm.is_crowded(), MPI_Allreduce, MPI_Iallreduce, own, all, count,
                type, operation, comm.handle());
}

void reduce_on_node(const communicator& comm, const void* own, void* all, int count,
                    MPI_Datatype type, MPI_Op operation) {
  if (comm.nodes() == 1) return reduce(comm, own, all, count, type, operation);
  make_together(comm.node(), comm.is_crowded(), MPI_Allreduce, MPI_Iallreduce, own, all, count,
                type, operation, comm.node());
}

void copy_from(const communicator& comm, int root, void* data, int count, MPI_Datatype type) {
  const std::size_t bytes = bytes_of(count, type);
  if (node_meeting* const meeting = meeting_for(comm, bytes); meeting != nullptr) {
    const bool gives = comm.rank() == root;
    meeting->meet(comm, data, gives ? bytes : 0);
    if (!gives && bytes > 0) std::memcpy(data, meeting->of(root), bytes);
    return;
  }
  make_together(comm.handle(), comm.is_crowded(), MPI_Bcast, MPI_Ibcast, data, count, type, root,
                comm.handle());
}

void gather_everywhere(const communicator& comm, const void* own, int count, MPI_Datatype type,
                       void* all) {
  const std::size_t bytes = bytes_of(count, type);
  if (node_meeting* const meeting = meeting_for(comm, bytes); meeting != nullptr) {
    meeting->meet(comm, own, bytes);
    for (int rank = 0; rank < comm.size(); ++rank)
      std::memcpy(static_cast<char*>(all) + static_cast<std::size_t>(rank) * bytes,
                  meeting->of(rank), bytes);
    return;
  }
  make_together(comm.handle(), comm.is_crowded(), MPI_Allgather, MPI_Iallgather, own, count, type,
                all, count, type, comm.handle());
}

void gather(const communicator& comm, const void* own, int count, MPI_Datatype type, void* all,
            const int* counts, const int* places) {
  make_together(comm.handle(), comm.is_crowded(), MPI_Gatherv, MPI_Igatherv, own, count, type, all,
                counts, places, type, 0, comm.handle());
}

void exchange_all(const communicator& comm, const void* sent, const int* sent_counts,
                  const int* sent_places, void* got, const int* got_counts, const int* got_places) {
  make_together(comm.handle(), comm.is_crowded(), MPI_Alltoallv, MPI_Ialltoallv, sent, sent_counts,
                sent_places, MPI_BYTE, got, got_counts, got_places, MPI_BYTE, comm.handle());
}

// Through fixed arrays: all take part to the end, whatever memory they have. As a rule one call.
std::string text_from(const communicator& comm, int root, const std::string& given) {
  struct {
    std::size_t length;
    char begin[node_meeting::most_bytes - sizeof(std::size_t)];
  } first{given.size(), ""};
  const bool is_root = comm.rank() == root;
  if (is_root) given.copy(first.begin, sizeof first.begin);
  copy_from(comm, root, &first, sizeof first, MPI_BYTE);
  std::string all;
  bool fits = true;
  try {
    all.resize(first.length);
  } catch (const std::bad_alloc&) {
    fits = false;
  }
  const std::size_t in_first = std::min(first.length, sizeof first.begin);
  if (fits) std::memcpy(all.data(), first.begin, in_first);
  char part[65536];
  for (std::size_t at = in_first; at < first.length; at += sizeof part) {
    const std::size_t bytes = std::min(sizeof part, first.length - at);
    if (is_root) std::memcpy(part, given.data() + at, bytes);
    copy_from(comm, root, part, static_cast<int>(bytes), MPI_BYTE);
    if (fits) std::memcpy(all.data() + at, part, bytes);
  }
  if (!fits) throw std::bad_alloc();
  return all;
}

int error_in_words(const std::string& words) {
  static constexpr std::array<std::pair<const char*, int>, 6> known = {
      {{"MPI_ERR_NO_SPACE", ENOSPC},
       {"No space left on device", ENOSPC},
       {"no space left on", ENOSPC},
       {"MPI_ERR_QUOTA", EDQUOT},
       {"Disk quota exceeded", EDQUOT},
       {"File too large", EFBIG}}};
  const std::string mark = "errno = ";
  if (const std::size_t at = words.rfind(mark); at != std::string::npos)
    if (const int error = std::atoi(words.c_str() + at + mark.size()); error > 0) return error;
  for (const auto& [text, error] : known)
    if (words.find(text) != std::string::npos) return error;
  return 0;
}

bool is_of_the_disk(int error) noexcept {
  return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO;
}

int disk_error_in_errno() noexcept {
  return is_of_the_disk(errno) ? errno : 0;
}

}  // namespace headrace
