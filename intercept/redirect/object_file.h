/* The symbols of an executable or shared object of this process, read from its file: what the loader does not map. */
#ifndef HEADRACE_OBJECT_FILE_H
#define HEADRACE_OBJECT_FILE_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

struct object_file {
    const unsigned char *bytes; /* the mapped file */
    size_t size;
    uintptr_t base; /* what to add to its addresses */
    const ElfW(Shdr) * sections;
    size_t section_count;
    const ElfW(Sym) * symbols;
    size_t symbol_count;
    const char *names;
    size_t names_bytes;
};

/* 0: it has no table of symbols (stripped), cannot be read, or is another file than the one that is loaded. */
int object_file_open(struct object_file *file, const struct dl_phdr_info *loaded);
void object_file_close(struct object_file *file);

/* The name of a symbol that is a function defined here; NULL for all others. */
const char *object_file_function(const struct object_file *file, const ElfW(Sym) * symbol);

#endif
