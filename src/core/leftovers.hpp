// What a killed writer left at one of the places of temporaries.hpp, and whether it is dead.
#pragma once

#include <cstdint>
#include <string>

namespace headrace {

// Which MPI rank of which job this process is, without asking MPI: what launchers put into the
// environment.
struct job_place {
  std::uint64_t job = 0;  // 0: not one of several MPI ranks, as far as the environment tells
  long rank = 0;

  bool known() const noexcept { return job != 0; }
};

// Looked up once: a process does not change its place.
const job_place& place_in_job();

// From the environment as it is now; for tests.
job_place find_place_in_job();

// What stands at a place.
enum class place_state {
  nothing,
  dead,   // what a killed writer left: removed by now, if that was asked
  in_use  // or nobody knows
};

struct place_found {
  place_state state = place_state::nothing;
  bool is_certain = false;  // in_use: the writer lives
  job_place writer;         // in_use: its MPI rank, if it says so
};

// Looks at a place of the temporary names that begin so ("dir/x.headrace-"). If the writer is
// certainly dead it removes all that is there: if its lock can be taken, where writer and looker
// have a file system of this machine alone; elsewhere if it was a process of this machine since its
// last start, in the same namespaces, and there is none of that number and start any more.
place_found look_at_place(const std::string& beginning, const std::string& place,
                          bool removes = true);

// The name's part behind the beginning that says who writes, with a number of its own. locks_tell:
// the file will be locked, on a file system of this machine alone.
std::string writer_text(bool locks_tell);
// The file or directory that a library makes beside such a file, which only guards it.
std::string guarded_by(const std::string& guard);

// Whether files of that directory, or an open file, are on this machine alone, so that its kernel
// knows all who have them open.
bool is_on_local_disk(const std::string& directory) noexcept;
bool is_on_local_disk(int descriptor) noexcept;

// Removes a file, or a directory with all that is in it.
void remove_tree(const std::string& path) noexcept;

}  // namespace headrace
