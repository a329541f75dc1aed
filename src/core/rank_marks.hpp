// What MPI ranks of one job on one machine see of each other's files, without MPI and without
// another file: marks, which end with the process. Used by files.cpp.
//
// A mark is a read lock on bytes of /proc. The offset stands for the job and the file, the first
// byte for the MPI rank. Read locks block no process, reach no file system except /proc, and /proc
// stays mounted while a process lives. MPI ranks on other machines, or in containers with other PID
// namespaces, do not see them: there only temporary names (temporaries.hpp) show writers that
// overlap.
#pragma once

#include <cstdint>
#include <string>

#include "status.hpp"

namespace headrace {

// Failure written_by_another_rank. how: what that MPI rank does, "is writing the same file now".
status written_by_another(long other, const char* how, const std::string& file);

// The marks of a file while it is written. A program that is not one of several MPI ranks has none.
class rank_marks {
 public:
  // Before anything else is done for the file: marks it until end(), unless this MPI rank wrote it
  // before, and has not seen that another one did, too. Failure if another MPI rank writes it now;
  // of two that begin together the lower one goes on.
  status begin(const std::string& file);
  // Before the new content takes the place of the old: the file counts as written by this MPI rank.
  // Failure if another one has written it since begin(), or does so now and is not kept away by a
  // temporary name (alone). Says once if another one wrote what is replaced.
  status complete(const std::string& file, bool replaces, bool alone);
  void end() noexcept;

 private:
  std::uint64_t key_ = 0;
  bool is_watching_ = false;  // marked as being written
  long before_ = -1;          // who had written it at begin()
};

}  // namespace headrace
