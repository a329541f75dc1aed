#include "file_target.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>

#include "file_endings.hpp"

namespace headrace {
namespace {

constexpr int most_links = 40;             // as many as Linux follows
constexpr int most_attempts = 1000;        // to find a free temporary name
constexpr std::size_t longest_stem = 200;  // leaves room for the suffix within NAME_MAX (255)

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

std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> number{0};  // two threads may write beside each other
  const std::size_t slash = path.rfind('/');
  const std::string stem = slash == std::string::npos ? path : path.substr(slash + 1);
  return directory_of(path) + "/" + stem.substr(0, fitting_length(stem, longest_stem)) +
         ".headrace-" + std::to_string(::getpid()) + "-" + std::to_string(number++) + ".tmp";
}

}  // namespace

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
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

status create_beside(const file_target& target, std::string& temporary, int& descriptor) {
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const std::string name = temporary_name(target.path);
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      temporary = name;
      return target.replaces ? keep_mode_and_owner(target, name, descriptor) : status();
    }
    if (errno != EEXIST && errno != EINTR) break;
  }
  return status::system(errno, "cannot create a temporary file beside the target")
      .in_file(target.path);
}

}  // namespace headrace
