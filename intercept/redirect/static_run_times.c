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
#include <sys/mman.h>

#include "../events.h"
#include "call_sites.h"
#include "functions.h"
#include "trampolines.h"

/* An object that has a run time inside. Kept: the wrappers ask for the real functions when they are first called. */
enum { most_objects = 8 };
static struct static_run_time {
    uintptr_t begins, ends; /* the object */
    struct targets targets;
    struct run_time_code code;
    int is_whole, has_flush_routine;
} run_times[most_objects];
static int run_time_count;

static void *our_handle;
static uintptr_t our_base;

static const void *wrapper_of(const char *name)
{
    Dl_info object;
    if (strncmp(name, "_gfortran_", 10) && strncmp(name, "_FortranA", 9)) return NULL;
    const void *wrapper = our_handle ? dlsym(our_handle, name) : NULL;
    return wrapper && dladdr(wrapper, &object) && (uintptr_t)object.dli_fbase == our_base ? wrapper : NULL;
}

static int by_address(const void *left, const void *right)
{
    const struct target *one = left, *other = right;
    return (one->address > other->address) - (one->address < other->address);
}

static int find_targets(struct targets *targets, const struct object_file *file, int *has_flush_routine)
{
    size_t room = 0;
    *has_flush_routine = 0;
    for (size_t i = 0; i < file->symbol_count; ++i) {
        const char *name = object_file_function(file, &file->symbols[i]);
        const void *wrapper = name ? wrapper_of(name) : NULL;
        if (name && strcmp(name, "flush_") == 0) *has_flush_routine = 1;
        if (!wrapper) continue;
        if (targets->count == room) {
            room = room ? 2 * room : 64;
            struct target *list = realloc(targets->list, room * sizeof *list);
            if (!list) break;
            targets->list = list;
        }
        targets->list[targets->count++] = (struct target){strdup(name), file->base + file->symbols[i].st_value, wrapper, 0};
    }
    if (targets->list) qsort(targets->list, targets->count, sizeof *targets->list, by_address);
    return targets->count != 0;
}

/* The mapped part of the object that has all the sites; 0: there is no such part. */
static int find_code(const struct dl_phdr_info *loaded, const struct call_sites *sites, uintptr_t *begins, uintptr_t *ends,
                     int *protection)
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
        *protection = (part->p_flags & PF_R ? PROT_READ : 0) | (part->p_flags & PF_W ? PROT_WRITE : 0) | PROT_EXEC;
        if (part->p_type == PT_LOAD && part->p_flags & PF_X && *begins <= first && last + 4 <= *ends) return 1;
    }
    return 0;
}

/* 1: all calls are redirected. */
static int redirect(const struct dl_phdr_info *loaded, struct targets *targets, const struct call_sites *sites)
{
    static const char advice[] = "link it with the shared run time, or with the object of headrace trace --object";
    uintptr_t begins, ends;
    int protection;
    int done = sites->count && find_code(loaded, sites, &begins, &ends, &protection) && make_trampolines(targets, begins, ends) &&
               redirect_call_sites(sites, begins, ends, protection);
    if (sites->count && !done)
        consumer_note("the Fortran run time is static, and the system does not allow to redirect %zu calls to it: %s", sites->count,
                      advice);
    consumer_redirected(done ? (uint32_t)sites->count : 0, (uint32_t)(done ? sites->refused : sites->refused + sites->count));
    return done && !sites->refused;
}

static void redirect_object(const struct dl_phdr_info *loaded, const struct object_file *file, struct static_run_time *run_time)
{
    struct functions functions;
    struct call_sites sites;
    run_time->begins = UINTPTR_MAX;
    for (int i = 0; i < loaded->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &loaded->dlpi_phdr[i];
        uintptr_t begins = loaded->dlpi_addr + part->p_vaddr, ends = begins + part->p_memsz;
        if (part->p_type == PT_LOAD && begins < run_time->begins) run_time->begins = begins;
        if (part->p_type == PT_LOAD && ends > run_time->ends) run_time->ends = ends;
    }
    if (!functions_of(&functions, file)) return;
    remember_run_time_code(&run_time->code, &functions);
    if (find_call_sites(&sites, file, &functions, &run_time->targets))
        run_time->is_whole = redirect(loaded, &run_time->targets, &sites);
    free(sites.list);
    functions_free(&functions);
}

/* What has no run time inside: to look into their files takes longer than all else at the start. */
static int is_of_the_system(const char *path)
{
    static const char *const names[] = {"libc.so.",        "libm.so.",      "libgcc_s.so.",   "libquadmath.so.",
                                        "libgfortran.so.", "libstdc++.so.", "libpthread.so.", "libdl.so.",
                                        "librt.so.",       "libgomp.so.",   "ld-linux-",      "ld-musl-"};
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (!slash) return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strncmp(slash + 1, names[i], strlen(names[i])) == 0) return 1;
    return 0;
}

static void look_at_object(const struct dl_phdr_info *loaded)
{
    struct object_file file;
    if (is_of_the_system(loaded->dlpi_name)) return;
    if (loaded->dlpi_addr == our_base || run_time_count == most_objects || !object_file_open(&file, loaded)) return;
    struct static_run_time *run_time = &run_times[run_time_count];
    if (find_targets(&run_time->targets, &file, &run_time->has_flush_routine)) {
        run_time_count++;
        redirect_object(loaded, &file, run_time);
    }
    object_file_close(&file);
}

/* The loader must not be asked anything from inside of dl_iterate_phdr. */
enum { most_loaded = 1024 };
struct all_loaded {
    int count;
    struct dl_phdr_info object[most_loaded];
};

static int keep(struct dl_phdr_info *loaded, size_t size, void *kept)
{
    struct all_loaded *all = kept;
    (void)size;
    if (all->count < most_loaded) all->object[all->count++] = *loaded;
    return 0;
}

static void redirect_all(void)
{
    struct all_loaded *all = malloc(sizeof *all);
    if (!all) return;
    all->count = 0;
    dl_iterate_phdr(keep, all);
    for (int i = 0; i < all->count; ++i) look_at_object(&all->object[i]);
    free(all);
}

void redirect_static_run_times(void)
{
    Dl_info ours;
    if (!dladdr((const void *)(uintptr_t)redirect_static_run_times, &ours) || !ours.dli_fname) return;
    our_base = (uintptr_t)ours.dli_fbase;
    our_handle = dlopen(ours.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
    if (!our_handle) return;
    redirect_all();
    dlclose(our_handle);
    our_handle = NULL;
}

void *static_function(const char *name, const void *address)
{
    for (int i = 0; i < run_time_count; ++i) {
        const struct static_run_time *run_time = &run_times[i];
        if (address && ((uintptr_t)address < run_time->begins || (uintptr_t)address >= run_time->ends)) continue;
        for (size_t k = 0; k < run_time->targets.count; ++k)
            if (strcmp(run_time->targets.list[k].name, name) == 0) return (void *)run_time->targets.list[k].address;
    }
    return NULL;
}

int is_wholly_redirected(const void *address, uintptr_t *begins, uintptr_t *bytes)
{
    for (int i = 0; i < run_time_count; ++i) {
        const struct static_run_time *run_time = &run_times[i];
        if ((uintptr_t)address < run_time->begins || (uintptr_t)address >= run_time->ends) continue;
        *begins = run_time->begins;
        *bytes = run_time->ends - run_time->begins;
        return run_time->is_whole;
    }
    return 0;
}

int has_flush_routine(const void *address)
{
    for (int i = 0; i < run_time_count; ++i)
        if ((uintptr_t)address >= run_times[i].begins && (uintptr_t)address < run_times[i].ends)
            return run_times[i].has_flush_routine;
    return 0;
}

int is_in_static_run_time(const void *address)
{
    for (int i = 0; i < run_time_count; ++i)
        if (is_in_run_time_code(&run_times[i].code, (uintptr_t)address)) return 1;
    return 0;
}

#endif
