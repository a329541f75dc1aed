// What MPI ranks of one job on one machine see of each other's files, without MPI and without a
// file of its own: marks, which end with the process. Used by files.cpp.
//
// A mark is a lock for reading on bytes of /proc that stand for the job and the file; its length
// says the MPI rank. Such locks keep nobody from anything, no file system but /proc hears of them,
// and /proc stays mounted while a process lives. MPI ranks on other machines, or in containers with
// PID namespaces of their own, see none of them.
#pragma once

#include <cstdint>
#include <string>

#include "file_target.hpp"
#include "status.hpp"

namespace headrace {

// Failure written_by_another_rank. how: what that MPI rank does, "is writing the same file now".
status written_by_another(long other, const char* how, const std::string& file);

// The marks of a file while it is written. A program that is not one of several MPI ranks has none.
class rank_marks {
 public:
  // No other MPI rank sees by its name that this one writes: marked until end(). Failure if another
  // one does so now.
  status begin_unnamed(const file_target& target);
  // Before the new content takes the place of the old: marks the file as written by this MPI rank.
  // Failure if another one has written it since target was looked at. Says once if another one
  // wrote what is replaced. replaces: the old content goes.
  status complete(const file_target& target, bool replaces);
  void end() noexcept;

 private:
  std::uint64_t writing_ = 0;  // key of the mark
};

}  // namespace headrace
