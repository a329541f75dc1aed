// Sizes are rounded up to powers of two; each has a list of free pieces. Large ones are mapped by
// themselves.
#include "memory.hpp"
#include "locks.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace headrace::run
{

pthread_mutex_t cold_locks[locks] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER};

#ifdef HEADRACE_FUZZ
}  // namespace headrace::run

#include <cstdlib>

// Sanitizers look after the heap.
void *headrace::run::take_memory(std::size_t bytes) noexcept { return std::malloc(bytes); }
void headrace::run::give_memory(void *place) noexcept { std::free(place); }

#else

namespace
{

constexpr std::size_t header_bytes = 16;  // keeps what follows aligned
constexpr int smallest_shift = 5;
constexpr int largest_shift = 19;  // 512 KiB; above: a mapping of its own
constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

struct header {
    std::size_t mapped;  // 0: of a list
    int shift;
};
static_assert(sizeof(header) <= header_bytes);

struct free_piece {
    free_piece *next;
};

free_piece *lists[largest_shift + 1];
char *chunk;
std::size_t chunk_left;

void *map(std::size_t bytes) noexcept
{
    void *const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return place == MAP_FAILED ? nullptr : place;
}

void *behind(void *place, std::size_t mapped, int shift) noexcept
{
    *static_cast<header *>(place) = {mapped, shift};
    return static_cast<char *>(place) + header_bytes;
}

void *large(std::size_t bytes) noexcept
{
    const std::size_t mapped = (bytes + header_bytes + 4095) & ~std::size_t{4095};
    void *const place = mapped > bytes ? map(mapped) : nullptr;
    return place == nullptr ? nullptr : behind(place, mapped, 0);
}

// Under the lock.
void *piece_of(int shift) noexcept
{
    if (free_piece *const first = lists[shift]) {
        lists[shift] = first->next;
        return first;
    }
    const std::size_t bytes = std::size_t{1} << shift;
    if (chunk_left < bytes) {
        void *const more = map(chunk_bytes);
        if (more == nullptr) return nullptr;
        chunk = static_cast<char *>(more);
        chunk_left = chunk_bytes;
    }
    char *const place = chunk;
    chunk += bytes;
    chunk_left -= bytes;
    return place;
}

int shift_for(std::size_t bytes) noexcept
{
    int shift = smallest_shift;
    while ((std::size_t{1} << shift) < bytes) ++shift;
    return shift;
}

}  // namespace

void *take_memory(std::size_t bytes) noexcept
{
    if (bytes + header_bytes > std::size_t{1} << largest_shift) return large(bytes);
    const int shift = shift_for(bytes + header_bytes);
    const locked hold(lock_of_memory);
    void *const place = piece_of(shift);
    return place == nullptr ? nullptr : behind(place, 0, shift);
}

void give_memory(void *place) noexcept
{
    if (place == nullptr) return;
    void *const begin = static_cast<char *>(place) - header_bytes;
    const header kept = *static_cast<header *>(begin);
    if (kept.mapped > 0) {
        munmap(begin, kept.mapped);
        return;
    }
    const locked hold(lock_of_memory);
    lists[kept.shift] = new (begin) free_piece{lists[kept.shift]};
}

namespace
{

void *taken_or_thrown(std::size_t bytes)
{
    void *const place = take_memory(bytes);
    if (place == nullptr) throw std::bad_alloc();
    return place;
}

// What the piece begins at stands before the aligned place.
void *aligned_memory(std::size_t bytes, std::align_val_t wanted) noexcept
{
    const auto alignment = static_cast<std::size_t>(wanted);
    char *const piece = static_cast<char *>(take_memory(bytes + alignment + sizeof(void *)));
    if (piece == nullptr) return nullptr;
    const auto first = reinterpret_cast<std::uintptr_t>(piece) + sizeof(void *);
    auto *const place = reinterpret_cast<void **>((first + alignment - 1) & ~(alignment - 1));
    place[-1] = piece;
    return place;
}

void *aligned_or_thrown(std::size_t bytes, std::align_val_t alignment)
{
    void *const place = aligned_memory(bytes, alignment);
    if (place == nullptr) throw std::bad_alloc();
    return place;
}

void give_aligned(void *place) noexcept
{
    if (place != nullptr) give_memory(static_cast<void **>(place)[-1]);
}

}  // namespace
}  // namespace headrace::run

// Hidden by the version script: the program's own `new` is not meant.
void *operator new(std::size_t bytes) { return headrace::run::taken_or_thrown(bytes); }
void *operator new[](std::size_t bytes) { return headrace::run::taken_or_thrown(bytes); }
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept { return headrace::run::take_memory(bytes); }
void *operator new[](std::size_t bytes, const std::nothrow_t &) noexcept { return headrace::run::take_memory(bytes); }
void operator delete(void *place) noexcept { headrace::run::give_memory(place); }
void operator delete[](void *place) noexcept { headrace::run::give_memory(place); }
void operator delete(void *place, std::size_t) noexcept { headrace::run::give_memory(place); }
void operator delete[](void *place, std::size_t) noexcept { headrace::run::give_memory(place); }
void *operator new(std::size_t bytes, std::align_val_t alignment) { return headrace::run::aligned_or_thrown(bytes, alignment); }
void *operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t &) noexcept
{
    return headrace::run::aligned_memory(bytes, alignment);
}
void operator delete(void *place, std::align_val_t) noexcept { headrace::run::give_aligned(place); }
void operator delete(void *place, std::size_t, std::align_val_t) noexcept { headrace::run::give_aligned(place); }
#endif
