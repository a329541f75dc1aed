// How many processors the CPU quotas of cgroups allow, as containers and batch systems set them.
#pragma once

namespace headrace {

// Of a quota and its period in microseconds, "150000 100000" or "max 100000", rounded up; INT_MAX
// where there is no quota.
int processors_of_quota(const char* text) noexcept;

// The least that the cgroups of this process and those above them allow; INT_MAX where there is no
// quota, or nothing of it can be read. list and root: other ones for tests.
int processors_of_cgroups(const char* list = "/proc/self/cgroup",
                          const char* root = "/sys/fs/cgroup") noexcept;

}  // namespace headrace
