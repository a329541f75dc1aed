#include "exclusive.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "file_target.hpp"

namespace headrace {
namespace {

// The name still stands for the open file.
bool is_named(const struct stat& open_file, const std::string& file) noexcept {
  struct stat named {};
  return ::stat(file.c_str(), &named) == 0 && open_file.st_dev == named.st_dev &&
         open_file.st_ino == named.st_ino;
}

bool is_named(int descriptor, const std::string& file) noexcept {
  struct stat open_file {};
  return ::fstat(descriptor, &open_file) == 0 && is_named(open_file, file);
}

int open_for_lock(const std::string& file) noexcept {
  // Network file systems lock only what is open for writing.
  for (const int access : {O_RDWR, O_RDONLY}) {
    const int descriptor = ::open(file.c_str(), access | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor >= 0 || errno == ENOENT) return descriptor;
  }
  return -1;
}

using file_number = std::pair<dev_t, ino_t>;

constexpr std::chrono::milliseconds longest_pause(50);
constexpr std::chrono::seconds longest_wait(60);

// The files that this program appends to, each with the thread that has opened it.
struct appended_files {
  std::mutex guard;
  std::map<file_number, std::thread::id> threads;
};

// Lives until the end, when other objects are destroyed that hold files.
appended_files& appended() {
  static appended_files& all = *new appended_files;
  return all;
}

enum class lock_state { held, busy, held_by_this_thread };

lock_state try_lock(int descriptor, const file_number& file) {
  appended_files& all = appended();
  const std::lock_guard<std::mutex> lock(all.guard);
  const auto [place, added] = all.threads.emplace(file, std::this_thread::get_id());
  if (!added)
    return place->second == std::this_thread::get_id() ? lock_state::held_by_this_thread
                                                       : lock_state::busy;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR))
    return lock_state::held;
  all.threads.erase(place);
  return lock_state::busy;
}

status refused(bool by_this_thread) {
  if (by_this_thread)
    return status::system(EWOULDBLOCK, "the file is open already to be appended to")
        .advise("write through the record_file or text_writer that is open, or close it first");
  return status::system(EWOULDBLOCK, "another program or thread has the file open to append to it")
      .advise("close it there, or write to a file of your own; nothing was written for " +
              std::to_string(longest_wait.count()) + " seconds");
}

}  // namespace

status create_new(const std::string& file, const std::string& model, bool& created) {
  file_target like;
  if (status s = find_target(model, like); !s.ok()) return s;
  int descriptor = -1;
  do {
    descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  created = descriptor >= 0;
  if (!created && errno == EEXIST) return {};
  if (!created) return status::system(errno, "cannot create the file").in_file(file);
  status kept = like.replaces ? keep_mode_and_owner(like, file, descriptor) : status();
  ::close(descriptor);
  if (!kept.ok()) ::unlink(file.c_str());
  return kept;
}

status file_lock::take(const std::string& file) {
  for (;;) {
    release();
    descriptor_ = open_for_lock(file);
    if (descriptor_ < 0 && errno == ENOENT) return {};
    if (descriptor_ < 0) return status::system(errno, "cannot lock the file").in_file(file);
    int locked = 0;
    do {
      locked = ::flock(descriptor_, LOCK_EX);
    } while (locked != 0 && errno == EINTR);
    // A new file of the name has locks of its own.
    if (locked != 0 || is_named(descriptor_, file)) return {};
  }
}

void file_lock::release() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

status append_lock::take(int descriptor, const std::string& file, bool& named) {
  struct stat now {};
  named = false;
  if (::fstat(descriptor, &now) != 0) return status::system(errno, "cannot look at the file");
  const file_number number(now.st_dev, now.st_ino);
  const auto end = std::chrono::steady_clock::now() + longest_wait;
  for (std::chrono::milliseconds pause(1);; pause = std::min(2 * pause, longest_pause)) {
    const lock_state state = try_lock(descriptor, number);
    if (state == lock_state::held) break;
    if (state == lock_state::held_by_this_thread || std::chrono::steady_clock::now() >= end)
      return refused(state == lock_state::held_by_this_thread);
    std::this_thread::sleep_for(pause);
  }
  descriptor_ = descriptor;
  owner_ = ::getpid();
  file_ = number;
  // A file that was removed while this one waited has no name to be found by.
  named = is_named(now, file);
  if (!named) release();
  return {};
}

void append_lock::release() noexcept {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor < 0 || owner_ != ::getpid()) return;
  appended_files& all = appended();
  const std::lock_guard<std::mutex> lock(all.guard);
  all.threads.erase(file_);
  // A child of fork() may have the lock too: closing alone would not end it.
  ::flock(descriptor, LOCK_UN);
}

// A file whose only name was taken by another one while this one was opened has none.
bool append_lock::take_at_once(int descriptor, struct stat& now) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return false;
  bool taken = ::fstat(descriptor, &now) == 0 && S_ISREG(now.st_mode) && now.st_nlink == 1;
  if (taken) {
    file_ = {now.st_dev, now.st_ino};
    appended_files& all = appended();
    const std::lock_guard<std::mutex> lock(all.guard);
    taken = all.threads.emplace(file_, std::this_thread::get_id()).second;
  }
  if (!taken) {
    ::flock(descriptor, LOCK_UN);
    return false;
  }
  descriptor_ = descriptor;
  owner_ = ::getpid();
  return true;
}

}  // namespace headrace
