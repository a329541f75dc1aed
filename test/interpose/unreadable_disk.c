/* A disk that cannot be read, for tests, in the library of full_disk.c:
 *
 *   HEADRACE_TEST_DISK_PATH   regular files whose path contains this text are on the disk
 *   HEADRACE_TEST_DISK_UNREADABLE  "100" or "100-164": no file can be read from this byte on, or
 *                             from here to there (EIO)
 *   HEADRACE_TEST_DISK_AT_ONCE (optional) if set, a read that would reach such a byte fails as a
 *                             whole; otherwise it gives what is before, and the next one fails
 *   HEADRACE_TEST_DISK_IN_MEMORY (optional) if set, statfs() says tmpfs of all files, otherwise of
 *                             none
 *
 * Neither memory maps nor the C library's own streams (fread) pass here. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/magic.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/vfs.h>

#include "disk_path.h"

/* How many of these bytes can be read; -1 with errno when none can. offset -1: the descriptor's. */
static ssize_t readable(int descriptor, size_t bytes, off64_t offset) {
  struct stat found;
  const char* text = getenv("HEADRACE_TEST_DISK_UNREADABLE");
  if (text == NULL || !on_disk(descriptor) || fstat(descriptor, &found) != 0) return (ssize_t)bytes;
  char* rest = NULL;
  const unsigned long long begin = strtoull(text, &rest, 10);
  const unsigned long long end = *rest == '-' ? strtoull(rest + 1, NULL, 10) : ULLONG_MAX;
  const unsigned long long at =
      (unsigned long long)(offset < 0 ? lseek64(descriptor, 0, SEEK_CUR) : offset);
  const unsigned long long size = (unsigned long long)found.st_size;
  const unsigned long long last = at + bytes < size ? at + bytes : size;
  if (last <= begin || end <= at || last <= at) return (ssize_t)bytes;
  if (at < begin && getenv("HEADRACE_TEST_DISK_AT_ONCE") == NULL) return (ssize_t)(begin - at);
  errno = EIO;
  return -1;
}

ssize_t read(int descriptor, void* data, size_t bytes) {
  const ssize_t there = readable(descriptor, bytes, -1);
  return there < 0 ? -1 : syscall(SYS_read, descriptor, data, there);
}

ssize_t pread64(int descriptor, void* data, size_t bytes, off64_t offset) {
  const ssize_t there = readable(descriptor, bytes, offset);
  return there < 0 ? -1 : syscall(SYS_pread64, descriptor, data, there, offset);
}

ssize_t pread(int descriptor, void* data, size_t bytes, off_t offset) {
  return pread64(descriptor, data, bytes, offset);
}

ssize_t readv(int descriptor, const struct iovec* parts, int number) {
  if (!on_disk(descriptor)) return syscall(SYS_readv, descriptor, parts, number);
  ssize_t total = 0;
  for (int i = 0; i < number; ++i) {
    const ssize_t done = read(descriptor, parts[i].iov_base, parts[i].iov_len);
    if (done < 0) return total > 0 ? total : -1;
    total += done;
    if ((size_t)done < parts[i].iov_len) break;
  }
  return total;
}

ssize_t preadv64(int descriptor, const struct iovec* parts, int number, off64_t offset) {
  ssize_t total = 0;
  for (int i = 0; i < number; ++i) {
    const ssize_t done = pread64(descriptor, parts[i].iov_base, parts[i].iov_len, offset + total);
    if (done < 0) return total > 0 ? total : -1;
    total += done;
    if ((size_t)done < parts[i].iov_len) break;
  }
  return total;
}

ssize_t preadv(int descriptor, const struct iovec* parts, int number, off_t offset) {
  return preadv64(descriptor, parts, number, offset);
}

/* Files in memory cannot fail, and headrace asks less of them: these tests run there too. */
int statfs64(const char* path, struct statfs64* found) {
  const int done = (int)syscall(SYS_statfs, path, found);
  const int in_memory = getenv("HEADRACE_TEST_DISK_IN_MEMORY") != NULL;
  if (done == 0 && (in_memory || found->f_type == TMPFS_MAGIC))
    found->f_type = in_memory ? TMPFS_MAGIC : EXT4_SUPER_MAGIC;
  return done;
}

int statfs(const char* path, struct statfs* found) {
  return statfs64(path, (struct statfs64*)found);
}

ssize_t sendfile64(int to, int from, off64_t* offset, size_t bytes) {
  const ssize_t there = readable(from, bytes, offset == NULL ? -1 : *offset);
  return there < 0 ? -1 : syscall(SYS_sendfile, to, from, offset, there);
}

ssize_t sendfile(int to, int from, off_t* offset, size_t bytes) {
  return sendfile64(to, from, offset, bytes);
}
