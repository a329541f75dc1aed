/* When a source line was at work: seconds and bytes in at least 510 equal bins of the run. */
#ifndef HEADRACE_TIME_LINE_H
#define HEADRACE_TIME_LINE_H

#include "profile.h"

/* Adds what the record has pending to the time line of its source line. */
void time_line_flush(struct profile_line *line);

static inline uint64_t time_line_bin(uint64_t ticks) { return (ticks - profile->bin_begins) >> profile->bin_shift; }

/* Counts a statement that ended at `now`: pending, until its bin is over. */
static inline void time_line_add(struct profile_line *line, uint64_t now, uint64_t ticks, uint64_t bytes)
{
    if (__builtin_expect(line->pending_since == 0 || time_line_bin(now) != time_line_bin(line->pending_since), 0)) {
        uint64_t begins = now - ticks;
        /* What is pending ended in its own bin; this statement may have begun long after it. */
        if (line->pending_since != 0 && time_line_bin(begins) != time_line_bin(line->pending_since)) time_line_flush(line);
        if (line->pending_since == 0) line->pending_since = begins;
    }
    line->pending_ticks += ticks;
    line->pending_bytes += bytes;
    if (__builtin_expect(time_line_bin(now) != time_line_bin(line->pending_since), 0)) time_line_flush(line);
}

void time_line_forget(void);

#endif
