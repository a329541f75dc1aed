#define _GNU_SOURCE
#include "object_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../real_calls.h"

static int is_inside(const struct object_file *file, uint64_t at, uint64_t bytes)
{
    return at <= file->size && bytes <= file->size - at;
}

static int map_file(struct object_file *file, const char *path)
{
    struct stat status;
    int descriptor = real_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (descriptor < 0) return 0;
    void *bytes = MAP_FAILED;
    if (!fstat(descriptor, &status) && status.st_size >= (off_t)sizeof(ElfW(Ehdr)))
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    real_close(descriptor);
    if (bytes == MAP_FAILED) return 0;
    file->bytes = bytes;
    file->size = (size_t)status.st_size;
    return 1;
}

/* Started by the loader's own command, /proc/self/exe is the loader; a library's file may have been replaced. */
static int is_the_loaded_one(const struct object_file *file, const ElfW(Ehdr) * head, const struct dl_phdr_info *loaded)
{
    size_t bytes = (size_t)loaded->dlpi_phnum * sizeof(ElfW(Phdr));
    return head->e_phnum == loaded->dlpi_phnum && head->e_phentsize == sizeof(ElfW(Phdr)) &&
           is_inside(file, head->e_phoff, bytes) && memcmp(file->bytes + head->e_phoff, loaded->dlpi_phdr, bytes) == 0;
}

static int find_symbols(struct object_file *file, const ElfW(Ehdr) * head)
{
    if (!head->e_shoff || head->e_shentsize != sizeof(ElfW(Shdr)) ||
        !is_inside(file, head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr))))
        return 0;
    file->sections = (const void *)(file->bytes + head->e_shoff);
    file->section_count = head->e_shnum;
    for (size_t i = 0; i < file->section_count; ++i) {
        const ElfW(Shdr) *section = &file->sections[i];
        if (section->sh_type != SHT_SYMTAB || section->sh_link >= file->section_count) continue;
        const ElfW(Shdr) *names = &file->sections[section->sh_link];
        if (!is_inside(file, section->sh_offset, section->sh_size) || !is_inside(file, names->sh_offset, names->sh_size)) continue;
        if (!names->sh_size || file->bytes[names->sh_offset + names->sh_size - 1] != '\0') continue;
        file->symbols = (const void *)(file->bytes + section->sh_offset);
        file->symbol_count = section->sh_size / sizeof(ElfW(Sym));
        file->names = (const char *)file->bytes + names->sh_offset;
        file->names_bytes = names->sh_size;
        return 1;
    }
    return 0;
}

static int open_path(struct object_file *file, const char *path, const struct dl_phdr_info *loaded)
{
    *file = (struct object_file){.base = loaded->dlpi_addr};
    if (!map_file(file, path)) return 0;
    const ElfW(Ehdr) *head = (const void *)file->bytes;
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
        is_the_loaded_one(file, head, loaded) && find_symbols(file, head))
        return 1;
    object_file_close(file);
    return 0;
}

int object_file_open(struct object_file *file, const struct dl_phdr_info *loaded)
{
    int is_program = !loaded->dlpi_name || !*loaded->dlpi_name;
    if (!is_program) /* the kernel's own object has no file */
        return strchr(loaded->dlpi_name, '/') && open_path(file, loaded->dlpi_name, loaded);
    if (open_path(file, "/proc/self/exe", loaded)) return 1;
    const char *started_as = (const char *)getauxval(AT_EXECFN); /* without /proc, as in some sandboxes */
    return started_as && open_path(file, started_as, loaded);
}

void object_file_close(struct object_file *file)
{
    if (file->bytes) munmap((void *)(uintptr_t)file->bytes, file->size);
    file->bytes = NULL;
}

const char *object_file_function(const struct object_file *file, const ElfW(Sym) * symbol)
{
    if ((symbol->st_info & 15) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || symbol->st_name >= file->names_bytes) return NULL;
    return file->names + symbol->st_name;
}
