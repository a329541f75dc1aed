#include "files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace headrace::zarr {

status read_small_file(const std::string& file, std::int64_t most, std::string& text) {
  positioned_file reader;
  std::int64_t bytes = 0;
  if (status s = reader.open_to_read(file); !s.ok()) return s;
  if (status s = reader.size(bytes); !s.ok()) return s;
  if (bytes > most)
    return status::failure(stat_code::header_damaged, "the file is too long for what it should be")
        .in_file(file)
        .expected("at most " + bytes_text(static_cast<std::uint64_t>(most)),
                  bytes_text(static_cast<std::uint64_t>(bytes)));
  text.resize(static_cast<std::size_t>(bytes));
  return reader.read_at(0, text.data(), bytes);
}

status write_small_file(const std::string& file, const std::string& text, bool replaces,
                        bool sync) {
  const std::string first = replaces ? directory_of(file) + "/.zarr.json.headrace" : file;
  if (replaces) ::unlink(first.c_str());  // what a killed program left
  positioned_file writer;
  if (status s = writer.create(first); !s.ok()) return s;
  const auto bytes = static_cast<std::int64_t>(text.size());
  if (status s = writer.write_at(0, text.data(), bytes); !s.ok()) return s;
  if (status s = writer.check_written(bytes); !s.ok()) return s;
  if (sync)
    if (status s = writer.sync(); !s.ok()) return s;
  if (status s = writer.close(); !s.ok() || !replaces) return s;
  if (std::rename(first.c_str(), file.c_str()) == 0) return {};
  return status::system(errno, "cannot replace the file").in_file(file);
}

status check_file_size(const std::string& file, std::int64_t bytes) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) {
    if (errno != ENOENT) return status::system(errno, "cannot look at the file").in_file(file);
    return status::failure(stat_code::file_changed_while_writing,
                           "a file of the store is gone that was just written")
        .in_file(file)
        .advise("see that no other program writes to the same store");
  }
  if (found.st_size == bytes) return {};
  return status::failure(stat_code::file_size_mismatch,
                         "the file does not have the size that was written")
      .in_file(file)
      .expected(bytes_text(static_cast<std::uint64_t>(bytes)),
                bytes_text(static_cast<std::uint64_t>(found.st_size)))
      .advise("check that the disk is not full and that nothing else writes to it");
}

status make_directory(const std::string& directory) {
  if (::mkdir(directory.c_str(), 0777) == 0 || errno == EEXIST) return {};
  return status::system(errno, "cannot make the directory of an array").in_file(directory);
}

bool exists(const std::string& file) {
  struct stat found {};
  return ::stat(file.c_str(), &found) == 0;
}

}  // namespace headrace::zarr
