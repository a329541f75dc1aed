#define _GNU_SOURCE
#include "real_calls.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "redirect/redirect.h"

/* A run time that a library brought along which was loaded later (an extension module of Python): not in RTLD_NEXT's order. */
static void *in_loaded_libraries(const char *name)
{
    static const char *const libraries[] = {"libgfortran.so.5", "libgfortran.so.4", "libgfortran.so.3",
                                            "libflang_rt.runtime.so", "libFortranRuntime.so", NULL};
    for (int i = 0; libraries[i]; ++i) {
        void *library = dlopen(libraries[i], RTLD_NOLOAD | RTLD_LAZY);
        if (!library) continue;
        void *function = dlsym(library, name);
        dlclose(library); /* it stays: its user holds it */
        if (function) return function;
    }
    return NULL;
}

void *real_function_if_any(const char *name)
{
    void *function = static_function(name);
    if (!function) function = dlsym(RTLD_NEXT, name);
    return function ? function : in_loaded_libraries(name);
}

void *real_function(const char *name)
{
    void *function = real_function_if_any(name);
    if (function) return function;
    fprintf(stderr, "headrace trace: nothing defines %s, which the program calls\n", name);
    abort();
}

int real_open(const char *path, int flags, mode_t mode)
{
    static int (*open_)(const char *, int, ...);
    if (!open_) *(void **)&open_ = dlsym(RTLD_NEXT, "open");
    return open_(path, flags, mode);
}

int real_close(int descriptor)
{
    static int (*close_)(int);
    if (!close_) *(void **)&close_ = dlsym(RTLD_NEXT, "close");
    return close_(descriptor);
}

ssize_t real_read(int descriptor, void *buffer, size_t bytes)
{
    static ssize_t (*read_)(int, void *, size_t);
    if (!read_) *(void **)&read_ = dlsym(RTLD_NEXT, "read");
    return read_(descriptor, buffer, bytes);
}
