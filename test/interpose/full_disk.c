/* A disk that fills up, for tests: preload this library (LD_PRELOAD) and set
 *
 *   HEADRACE_TEST_DISK_PATH   regular files whose path contains this text are on the disk
 *   HEADRACE_TEST_DISK_BYTES  bytes that fit; then all kinds of write fail with ENOSPC
 *   HEADRACE_TEST_DISK_SHORT  (optional) no call writes more bytes than this
 *   HEADRACE_TEST_DISK_EINTR  (optional) if set, every second call fails with EINTR
 *   HEADRACE_TEST_DISK_KILLS  (optional) if set, the call that would fail kills the process instead
 *
 * Like a real disk, the call that reaches the end writes what still fits. Overwritten bytes count
 * again. The C library's own streams (fwrite) do not pass here. Variables are read at each call. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static unsigned long long used;  /* bytes written to the disk so far */
static unsigned long long calls; /* writes to the disk so far */

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

static unsigned long long limit(const char* name, unsigned long long otherwise) {
  const char* text = getenv(name);
  return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

/* How many of the bytes may be written; -1 with errno when none may. */
static ssize_t admit(size_t bytes) {
  const unsigned long long size = limit("HEADRACE_TEST_DISK_BYTES", ULLONG_MAX);
  const unsigned long long most = limit("HEADRACE_TEST_DISK_SHORT", SSIZE_MAX);
  if (getenv("HEADRACE_TEST_DISK_EINTR") != NULL && ++calls % 2 == 1) {
    errno = EINTR;
    return -1;
  }
  if (bytes > most) bytes = (size_t)most;
  if (used >= size && bytes > 0) {
    if (getenv("HEADRACE_TEST_DISK_KILLS") != NULL) kill(getpid(), SIGKILL);
    errno = ENOSPC;
    return -1;
  }
  return (ssize_t)(bytes > size - used ? size - used : bytes);
}

static ssize_t count(ssize_t written) {
  if (written > 0) used += (unsigned long long)written;
  return written;
}

ssize_t write(int descriptor, const void* data, size_t bytes) {
  if (!on_disk(descriptor)) return syscall(SYS_write, descriptor, data, bytes);
  const ssize_t fits = admit(bytes);
  return fits < 0 ? -1 : count(syscall(SYS_write, descriptor, data, fits));
}

ssize_t pwrite64(int descriptor, const void* data, size_t bytes, off64_t offset) {
  if (!on_disk(descriptor)) return syscall(SYS_pwrite64, descriptor, data, bytes, offset);
  const ssize_t fits = admit(bytes);
  return fits < 0 ? -1 : count(syscall(SYS_pwrite64, descriptor, data, fits, offset));
}

ssize_t pwrite(int descriptor, const void* data, size_t bytes, off_t offset) {
  return pwrite64(descriptor, data, bytes, offset);
}

ssize_t writev(int descriptor, const struct iovec* parts, int number) {
  if (!on_disk(descriptor)) return syscall(SYS_writev, descriptor, parts, number);
  ssize_t total = 0;
  for (int i = 0; i < number; ++i) {
    const ssize_t written = write(descriptor, parts[i].iov_base, parts[i].iov_len);
    if (written < 0) return total > 0 ? total : -1;
    total += written;
    if ((size_t)written < parts[i].iov_len) break;
  }
  return total;
}

/* Open MPI's MPI-IO writes by these. */
ssize_t pwritev64(int descriptor, const struct iovec* parts, int number, off64_t offset) {
  ssize_t total = 0;
  for (int i = 0; i < number; ++i) {
    const ssize_t written =
        pwrite64(descriptor, parts[i].iov_base, parts[i].iov_len, offset + total);
    if (written < 0) return total > 0 ? total : -1;
    total += written;
    if ((size_t)written < parts[i].iov_len) break;
  }
  return total;
}

ssize_t pwritev(int descriptor, const struct iovec* parts, int number, off_t offset) {
  return pwritev64(descriptor, parts, number, offset);
}
