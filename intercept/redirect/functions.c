#define _GNU_SOURCE
#include "functions.h"

#include <stdlib.h>
#include <string.h>

static int is_named_as_run_time(const char *name)
{
    return strncmp(name, "_gfortran", 9) == 0 || strncmp(name, "_FortranA", 9) == 0 ||
           (strncmp(name, "_Z", 2) == 0 && strstr(name, "7Fortran")); /* C++'s namespace Fortran */
}

static int by_address(const void *left, const void *right)
{
    const struct function *one = left, *other = right;
    if (one->begins != other->begins) return one->begins < other->begins ? -1 : 1;
    return (one->ends > other->ends) - (one->ends < other->ends);
}

/* Local functions have no telling names. Those between two of the run time's are of the same archive: the linker keeps the
 * code of an object file together, and a program's own files have a global function. */
static void take_local_ones(struct functions *functions)
{
    struct function *list = functions->list;
    for (size_t i = 0; i < functions->count; ++i) {
        if (!list[i].is_local || list[i].is_run_time) continue;
        size_t first = i, after = i;
        while (after < functions->count && list[after].is_local && !list[after].is_run_time) ++after;
        int is_between = first > 0 && list[first - 1].is_run_time && after < functions->count && list[after].is_run_time;
        for (; is_between && i < after; ++i) list[i].is_run_time = 1;
        i = after;
    }
}

int functions_of(struct functions *functions, const struct object_file *file)
{
    functions->count = 0;
    functions->list = malloc(file->symbol_count * sizeof *functions->list);
    if (!functions->list) return 0;
    for (size_t i = 0; i < file->symbol_count; ++i) {
        const ElfW(Sym) *symbol = &file->symbols[i];
        const char *name = object_file_function(file, symbol);
        if (!name || !symbol->st_size) continue;
        struct function *function = &functions->list[functions->count++];
        function->begins = file->base + symbol->st_value;
        function->ends = function->begins + symbol->st_size;
        function->is_local = symbol->st_info >> 4 == STB_LOCAL;
        function->is_run_time = (unsigned char)is_named_as_run_time(name);
    }
    qsort(functions->list, functions->count, sizeof *functions->list, by_address);
    take_local_ones(functions);
    return 1;
}

void functions_free(struct functions *functions)
{
    free(functions->list);
    functions->list = NULL;
    functions->count = 0;
}

const struct function *function_at(const struct functions *functions, uintptr_t address)
{
    size_t low = 0, high = functions->count;
    while (low < high) { /* the first that begins after the address */
        size_t middle = low + (high - low) / 2;
        if (functions->list[middle].begins <= address) low = middle + 1;
        else high = middle;
    }
    if (!low) return NULL;
    const struct function *function = &functions->list[low - 1];
    return address < function->ends ? function : NULL;
}

void remember_run_time_code(struct run_time_code *code, const struct functions *functions)
{
    int is_open = 0;
    code->count = 0;
    code->parts = malloc((functions->count + 1) * sizeof *code->parts);
    if (!code->parts) return;
    for (size_t i = 0; i < functions->count; ++i) {
        const struct function *function = &functions->list[i];
        if (function->is_run_time && !is_open) {
            code->parts[code->count].begins = function->begins;
            code->parts[code->count++].ends = function->ends;
        } else if (function->is_run_time && function->ends > code->parts[code->count - 1].ends) {
            code->parts[code->count - 1].ends = function->ends;
        }
        is_open = function->is_run_time;
    }
    void *smaller = realloc(code->parts, (code->count + 1) * sizeof *code->parts);
    if (smaller) code->parts = smaller;
}

int is_in_run_time_code(const struct run_time_code *code, uintptr_t address)
{
    size_t low = 0, high = code->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code->parts[middle].begins <= address) low = middle + 1;
        else high = middle;
    }
    return low && address <= code->parts[low - 1].ends; /* a call may be the last instruction */
}
