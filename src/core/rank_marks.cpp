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

#include "file_target.hpp"
#include "hash.hpp"
#include "leftovers.hpp"

namespace headrace {
namespace {

enum class mark { writing, written, warned };

// The bytes of a key, and in them those of a mark: from the number of the MPI rank to the last but
// one. There is room for more MPI ranks than there are, and the last byte is within the largest
// offset of a file.
constexpr int key_bits = 23;
constexpr int mark_bits = 21;
constexpr off_t rank_bytes = (off_t{1} << mark_bits) - 1;
constexpr long no_rank = -1;

off_t begin_of(std::uint64_t key, mark of) noexcept {
  return static_cast<off_t>((key << key_bits) + (static_cast<std::uint64_t>(of) << mark_bits));
}

struct flock bytes_from(off_t start, off_t length, short type) noexcept {
  struct flock bytes {};
  bytes.l_type = type;
  bytes.l_whence = SEEK_SET;
  bytes.l_start = start;
  bytes.l_len = length;
  return bytes;
}

struct written_file {
  std::uint64_t key = 0;
  bool is_told = false;  // that another MPI rank has written it
};

// The marks of this process. A program that closes files that it did not open may have closed the
// descriptor, and another file may have its number: the descriptor is checked before each use, and
// is never closed here.
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
  bool set(std::uint64_t key, mark of, bool on = true) noexcept {
    const off_t rank = place_in_job().rank;
    struct flock bytes =
        bytes_from(begin_of(key, of) + rank, rank_bytes - rank, on ? F_RDLCK : F_UNLCK);
    return ::fcntl(descriptor_, F_OFD_SETLK, &bytes) == 0;
  }
  void unset(std::uint64_t key, mark of) noexcept { set(key, of, false); }
  // The MPI rank of another process that has the mark; no_rank: none, or one of the same MPI rank.
  long other(std::uint64_t key, mark of) noexcept {
    return owner(key, of, begin_of(key, of) + rank_bytes - 1, 1);
  }
  // One that is lower than this.
  long lower(std::uint64_t key, mark of) noexcept {
    const long rank = place_in_job().rank;
    return rank == 0 ? no_rank : owner(key, of, begin_of(key, of), rank);
  }

  // Null for a file that this process has not written, or long ago.
  written_file* find(std::uint64_t key) noexcept {
    const auto found = std::find_if(written_.begin(), written_.end(),
                                    [&](const written_file& one) { return one.key == key; });
    return found == written_.end() ? nullptr : &*found;
  }
  // The files that were written last are marked: each search through the locks of /proc looks at
  // those of all processes.
  written_file* add(std::uint64_t key) noexcept {
    if (!set(key, mark::written)) return nullptr;
    written_file& place = written_[next_];
    next_ = (next_ + 1) % written_.size();
    if (place.key != 0) {
      unset(place.key, mark::written);
      if (place.is_told) unset(place.key, mark::warned);
    }
    place = {key, false};
    return &place;
  }

  std::mutex guard;
  const pid_t process = ::getpid();

 private:
  long owner(std::uint64_t key, mark of, off_t start, off_t length) noexcept {
    struct flock bytes = bytes_from(start, length, F_WRLCK);
    if (::fcntl(descriptor_, F_OFD_GETLK, &bytes) != 0 || bytes.l_type == F_UNLCK) return no_rank;
    const auto rank = static_cast<long>(bytes.l_start - begin_of(key, of));
    return rank == place_in_job().rank ? no_rank : rank;
  }

  int descriptor_ = -1;
  struct stat opened_ {};
  std::array<written_file, 16> written_{};
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
  if (!own.known() || own.rank < 0 || own.rank >= rank_bytes ||
      ::stat(directory_of(path).c_str(), &directory) != 0)
    return 0;
  std::uint64_t hash = hash_of(bytes_of_number(own.job));
  hash = hash_of(bytes_of_number(directory.st_dev), hash);
  hash = hash_of(bytes_of_number(directory.st_ino), hash);
  const std::string_view name(path);
  hash = hash_of(name.substr(name.rfind('/') + 1), hash);
  return (hash >> (key_bits + 1)) | 1U;
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

const char* const writes_now = "is writing the same file now";

}  // namespace

status written_by_another(long other, const char* how, const std::string& file) {
  return status::failure(stat_code::written_by_another_rank,
                         "MPI rank " + std::to_string(other) + " of this job " + how +
                             "; this is MPI rank " + std::to_string(place_in_job().rank))
      .in_file(file)
      .advise(what_to_do);
}

status rank_marks::begin(const std::string& file) {
  key_ = key_of(file);
  is_watching_ = false;
  if (key_ == 0) return {};
  mark_board& marks = board();
  const std::lock_guard<std::mutex> lock(marks.guard);
  const written_file* const known = marks.find(key_);
  if (known != nullptr && !known->is_told) return {};
  if (!marks.is_open()) return {};
  // Its own mark first: of two that begin at the same time one sees the other.
  is_watching_ = marks.set(key_, mark::writing);
  before_ = marks.other(key_, mark::written);
  const long other = marks.lower(key_, mark::writing);
  if (other < 0) return {};
  marks.unset(key_, mark::writing);
  is_watching_ = false;
  return written_by_another(other, writes_now, file);
}

status rank_marks::complete(const std::string& file, bool replaces, bool alone) {
  if (!is_watching_) return {};
  mark_board& marks = board();
  const std::lock_guard<std::mutex> lock(marks.guard);
  const long now = alone ? no_rank : marks.lower(key_, mark::writing);
  if (now >= 0) return written_by_another(now, writes_now, file);
  const long other = marks.other(key_, mark::written);
  if (other >= 0 && before_ < 0)
    return written_by_another(other, "has written the same file meanwhile", file);
  written_file* written = marks.find(key_);
  if (written == nullptr) written = marks.add(key_);
  if (other < 0 || !replaces || written == nullptr || written->is_told) return {};
  written->is_told = true;
  if (marks.other(key_, mark::warned) < 0) warn(other, file);
  marks.set(key_, mark::warned);
  return {};
}

void rank_marks::end() noexcept {
  if (!std::exchange(is_watching_, false)) return;
  mark_board& marks = board();
  const std::lock_guard<std::mutex> lock(marks.guard);
  marks.unset(key_, mark::writing);
}

}  // namespace headrace
