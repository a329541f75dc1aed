/* Which files are on the disk of tests: see full_disk.c. */
#pragma once

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is the descriptor a regular file on the disk? */
static int on_disk(int descriptor) {
  const char* part = getenv("HEADRACE_TEST_DISK_PATH");
  struct stat information;
  char link[64];
  char path[PATH_MAX + 1];
  if (part == NULL || fstat(descriptor, &information) != 0 || !S_ISREG(information.st_mode))
    return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, PATH_MAX);
  if (length < 0) return 0;
  path[length] = '\0';
  return strstr(path, part) != NULL;
}
