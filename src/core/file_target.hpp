// Where the bytes of a file go before it appears under its name. Used by
// temporaries.cpp and exclusive.cpp.
#pragma once

#include <sys/stat.h>

#include <string>

#include "status.hpp"

namespace headrace {

// The file that a name stands for, symbolic links followed.
struct file_target {
  std::string path;       // the file itself, never a symbolic link
  bool direct = false;    // a FIFO, device or /proc entry: written as it is
  bool replaces = false;  // a regular file of that name exists: old describes it
  struct stat old {};
};

// Finds the target of a file name, and refuses what the program may not write.
status find_target(const std::string& file, file_target& target);

// The directory part of a path, "." when it has none.
std::string directory_of(const std::string& path);

// A new name comes to the device, with its directory. The failure does not say which file.
status sync_name(const std::string& path);

// Gives an open file the mode of the target's old file and, if the system permits, its owner.
// now: what the open file is.
status keep_mode_and_owner(const file_target& target, const std::string& file, int descriptor);
status keep_mode_and_owner(const file_target& target, int descriptor, const struct stat& now);

}  // namespace headrace
