#define _GNU_SOURCE
#include "real_calls.h"

#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "redirect/redirect.h"

/* The loaded object that an address is in. */
struct object {
    uintptr_t address, begins, bytes;
    const char *path; /* "": the program */
};

static int look_for_address(struct dl_phdr_info *info, size_t size, void *wanted)
{
    struct object *object = wanted;
    uintptr_t begins = UINTPTR_MAX, ends = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD) continue;
        uintptr_t from = info->dlpi_addr + part->p_vaddr, to = from + part->p_memsz;
        if (from < begins) begins = from;
        if (to > ends) ends = to;
    }
    if (object->address < begins || object->address >= ends) return 0;
    object->begins = begins;
    object->bytes = ends - begins;
    object->path = info->dlpi_name ? info->dlpi_name : "";
    return 1;
}

static struct object object_of(const void *address)
{
    struct object object = {.address = (uintptr_t)address, .begins = (uintptr_t)address, .bytes = 1, .path = NULL};
    dl_iterate_phdr(look_for_address, &object);
    return object;
}

static void *ours(void)
{
    Dl_info information;
    return dladdr((const void *)(uintptr_t)ours, &information) ? information.dli_fbase : NULL;
}

static int is_ours(const void *function)
{
    Dl_info information;
    return dladdr(function, &information) && information.dli_fbase == ours();
}

/* Holds the object that defines it: a pointer to it is kept. */
static void *held(void *function)
{
    Dl_info information;
    if (function && dladdr(function, &information) && information.dli_fname && *information.dli_fname)
        (void)dlopen(information.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
    return function;
}

/* Paths of all loaded objects. They are looked into afterwards: dlopen must not be called from inside of dl_iterate_phdr. */
enum { most_objects = 1024 };
struct paths {
    int count;
    const char *path[most_objects];
};

static int keep_path(struct dl_phdr_info *info, size_t size, void *kept)
{
    struct paths *paths = kept;
    (void)size;
    if (info->dlpi_name && *info->dlpi_name && paths->count < most_objects) paths->path[paths->count++] = info->dlpi_name;
    return 0;
}

static void *function_in(const char *path, const char *name)
{
    void *handle = dlopen(path, RTLD_NOLOAD | RTLD_LAZY); /* looks in the object and in what it was linked with */
    void *function = handle ? dlsym(handle, name) : NULL;
    if (handle) dlclose(handle);
    return function && !is_ours(function) ? function : NULL;
}

static void *function_in_any_object(const char *name)
{
    struct paths paths = {0};
    void *function = NULL;
    dl_iterate_phdr(keep_path, &paths);
    for (int i = 0; i < paths.count && !function; ++i) function = function_in(paths.path[i], name);
    return function;
}

static void *function_for(const struct object *object, const char *name)
{
    int is_program = object->path && !*object->path;
    void *function = static_function(name, (const void *)object->address);
    if (!function && object->path && !is_program) function = function_in(object->path, name);
    if (!function) function = static_function(name, NULL); /* a jump at the end of a function that a library called */
    if (!function) function = dlsym(RTLD_NEXT, name);
    if (!function) function = function_in_any_object(name);
    return held(function);
}

/* Every pair of a function and a calling object that was met. Entries never change: readers need no lock. */
enum { most_calls = 8192 };
static struct {
    const char *name;
    struct real_call call;
} calls[most_calls];
static uint32_t call_count;
static int calls_lock;

const struct real_call *find_real_call(const char *name, const void *caller)
{
    uint32_t known = __atomic_load_n(&call_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < known; ++i)
        if ((uintptr_t)caller - calls[i].call.caller_begins < calls[i].call.caller_bytes && strcmp(calls[i].name, name) == 0)
            return &calls[i].call;
    struct object object = object_of(caller);
    void *function = function_for(&object, name);
    if (!function) {
        fprintf(stderr, "headrace trace: nothing defines %s, which the program calls\n", name);
        abort();
    }
    while (__atomic_exchange_n(&calls_lock, 1, __ATOMIC_ACQUIRE)) sched_yield();
    uint32_t place = call_count < most_calls ? call_count : most_calls - 1;
    calls[place].name = name;
    calls[place].call = (struct real_call){object.begins, object.bytes, function};
    __atomic_store_n(&call_count, place + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&calls_lock, 0, __ATOMIC_RELEASE);
    return &calls[place].call;
}

void real_calls_after_fork(void) { calls_lock = 0; } /* another thread of the parent may have held it */

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
