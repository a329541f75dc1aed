// Temporary names beside a file that is written, and the end of those whose writer is dead. Used by
// files.cpp and ../../mpi/disk/replacement.cpp. Next: leftovers.hpp finds out who is dead.
//
// A target x has places x.headrace-0.tmp, x.headrace-1.tmp, ...: the first that is free is taken,
// so a writer meets what a killed one left without looking through the directory. The writer holds
// a lock on its file (description_lock.hpp). If locks do not tell (network file systems, or
// none), or if the program is one of several MPI ranks, the place is a symbolic link to a file
// whose name says who writes:
// x.headrace-BOOT-NAMESPACE-PROCESS-START-LOCKED-NUMBER-JOB-RANK.tmp.
#pragma once

#include <sys/types.h>

#include <string>

#include "file_target.hpp"

namespace headrace {

class temporary_name {
 public:
  temporary_name() = default;
  ~temporary_name() { remove(); }
  temporary_name(const temporary_name&) = delete;
  temporary_name& operator=(const temporary_name&) = delete;

  // Creates an empty file, with mode and owner of what it is to replace, open for writing; the
  // caller closes it. Removes before what killed programs left of the same target. Failure
  // written_by_another_rank if another MPI rank of the same job writes the target now.
  status create(const file_target& target, int& descriptor);
  // The same if a library makes the file or the directory: path() does not exist yet, and a file
  // beside it is locked.
  status reserve(const file_target& target);

  bool empty() const noexcept { return path_.empty(); }
  const std::string& path() const noexcept { return path_; }
  // On a file system of this machine alone: closing a file reports nothing there, so it may be
  // renamed before.
  bool is_local() const noexcept { return is_local_; }
  // Another MPI rank of the job meets the name, and reads in it who writes.
  bool names_rank() const noexcept { return names_rank_ && !empty(); }
  // Called before the descriptor is closed if the file is still to be renamed: keeps the lock.
  void keep_lock(int descriptor) noexcept;
  // After path() was renamed: nothing else stays. descriptor: if it is open still.
  void release(int descriptor = -1) noexcept;
  // Takes the file away, and all that belongs to it. In a child of fork() the parent keeps it.
  void remove(int descriptor = -1) noexcept;

 private:
  status create_plain(const file_target& target, const std::string& stem, int& descriptor,
                      bool& locks_work, struct stat& made);
  status create_linked(const file_target& target, const std::string& stem, bool guards,
                       int& descriptor, struct stat& made);
  int create_locked(const std::string& name, bool& locks_tell, int& descriptor,
                    struct stat& made) noexcept;

  std::string path_;   // what is renamed in the end
  std::string guard_;  // the locked file beside it, if a library makes path_
  std::string place_;  // the symbolic link, if there is one
  bool is_local_ = false;
  bool names_rank_ = false;
  int lock_ = -1;
  pid_t owner_ = 0;
  unsigned forks_ = 1;  // fork_count() before the file was made
};

// Whether some program is certainly writing the target at this moment.
bool is_being_written(const std::string& target);

}  // namespace headrace
