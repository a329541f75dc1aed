// Communicators of handles that this MPI rank closed alone: the others may still use theirs, and
// would wait for ever in a call that this one refuses without them.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "../together/communicator.hpp"

namespace headrace {

// A handle that is closed by a variable stays in it with the other sign.
inline std::int64_t number_of_handle(std::int64_t handle) noexcept {
  return handle < 0 ? -handle : handle;
}

class closed_handles {
 public:
  // Needs no memory. The last ones are known: each has communicators, of which MPI has few.
  // tells_once: nobody waits any more once all know that it is closed.
  void remember(std::int64_t number, communicator_ptr comm, bool tells_once = false) noexcept {
    const std::lock_guard<std::mutex> lock(guard_);
    entries_[next_] = {number, std::move(comm), tells_once};
    next_ = (next_ + 1) % entries_.size();
  }

  // Null for a number that was never closed, or long ago.
  communicator_ptr find(std::int64_t number) const noexcept {
    const std::lock_guard<std::mutex> lock(guard_);
    for (const entry& one : entries_)
      if (one.number == number && number != 0) return one.comm;
    return nullptr;
  }

  // All MPI ranks have heard that it is closed.
  void has_told(std::int64_t number) noexcept {
    const std::lock_guard<std::mutex> lock(guard_);
    for (entry& one : entries_)
      if (one.number == number && one.tells_once) one = {};
  }

 private:
  struct entry {
    std::int64_t number = 0;
    communicator_ptr comm;
    bool tells_once = false;
  };

  mutable std::mutex guard_;
  std::array<entry, 32> entries_;
  std::size_t next_ = 0;
};

}  // namespace headrace
