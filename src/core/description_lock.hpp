// Locks of a whole file that belong to an open file, not to a process (F_OFD_SETLK): a thread or a
// child of fork() shares them, and the system drops them with the last descriptor. Unlike flock()
// they meet the locks that an NFS or SMB server takes for its clients. Used by temporaries.cpp and
// leftovers.cpp.
#pragma once

#include <fcntl.h>

#include <cerrno>

#include "system_calls.hpp"

namespace headrace {

enum class lock_answer { taken, held_by_another, unknown };

// A descriptor that is not open for writing can only ask, and takes nothing.
inline lock_answer lock_description(int descriptor) noexcept {
  struct flock whole {};  // to the end, wherever that will be
  whole.l_type = F_WRLCK;
  if (uninterrupted([&] { return ::fcntl(descriptor, F_OFD_SETLK, &whole); }) == 0)
    return lock_answer::taken;
  if (errno == EAGAIN) return lock_answer::held_by_another;
  if (errno == EBADF && ::fcntl(descriptor, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK)
    return lock_answer::held_by_another;
  return lock_answer::unknown;
}

inline void unlock_description(int descriptor) noexcept {
  struct flock whole {};
  whole.l_type = F_UNLCK;
  ::fcntl(descriptor, F_OFD_SETLK, &whole);
}

}  // namespace headrace
