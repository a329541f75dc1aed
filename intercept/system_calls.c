/* read(2), write(2) and their kin, of whoever makes them. A run time's are charged to the statement in progress.
 *
 * A wrapper must work before our start, in signal handlers and in threads that are being cancelled: it allocates nothing,
 * and leaves errno as the real call left it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "families/families.h"
#include "frames.h"
#include "processes.h"
#include "real_calls.h"
#include "redirect/redirect.h"
#include "run/run.h"

/* glibc's stdio makes its calls inside of libc, past us: /proc/self/io has them in sum (profile.c). */

static inline enum system_caller caller_of(struct frame *frame, const void *address)
{
    if (frame) return caller_statement;
    return is_in_shared_run_time(address) || is_in_static_run_time(address) ? caller_run_time : caller_other;
}

/* The run time holds the lock of the unit that it writes: what waits for that unit was handed over before it began, and the unit's
 * lock of `headrace run` must not be taken after its own. */
#define RUN_WAITS(descriptor)                                                                                             \
    do {                                                                                                                  \
        const void *by = __builtin_return_address(0);                                                                     \
        if (run_is_active && !is_in_shared_run_time(by) && !is_in_static_run_time(by)) run_before_descriptor(descriptor); \
    } while (0)

/* What the run time's buffers do. gfortran does not tell the program of most of their errors. */
#define RUN_SEES(kind, descriptor, result)                                                                             \
    do {                                                                                                               \
        const void *by = __builtin_return_address(0);                                                                  \
        const int is_of_interest = (result) < 0 ? errno != EINTR : run_counts_output && (descriptor) == STDOUT_FILENO; \
        if ((kind) == system_write && UNLIKELY(is_of_interest) && run_is_active &&                                     \
            (is_in_shared_run_time(by) || is_in_static_run_time(by))) {                                                \
            if ((result) < 0) run_write_failed();                                                                      \
            else run_wrote_to_output((long)(result));                                                                  \
        }                                                                                                              \
    } while (0)

/* begins and ends the counting of one call; nothing may happen between but the call itself */
#define COUNTED(result_type, kind, descriptor, moved, call)                                          \
    do {                                                                                             \
        RUN_WAITS(descriptor);                                                                       \
        if (UNLIKELY(!intercept_active) || this_thread.inside_system_call) {                         \
            result_type only = call;                                                                 \
            RUN_SEES(kind, descriptor, only);                                                        \
            return only;                                                                             \
        }                                                                                            \
        const void *from = __builtin_return_address(0);                                              \
        struct frame *frame = current_frame();                                                       \
        this_thread.inside_system_call = 1;                                                          \
        uint64_t begun = ticks_now();                                                                \
        result_type result = call;                                                                   \
        uint64_t ticks = ticks_now() - begun;                                                        \
        int saved = errno;                                                                           \
        RUN_SEES(kind, descriptor, result);                                                          \
        consumer_system_call(frame, caller_of(frame, from), kind, descriptor, (long)(moved), ticks); \
        errno = saved;                                                                               \
        this_thread.inside_system_call = 0;                                                          \
        return result;                                                                               \
    } while (0)

#define WRAPPER(result_type, name, parameters, arguments, kind, moved)     \
    FUNCTION_BEHIND(result_type, name, parameters)                         \
    EXPORTED result_type name parameters                                   \
    {                                                                      \
        result_type(*function) parameters = behind_##name();               \
        COUNTED(result_type, kind, descriptor, moved, function arguments); \
    }

WRAPPER(ssize_t, write, (int descriptor, const void *buffer, size_t bytes), (descriptor, buffer, bytes), system_write, result)
WRAPPER(ssize_t, writev, (int descriptor, const struct iovec *parts, int count), (descriptor, parts, count), system_write, result)
WRAPPER(ssize_t, pwrite, (int descriptor, const void *buffer, size_t bytes, off_t at), (descriptor, buffer, bytes, at),
        system_write, result)
WRAPPER(ssize_t, pwrite64, (int descriptor, const void *buffer, size_t bytes, off64_t at), (descriptor, buffer, bytes, at),
        system_write, result)
WRAPPER(ssize_t, pwritev, (int descriptor, const struct iovec *parts, int count, off_t at), (descriptor, parts, count, at),
        system_write, result)
WRAPPER(ssize_t, pwritev64, (int descriptor, const struct iovec *parts, int count, off64_t at), (descriptor, parts, count, at),
        system_write, result)
WRAPPER(ssize_t, read, (int descriptor, void *buffer, size_t bytes), (descriptor, buffer, bytes), system_read, result)
WRAPPER(ssize_t, readv, (int descriptor, const struct iovec *parts, int count), (descriptor, parts, count), system_read, result)
WRAPPER(ssize_t, pread, (int descriptor, void *buffer, size_t bytes, off_t at), (descriptor, buffer, bytes, at), system_read,
        result)
WRAPPER(ssize_t, pread64, (int descriptor, void *buffer, size_t bytes, off64_t at), (descriptor, buffer, bytes, at), system_read,
        result)
WRAPPER(ssize_t, preadv, (int descriptor, const struct iovec *parts, int count, off_t at), (descriptor, parts, count, at),
        system_read, result)
WRAPPER(ssize_t, preadv64, (int descriptor, const struct iovec *parts, int count, off64_t at), (descriptor, parts, count, at),
        system_read, result)
WRAPPER(off_t, lseek, (int descriptor, off_t offset, int whence), (descriptor, offset, whence), system_seek, 0)
WRAPPER(off64_t, lseek64, (int descriptor, off64_t offset, int whence), (descriptor, offset, whence), system_seek, 0)
WRAPPER(int, ftruncate, (int descriptor, off_t size), (descriptor, size), system_other, 0)
WRAPPER(int, ftruncate64, (int descriptor, off64_t size), (descriptor, size), system_other, 0)
WRAPPER(int, fsync, (int descriptor), (descriptor), system_other, 0)
WRAPPER(int, fdatasync, (int descriptor), (descriptor), system_other, 0)

FUNCTION_BEHIND(int, close, (int))
EXPORTED int close(int descriptor)
{
    int (*function)(int) = behind_close();
    RUN_WAITS(descriptor);
    if (UNLIKELY(!intercept_active)) return function(descriptor);
    if (is_our_process()) consumer_descriptor_closed(descriptor); /* before: afterwards another thread may have the number */
    COUNTED(int, system_other, -1, 0, function(descriptor));
}

/* What a statement opens is its file, whatever FILE= said: fort.99 and scratch files have names here. */
static void remember_opened(int descriptor, const char *path)
{
    struct frame *frame = current_frame();
    if (descriptor < 0 || !frame) return;
    if (frame->library) {
        consumer_file_opened(frame, path, descriptor);
        return;
    }
    this_thread.opened_descriptor = descriptor;
    strncpy(this_thread.opened_path, path, sizeof this_thread.opened_path - 1);
    this_thread.opened_path[sizeof this_thread.opened_path - 1] = '\0';
}

#define OPENING(call, path, how)                                                         \
    do {                                                                                 \
        if (UNLIKELY(!intercept_active) || this_thread.inside_system_call) {             \
            int opened = call;                                                           \
            if (run_is_active) run_descriptor_opened(opened, how);                       \
            return opened;                                                               \
        }                                                                                \
        const void *from = __builtin_return_address(0);                                  \
        struct frame *frame = current_frame();                                           \
        this_thread.inside_system_call = 1;                                              \
        uint64_t begun = ticks_now();                                                    \
        int descriptor = call;                                                           \
        uint64_t ticks = ticks_now() - begun;                                            \
        int saved = errno;                                                               \
        remember_opened(descriptor, path);                                               \
        if (run_is_active) run_descriptor_opened(descriptor, how);                       \
        consumer_system_call(frame, caller_of(frame, from), system_other, -1, 0, ticks); \
        errno = saved;                                                                   \
        this_thread.inside_system_call = 0;                                              \
        return descriptor;                                                               \
    } while (0)

#define MODE_OF(flags, mode)               \
    mode_t mode = 0;                       \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list more;                      \
        va_start(more, flags);             \
        mode = va_arg(more, mode_t);       \
        va_end(more);                      \
    }

#define OPEN_WRAPPER(name)                                         \
    FUNCTION_BEHIND(int, name, (const char *, int, ...))           \
    EXPORTED int name(const char *path, int flags, ...)            \
    {                                                              \
        int (*function)(const char *, int, ...) = behind_##name(); \
        MODE_OF(flags, mode)                                       \
        OPENING(function(path, flags, mode), path, flags);         \
    }
OPEN_WRAPPER(open)
OPEN_WRAPPER(open64)

#define OPENAT_WRAPPER(name)                                            \
    FUNCTION_BEHIND(int, name, (int, const char *, int, ...))           \
    EXPORTED int name(int directory, const char *path, int flags, ...)  \
    {                                                                   \
        int (*function)(int, const char *, int, ...) = behind_##name(); \
        MODE_OF(flags, mode)                                            \
        OPENING(function(directory, path, flags, mode), path, flags);   \
    }
OPENAT_WRAPPER(openat)
OPENAT_WRAPPER(openat64)

#define CREAT_WRAPPER(name)                                      \
    FUNCTION_BEHIND(int, name, (const char *, mode_t))           \
    EXPORTED int name(const char *path, mode_t mode)             \
    {                                                            \
        int (*function)(const char *, mode_t) = behind_##name(); \
        OPENING(function(path, mode), path, O_WRONLY);           \
    }
CREAT_WRAPPER(creat)
CREAT_WRAPPER(creat64)

#define TEMPORARY_WRAPPER(name, parameters, arguments) \
    FUNCTION_BEHIND(int, name, parameters)             \
    EXPORTED int name parameters                       \
    {                                                  \
        int(*function) parameters = behind_##name();   \
        OPENING(function arguments, path, O_RDWR);     \
    }
TEMPORARY_WRAPPER(mkstemp, (char *path), (path))
TEMPORARY_WRAPPER(mkstemp64, (char *path), (path))
TEMPORARY_WRAPPER(mkostemp, (char *path, int flags), (path, flags))
TEMPORARY_WRAPPER(mkostemp64, (char *path, int flags), (path, flags))

/* System calls: another library that watches the program (Darshan) does not see ours. */
int real_open(const char *path, int flags, mode_t mode) { return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode); }
int real_close(int descriptor) { return (int)syscall(SYS_close, descriptor); }
ssize_t real_read(int descriptor, void *buffer, size_t bytes) { return syscall(SYS_read, descriptor, buffer, bytes); }
ssize_t real_read_at(int descriptor, void *buffer, size_t bytes, off_t place)
{
    return syscall(SYS_pread64, descriptor, buffer, bytes, place);
}
ssize_t real_write(int descriptor, const void *buffer, size_t bytes) { return syscall(SYS_write, descriptor, buffer, bytes); }
ssize_t real_write_at(int descriptor, const void *buffer, size_t bytes, off_t place)
{
    return syscall(SYS_pwrite64, descriptor, buffer, bytes, place);
}
