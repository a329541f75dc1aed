// Files that one program at a time may have: new ones that nobody else created, old ones locked.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <string>
#include <utility>

#include "status.hpp"

namespace headrace {

// Creates an empty file, with mode and owner of the file model if that exists; created is false
// when the name is taken.
status create_new(const std::string& file, const std::string& model, bool& created);

// Holds a file that others replace by a new one under its name.
class file_lock {
 public:
  file_lock() = default;
  ~file_lock() { release(); }
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;

  // Waits until nobody else holds the file of that name. Holds nothing if there is no such file
  // or if the file system has no locks.
  status take(const std::string& file);
  void release() noexcept;

 private:
  int descriptor_ = -1;
};

// Keeps others from appending to an open file.
class append_lock {
 public:
  append_lock() = default;
  ~append_lock() { release(); }
  append_lock(const append_lock&) = delete;
  append_lock& operator=(const append_lock&) = delete;

  // Waits up to a minute until nobody else appends to the file, not at all if the same thread
  // does so: it would wait for itself. Failure EWOULDBLOCK. named is false when the name stands
  // for another file meanwhile; nothing is held then. Other programs are not kept away if the
  // file system has no locks.
  status take(int descriptor, const std::string& file, bool& named);
  // Without waiting, if the file is a regular one with one name, and nobody else appends to it. now
  // is what it is then. False, and nothing is held, if any of this is not so: take() tells why.
  bool take_at_once(int descriptor, struct stat& now);
  // Called before the descriptor is closed. In a child of fork() the parent keeps it.
  void release() noexcept;

 private:
  int descriptor_ = -1;  // not closed here
  pid_t owner_ = 0;
  std::pair<dev_t, ino_t> file_{};
};

}  // namespace headrace
