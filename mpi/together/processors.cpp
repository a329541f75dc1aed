#include "processors.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstring>

namespace headrace {
namespace {

// Of lists of cgroups and names of files: no memory is asked for here.
using short_text = std::array<char, 2 * PATH_MAX>;

// Appends what a file begins with; nothing where it cannot be read.
void append_file(const char* root, const char* controller, const char* path, const char* name,
                 short_text& text) noexcept {
  short_text file{};
  std::snprintf(file.data(), file.size(), "%s%s%s%s", root, controller, path, name);
  const std::size_t length = std::strlen(text.data());
  const int descriptor = ::open(file.data(), O_RDONLY | O_CLOEXEC);
  const ssize_t more = ::read(descriptor, text.data() + length, text.size() - 1 - length);
  text[length + static_cast<std::size_t>(std::max<ssize_t>(more, 0))] = '\0';
  if (descriptor >= 0) ::close(descriptor);
}

// Of a cgroup and those above it. In a container the path may be that of the host, and only the
// root is there.
int least_quota(const char* root, char* path, bool is_version_1) noexcept {
  int least = INT_MAX;
  for (char* end = path + std::strlen(path); end != nullptr; end = std::strrchr(path, '/')) {
    *end = '\0';
    short_text quota{};
    if (is_version_1) {
      append_file(root, "/cpu", path, "/cpu.cfs_quota_us", quota);
      append_file(root, "/cpu", path, "/cpu.cfs_period_us", quota);
    } else {
      append_file(root, "", path, "/cpu.max", quota);
    }
    least = std::min(least, processors_of_quota(quota.data()));
  }
  return least;
}

}  // namespace

int processors_of_quota(const char* text) noexcept {
  long long quota = 0;
  long long period = 0;
  if (std::sscanf(text, "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0)
    return INT_MAX;
  return static_cast<int>(std::min<long long>((quota - 1) / period + 1, INT_MAX));
}

int processors_of_cgroups(const char* list, const char* root) noexcept {
  short_text lines{};
  append_file(list, "", "", "", lines);
  int least = INT_MAX;
  char* rest = nullptr;
  // "0::/path" of version 2, "4:cpu,cpuacct:/path" of version 1 with its controllers.
  for (char* line = ::strtok_r(lines.data(), "\n", &rest); line != nullptr;
       line = ::strtok_r(nullptr, "\n", &rest)) {
    char controllers[256] = ",cpu,";
    int path = 0;
    const bool is_version_1 = std::sscanf(line, "%*d:%253[^:]", controllers + 1) == 1;
    if (is_version_1) std::strcat(controllers, ",");
    if (std::sscanf(line, "%*d:%*[^/]%n", &path) != 0 || path == 0) continue;
    if (std::strstr(controllers, ",cpu,") != nullptr)
      least = std::min(least, least_quota(root, line + path, is_version_1));
  }
  return least;
}

}  // namespace headrace
