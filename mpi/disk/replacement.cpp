#include "replacement.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <utility>

#include "../../src/core/file_endings.hpp"
#include "../../src/core/file_target.hpp"
#include "../../src/core/leftovers.hpp"
#include "../together/from_root.hpp"
#include "positioned_file.hpp"

namespace headrace {
namespace {

const char* const aside_ending = ".headrace-old";

// Or a store in part: there is one below.
bool has_mark_of_store(const std::string& directory, const std::string& entry) {
  for (const char* const mark : {"zarr.json", ".zgroup", ".zarray", "md.idx", "md.0", "data.0"})
    if (entry == mark || exists(directory + "/" + entry + "/" + mark)) return true;
  return false;
}

// Nothing but an old store, or an empty directory, gives its place to a store.
status refuse_other_directories(const std::string& target, const std::string& file) {
  // std::filesystem would end the program if there is no memory for the next name.
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(target.c_str()), ::closedir);
  if (entries == nullptr) {
    if (errno == ENOENT) return {};
    return status::system(errno, "cannot look into the directory").in_file(file);
  }
  bool is_empty = true;
  bool is_store = false;
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(entries.get());
    if (entry == nullptr && errno != 0)
      return status::system(errno, "cannot look into the directory").in_file(file);
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    is_empty = false;
    is_store = is_store || has_mark_of_store(target, name);
  }
  if (is_empty) return {};
  if (is_store) {
    if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) == 0) return {};
    return status::system(errno, "cannot replace the store").in_file(file);
  }
  return status::system(ENOTEMPTY, "the directory holds other files than a store")
      .in_file(file)
      .advise("choose a name that is free: a store would replace all of it");
}

// The name behind symbolic links, also if nothing has it at the moment.
std::string linked_name(std::string name) {
  file_target found;
  static_cast<void>(find_target(without_slashes(std::move(name)), found));  // follows them first
  return found.path;
}

// What a name stands for, symbolic links followed; refuses what cannot be replaced.
status find_place(const std::string& file, bool directory, std::string& target) {
  if (!directory) {
    file_target found;
    if (status s = find_target(file, found); !s.ok()) return s;
    if (found.direct)
      return status::failure(stat_code::argument_invalid,
                             "a device or FIFO takes no parallel array")
          .in_file(file)
          .advise("name a file");
    target = found.path;
    return {};
  }
  char* const real = ::realpath(file.c_str(), nullptr);
  target = without_slashes(real == nullptr ? linked_name(file) : real);
  std::free(real);
  struct stat found {};
  if (::stat(target.c_str(), &found) != 0) return {};
  if (S_ISDIR(found.st_mode)) return refuse_other_directories(target, file);
  return status::system(ENOTDIR, "the store takes the place of a directory, and this is none")
      .in_file(file);
}

// A backend makes what it writes: a file itself, and in this directory files.
status make_directory(const file_target& place, const std::string& temporary) {
  if (::mkdir(temporary.c_str(), 0700) != 0)
    return status::system(errno, "cannot create a directory beside the store").in_file(place.path);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::chmod(temporary.c_str(), place.replaces ? place.old.st_mode & 07777U : 0777U & ~mask);
  return {};
}

status replace_directory(const std::string& from, const std::string& to) {
  struct stat old {};
  if (::stat(to.c_str(), &old) != 0) {
    if (::rename(from.c_str(), to.c_str()) == 0) return {};
    return status::system(errno, "cannot give the store its name").in_file(to);
  }
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0) {
    remove_tree(from);  // the old one
    return {};
  }
  // Lustre and NFS cannot swap: for a moment there is no store of that name; recover_replaced()
  // knows.
  const std::string aside = to + aside_ending;
  remove_tree(aside);
  if (::rename(to.c_str(), aside.c_str()) != 0)
    return status::system(errno, "cannot move the old store aside").in_file(to);
  if (::rename(from.c_str(), to.c_str()) != 0) {
    const int error = errno;
    ::rename(aside.c_str(), to.c_str());
    return status::system(error, "cannot give the store its name").in_file(to);
  }
  remove_tree(aside);
  return {};
}

// The new file gets the mode of the old one and, if the system permits, its owner.
status replace_file(const std::string& from, const std::string& to) {
  struct stat old {};
  if (::stat(to.c_str(), &old) == 0) {
    // Only the superuser gives files away; a member of the group may still keep the group.
    if (::chown(from.c_str(), old.st_uid, old.st_gid) != 0 &&
        ::chown(from.c_str(), static_cast<uid_t>(-1), old.st_gid) != 0)
      old.st_mode &= ~static_cast<mode_t>(S_ISUID | S_ISGID);
    if (::chmod(from.c_str(), old.st_mode & 07777U) != 0)
      return status::system(errno, "cannot keep the mode of the file to replace").in_file(to);
  }
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  return status::system(errno, "cannot give the file its name").in_file(to);
}

}  // namespace

replacement::~replacement() {
  discard();
}

void replacement::discard() noexcept {
  // A library may keep a file open after a failure: its blocks would be lost till the program ends.
  if (!name_.empty() && !directory_ && ::truncate(temporary_.c_str(), 0) != 0) errno = 0;
  name_.remove();
}

status replacement::begin(const communicator_ptr& comm, const std::string& file, bool directory) {
  comm_ = comm;
  directory_ = directory;
  if (status s = recover_replaced(*comm, file); !s.ok()) return s;
  const auto make = [&] {
    if (status s = find_place(file, directory, target_); !s.ok()) return s;
    // Left when a program was killed that had moved an old store aside and a new one there.
    const std::string aside = target_ + aside_ending;
    if (directory && exists(aside) && exists(target_)) remove_tree(aside);
    file_target place;
    place.path = target_;
    place.replaces = ::stat(target_.c_str(), &place.old) == 0;
    status made = name_.reserve(place);
    if (made.ok() && directory) made = make_directory(place, name_.path());
    if (made.ok()) temporary_ = name_.path();
    return made;
  };
  return pass_from_root(*comm, make, [&](message_pass& way) {
    way.text(target_);
    way.text(temporary_);
  });
}

status replacement::sync_name() const {
  return agree_on(*comm_, [&] {
    return comm_->rank() == 0 ? headrace::sync_name(target_).in_file(target_) : status();
  });
}

status replacement::commit() {
  return agree_on(*comm_, [&] {
    if (comm_->rank() != 0) return status();
    status result =
        directory_ ? replace_directory(temporary_, target_) : replace_file(temporary_, target_);
    if (result.ok() && directory_) name_.remove();  // with what is left of the old one
    if (result.ok()) name_.release();
    return result;
  });
}

status recover_replaced(const communicator& comm, const std::string& file) {
  return agree_on(comm, [&] {
    if (comm.rank() != 0) return status();
    const std::string name = linked_name(file);
    const std::string aside = name + aside_ending;
    struct stat found {};
    const bool missing = ::stat(name.c_str(), &found) != 0 && errno == ENOENT;
    if (!missing || ::stat(aside.c_str(), &found) != 0) return status();
    if (is_being_written(name)) return status();  // by a program that gives it its name at once
    if (::rename(aside.c_str(), name.c_str()) == 0) return status();
    return status::system(errno,
                          "cannot put the old store back that a killed program moved to " + aside)
        .in_file(file);
  });
}

void named_file::forget() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

// By O_PATH no permission is needed, and closing it takes no lock of the process away.
void named_file::learn(const std::string& file) noexcept {
  forget();
  descriptor_ = ::open(file.c_str(), O_PATH | O_CLOEXEC);
}

bool named_file::is_replaced_at(const std::string& file) const noexcept {
  struct stat held {};
  struct stat now {};
  return descriptor_ >= 0 && ::fstat(descriptor_, &held) == 0 && ::stat(file.c_str(), &now) == 0 &&
         (held.st_dev != now.st_dev || held.st_ino != now.st_ino);
}

bool are_one_file(const std::string& left, const std::string& right) noexcept {
  struct stat one {};
  struct stat other {};
  return ::stat(left.c_str(), &one) == 0 && ::stat(right.c_str(), &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace headrace
