/* Every place of the code that reads as CALL, JMP or a conditional jump with a displacement of 4 bytes to a target is a
 * candidate. About 1 in 10,000 is no instruction but lies inside of one: the walk from the start of the function tells.
 *
 * Not found: addresses that are taken (LEA, MOV) and called later. Compilers emit that only for a run-time function that the
 * program itself names as a procedure argument, which no Fortran statement does.
 */
#define _GNU_SOURCE
#include "call_sites.h"

#include <stdlib.h>
#include <string.h>

#include "instruction_length.h"

/* How far the walk has come. Candidates come by ascending address, so that each function is walked once. */
struct walk {
    const struct function *function;
    uintptr_t at;
    int is_lost;
};

/* Do the instructions of the function lead exactly to `address`? */
static int leads_to(struct walk *walk, const struct function *function, uintptr_t address)
{
    if (walk->function != function) *walk = (struct walk){.function = function, .at = function->begins};
    while (!walk->is_lost && walk->at < address) {
        size_t length = instruction_length((const unsigned char *)walk->at, function->ends - walk->at);
        if (!length) walk->is_lost = 1;
        walk->at += length;
    }
    return !walk->is_lost && walk->at == address;
}

static const struct target *target_at(const struct targets *targets, uintptr_t address)
{
    size_t low = 0, high = targets->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (targets->list[middle].address < address) low = middle + 1;
        else high = middle;
    }
    return low < targets->count && targets->list[low].address == address ? &targets->list[low] : NULL;
}

static int add(struct call_sites *sites, uintptr_t displacement, const struct target *target)
{
    if (sites->count == sites->room) {
        size_t room = sites->room ? 2 * sites->room : 256;
        struct call_site *list = realloc(sites->list, room * sizeof *list);
        if (!list) return 0;
        sites->list = list;
        sites->room = room;
    }
    sites->list[sites->count++] = (struct call_site){displacement, target};
    return 1;
}

static int look_through(struct call_sites *sites, const unsigned char *code, size_t bytes, const struct functions *functions,
                        const struct targets *targets)
{
    uintptr_t lowest = targets->list[0].address, highest = targets->list[targets->count - 1].address;
    struct walk walk = {0};
    for (size_t i = 1; i + 4 <= bytes; ++i) { /* i: of the displacement */
        int is_near = (code[i - 1] & 0xfe) == 0xe8, is_conditional = i > 1 && (code[i - 1] & 0xf0) == 0x80 && code[i - 2] == 0x0f;
        if (__builtin_expect(!is_near && !is_conditional, 1)) continue;
        int32_t displacement;
        memcpy(&displacement, code + i, 4);
        uintptr_t address = (uintptr_t)(code + i + 4) + (uintptr_t)(intptr_t)displacement;
        if (address < lowest || address > highest) continue;
        const struct target *target = target_at(targets, address);
        if (!target) continue;
        uintptr_t opcode = (uintptr_t)(code + i) - (is_near ? 1 : 2);
        const struct function *function = function_at(functions, opcode);
        if (function && function->is_run_time) continue;
        if (!function || function->ends < opcode + 5 || !leads_to(&walk, function, opcode)) sites->refused++;
        else if (!add(sites, (uintptr_t)(code + i), target)) return 0;
    }
    return 1;
}

int find_call_sites(struct call_sites *sites, const struct object_file *file, const struct functions *functions,
                    const struct targets *targets)
{
    *sites = (struct call_sites){0};
    for (size_t i = 0; i < file->section_count; ++i) {
        const ElfW(Shdr) *section = &file->sections[i];
        if (section->sh_type != SHT_PROGBITS || !(section->sh_flags & SHF_EXECINSTR) || !(section->sh_flags & SHF_ALLOC)) continue;
        if (!look_through(sites, (const void *)(file->base + section->sh_addr), section->sh_size, functions, targets)) return 0;
    }
    return 1;
}
