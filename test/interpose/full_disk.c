/* A disk that fills up, for tests: preload this library (LD_PRELOAD) and set
 *
 *   HEADRACE_TEST_DISK_PATH   regular files whose path contains this text are on the disk
 *   HEADRACE_TEST_DISK_BYTES  bytes that fit; then all kinds of write fail with ENOSPC
 *   HEADRACE_TEST_DISK_NAME   (optional) another name is another disk, an empty one, on which
 *                             cutting a file and punching holes in it give room back
 *   HEADRACE_TEST_DISK_SHORT  (optional) no call writes more bytes than this
 *   HEADRACE_TEST_DISK_EINTR  (optional) if set, every second call fails with EINTR
 *   HEADRACE_TEST_DISK_KILLS  (optional) if set, the call that does not fit kills the process
 *   HEADRACE_TEST_DISK_BREAKS (optional) bytes that can be written; then all writes fail with EIO
 *   HEADRACE_TEST_DISK_TELLS  (optional) if set, statvfs() and fstatvfs() tell how many bytes still
 * fit HEADRACE_TEST_DISK_FILES  (optional) if set, the disk holds all the files it can: no new ones
 *   HEADRACE_TEST_DISK_NO_FALLOCATE  (optional) if set, fallocate() fails with EOPNOTSUPP, and
 *                             what pwrite() wrote keeps its room
 *
 * Like a real disk, the call that reaches the end writes what still fits. Overwritten bytes count
 * again, but not those for which room was taken before. What fallocate() took behind the end of a
 * file comes back when the file is cut, be it to its own length; like ext4, punching a hole there
 * gives nothing back. The C library's own streams (fwrite) do not pass here. Variables are read at
 * each call. unreadable_disk.c is for reads. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "disk_path.h"

static unsigned long long used;   /* bytes written to the disk so far */
static unsigned long long calls;  /* writes to the disk so far */
static unsigned long long passed; /* bytes written, also to room that was taken before */
static int broken;                /* a write went beyond what works */
static struct range {
  dev_t device;
  ino_t file;
  off64_t begin, end;
} reserved[256]; /* by fallocate(); they do not overlap */
static unsigned reservations;

static unsigned long long limit(const char* name, unsigned long long otherwise) {
  const char* text = getenv(name);
  return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

static void choose_disk(void) {
  static char in_use[64];
  const char* name = getenv("HEADRACE_TEST_DISK_NAME");
  if (name == NULL || strncmp(name, in_use, sizeof in_use - 1) == 0) return;
  snprintf(in_use, sizeof in_use, "%s", name);
  used = 0;
  passed = 0;
  broken = 0;
  reservations = 0;
}

/* A device that fails: for each call, whether room was taken or not. */
static int is_broken(size_t bytes) {
  const unsigned long long last = limit("HEADRACE_TEST_DISK_BREAKS", ULLONG_MAX);
  choose_disk();
  if (last == ULLONG_MAX) return 0;
  if (passed > last || bytes > last - passed) broken = 1;
  if (!broken) return 0;
  errno = EIO;
  return 1;
}

static ssize_t count(ssize_t written) {
  if (written > 0) passed += (unsigned long long)written;
  return written;
}

/* How many of the bytes may be written; -1 with errno when none may. */
static ssize_t admit(size_t bytes) {
  const unsigned long long size = limit("HEADRACE_TEST_DISK_BYTES", ULLONG_MAX);
  const unsigned long long most = limit("HEADRACE_TEST_DISK_SHORT", SSIZE_MAX);
  choose_disk();
  if (getenv("HEADRACE_TEST_DISK_EINTR") != NULL && ++calls % 2 == 1) {
    errno = EINTR;
    return -1;
  }
  if (bytes > most) bytes = (size_t)most;
  if ((used > size || bytes > size - used) && getenv("HEADRACE_TEST_DISK_KILLS") != NULL)
    kill(getpid(), SIGKILL);
  if (used >= size && bytes > 0) {
    errno = ENOSPC;
    return -1;
  }
  return (ssize_t)(bytes > size - used ? size - used : bytes);
}

static struct range range_of(const struct stat* file, off64_t begin, off64_t end) {
  const struct range made = {file->st_dev, file->st_ino, begin, end};
  return made;
}

/* How many bytes of a range have their room already. */
static off64_t reserved_of(struct range part) {
  off64_t sum = 0;
  for (unsigned i = 0; i < reservations; ++i) {
    const off64_t begin = part.begin > reserved[i].begin ? part.begin : reserved[i].begin;
    const off64_t end = part.end < reserved[i].end ? part.end : reserved[i].end;
    if (reserved[i].device == part.device && reserved[i].file == part.file && begin < end)
      sum += end - begin;
  }
  return sum;
}

static void add_reservation(struct range part) {
  if (part.begin < part.end && reservations < sizeof reserved / sizeof *reserved)
    reserved[reservations++] = part;
}

/* Forgets what was reserved of a range. */
static void drop_reservations(struct range part) {
  for (unsigned i = reservations; i-- > 0;) {
    struct range left = reserved[i];
    struct range right = reserved[i];
    if (left.device != part.device || left.file != part.file || left.end <= part.begin ||
        part.end <= left.begin)
      continue;
    reserved[i] = reserved[--reservations];
    left.end = part.begin;
    right.begin = part.end;
    add_reservation(left);
    add_reservation(right);
  }
}

static void give_back(off64_t bytes) {
  const unsigned long long freed = bytes > 0 ? (unsigned long long)bytes : 0;
  used -= freed < used ? freed : used;
}

/* Was room taken for all of these bytes? offset -1: they go where the descriptor is. */
static int has_room(int descriptor, size_t bytes, off64_t offset) {
  struct stat found;
  if (reservations == 0 || fstat(descriptor, &found) != 0) return 0;
  if (offset < 0) offset = lseek64(descriptor, 0, SEEK_CUR);
  return reserved_of(range_of(&found, offset, offset + (off64_t)bytes)) == (off64_t)bytes;
}

static ssize_t count_used(ssize_t written) {
  if (written > 0) used += (unsigned long long)written;
  return count(written);
}

/* Who cannot reserve may have taken room by writing. */
static ssize_t keep(int descriptor, off64_t offset, ssize_t written) {
  struct stat found;
  if (written <= 0 || getenv("HEADRACE_TEST_DISK_NO_FALLOCATE") == NULL) return written;
  if (fstat(descriptor, &found) != 0) return written;
  const struct range part = range_of(&found, offset, offset + written);
  drop_reservations(part);
  for (unsigned i = 0; i < reservations; ++i)
    if (reserved[i].device == part.device && reserved[i].file == part.file &&
        reserved[i].end == part.begin) {
      reserved[i].end = part.end;
      return written;
    }
  add_reservation(part);
  return written;
}

ssize_t write(int descriptor, const void* data, size_t bytes) {
  if (!on_disk(descriptor)) return syscall(SYS_write, descriptor, data, bytes);
  if (is_broken(bytes)) return -1;
  if (has_room(descriptor, bytes, -1)) return count(syscall(SYS_write, descriptor, data, bytes));
  const ssize_t fits = admit(bytes);
  return fits < 0 ? -1 : count_used(syscall(SYS_write, descriptor, data, fits));
}

ssize_t pwrite64(int descriptor, const void* data, size_t bytes, off64_t offset) {
  if (!on_disk(descriptor)) return syscall(SYS_pwrite64, descriptor, data, bytes, offset);
  if (is_broken(bytes)) return -1;
  if (has_room(descriptor, bytes, offset))
    return count(syscall(SYS_pwrite64, descriptor, data, bytes, offset));
  const ssize_t fits = admit(bytes);
  if (fits < 0) return -1;
  return keep(descriptor, offset,
              count_used(syscall(SYS_pwrite64, descriptor, data, fits, offset)));
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

static int punch(int descriptor, int mode, off64_t offset, off64_t bytes) {
  struct stat found;
  if (fstat(descriptor, &found) != 0) return -1;
  if (bytes > found.st_size - offset) bytes = found.st_size - offset;
  if (bytes <= 0) return 0;
  if (syscall(SYS_fallocate, descriptor, mode, offset, bytes) != 0) return -1;
  drop_reservations(range_of(&found, offset, offset + bytes));
  if (getenv("HEADRACE_TEST_DISK_NAME") != NULL) give_back(bytes);
  return 0;
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t bytes) {
  struct stat found;
  if (!on_disk(descriptor) || offset < 0 || bytes <= 0)
    return (int)syscall(SYS_fallocate, descriptor, mode, offset, bytes);
  if (getenv("HEADRACE_TEST_DISK_NO_FALLOCATE") != NULL) {
    errno = EOPNOTSUPP;
    return -1;
  }
  choose_disk();
  if ((mode & FALLOC_FL_PUNCH_HOLE) != 0) return punch(descriptor, mode, offset, bytes);
  if (fstat(descriptor, &found) != 0) return -1;
  const struct range part = range_of(&found, offset, offset + bytes);
  const off64_t more = bytes - reserved_of(part);
  const ssize_t fits = admit((size_t)more);
  if (fits >= 0 && fits < more) errno = ENOSPC;
  if (fits < more || syscall(SYS_fallocate, descriptor, mode, offset, bytes) != 0) return -1;
  used += (unsigned long long)more;
  drop_reservations(part);
  add_reservation(part);
  return 0;
}

int fallocate(int descriptor, int mode, off_t offset, off_t bytes) {
  return fallocate64(descriptor, mode, offset, bytes);
}

int ftruncate64(int descriptor, off64_t length) {
  struct stat before;
  const int known = on_disk(descriptor) && fstat(descriptor, &before) == 0;
  const int result = (int)syscall(SYS_ftruncate, descriptor, length);
  if (result != 0 || !known) return result;
  choose_disk();
  const off64_t behind = before.st_size > length ? before.st_size : length;
  give_back(reserved_of(range_of(&before, behind, LLONG_MAX)));
  drop_reservations(range_of(&before, length, LLONG_MAX));
  if (getenv("HEADRACE_TEST_DISK_NAME") != NULL) give_back(before.st_size - length);
  return result;
}

int ftruncate(int descriptor, off_t length) {
  return ftruncate64(descriptor, length);
}

int truncate64(const char* path, off64_t length) {
  const int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  const int result = ftruncate64(descriptor, length);
  const int error = errno;
  close(descriptor);
  errno = error;
  return result;
}

int truncate(const char* path, off_t length) {
  return truncate64(path, length);
}

static void tell_room(struct statvfs64* found) {
  choose_disk();
  const unsigned long long size = limit("HEADRACE_TEST_DISK_BYTES", ULLONG_MAX);
  const unsigned long long blocks = (used < size ? size - used : 0) / found->f_frsize;
  if (blocks < found->f_bavail) found->f_bavail = blocks;
}

int statvfs64(const char* path, struct statvfs64* found) {
  static int (*original)(const char*, struct statvfs64*);
  const char* part = getenv("HEADRACE_TEST_DISK_PATH");
  char whole[PATH_MAX];
  if (original == NULL) *(void**)&original = dlsym(RTLD_NEXT, "statvfs64");
  const int result = original(path, found);
  if (result != 0 || part == NULL || getenv("HEADRACE_TEST_DISK_TELLS") == NULL) return result;
  if (realpath(path, whole) == NULL || strstr(whole, part) == NULL) return result;
  tell_room(found);
  return result;
}

int fstatvfs64(int descriptor, struct statvfs64* found) {
  static int (*original)(int, struct statvfs64*);
  if (original == NULL) *(void**)&original = dlsym(RTLD_NEXT, "fstatvfs64");
  const int result = original(descriptor, found);
  if (result == 0 && getenv("HEADRACE_TEST_DISK_TELLS") != NULL && on_disk(descriptor))
    tell_room(found);
  return result;
}

/* The same structure if long has 64 bits. */
int statvfs(const char* path, struct statvfs* found) {
  return statvfs64(path, (struct statvfs64*)found);
}

int fstatvfs(int descriptor, struct statvfs* found) {
  return fstatvfs64(descriptor, (struct statvfs64*)found);
}

/* Would the path be a new file on the disk that has none left? */
static int is_one_too_many(const char* path) {
  const char* part = getenv("HEADRACE_TEST_DISK_PATH");
  const char* slash = strrchr(path, '/');
  char directory[PATH_MAX] = ".";
  char whole[PATH_MAX];
  if (part == NULL || getenv("HEADRACE_TEST_DISK_FILES") == NULL || access(path, F_OK) == 0)
    return 0;
  if (slash != NULL && slash - path + 1 < PATH_MAX)
    snprintf(directory, (size_t)(slash - path) + 2, "%s", path);
  if (realpath(directory, whole) == NULL) return 0;
  const size_t length = strlen(whole);
  snprintf(whole + length, sizeof whole - length, "/%s", slash == NULL ? path : slash + 1);
  return strstr(whole, part) != NULL;
}

/* Do the flags come with a mode? */
static int makes_files(int flags) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

int open64(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (makes_files(flags)) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
    if (is_one_too_many(path)) {
      errno = ENOSPC;
      return -1;
    }
  }
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (makes_files(flags)) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  return open64(path, flags, mode);
}
