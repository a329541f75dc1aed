#include "temporaries.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "description_lock.hpp"
#include "hash.hpp"
#include "leftovers.hpp"
#include "rank_marks.hpp"

namespace headrace {
namespace {

std::atomic<unsigned> forks{0};

// Without them the count is odd for ever: every lock is taken back by a call of its own.
bool count_forks() noexcept {
  const auto one_more = [] { forks.fetch_add(1, std::memory_order_seq_cst); };
  if (::pthread_atfork(one_more, one_more, one_more) == 0) return true;
  forks.store(1);
  return false;
}

// A count that changes before a fork() and after it; odd while one goes on. What was opened at an
// even count is this program's alone while the count stays: closing it is enough to end its locks.
unsigned fork_count() noexcept {
  static const bool counts = count_forks();
  return counts ? forks.load(std::memory_order_seq_cst) : 1;
}

// Since an open of that count. A child that only calls exec() loses what is opened with O_CLOEXEC.
bool may_be_copied(unsigned count_then) noexcept {
  return count_then % 2 != 0 || fork_count() != count_then;
}

constexpr int most_places = 1000;
// With what writer_text() and guarded_by() add it stays within NAME_MAX (255).
constexpr std::size_t longest_stem = 120;

// Open MPI's own I/O module ends the program if it opens a longer path: it writes the name of its
// lock into 256 bytes. Such a temporary says less about its writer, so it stays after a kill.
constexpr std::size_t longest_path = 225;
std::string short_text() {
  static std::atomic<unsigned> number{0};
  return std::to_string(::getpid()) + "-" + std::to_string(number++) + ".tmp";
}

// "dir/x.headrace-": the beginning of all temporary names of a target.
std::string beginning_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  std::string stem = name.substr(0, fitting_length(name, longest_stem));
  if (stem.size() < name.size()) {
    std::array<char, 20> rest{};
    std::snprintf(rest.data(), rest.size(), "~%016llx",
                  static_cast<unsigned long long>(hash_of(name)));
    stem += rest.data();
  }
  return directory_of(path) + "/" + stem + ".headrace-";
}

std::string place_name(const std::string& beginning, int number) {
  return beginning + std::to_string(number) + ".tmp";
}

int create_file(const std::string& name) noexcept {
  int descriptor = -1;
  do {
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

enum class hold { taken, lost, without_locks };

bool has_name(int descriptor, struct stat& now) noexcept {
  return ::fstat(descriptor, &now) == 0 && now.st_nlink > 0;
}

// Locks a file just created. Lost: before this, another one took it for what a killed writer left.
hold hold_new(int descriptor, struct stat& now) noexcept {
  const lock_answer answer = lock_description(descriptor);
  if (answer == lock_answer::unknown) return hold::without_locks;
  return answer == lock_answer::taken && has_name(descriptor, now) ? hold::taken : hold::lost;
}

// A guess that saves a call for each small file: the name may be that of another directory by now.
// create_plain() asks the file that was made.
bool is_likely_local(const std::string& directory) {
  thread_local std::string last;
  thread_local bool was_local = false;
  if (directory != last || last.empty()) {
    was_local = is_on_local_disk(directory);
    last = directory;
  }
  return was_local;
}

status cannot_create(int error, const file_target& target) {
  return status::system(error, "cannot create a temporary file beside the target")
      .in_file(target.path);
}

status refuse_second_rank(const place_found& found, const file_target& target) {
  const job_place& own = place_in_job();
  if (!own.known() || found.writer.job != own.job || found.writer.rank == own.rank) return {};
  return written_by_another(found.writer.rank, "is writing the same file now", target.path);
}

// Finds a free place and takes it: take(place) gives 0, or an errno, of which EEXIST is another
// one's and EAGAIN asks for the same place again. alone: not written by several MPI ranks together.
template <class Take>
status find_place(const file_target& target, const std::string& beginning, bool alone, Take take) {
  int number = 0;
  bool met = false;
  for (int attempt = 0; attempt < most_places; ++attempt) {
    const std::string place = place_name(beginning, number);
    const int error = take(place);
    if (error == 0) break;
    if (error == EAGAIN) continue;
    if (error != EEXIST) return cannot_create(error, target);
    met = true;
    const place_found found = look_at_place(beginning, place);
    if (alone)
      if (status s = refuse_second_rank(found, target); !s.ok()) return s;
    if (found.state == place_state::in_use) ++number;
    if (number == most_places || attempt == most_places - 1) return cannot_create(EEXIST, target);
  }
  // Several writers of one target may have been killed together. Where nothing was met there is
  // nothing more, as a rule, and looking would cost every small file a twentieth.
  while (met && ++number < most_places &&
         look_at_place(beginning, place_name(beginning, number)).state != place_state::nothing) {
  }
  return {};
}

}  // namespace

status temporary_name::create(const file_target& target, int& descriptor) {
  remove();
  owner_ = ::getpid();
  forks_ = fork_count();
  names_rank_ = false;
  const std::string beginning = beginning_of(target.path);
  struct stat made {};
  bool plain = !place_in_job().known() && is_likely_local(directory_of(target.path));
  if (plain)
    if (status s = create_plain(target, beginning, descriptor, plain, made); !s.ok()) return s;
  if (!plain)
    if (status s = create_linked(target, beginning, false, descriptor, made); !s.ok()) return s;
  return target.replaces ? keep_mode_and_owner(target, descriptor, made) : status();
}

status temporary_name::create_plain(const file_target& target, const std::string& beginning,
                                    int& descriptor, bool& locks_work, struct stat& made) {
  const auto take = [&](const std::string& place) {
    path_ = place;  // memory before files: nobody would remove one without a name
    descriptor = create_file(place);
    const int error = errno;
    hold held = descriptor < 0 ? hold::lost : hold_new(descriptor, made);
    is_local_ = held == hold::taken && is_on_local_disk(descriptor);
    if (is_local_) return 0;
    if (held == hold::taken) held = hold::without_locks;  // the directory is another one by now
    path_.clear();
    if (descriptor < 0) return error;
    if (held == hold::without_locks) {
      locks_work = false;
      ::unlink(place.c_str());
    }
    ::close(std::exchange(descriptor, -1));
    return held == hold::lost ? EAGAIN : 0;
  };
  return find_place(target, beginning, true, take);
}

// A file whose name says who writes, locked if that is possible, and the place as a link to it. The
// link comes first: by it the next writer finds what is left of a program that was killed between
// the two. Where a file system has no symbolic links, nobody can. A name may be there already: in a
// container that was started again all but the start of the process may be as before.
status temporary_name::create_linked(const file_target& target, const std::string& beginning,
                                     bool guards, int& descriptor, struct stat& made) {
  std::string& name = guards ? guard_ : path_;
  bool locks_tell = is_on_local_disk(directory_of(target.path));
  const auto take = [&](const std::string& place) {
    name = beginning + writer_text(locks_tell);
    names_rank_ = name.size() <= longest_path;
    if (!names_rank_) name = beginning + short_text();
    if (guards) path_ = guarded_by(guard_);  // memory before files, as above
    place_ = place;
    int error = ::symlink(name.c_str() + name.rfind('/') + 1, place.c_str()) == 0 ? 0 : errno;
    const bool is_linked = error == 0;
    if (error != EEXIST && (error = create_locked(name, locks_tell, descriptor, made)) == 0) {
      if (!is_linked) place_.clear();
      names_rank_ = names_rank_ && is_linked;
      return 0;
    }
    if (is_linked) ::unlink(place.c_str());
    path_.clear();
    guard_.clear();
    place_.clear();
    return error;
  };
  return find_place(target, beginning, !guards, take);
}

// 0, or an errno; EAGAIN: under another name, which promises no lock if locks do not tell.
int temporary_name::create_locked(const std::string& name, bool& locks_tell, int& descriptor,
                                  struct stat& made) noexcept {
  descriptor = create_file(name);
  if (descriptor < 0) return errno == EEXIST ? EAGAIN : errno;
  const hold held = hold_new(descriptor, made);
  is_local_ = is_on_local_disk(descriptor);
  // A name must not promise a lock that is not there.
  if (has_name(descriptor, made) && (!locks_tell || (held == hold::taken && is_local_))) return 0;
  ::unlink(name.c_str());
  ::close(std::exchange(descriptor, -1));
  locks_tell = false;
  return EAGAIN;
}

status temporary_name::reserve(const file_target& target) {
  remove();
  owner_ = ::getpid();
  const std::string beginning = beginning_of(target.path);
  struct stat made {};
  return create_linked(target, beginning, true, lock_, made);
}

void temporary_name::keep_lock(int descriptor) noexcept {
  lock_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

// A child of fork() may have the lock too: closing alone would not end it.
void temporary_name::release(int descriptor) noexcept {
  if (empty()) return;
  const bool is_alone = guard_.empty() && place_.empty() && !may_be_copied(forks_);
  if (!is_alone && owner_ == ::getpid()) {
    const int locked = lock_ >= 0 ? lock_ : descriptor;
    if (!guard_.empty()) ::unlink(guard_.c_str());
    if (!place_.empty()) ::unlink(place_.c_str());
    if (locked >= 0) unlock_description(locked);
  }
  if (lock_ >= 0) ::close(lock_);
  lock_ = -1;
  is_local_ = false;
  path_.clear();
  guard_.clear();
  place_.clear();
}

void temporary_name::remove(int descriptor) noexcept {
  if (empty()) return;
  if (owner_ == ::getpid()) {
    struct stat left {};
    if (guard_.empty())
      ::unlink(path_.c_str());
    else
      remove_tree(path_);
    if (!guard_.empty() && ::lstat(path_.c_str(), &left) == 0) {  // the next write tries again
      guard_.clear();
      place_.clear();
    }
  }
  release(descriptor);
}

bool is_being_written(const std::string& target) {
  const std::string beginning = beginning_of(target);
  for (int number = 0; number < most_places; ++number) {
    const place_found found = look_at_place(beginning, place_name(beginning, number), false);
    if (found.state == place_state::nothing) break;
    if (found.is_certain) return true;
  }
  return false;
}

}  // namespace headrace
