// A file in memory, without a name in a directory.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

namespace headrace::fuzz {

class memory_file {
 public:
  explicit memory_file(std::string_view content)
      : descriptor_(::memfd_create("headrace-fuzz", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ::write(descriptor_, content.data(), content.size()) !=
                               static_cast<ssize_t>(content.size()))
      throw std::system_error(errno, std::generic_category());
  }
  ~memory_file() { ::close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace headrace::fuzz
