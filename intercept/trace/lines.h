/* The records of a thread: found by what stands in the statement, in a few nanoseconds. */
#ifndef HEADRACE_LINES_H
#define HEADRACE_LINES_H

#include "../frames.h"
#include "profile.h"

struct thread_lines;

/* The record of a statement; NULL if the profile cannot be. */
struct profile_line *find_line(const struct statement *statement, uint32_t connection);

/* Tells the profile which record's statement this thread executes (0: none). */
static inline void set_current_line(const struct profile_line *line)
{
    uint32_t **lines = this_thread.consumer; /* begins with the place of the number */
    if (LIKELY(lines != NULL)) **lines = line ? profile_offset(line) : 0;
}

void lines_start(void);
void lines_forget(void);

#endif
