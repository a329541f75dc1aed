/* Run times inside of the executable, or of a shared object of the program: the calls that reach them without the loader's
 * help are led to our wrappers. Of each call only the 4 bytes of its displacement change; no instruction moves.
 *
 * It happens at the start, to what is loaded then. Calls that the run time makes inside of itself stay as they are.
 */
#define _GNU_SOURCE
#include "redirect.h"

#if defined(__x86_64__)

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "../events.h"
#include "call_sites.h"
#include "trampolines.h"

/* Kept: the wrappers ask for the real functions when they are first called. */
static struct target *targets;      /* by address */
static size_t target_count;
static struct { uintptr_t begins, ends; } *run_time_code; /* by address */
static size_t run_time_parts;

static void *our_handle;
static uintptr_t our_base;

static const void *wrapper_of(const char *name)
{
    Dl_info object;
    if (strncmp(name, "_gfortran_", 10) && strncmp(name, "_FortranAio", 11)) return NULL;
    const void *wrapper = our_handle ? dlsym(our_handle, name) : NULL;
    return wrapper && dladdr(wrapper, &object) && (uintptr_t)object.dli_fbase == our_base ? wrapper : NULL;
}

static int by_address(const void *left, const void *right)
{
    const struct target *one = left, *other = right;
    return (one->address > other->address) - (one->address < other->address);
}

static int find_targets(const struct object_file *file)
{
    size_t room = 0;
    for (size_t i = 0; i < file->symbol_count; ++i) {
        const char *name = object_file_function(file, &file->symbols[i]);
        const void *wrapper = name ? wrapper_of(name) : NULL;
        if (!wrapper) continue;
        if (target_count == room) {
            room = room ? 2 * room : 64;
            struct target *list = realloc(targets, room * sizeof *list);
            if (!list) break;
            targets = list;
        }
        targets[target_count++] = (struct target){strdup(name), file->base + file->symbols[i].st_value, wrapper, 0};
    }
    if (targets) qsort(targets, target_count, sizeof *targets, by_address);
    return target_count != 0;
}

/* One part for functions of the run time that follow each other. */
static void remember_run_time_code(const struct functions *functions)
{
    int is_open = 0;
    run_time_code = malloc(functions->count * sizeof *run_time_code);
    if (!run_time_code) return;
    for (size_t i = 0; i < functions->count; ++i) {
        const struct function *function = &functions->list[i];
        if (function->is_run_time && !is_open) run_time_code[run_time_parts++].begins = function->begins;
        if (function->is_run_time && (!is_open || function->ends > run_time_code[run_time_parts - 1].ends))
            run_time_code[run_time_parts - 1].ends = function->ends;
        is_open = function->is_run_time;
    }
    void *smaller = realloc(run_time_code, (run_time_parts ? run_time_parts : 1) * sizeof *run_time_code);
    if (smaller) run_time_code = smaller;
}

static int find_code(const struct dl_phdr_info *loaded, const struct call_sites *sites, uintptr_t *begins, uintptr_t *ends)
{
    uintptr_t first = sites->list[0].displacement, last = first;
    for (size_t i = 0; i < sites->count; ++i) {
        if (sites->list[i].displacement < first) first = sites->list[i].displacement;
        if (sites->list[i].displacement > last) last = sites->list[i].displacement;
    }
    for (int i = 0; i < loaded->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &loaded->dlpi_phdr[i];
        *begins = loaded->dlpi_addr + part->p_vaddr;
        *ends = *begins + part->p_memsz;
        if (part->p_type == PT_LOAD && part->p_flags == (PF_R | PF_X) && *begins <= first && last + 4 <= *ends) return 1;
    }
    return 0;
}

static void redirect(const struct dl_phdr_info *loaded, struct call_sites *sites)
{
    static const char advice[] = "link it with the shared run time, or with the object of headrace trace --object";
    uintptr_t begins, ends;
    if (!sites->count) {
        consumer_redirected(0, (uint32_t)sites->refused);
        return;
    }
    int done = find_code(loaded, sites, &begins, &ends) && make_trampolines(targets, target_count, begins, ends) &&
               redirect_call_sites(sites, begins, ends);
    if (!done)
        consumer_note("the Fortran run time is static, and the system does not allow to redirect %zu calls to it: %s",
                      sites->count, advice);
    consumer_redirected(done ? (uint32_t)sites->count : 0, (uint32_t)(done ? sites->refused : sites->refused + sites->count));
}

static void redirect_object(const struct dl_phdr_info *loaded, const struct object_file *file)
{
    struct functions functions;
    struct call_sites sites;
    if (!functions_of(&functions, file)) return;
    remember_run_time_code(&functions);
    if (find_call_sites(&sites, file, &functions, targets, target_count)) redirect(loaded, &sites);
    free(sites.list);
    functions_free(&functions);
}

/* The program comes first. One object only: two static run times have units of their own, and a wrapper calls one. */
static int look_at_object(struct dl_phdr_info *loaded, size_t size, void *unused)
{
    struct object_file file;
    (void)size;
    (void)unused;
    if (loaded->dlpi_addr == our_base || !object_file_open(&file, loaded)) return 0;
    int has_run_time = find_targets(&file);
    if (has_run_time) redirect_object(loaded, &file);
    object_file_close(&file);
    return has_run_time;
}

void redirect_static_run_times(void)
{
    Dl_info ours;
    if (!dladdr((const void *)(uintptr_t)redirect_static_run_times, &ours) || !ours.dli_fname) return;
    our_base = (uintptr_t)ours.dli_fbase;
    our_handle = dlopen(ours.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
    if (!our_handle) return;
    dl_iterate_phdr(look_at_object, NULL);
    dlclose(our_handle);
    our_handle = NULL;
}

void *static_function(const char *name)
{
    for (size_t i = 0; i < target_count; ++i)
        if (strcmp(targets[i].name, name) == 0) return (void *)targets[i].address;
    return NULL;
}

int is_in_static_run_time(const void *address)
{
    size_t low = 0, high = run_time_parts;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run_time_code[middle].begins <= (uintptr_t)address) low = middle + 1;
        else high = middle;
    }
    return low && (uintptr_t)address <= run_time_code[low - 1].ends;
}

#endif
