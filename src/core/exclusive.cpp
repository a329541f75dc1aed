#include "exclusive.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "file_target.hpp"

namespace headrace {
namespace {

// The name still stands for the open file.
bool is_named(int descriptor, const std::string& file) noexcept {
  struct stat open_file {};
  struct stat named {};
  return ::fstat(descriptor, &open_file) == 0 && ::stat(file.c_str(), &named) == 0 &&
         open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

int open_for_lock(const std::string& file) noexcept {
  // Network file systems lock only what is open for writing.
  for (const int access : {O_RDWR, O_RDONLY}) {
    const int descriptor = ::open(file.c_str(), access | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor >= 0 || errno == ENOENT) return descriptor;
  }
  return -1;
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

}  // namespace headrace
