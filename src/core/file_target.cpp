#include "file_target.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "file_endings.hpp"
#include "system_calls.hpp"

namespace headrace {
namespace {

constexpr int most_links = 40;  // as many as Linux follows

bool starts_with(const std::string& text, const char* beginning) {
  return text.rfind(beginning, 0) == 0;
}

// Replaces path by what it links to, link after link; the last one need not exist.
status follow_links(const std::string& file, std::string& path) {
  path = file;
  for (int links = 0; links < most_links; ++links) {
    // Links below /proc name open files: renaming over them would detach the file from its reader.
    if (starts_with(path, "/proc/")) return {};
    char text[PATH_MAX];
    const ssize_t length = ::readlink(path.c_str(), text, sizeof text);
    if (length < 0) return {};  // not a link, or missing: opening it tells which
    const std::string link(text, static_cast<std::size_t>(length));
    path = starts_with(link, "/") ? link : directory_of(path) + "/" + link;
  }
  return status::system(ELOOP, "cannot follow symbolic links").in_file(file);
}

}  // namespace

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

status sync_name(const std::string& path) {
  const char* const what = "cannot bring the name to the device";
  const int directory = ::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return status::system(errno, what);
  const int result = uninterrupted([&] { return ::fsync(directory); });
  const int number = errno;
  ::close(directory);
  // Some file systems have nothing to synchronise in a directory and say so.
  if (result == 0 || number == EINVAL || number == ENOSYS) return {};
  return status::system(number, what);
}

status find_target(const std::string& file, file_target& target) {
  if (file.empty())
    return status::failure(stat_code::file_name_empty, "the file name is empty")
        .advise("give the name of the file to write");
  if (status s = refuse_slash(file, ""); !s.ok()) return s;
  target.path = file;
  // Most files are no links: one system call tells.
  int found = ::lstat(file.c_str(), &target.old);
  if (found == 0 && S_ISLNK(target.old.st_mode)) {
    if (status s = follow_links(file, target.path); !s.ok()) return s;
    found = ::stat(target.path.c_str(), &target.old);
  }
  if (found != 0) {
    if (errno == ENOENT) return {};
    return status::system(errno, "cannot write the file").in_file(file);
  }
  if (S_ISDIR(target.old.st_mode))
    return status::system(EISDIR, "cannot write the file").in_file(file);
  if (!S_ISREG(target.old.st_mode) || starts_with(target.path, "/proc/")) {
    target.direct = true;
    return {};
  }
  // A rename asks the directory only; the file's own permission counts too, as with OPEN.
  target.replaces = true;
  if (target.old.st_uid == ::geteuid() && (target.old.st_mode & S_IWUSR) != 0) return {};
  if (::faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0)
    return status::system(errno, "cannot replace the file").in_file(file);
  return {};
}

status keep_mode_and_owner(const file_target& target, const std::string& file, int descriptor) {
  struct stat now {};
  if (::fstat(descriptor, &now) != 0)
    return status::system(errno, "cannot look at the new file").in_file(file);
  return keep_mode_and_owner(target, descriptor, now);
}

status keep_mode_and_owner(const file_target& target, int descriptor, const struct stat& now) {
  mode_t mode = target.old.st_mode & 07777U;
  if (now.st_uid != target.old.st_uid || now.st_gid != target.old.st_gid) {
    // Only the superuser gives files away; a member of the group may still keep the group.
    if (::fchown(descriptor, target.old.st_uid, target.old.st_gid) != 0 &&
        ::fchown(descriptor, static_cast<uid_t>(-1), target.old.st_gid) != 0)
      mode &= ~static_cast<mode_t>(S_ISUID | S_ISGID);
  }
  if ((now.st_mode & 07777U) != mode && ::fchmod(descriptor, mode) != 0)
    return status::system(errno, "cannot keep the mode of the file to replace")
        .in_file(target.path);
  return {};
}

}  // namespace headrace
