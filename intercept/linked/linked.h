/* Fully static programs: nothing can be loaded into them, so our wrappers are linked in. `headrace trace --object` writes the
 * object and the options for the linker, whose --wrap=X leads calls of X to __wrap_X, and calls of __real_X to X. */
#ifndef HEADRACE_LINKED_H
#define HEADRACE_LINKED_H

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

/* In a note of the program, so that the preloaded library and `--check` see that the object is there. */
#define LINKED_NOTE "headrace"

static inline size_t note_size(size_t bytes) { return (bytes + 3) & ~(size_t)3; }

/* Is it among these notes of a program? */
static inline __attribute__((unused)) int has_linked_note(const unsigned char *notes, size_t bytes)
{
    ElfW(Nhdr) note;
    while (bytes >= sizeof note) {
        memcpy(&note, notes, sizeof note);
        size_t size = sizeof note + note_size(note.n_namesz) + note_size(note.n_descsz);
        if (size > bytes) return 0;
        if (note.n_namesz == sizeof LINKED_NOTE && !memcmp(notes + sizeof note, LINKED_NOTE, sizeof LINKED_NOTE)) return 1;
        notes += size;
        bytes -= size;
    }
    return 0;
}

#endif
