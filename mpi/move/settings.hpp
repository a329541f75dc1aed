// How the bytes of a dataset are to be moved, and what was learned while they were.
#pragma once

#include "../disk/hints.hpp"
#include "../together/timeline.hpp"

namespace headrace {

enum class write_pattern {
  automatic,
  serial,
  file_per_process,
  file_per_node,
  shared_independent,
  shared_collective
};

enum class transfer_way { automatic, headrace, library };

// What the user chose; automatic values are resolved before a backend sees them.
struct parallel_settings {
  write_pattern pattern = write_pattern::automatic;
  transfer_way transfer = transfer_way::automatic;
  hint_list hints;
  bool checksum = false;
  bool compress = false;
  bool sync = false;

  bool by_library() const noexcept { return transfer == transfer_way::library; }
  // All MPI ranks have one file open in the library.
  bool by_library_together() const noexcept {
    return by_library() && (pattern == write_pattern::shared_independent ||
                            pattern == write_pattern::shared_collective);
  }
};

// What is told to the user afterwards.
struct parallel_notes {
  timeline line;
  hints_found hints;
  int writers = 0;
  bool redistributed = false;
};

}  // namespace headrace
