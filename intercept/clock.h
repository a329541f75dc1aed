/* The processor's counter of time: 8 ns; clock_gettime takes 25. profile.h keeps pairs of both, which give its rate. */
#ifndef HEADRACE_CLOCK_H
#define HEADRACE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_nanoseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* 0 if the counter may stand still or differ between processors: then ticks are nanoseconds. */
extern int clock_counter_is_usable;

static inline uint64_t ticks_now(void)
{
#if defined(__x86_64__)
    if (__builtin_expect(clock_counter_is_usable, 1)) {
        uint32_t low, high;
        __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
        return (uint64_t)high << 32 | low;
    }
#elif defined(__aarch64__)
    uint64_t value; /* the architecture promises a constant rate and one time for all processors */
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#endif
    return clock_nanoseconds(CLOCK_MONOTONIC);
}

#endif
