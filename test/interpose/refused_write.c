/* A disk that is full for one write and has room again, for tests: preload this library
 * (LD_PRELOAD) and set
 *
 *   HEADRACE_TEST_REFUSED_PATH   files whose path contains this text are on the disk
 *   HEADRACE_TEST_REFUSED_ERRNO  the number that the write fails with; nothing fails without it
 *   HEADRACE_TEST_REFUSED_WRITE  which of the writes from now on, from 1
 *
 * Changing HEADRACE_TEST_REFUSED_WRITE begins to count again. full_disk.c is a disk that stays
 * full. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_refused(int descriptor) {
  static char wanted_before[32];
  static int seen;
  const char* const number = getenv("HEADRACE_TEST_REFUSED_ERRNO");
  const char* const path = getenv("HEADRACE_TEST_REFUSED_PATH");
  const char* const wanted = getenv("HEADRACE_TEST_REFUSED_WRITE");
  if (number == NULL || path == NULL || wanted == NULL) return 0;
  char link[64];
  char name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, name, sizeof name - 1);
  if (length < 0) return 0;
  name[length] = '\0';
  if (strstr(name, path) == NULL) return 0;
  if (strcmp(wanted, wanted_before) != 0) {
    snprintf(wanted_before, sizeof wanted_before, "%s", wanted);
    seen = 0;
  }
  if (++seen != atoi(wanted)) return 0;
  errno = atoi(number);
  return 1;
}

#define REPLACE(name, parameters, arguments)                    \
  ssize_t name parameters {                                     \
    static ssize_t(*next) parameters;                           \
    if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, #name); \
    return is_refused(descriptor) ? -1 : next arguments;        \
  }
REPLACE(write, (int descriptor, const void* data, size_t bytes), (descriptor, data, bytes))
REPLACE(pwrite, (int descriptor, const void* data, size_t bytes, off_t at),
        (descriptor, data, bytes, at))
REPLACE(pwrite64, (int descriptor, const void* data, size_t bytes, off64_t at),
        (descriptor, data, bytes, at))
REPLACE(writev, (int descriptor, const struct iovec* parts, int count), (descriptor, parts, count))
REPLACE(pwritev, (int descriptor, const struct iovec* parts, int count, off_t at),
        (descriptor, parts, count, at))
REPLACE(pwritev64, (int descriptor, const struct iovec* parts, int count, off64_t at),
        (descriptor, parts, count, at))
