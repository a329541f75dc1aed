/* Time lines belong to source lines of the process: threads and files share them. */
#include "time_line.h"

#include <string.h>

#include "../clock.h"

enum { most_time_lines = 2048 };
static uint32_t time_lines[most_time_lines];
static uint32_t time_line_count;

void time_line_forget(void) { time_line_count = 0; }

static struct profile_bin *bins_of(uint32_t offset)
{
    return (struct profile_bin *)((char *)profile_place(offset) + profile_block_header_bytes);
}

/* All bins become twice as wide, until `last` is among them. */
static void double_bins(uint64_t last)
{
    while (last >= profile_time_bins) {
        profile->bin_doublings_begun++;
        for (uint32_t i = 0; i < time_line_count; ++i) {
            struct profile_bin *bins = bins_of(time_lines[i]);
            for (int bin = 0; bin < profile_time_bins / 2; ++bin) {
                bins[bin].ticks = bins[2 * bin].ticks + bins[2 * bin + 1].ticks;
                bins[bin].bytes = bins[2 * bin].bytes + bins[2 * bin + 1].bytes;
            }
            memset(bins + profile_time_bins / 2, 0, profile_time_bins / 2 * sizeof *bins);
        }
        profile->bin_shift++;
        profile->bin_doublings_done++;
        last /= 2;
    }
}

static uint32_t find_time_line(const struct profile_line *line)
{
    for (uint32_t i = 0; i < time_line_count; ++i) {
        const struct profile_block *block = profile_place(time_lines[i]);
        if (block->line_file == line->file && block->line_number == (uint32_t)line->line && block->line_kind == line->kind &&
            block->line_name == line->name)
            return time_lines[i];
    }
    if (time_line_count == most_time_lines) return 0;
    struct profile_block *block = profile_new_block(block_time_line, sizeof(struct profile_bin), 0);
    if (!block) return 0;
    block->line_file = line->file;
    block->line_number = (uint32_t)line->line;
    block->line_kind = line->kind;
    block->line_name = line->name;
    block->records = profile_time_bins;
    return time_lines[time_line_count++] = profile_offset(block);
}

/* Spreads a long statement over the bins in which it ran; bytes likewise. */
static void add_to_bins(struct profile_bin *bins, uint64_t from, uint64_t ticks, uint64_t bytes)
{
    uint64_t width = (uint64_t)1 << profile->bin_shift, begins = from - profile->bin_begins;
    uint64_t first = begins >> profile->bin_shift, last = (begins + ticks) >> profile->bin_shift;
    if (last >= profile_time_bins) last = profile_time_bins - 1;
    uint64_t ticks_left = ticks, bytes_left = bytes;
    for (uint64_t bin = first; bin < last; ++bin) {
        uint64_t ends = (bin + 1) * width, inside = ends - (bin == first ? begins : bin * width);
        if (inside > ticks_left) inside = ticks_left;
        /* The floating-point flags are the program's: no floating-point numbers. */
        uint64_t part = (uint64_t)((unsigned __int128)bytes * inside / ticks);
        if (part > bytes_left) part = bytes_left;
        bins[bin].ticks += inside;
        bins[bin].bytes += part;
        ticks_left -= inside;
        bytes_left -= part;
    }
    bins[last].ticks += ticks_left;
    bins[last].bytes += bytes_left;
}

void time_line_flush(struct profile_line *line)
{
    uint64_t now = ticks_now();
    int worth_a_block = line->time_line != 0 || line->ticks >> 21 != 0; /* about a millisecond in all */
    if (!worth_a_block || !profile_try_lock()) return;                  /* stays pending: its bin is then late by less than that */
    double_bins((now - profile->bin_begins) >> profile->bin_shift);
    if (!line->time_line) line->time_line = find_time_line(line);
    if (line->time_line) {
        add_to_bins(bins_of(line->time_line), line->pending_since, line->pending_ticks, line->pending_bytes);
        line->pending_ticks = line->pending_bytes = 0;
        line->pending_since = 0;
    }
    profile_unlock();
}
