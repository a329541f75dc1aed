// From 100,000 bytes on every write(2) to a file fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

static long written;

ssize_t write(int descriptor, const void* buffer, size_t bytes) {
  static ssize_t (*real)(int, const void*, size_t);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "write");
  if (descriptor < 3) return real(descriptor, buffer, bytes);
  if (written + (long)bytes > 100000) {
    errno = EIO;
    return -1;
  }
  ssize_t done = real(descriptor, buffer, bytes);
  if (done > 0) written += done;
  return done;
}
