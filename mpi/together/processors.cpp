#include "processors.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

namespace headrace {
namespace {

// Nothing where it cannot be read.
std::string content_of(const std::string& file) {
  std::ifstream input(file);
  return {std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
}

// Of a cgroup and those above it. In a container the path may be that of the host, and only the
// root is there.
int least_quota(const std::string& root, std::string path, bool is_version_1) {
  int least = INT_MAX;
  for (bool is_above = true; is_above;) {
    const std::string quota = is_version_1
                                  ? content_of(root + "/cpu" + path + "/cpu.cfs_quota_us") +
                                        content_of(root + "/cpu" + path + "/cpu.cfs_period_us")
                                  : content_of(root + path + "/cpu.max");
    least = std::min(least, processors_of_quota(quota.c_str()));
    is_above = !path.empty();
    path.erase(std::min(path.rfind('/'), path.size()));
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

int processors_of_cgroups(const char* list, const char* root) noexcept try {
  std::ifstream lines(list);
  int least = INT_MAX;
  // "0::/path" of version 2, "4:cpu,cpuacct:/path" of version 1 with its controllers.
  for (std::string number, controllers, path; std::getline(lines, number, ':');) {
    std::getline(lines, controllers, ':');
    std::getline(lines, path);
    if (path.rfind('/', 0) != 0) continue;
    if (controllers.empty() || ("," + controllers + ",").find(",cpu,") != std::string::npos)
      least = std::min(least, least_quota(root, path, !controllers.empty()));
  }
  return least;
} catch (const std::bad_alloc&) {
  return INT_MAX;
}

}  // namespace headrace
