/* For tests: a file system that refuses direct I/O, as open(2) documents it (EINVAL for O_DIRECT).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

typedef int open_function(const char*, int, ...);

static int refuse_or_open(const char* name, const char* path, int flags, mode_t mode) {
  if (flags & O_DIRECT) {
    errno = EINVAL;
    return -1;
  }
  return ((open_function*)dlsym(RTLD_NEXT, name))(path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return refuse_or_open("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return refuse_or_open("open64", path, flags, mode);
}
