/* What real_calls.c and redirect/ are for the preloaded library, for the object that is linked into a program: the linker has
 * found the functions behind our wrappers, and there is one run time of each kind. */
#define _GNU_SOURCE
#include "linked.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../real_calls.h"
#include "../redirect/functions.h"
#include "../redirect/object_file.h"
#include "../redirect/redirect.h"

__asm__(
    ".pushsection .note.headrace,\"a\",%note\n"
    ".balign 4\n"
    ".long 9, 0, 1\n" /* bytes of the name, of what follows it (nothing), type */
    ".asciz \"" LINKED_NOTE
    "\"\n"
    ".balign 4\n"
    ".popsection\n");

/* A function of the program that a wrapper of ours is in front of. Each object of the archive adds one of the Fortran run time. */
struct behind {
    const char *name;
    void *function;
    struct real_call call;
};

/* libc's, which are always there. The calls of run times that are linked later need their wrappers too: `wrappers` asks for them.
 */
#define NAME(name) extern char __real_##name[], __wrap_##name[];
#include "names.h"
#undef NAME

static struct behind of_libc[] __attribute__((section("headrace_behind"), used, aligned(8))) = {
#define NAME(name) {#name, __real_##name, {0}},
#include "names.h"
#undef NAME
};

/* libgfortran and libgcc take a program for one with threads if it has pthread_key_create, as we do, and then call what they
 * refer to weakly: a static program must have all of it. */
#define PTHREAD(name) (void (*)(void)) pthread_##name
static void (*const of_pthread[])(void) __attribute__((used)) = {PTHREAD(cond_broadcast),
                                                                 PTHREAD(cond_destroy),
                                                                 PTHREAD(cond_init),
                                                                 PTHREAD(cond_signal),
                                                                 PTHREAD(cond_timedwait),
                                                                 PTHREAD(cond_wait),
                                                                 PTHREAD(create),
                                                                 PTHREAD(detach),
                                                                 PTHREAD(equal),
                                                                 PTHREAD(getspecific),
                                                                 PTHREAD(join),
                                                                 PTHREAD(key_create),
                                                                 PTHREAD(key_delete),
                                                                 PTHREAD(mutex_destroy),
                                                                 PTHREAD(mutex_init),
                                                                 PTHREAD(mutex_lock),
                                                                 PTHREAD(mutex_timedlock),
                                                                 PTHREAD(mutex_trylock),
                                                                 PTHREAD(mutex_unlock),
                                                                 PTHREAD(mutexattr_destroy),
                                                                 PTHREAD(mutexattr_init),
                                                                 PTHREAD(mutexattr_settype),
                                                                 PTHREAD(once),
                                                                 PTHREAD(rwlock_destroy),
                                                                 PTHREAD(rwlock_init),
                                                                 PTHREAD(rwlock_rdlock),
                                                                 PTHREAD(rwlock_tryrdlock),
                                                                 PTHREAD(rwlock_trywrlock),
                                                                 PTHREAD(rwlock_unlock),
                                                                 PTHREAD(rwlock_wrlock),
                                                                 PTHREAD(self),
                                                                 PTHREAD(setspecific)};

static const void *const wrappers[] __attribute__((used)) = {
#define NAME(name) __wrap_##name,
#include "names.h"
#undef NAME
};

/* The linker names the ends of the section. */
extern struct behind __start_headrace_behind[] __attribute__((visibility("hidden"))),
    __stop_headrace_behind[] __attribute__((visibility("hidden")));

static struct behind *find_behind(const char *name)
{
    for (struct behind *one = __start_headrace_behind; one < __stop_headrace_behind; ++one)
        if (strcmp(one->name, name) == 0) return one;
    return NULL;
}

void *next_function(const char *name)
{
    const struct behind *found = find_behind(name);
    return found ? found->function : NULL;
}

static __attribute__((noreturn)) void nothing_is_behind(const char *name)
{
    char text[200];
    int length = snprintf(text, sizeof text, "headrace trace: the linker found no %s, which the program calls\n", name);
    real_write(2, text, (size_t)length);
    abort();
}

const struct real_call *find_real_call(const char *name, const void *caller)
{
    (void)caller;
    struct behind *found = find_behind(name);
    if (!found) nothing_is_behind(name);
    found->call = (struct real_call){0, UINTPTR_MAX, found->function, 5}; /* threads write the same */
    return &found->call;
}

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden"))); /* the linker's: where the program begins */

const void *object_at(const void *address, const char **path)
{
    (void)address;
    if (path) *path = program_invocation_name;
    return &__ehdr_start;
}

void call_at_forks(void (*before)(void), void (*in_child)(void)) { pthread_atfork(before, NULL, in_child); }

int another_is_linked_in(void) { return 0; }

static struct run_time_code run_time_code;

static int look_at_program(struct dl_phdr_info *loaded, size_t size, void *unused)
{
    struct object_file file;
    struct functions functions;
    (void)size;
    (void)unused;
    if (object_file_open(&file, loaded)) {
        if (functions_of(&functions, &file)) {
            remember_run_time_code(&run_time_code, &functions);
            functions_free(&functions);
        }
        object_file_close(&file);
    }
    return 1; /* the program is the first */
}

void redirect_static_run_times(void) { dl_iterate_phdr(look_at_program, NULL); }

int is_in_static_run_time(const void *address) { return is_in_run_time_code(&run_time_code, (uintptr_t)address); }
