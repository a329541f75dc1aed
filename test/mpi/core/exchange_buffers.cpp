// How the MPI ranks of a node share the buffers of an exchange, and that all nodes do without when
// one MPI rank cannot.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "checks.hpp"
#include "together/node_meeting.hpp"

namespace {

bool makes_files = true;
bool finds_files = true;

}  // namespace

extern "C" int __real_memfd_create(const char* name, unsigned flags);
extern "C" int __wrap_memfd_create(const char* name, unsigned flags) {
  if (makes_files) return __real_memfd_create(name, flags);
  errno = ENOSYS;
  return -1;
}
// A container for each MPI rank shows the processes of that container only.
extern "C" int __real_stat(const char* name, struct stat* found);
extern "C" int __wrap_stat(const char* name, struct stat* found) {
  if (finds_files || std::strncmp(name, "/proc/", 6) != 0) return __real_stat(name, found);
  errno = ENOENT;
  return -1;
}

namespace {

using headrace::node_buffers;
using headrace::status;
using spread::checks;

constexpr std::size_t bytes = 100000;

class buffers_test {
 public:
  buffers_test(checks& check, headrace::communicator_ptr comm)
      : check_(check), comm_(std::move(comm)), owners_(static_cast<std::size_t>(check.size())) {
    std::iota(owners_.begin(), owners_.end(), 0);
  }

  // shared: what all shall come to.
  void ends(bool shared, const std::string& what) {
    {
      node_buffers buffers;
      const status made = buffers.allocate(*comm_, owners_, bytes);
      check_.that(made.ok(), what + ": " + made.message());
      check_.that(buffers.is_shared() == shared,
                  what + (shared ? ": nothing is shared" : ": shared all the same"));
      if (buffers.is_shared()) passes_bytes(buffers, what);
      fill(buffers.own(0), 1);
      fill(buffers.own(1), 2);
    }
    makes_files = finds_files = true;
    MPI_Barrier(MPI_COMM_WORLD);
  }

  // A file of 4 KiB is all that this MPI rank may make; afterwards as before.
  template <class Part>
  void with_short_files(Part part) {
    struct rlimit before {};
    ::getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit limit = before;
    limit.rlim_cur = 4096;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    part();
    ::setrlimit(RLIMIT_FSIZE, &before);
  }

 private:
  static void fill(char* data, int seed) {
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<char>(i * 7 + seed);
  }
  static bool holds(const char* data, int seed) {
    for (std::size_t i = 0; i < bytes; ++i)
      if (data[i] != static_cast<char>(i * 7 + seed)) return false;
    return true;
  }

  // Everybody writes into the next one's buffers.
  void passes_bytes(node_buffers& buffers, const std::string& what) {
    const int next = (comm_->node_rank() + 1) % comm_->node_size();
    for (const int which : {0, 1}) fill(buffers.of(next, which), next + 10 * which);
    MPI_Barrier(comm_->node());
    for (const int which : {0, 1})
      check_.that(holds(buffers.own(which), comm_->node_rank() + 10 * which),
                  what + ": other bytes in buffer " + std::to_string(which));
    check_.that(reinterpret_cast<std::uintptr_t>(buffers.own(0)) % 4096 == 0,
                what + ": the buffer does not begin with a page");
    MPI_Barrier(comm_->node());
  }

  checks& check_;
  headrace::communicator_ptr comm_;
  std::vector<int> owners_;
};

void test(checks& check) {
  headrace::communicator_ptr comm;
  const status made = headrace::communicator::duplicate(MPI_COMM_WORLD, comm);
  if (!check.that(made.ok(), "a communicator: " + made.message())) return;
  const bool alone = comm->size() == comm->nodes();  // an MPI rank alone has its own memory
  buffers_test buffers(check, comm);
  buffers.ends(true, "a file");
  makes_files = check.rank() != 0;
  buffers.ends(alone, "no file on the first node");
  finds_files = check.rank() != check.size() - 1;
  buffers.ends(alone, "a file that the last MPI rank does not find");
  makes_files = comm->node_of(comm->rank()) != comm->nodes() - 1;
  buffers.ends(alone, "no file on the last node");
  if (check.rank() == 0)
    buffers.with_short_files([&] { buffers.ends(alone, "a file beyond the limit"); });
  else
    buffers.ends(alone, "a file beyond the limit of the first MPI rank");
  buffers.ends(true, "a file again");
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "buffers of the exchange", test);
}
