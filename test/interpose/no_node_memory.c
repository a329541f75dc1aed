/* No file of memory that MPI ranks share, as when those of a node cannot open each
 * other's files: preload this library. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int memfd_create(const char* name, unsigned flags) {
  if (strcmp(name, "headrace shared memory") != 0)
    return (int)syscall(SYS_memfd_create, name, flags);
  errno = ENOSYS;
  return -1;
}
