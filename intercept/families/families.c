/* What all families share: which run times are there, and where their code is. */
#define _GNU_SOURCE
#include "families.h"

#include <link.h>
#include <string.h>

#include "../frames.h"
#include "libgfortran.h"

enum { most_texts = 8 };
static struct {
    uintptr_t begins, ends;
} texts[most_texts];
static int text_count;

static void remember_text(const struct dl_phdr_info *object)
{
    for (int i = 0; i < object->dlpi_phnum && text_count < most_texts; ++i) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        texts[text_count].begins = object->dlpi_addr + part->p_vaddr;
        texts[text_count].ends = texts[text_count].begins + part->p_memsz;
        text_count++;
    }
}

static int look_at_object(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    const char *path = object->dlpi_name ? object->dlpi_name : "";
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int is_gfortran = strncmp(name, "libgfortran", 11) == 0; /* wheels of Python have libgfortran-<hash>.so.5.0.0 */
    int is_flang = strncmp(name, "libflang_rt.runtime", 19) == 0 || strncmp(name, "libFortranRuntime", 17) == 0;
    if (is_gfortran) libgfortran_is_loaded(name);
    if (is_gfortran || is_flang) remember_text(object);
    return 0;
}

void families_start(void) { dl_iterate_phdr(look_at_object, NULL); }

int is_in_shared_run_time(const void *address)
{
    for (int i = 0; i < text_count; ++i)
        if ((uintptr_t)address >= texts[i].begins && (uintptr_t)address < texts[i].ends) return 1;
    return 0;
}

void connected_by_itself(const struct statement *statement)
{
    consumer_unit_connected(current_frame(), statement, statement->unit, NULL, this_thread.opened_path,
                            this_thread.opened_descriptor);
    this_thread.opened_descriptor = -1;
}
