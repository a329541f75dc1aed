// Refuses memory of no file, from the call on that NO_MEMORY_FROM names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

static int calls;

void* mmap(void* address, size_t bytes, int protection, int flags, int descriptor, off_t at) {
  static void* (*real)(void*, size_t, int, int, int, off_t);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "mmap");
  const char* from = getenv("NO_MEMORY_FROM");
  if ((flags & MAP_ANONYMOUS) && from && ++calls >= atoi(from)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return real(address, bytes, protection, flags, descriptor, at);
}

void* mmap64(void* address, size_t bytes, int protection, int flags, int descriptor, off_t at) {
  return mmap(address, bytes, protection, flags, descriptor, at);
}
