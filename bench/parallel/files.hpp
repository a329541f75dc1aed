// Files and directories as a whole: their size, their pages in memory, their end.
#pragma once

#include <cstdint>
#include <string>

#include "outcome.hpp"

namespace headrace::bench {

// Bytes of a file, or of all files below a directory; 0 when there is none.
std::int64_t bytes_of(const std::string& path);
// Without holes, if the file system tells: a library that met a full disk may leave holes.
std::int64_t data_bytes_of(const std::string& path);
// A file, a link or a whole directory; what does not exist needs no removal.
outcome remove_all(const std::string& path);
outcome make_directory(const std::string& path);
outcome make_parent_directory(const std::string& path);
// The file's data, or that of all files below a directory, is on the device.
outcome sync_to_device(const std::string& path);
// Writes back and drops the pages of all files from memory; evicted: none stayed (tmpfs keeps all).
outcome evict_pages(const std::string& path, bool& evicted);

}  // namespace headrace::bench
