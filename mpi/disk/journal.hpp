// Changes in the middle of a file that a kill leaves made or not made, never half made: they are
// written to a journal beside the file first. Not collective.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "positioned_file.hpp"

namespace headrace {

struct changed_bytes {
  std::int64_t address = 0;
  std::string before;  // as long as after
  std::string after;
};

// file: the name of the disk's file. After a failure all bytes are as before. sync: the journal is
// on the device before the first change.
status change_by_journal(const positioned_file& disk, const std::string& file,
                         const std::vector<changed_bytes>& changes, bool sync);

// Before a file is opened: makes the changes that a killed program had written to the journal as a
// whole. A journal that ends early, or of another file, is removed.
status finish_changes(const std::string& file);

}  // namespace headrace
