/* System calls for the C++ of this folder, past our own wrappers. */
#ifdef HEADRACE_RUN
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../frames.h"
#include "../real_calls.h"
#include "run.h"

int run_raw_create(const char *path);
long run_raw_write(int descriptor, const void *text, size_t bytes);
void run_raw_close(int descriptor);
long run_raw_read_at(int descriptor, void *text, size_t bytes, int64_t place);
long run_raw_write_at(int descriptor, const void *text, size_t bytes, int64_t place);

int run_raw_create(const char *path) { return real_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); }
void run_raw_close(int descriptor) { real_close(descriptor); }

long run_raw_read_at(int descriptor, void *text, size_t bytes, int64_t place)
{
    return real_read_at(descriptor, text, bytes, place);
}

long run_raw_write(int descriptor, const void *text, size_t bytes)
{
    long done = 0;
    while ((size_t)done < bytes) {
        ssize_t written = real_write(descriptor, (const char *)text + done, bytes - (size_t)done);
        if (written <= 0) return done ? done : -1;
        done += written;
    }
    return done;
}

long run_raw_write_at(int descriptor, const void *text, size_t bytes, int64_t place)
{
    long done = 0;
    while ((size_t)done < bytes) {
        ssize_t written = real_write_at(descriptor, (const char *)text + done, bytes - (size_t)done, place + done);
        if (written <= 0) break;
        done += written;
    }
    return done;
}

/* libgfortran asks for the status of each file that it opens. C libraries before glibc 2.33 have no such function, but one of
 * another name, which is not seen. */
#define STATUS_WRAPPER(name, type)                                                                          \
    FUNCTION_BEHIND(int, name, (int, struct type *))                                                        \
    EXPORTED int name(int descriptor, struct type *status)                                                  \
    {                                                                                                       \
        int (*function)(int, struct type *);                                                                \
        *(void **)&function = found_##name; /* at the start: the loader is not asked again */               \
        int failed = function ? function(descriptor, status) : (int)syscall(SYS_fstat, descriptor, status); \
        if (run_is_active && !failed) run_descriptor_looked_at(descriptor, (const struct stat *)status);    \
        return failed;                                                                                      \
    }
_Static_assert(sizeof(struct stat64) == sizeof(struct stat), "they are the same");
STATUS_WRAPPER(fstat, stat)
STATUS_WRAPPER(fstat64, stat64)

/* When a WRITE to standard output begins, gfortran's run time empties C's buffer of it. Statements whose text waited have done so.
 */
FUNCTION_BEHIND(int, fflush, (FILE *))
EXPORTED int fflush(FILE *stream)
{
    if (run_hands_over && stream == stdout) return 0;
    return behind_fflush()(stream);
}
#endif
