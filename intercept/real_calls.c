#define _GNU_SOURCE
#include "real_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "families/families.h"
#include "frames.h"
#include "linked/linked.h"
#include "redirect/redirect.h"
#include "run/run.h"

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

/* Where it begins; NULL: there is none. dladdr would look for the nearest name, which takes long. */
static const void *base_of(const void *address)
{
    struct object object = object_of(address);
    return object.path ? (const void *)object.begins : NULL;
}

static int is_ours(const void *function) { return base_of(function) == base_of((const void *)(uintptr_t)is_ours); }

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
    if (handle) real_dlclose(handle);
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
    return function;
}

/* Every pair of a function and a calling object that was met, the last one first. Signal handlers may come here too: no lock. */
struct known_call {
    struct real_call call;
    const char *name;
    const void *caller_base, *function_base; /* of their objects; NULL: not known */
    struct known_call *next;
};
enum { most_calls_without_malloc = 4096 };
static struct known_call calls[most_calls_without_malloc];
static uint32_t call_count;
static struct known_call *last_call;

static struct known_call *new_call(void)
{
    uint32_t place = __atomic_fetch_add(&call_count, 1, __ATOMIC_RELAXED);
    return place < most_calls_without_malloc ? &calls[place] : calloc(1, sizeof *calls);
}

const void *object_at(const void *address, const char **path)
{
    if (!path) return base_of(address);
    Dl_info information = {0};
    int is_known = dladdr(address, &information) != 0;
    if (path) *path = is_known ? information.dli_fname : NULL;
    return is_known ? information.dli_fbase : NULL;
}

static __attribute__((noreturn)) void nothing_defines(const char *name)
{
    char text[200];
    int length = snprintf(text, sizeof text, "headrace trace: nothing defines %s, which the program calls\n", name);
    real_write(2, text, (size_t)length);
    abort();
}

const struct real_call *look_for_real_call(const char *name, const void *caller)
{
    struct known_call *known = __atomic_load_n(&last_call, __ATOMIC_ACQUIRE);
    for (; known; known = known->next)
        if ((uintptr_t)caller - known->call.caller_begins < __atomic_load_n(&known->call.caller_bytes, __ATOMIC_RELAXED) &&
            strcmp(known->name, name) == 0)
            return &known->call;
    int saved = errno;
    struct object object = object_of(caller);
    void *function = function_for(&object, name);
    if (!function) {
        errno = saved;
        return NULL;
    }
    struct known_call *made = new_call();
    if (!made) {
        errno = saved;
        return NULL;
    }
    made->name = name;
    const struct object defining = object_of(function);
    made->caller_base = object.path ? (const void *)object.begins : NULL;
    made->function_base = defining.path ? (const void *)defining.begins : NULL;
    made->call = (struct real_call){object.begins, object.bytes, function, families_meet(defining.path, function)};
    made->next = __atomic_load_n(&last_call, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(&last_call, &made->next, made, 0, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {}
    errno = saved;
    return &made->call;
}

const struct real_call *find_real_call(const char *name, const void *caller)
{
    const struct real_call *call = look_for_real_call(name, caller);
    if (!call) nothing_defines(name); /* or no memory: the program's own next malloc would fail too */
    return call;
}

static int is_gone(const void *address, const void *base) { return base && base_of(address) != base; }

/* After a library was unloaded: another one may come to its addresses, and its functions cannot be called any more. */
static void forget_unloaded(void)
{
    struct known_call *known = __atomic_load_n(&last_call, __ATOMIC_ACQUIRE);
    for (; known; known = known->next) {
        if (!known->call.caller_bytes) continue;
        int has_caller = !is_gone((const void *)known->call.caller_begins, known->caller_base);
        if (has_caller && !is_gone(known->call.function, known->function_base)) continue;
        __atomic_store_n(&known->call.caller_bytes, 0, __ATOMIC_RELEASE);
        if (has_caller) continue;
        __atomic_add_fetch(&objects_changed, 1, __ATOMIC_RELEASE);
        __atomic_add_fetch(&connections_changed, 1, __ATOMIC_RELEASE); /* what threads remember of statements */
    }
}

EXPORTED int dlclose(void *handle)
{
    if (run_is_active) run_before_everything();
    int result = real_dlclose(handle);
    if ((intercept_active || run_is_active) && !result) forget_unloaded();
    if (run_is_active && !result) run_objects_are_gone();
    return result;
}

FUNCTION_BEHIND(int, dlclose, (void *))
int real_dlclose(void *handle) { return behind_dlclose()(handle); }

/* What glibc's pthread_atfork is made of. musl has pthread_atfork itself; a strong reference to either would keep programs of
 * the other libc from starting: their loader gets our library too, if a script starts them. */
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *) __attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

void call_at_forks(void (*before)(void), void (*in_child)(void))
{
    if (__register_atfork) {
        __register_atfork(before, NULL, in_child, &__dso_handle);
        return;
    }
    int (*at_fork)(void (*)(void), void (*)(void), void (*)(void));
    *(void **)&at_fork = dlsym(RTLD_DEFAULT, "pthread_atfork");
    if (at_fork) at_fork(before, NULL, in_child);
}

void *next_function(const char *name) { return dlsym(RTLD_NEXT, name); }

static int look_for_note(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_NOTE && has_linked_note((const void *)(info->dlpi_addr + part->p_vaddr), part->p_memsz)) return 1;
    }
    return 0;
}

int another_is_linked_in(void) { return dl_iterate_phdr(look_for_note, NULL); }
