/* What all families share: which run times are there, and where their code is. */
#define _GNU_SOURCE
#include "families.h"

#include <link.h>
#include <string.h>

#include "../frames.h"
#include "libgfortran.h"

enum { most_texts = 64 };
static struct {
    uintptr_t begins, ends;
} texts[most_texts];
static int text_count;

static void remember_text(const struct dl_phdr_info *object)
{
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t begins = object->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || text_count == most_texts) continue;
        if (is_in_shared_run_time((const void *)begins)) continue;
        texts[text_count].begins = begins;
        texts[text_count].ends = begins + part->p_memsz;
        __atomic_store_n(&text_count, text_count + 1, __ATOMIC_RELEASE);
    }
}

static const char *file_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

static int is_libgfortran(const char *name)
{
    return strncmp(name, "libgfortran", 11) == 0;
} /* wheels: libgfortran-<hash>.so.5.0.0 */

static int is_run_time(const char *name)
{
    return is_libgfortran(name) || strncmp(name, "libflang_rt.runtime", 19) == 0 || strncmp(name, "libFortranRuntime", 17) == 0;
}

static int look_at_object(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (is_run_time(file_name(object->dlpi_name))) remember_text(object);
    return 0;
}

void families_start(void) { dl_iterate_phdr(look_at_object, NULL); }

int families_meet(const char *path, const void *function)
{
    const char *name = file_name(path);
    static int is_busy; /* another thread's call will be met again */
    if (is_run_time(name) && !is_in_shared_run_time(function) && !__atomic_exchange_n(&is_busy, 1, __ATOMIC_ACQUIRE)) {
        families_start();
        __atomic_store_n(&is_busy, 0, __ATOMIC_RELEASE);
    }
    return is_libgfortran(name) ? libgfortran_layout(name) : 5;
}

int is_in_shared_run_time(const void *address)
{
    int count = __atomic_load_n(&text_count, __ATOMIC_ACQUIRE);
    for (int i = 0; i < count; ++i)
        if ((uintptr_t)address >= texts[i].begins && (uintptr_t)address < texts[i].ends) return 1;
    return 0;
}

void connected_by_itself(const struct statement *statement)
{
    consumer_unit_connected(current_frame(), statement, statement->unit, NULL, this_thread.opened_path,
                            this_thread.opened_descriptor);
    this_thread.opened_descriptor = -1;
}
