#include "process_costs.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace headrace::bench {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// A line of /proc/self/status in bytes, -1 if there is none.
std::int64_t memory_line(const char* name) noexcept {
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (file == nullptr) return -1;
  char line[256];
  std::int64_t kibibytes = -1;
  const std::size_t length = std::strlen(name);
  while (kibibytes < 0 && std::fgets(line, sizeof line, file) != nullptr) {
    long long number = -1;
    if (std::strncmp(line, name, length) == 0 &&
        std::sscanf(line + length, ": %lld", &number) == 1) {
      kibibytes = number;
    }
  }
  std::fclose(file);
  return kibibytes < 0 ? -1 : kibibytes * 1024;
}

// Linux takes the present resident memory as the new peak.
bool reset_peak() noexcept {
  const int file = ::open("/proc/self/clear_refs", O_WRONLY);
  if (file < 0) return false;
  const bool done = ::write(file, "5", 1) == 1;
  ::close(file);
  return done;
}

}  // namespace

void process_costs::begin() noexcept {
  resident_ = reset_peak() ? memory_line("VmRSS") : -1;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  user_ = seconds_of(used.ru_utime);
  system_ = seconds_of(used.ru_stime);
}

void process_costs::end() noexcept {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  user_ = seconds_of(used.ru_utime) - user_;
  system_ = seconds_of(used.ru_stime) - system_;
  const std::int64_t peak = memory_line("VmHWM");
  if (resident_ >= 0 && peak >= 0) peak_ = std::max<std::int64_t>(0, peak - resident_);
}

}  // namespace headrace::bench
