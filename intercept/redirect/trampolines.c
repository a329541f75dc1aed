#define _GNU_SOURCE
#include "trampolines.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { trampoline_bytes = 16 };

static uintptr_t page_bytes(void) { return (uintptr_t)sysconf(_SC_PAGESIZE); }

static void *map_at(uintptr_t place, size_t bytes)
{
    void *memory = mmap((void *)place, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    if (memory == (void *)place) return memory;
    munmap(memory, bytes); /* a kernel before 4.17 takes the address for a wish */
    return NULL;
}

/* Below the code first: above it is the heap, which must be free to grow. */
static void *map_near(uintptr_t begins, uintptr_t ends, size_t bytes)
{
    const uintptr_t step = 1 << 20, farthest = (uintptr_t)1 << 30;
    uintptr_t page = page_bytes(), below = (begins & ~(page - 1)) - ((bytes + page - 1) & ~(page - 1));
    for (uintptr_t distance = step; distance < farthest && distance < below; distance += step) {
        void *memory = map_at(below - distance, bytes);
        if (memory) return memory;
    }
    uintptr_t above = ((ends + page - 1) & ~(page - 1)) + farthest;
    for (uintptr_t distance = 0; distance < farthest / 2; distance += step) {
        void *memory = map_at(above + distance, bytes);
        if (memory) return memory;
    }
    return NULL;
}

/* JMP to the address that stands behind the instruction */
static void write_trampoline(unsigned char *place, const void *wrapper)
{
    static const unsigned char jump[6] = {0xff, 0x25, 0, 0, 0, 0};
    memcpy(place, jump, sizeof jump);
    memcpy(place + sizeof jump, &wrapper, sizeof wrapper);
}

int make_trampolines(struct targets *targets, uintptr_t code_begins, uintptr_t code_ends)
{
    size_t bytes = targets->count * trampoline_bytes;
    unsigned char *memory = map_near(code_begins, code_ends, bytes);
    if (!memory) return 0;
    for (size_t i = 0; i < targets->count; ++i) {
        write_trampoline(memory + i * trampoline_bytes, targets->list[i].wrapper);
        targets->list[i].trampoline = (uintptr_t)memory + i * trampoline_bytes;
    }
    if (mprotect(memory, bytes, PROT_READ | PROT_EXEC) == 0) return 1;
    munmap(memory, bytes);
    return 0;
}

static int reaches(const struct call_site *site)
{
    int64_t distance = (int64_t)site->target->trampoline - (int64_t)(site->displacement + 4);
    return distance >= INT32_MIN && distance <= INT32_MAX;
}

int redirect_call_sites(const struct call_sites *sites, uintptr_t code_begins, uintptr_t code_ends, int protection)
{
    uintptr_t page = page_bytes(), begins = code_begins & ~(page - 1);
    size_t bytes = code_ends - begins;
    for (size_t i = 0; i < sites->count; ++i)
        if (!reaches(&sites->list[i])) return 0;
    /* It stays executable meanwhile: threads and signal handlers of the program may run in it. */
    if (mprotect((void *)begins, bytes, PROT_READ | PROT_WRITE | PROT_EXEC)) return 0;
    for (size_t i = 0; i < sites->count; ++i) {
        const struct call_site *site = &sites->list[i];
        int32_t displacement = (int32_t)((int64_t)site->target->trampoline - (int64_t)(site->displacement + 4));
        memcpy((void *)site->displacement, &displacement, sizeof displacement);
    }
    mprotect((void *)begins, bytes, protection);
    return 1;
}
