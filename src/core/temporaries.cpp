#include "temporaries.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "hash.hpp"
#include "leftovers.hpp"
#include "system_calls.hpp"

namespace headrace {
namespace {

constexpr int most_places = 1000;
// With what writer_text() and guarded_by() add it stays within NAME_MAX (255).
constexpr std::size_t longest_stem = 140;

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

// Locks a file just created. Lost: before this, another one took it for what a killed writer left.
hold hold_new(int descriptor) noexcept {
  struct stat now {};
  if (uninterrupted([&] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }) != 0)
    return errno == EWOULDBLOCK ? hold::lost : hold::without_locks;
  return ::fstat(descriptor, &now) == 0 && now.st_nlink > 0 ? hold::taken : hold::lost;
}

// Directories do not change their file system between writes; where one does, a temporary of a
// killed program stays.
bool locks_tell_in(const std::string& directory) {
  thread_local std::string last;
  thread_local bool told = false;
  if (directory != last || last.empty()) {
    told = has_local_locks(directory);
    last = directory;
  }
  return told;
}

status cannot_create(int error, const file_target& target) {
  return status::system(error, "cannot create a temporary file beside the target")
      .in_file(target.path);
}

status refuse_second_rank(const place_found& found, const file_target& target) {
  const job_place& own = place_in_job();
  if (!own.known() || found.writer.job != own.job || found.writer.rank == own.rank) return {};
  return status::failure(stat_code::written_by_another_rank,
                         "MPI rank " + std::to_string(found.writer.rank) +
                             " of this job is writing the same file now; this is MPI rank " +
                             std::to_string(own.rank))
      .in_file(target.path)
      .advise(
          "write one array together by the module headrace_mpi, or on one MPI rank alone "
          "(if (rank == 0)), or give each MPI rank a file of its own");
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
  const std::string beginning = beginning_of(target.path);
  bool plain = !place_in_job().known() && locks_tell_in(directory_of(target.path));
  if (plain)
    if (status s = create_plain(target, beginning, descriptor, plain); !s.ok()) return s;
  if (!plain)
    if (status s = create_linked(target, beginning, descriptor); !s.ok()) return s;
  return target.replaces ? keep_mode_and_owner(target, path_, descriptor) : status();
}

status temporary_name::create_plain(const file_target& target, const std::string& beginning,
                                    int& descriptor, bool& locks_work) {
  const auto take = [&](const std::string& place) {
    path_ = place;  // memory before files: nobody would remove one without a name
    descriptor = create_file(place);
    const int error = errno;
    const hold held = descriptor < 0 ? hold::lost : hold_new(descriptor);
    if (held == hold::taken) return 0;
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

status temporary_name::create_linked(const file_target& target, const std::string& beginning,
                                     int& descriptor) {
  path_ = beginning + writer_text();
  descriptor = create_file(path_);
  if (descriptor < 0) {
    const int error = errno;
    path_.clear();
    return cannot_create(error, target);
  }
  static_cast<void>(hold_new(descriptor));
  status linked = link_place(target, beginning);
  if (!linked.ok()) {
    ::close(std::exchange(descriptor, -1));
    remove();
  }
  return linked;
}

// Where a file system has no symbolic links, nobody can find what a killed program left.
status temporary_name::link_place(const file_target& target, const std::string& beginning) {
  const std::string& file = guard_.empty() ? path_ : guard_;
  const std::string name = file.substr(file.rfind('/') + 1);
  const auto take = [&](const std::string& place) {
    place_ = place;
    if (::symlink(name.c_str(), place.c_str()) == 0) return 0;
    place_.clear();
    return errno == EEXIST ? EEXIST : 0;
  };
  return find_place(target, beginning, guard_.empty(), take);
}

status temporary_name::reserve(const file_target& target) {
  remove();
  owner_ = ::getpid();
  const std::string beginning = beginning_of(target.path);
  guard_ = beginning + writer_text();
  path_ = guarded_by(guard_);
  lock_ = create_file(guard_);
  if (lock_ < 0) {
    const int error = errno;
    guard_.clear();
    path_.clear();
    return cannot_create(error, target);
  }
  static_cast<void>(hold_new(lock_));
  status linked = link_place(target, beginning);
  if (!linked.ok()) remove();
  return linked;
}

void temporary_name::keep_lock(int descriptor) noexcept {
  lock_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

// A child of fork() has the lock too: closing alone would not end it.
void temporary_name::release(int descriptor) noexcept {
  if (empty()) return;
  if (owner_ == ::getpid()) {
    const int locked = lock_ >= 0 ? lock_ : descriptor;
    if (!guard_.empty()) ::unlink(guard_.c_str());
    if (!place_.empty()) ::unlink(place_.c_str());
    if (locked >= 0) ::flock(locked, LOCK_UN);
  }
  if (lock_ >= 0) ::close(lock_);
  lock_ = -1;
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
