#include "rank_marks.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "hash.hpp"
#include "leftovers.hpp"

namespace headrace {
namespace {

enum class mark { writing, written, warned };

// The bytes of a key, and in them those of a mark. Both leave room for more MPI ranks than there
// are, and the last one ends within the largest offset of a file.
constexpr int key_bits = 23;
constexpr int mark_bits = 21;
constexpr long most_ranks = (1L << mark_bits) - 2;

struct flock bytes_of(std::uint64_t key, mark of, short type, long length) noexcept {
  struct flock bytes {};
  bytes.l_type = type;
  bytes.l_whence = SEEK_SET;
  bytes.l_start =
      static_cast<off_t>((key << key_bits) + (static_cast<std::uint64_t>(of) << mark_bits));
  bytes.l_len = length;
  return bytes;
}

// The marks of this process. A program that closes files that it did not open may have closed the
// descriptor, and another file may have its number: it is looked at before it is used, and closed
// by nobody.
class mark_board {
 public:
  bool is_open() noexcept {
    struct stat now {};
    if (descriptor_ >= 0 && ::fstat(descriptor_, &now) == 0 && now.st_dev == opened_.st_dev &&
        now.st_ino == opened_.st_ino)
      return true;
    descriptor_ = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    written_ = {};
    return descriptor_ >= 0 && ::fstat(descriptor_, &opened_) == 0;
  }
  bool set(std::uint64_t key, mark of) noexcept {
    struct flock bytes = bytes_of(key, of, F_RDLCK, place_in_job().rank + 1);
    return ::fcntl(descriptor_, F_OFD_SETLK, &bytes) == 0;
  }
  void unset(std::uint64_t key, mark of) noexcept {
    struct flock bytes = bytes_of(key, of, F_UNLCK, place_in_job().rank + 1);
    ::fcntl(descriptor_, F_OFD_SETLK, &bytes);
  }
  // The MPI rank of another process that has the mark; -1: none, or one of the same MPI rank.
  long other(std::uint64_t key, mark of) noexcept {
    struct flock bytes = bytes_of(key, of, F_WRLCK, 1);
    if (::fcntl(descriptor_, F_OFD_GETLK, &bytes) != 0 || bytes.l_type == F_UNLCK) return -1;
    const long rank = static_cast<long>(bytes.l_len) - 1;
    return rank == place_in_job().rank ? -1 : rank;
  }

  bool has_written(std::uint64_t key) const noexcept {
    return std::find(written_.begin(), written_.end(), key) != written_.end();
  }
  // The files that were written last are marked: each search through the locks of /proc looks at
  // those of all processes.
  void add_written(std::uint64_t key) noexcept {
    const std::uint64_t oldest = std::exchange(written_[next_], key);
    next_ = (next_ + 1) % written_.size();
    if (oldest == 0) return;
    unset(oldest, mark::written);
    unset(oldest, mark::warned);
  }

  std::mutex guard;
  const pid_t process = ::getpid();

 private:
  int descriptor_ = -1;
  struct stat opened_ {};
  std::array<std::uint64_t, 16> written_{};
  std::size_t next_ = 0;
};

// Lives until the end, when other objects are destroyed that hold files. A child of fork() begins
// anew: a thread of its parent may have been in the middle of the other one.
mark_board& board() {
  static std::atomic<mark_board*> all{nullptr};
  mark_board* found = all.load();
  while (found == nullptr || found->process != ::getpid()) {
    auto made = std::make_unique<mark_board>();
    if (all.compare_exchange_strong(found, made.get())) return *made.release();
  }
  return *found;
}

template <class Number>
std::string_view bytes_of_number(const Number& number) noexcept {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

// A number for the file in its directory, the same on all MPI ranks whatever way each names them; 0
// if there are no marks.
std::uint64_t key_of(const std::string& path) {
  const job_place& own = place_in_job();
  struct stat directory {};
  if (!own.known() || own.rank < 0 || own.rank > most_ranks ||
      ::stat(directory_of(path).c_str(), &directory) != 0)
    return 0;
  std::uint64_t hash = hash_of(bytes_of_number(own.job));
  hash = hash_of(bytes_of_number(directory.st_dev), hash);
  hash = hash_of(bytes_of_number(directory.st_ino), hash);
  const std::string_view name(path);
  hash = hash_of(name.substr(name.rfind('/') + 1), hash);
  return (hash >> (key_bits + 1)) | 1U;
}

bool is_replaced(const file_target& target) noexcept {
  struct stat now {};
  if (::lstat(target.path.c_str(), &now) != 0) return false;
  return !target.replaces || now.st_dev != target.old.st_dev || now.st_ino != target.old.st_ino;
}

const char* const what_to_do =
    "write one array together by the module headrace_mpi, or on one MPI rank alone "
    "(if (rank == 0)), or give each MPI rank a file of its own";

void warn(long other, const std::string& file) noexcept {
  std::fprintf(stderr,
               "headrace: warning: MPI rank %ld replaces the file \"%s\", which MPI rank %ld of "
               "this job wrote: only what is written last stays; if that is not meant, %s\n",
               place_in_job().rank, file.c_str(), other, what_to_do);
}

}  // namespace

status written_by_another(long other, const char* how, const std::string& file) {
  return status::failure(stat_code::written_by_another_rank,
                         "MPI rank " + std::to_string(other) + " of this job " + how +
                             "; this is MPI rank " + std::to_string(place_in_job().rank))
      .in_file(file)
      .advise(what_to_do);
}

status rank_marks::begin_unnamed(const file_target& target) {
  const std::uint64_t key = key_of(target.path);
  if (key == 0) return {};
  mark_board& marks = board();
  const std::lock_guard<std::mutex> lock(marks.guard);
  // Its own mark first: of two that begin at the same time one sees the other.
  if (!marks.is_open() || !marks.set(key, mark::writing)) return {};
  const long other = marks.other(key, mark::writing);
  if (other < 0) {
    writing_ = key;
    return {};
  }
  marks.unset(key, mark::writing);
  return written_by_another(other, "is writing the same file now", target.path);
}

status rank_marks::complete(const file_target& target, bool replaces) {
  const std::uint64_t key = key_of(target.path);
  if (key == 0) return {};
  mark_board& marks = board();
  const std::lock_guard<std::mutex> lock(marks.guard);
  if (!marks.is_open() || marks.has_written(key) || !marks.set(key, mark::written)) return {};
  marks.add_written(key);
  const long other = marks.other(key, mark::written);
  if (other < 0 || !replaces) return {};
  if (is_replaced(target))
    return written_by_another(other, "has written the same file meanwhile", target.path);
  if (!target.replaces || marks.other(key, mark::warned) >= 0) return {};
  marks.set(key, mark::warned);
  warn(other, target.path);
  return {};
}

void rank_marks::end() noexcept {
  const std::uint64_t key = std::exchange(writing_, 0);
  if (key == 0) return;
  mark_board& marks = board();
  const std::lock_guard<std::mutex> lock(marks.guard);
  if (marks.is_open()) marks.unset(key, mark::writing);
}

}  // namespace headrace
